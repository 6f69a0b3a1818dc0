//! `warcsieve corpus`: one file, killed anywhere, the same bytes.

use crate::common::{assert_same, contents, warcsieve};
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use warcsieve_store::FolderLock;

/// Two inputs of the same pages, so that there are duplicates, and what is masked and dropped.
fn crawl(folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    for name in ["a.warc", "b.warc"] {
        let mut text = String::new();
        for n in 0..60 {
            let words: String = (0..60)
                .map(|word| format!("word{} ", n * 7 + word))
                .collect();
            let body = format!(
                "<h1>Page {n}</h1><p>{words}{}<p>Mail me{n}@example.org or call 8.8.4.{n} now.<p>Read our \
                 privacy policy.<p>Home",
                if n % 20 == 0 { "{}." } else { "." }
            );
            text += &format!(
                "WARC/1.0\r\nWARC-Type: resource\r\nWARC-TREC-ID: {name}-{n}\r\nContent-Type: text/html\r\n\
                 WARC-Date: 2024-02-29T00:00:00Z\r\nContent-Length: {}\r\n\r\n{body}\r\n\r\n",
                body.len()
            );
        }
        fs::write(folder.join(name), text).unwrap();
    }
}

/// A corpus file in a folder that has a crawl.
fn config(folder: &Path, out: &str) -> PathBuf {
    if !folder.join("crawl").exists() {
        crawl(&folder.join("crawl"));
    }
    let text = "[corpus]\ninputs = ['crawl/']\nout = 'OUT'\n\n\
                [[filter]]\nkeep = 'c4.any_end_curly_brackets@datatrove <= 0'\n\
                [[filter]]\nlines = 'c4-any-end'\n[[filter]]\npersonal = 'mask'\n\n\
                [[step]]\nmethod = 'keep-all'\n\n[dedup]\nexact = ['text']\nnear = 'none'\n";
    let path = folder.join(format!("{out}.toml"));
    fs::write(&path, text.replace("OUT", out)).unwrap();
    path
}

fn run(config: &Path) -> serde_json::Value {
    let config = config.display().to_string();
    let (code, text, log) = warcsieve(&["corpus", &config, "--log-format", "json"]);
    assert_eq!(code, 0, "{log}");
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}

fn rows(file: &Path) -> Vec<RecordBatch> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(file).unwrap());
    let batches = reader.unwrap().build().unwrap();
    batches.map(Result::unwrap).collect()
}

#[test]
fn the_books_balance_and_texts_blocks_and_card_agree() {
    let folder = tempfile::tempdir().unwrap();
    let end = run(&config(folder.path(), "out"));
    let out = folder.path().join("out");
    // Of 120 pages 6 have a bracket; of the others each is there twice.
    assert_eq!(end["documents"], 114);
    assert_eq!(end["kept"], 57);
    let books: serde_json::Value =
        serde_json::from_slice(&fs::read(out.join("books.json")).unwrap()).unwrap();
    assert_eq!(books["pages"], 120);
    assert_eq!(books["duplicates"]["dropped_text"], 57);
    assert_eq!(books["personal"]["email"], 114);
    // `Home` is one word.
    assert_eq!(books["lines"]["c4-any-end: fewer than 3 words"], 228);
    assert_eq!(books["lines"]["c4-any-end: policy"], 114);

    let mut kept = 0;
    for batch in rows(&out.join("documents/a.warc.parquet")) {
        let column = |name: &str| batch.column_by_name(name).unwrap().clone();
        for text in column("text").as_string::<i32>().iter().flatten() {
            let masked = "\nMail |||EMAIL_ADDRESS||| or call |||IP_ADDRESS||| now.";
            assert!(text.ends_with(masked) && text.starts_with("word"), "{text}");
        }
        let emails = column("n_emails");
        assert!(
            emails
                .as_primitive::<Int32Type>()
                .values()
                .iter()
                .all(|n| *n == 1)
        );
        kept += batch.num_rows();
    }
    assert_eq!(kept, 57);
    let documents = rows(&out.join("cleaned/documents/a.warc.parquet"));
    let text = documents[0]
        .column_by_name("text")
        .unwrap()
        .as_string::<i32>()
        .value(0)
        .to_owned();
    let blocks = rows(&out.join("cleaned/blocks/a.warc.parquet"));
    let texts = |name: &str| {
        blocks[0]
            .column_by_name(name)
            .unwrap()
            .as_string::<i32>()
            .clone()
    };
    let places = |name: &str| {
        blocks[0]
            .column_by_name(name)
            .unwrap()
            .as_primitive::<Int32Type>()
            .clone()
    };
    let (starts, ends) = (places("text_start"), places("text_end"));
    // The first page has a bracket, so these are of the second: title, words, mail, policy, home.
    let place = |row: usize| {
        starts.iter().nth(row).flatten().map(|start| {
            let end = ends.value(row);
            &text[start as usize..end as usize]
        })
    };
    assert_eq!(place(0), None);
    assert_eq!(texts("reason").value(0), "c4-any-end: fewer than 3 words");
    assert_eq!(texts("label").value(3), "boilerplate");
    assert_eq!(texts("reason").value(3), "c4-any-end: policy");
    assert_eq!(place(2), Some(texts("text").value(2)));
    assert_eq!(
        texts("text").value(2),
        "Mail |||EMAIL_ADDRESS||| or call |||IP_ADDRESS||| now."
    );

    let card = fs::read_to_string(out.join("card.md")).unwrap();
    for line in [
        "| documents | 57 |",
        "| crawled | 2024-02-29 to 2024-02-29 |",
        "| 2024-02 | 57 |",
        "Documents without an address: 57.",
        "| failed: `c4.any_end_curly_brackets@datatrove <= 0` | 6 | 5.0 % |",
        "| duplicates: text | 57 | 47.5 % |",
        "| c4-any-end: policy | 114 |",
        "3. `personal mask: email, ip`",
        "method = 'keep-all'",
    ] {
        assert!(card.contains(line), "{line} is not in\n{card}");
    }
    let report = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(report.contains("dropped_text"));
    assert!(out.join("_SUCCESS").exists());
    let (_, show, _) = warcsieve(&["corpus", "--show"]);
    assert!(
        show.contains("[corpus]") && show.contains("preset = \"fineweb\""),
        "{show}"
    );
}

#[test]
fn data_that_extends_over_two_blocks_is_masked_in_both() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let table = "<tr><th>Name<th>Phone<tr><td>Bob<td>(555)<br>123-4567<tr><td>Al<td>(555)<br>123-4567 after six";
    fs::write(&page, format!("<table>{table}</table>")).unwrap();
    let out = folder.path().join("out");
    let pipeline = folder.path().join("p.toml");
    let clean = |segmentation: &str, filters: &str| {
        let text = format!(
            "segmentation = '{segmentation}'\n[[step]]\nmethod = 'keep-all'\n\
             [[filter]]\npersonal = 'mask'\nkinds = ['phone']\n{filters}"
        );
        fs::write(&pipeline, text).unwrap();
        let [page, out, pipeline] = [&page, &out, &pipeline].map(|path| path.to_str().unwrap());
        warcsieve(&["clean", page, "--out", out, "--pipeline", pipeline, "-q"])
    };
    for (filters, masks, why) in [
        ("", 3, "masked: phone"),
        (
            "[[filter]]\nlines = 'c4'\n",
            4,
            "c4: no terminal punctuation",
        ),
    ] {
        let (code, _, log) = clean("inline", filters);
        assert_eq!(code, 0, "{log}");
        let blocks = rows(&out.join("blocks/page.html.parquet"));
        let column = |name: &str| {
            let column = blocks[0].column_by_name(name).unwrap().as_string::<i32>();
            let texts = column.iter().map(Option::unwrap_or_default);
            texts.map(str::to_owned).collect::<Vec<_>>()
        };
        let (texts, reasons) = (column("text"), column("reason"));
        assert!(
            !texts.concat().contains("123") && !texts.concat().contains("555"),
            "{texts:?}"
        );
        let whole = texts.iter().filter(|text| *text == "|||PHONE_NUMBER|||");
        assert_eq!(whole.count(), masks, "{texts:?}");
        assert!(reasons.contains(&why.to_owned()), "{reasons:?}");
        fs::remove_dir_all(&out).unwrap();
    }
    // What inline tags divide would be missed.
    let (code, _, log) = clean("leaves", "");
    assert_eq!(code, 2, "{log}");
    assert!(log.contains("set segmentation = \"inline\""), "{log}");
}

#[test]
fn data_in_rights_and_in_pre_is_masked() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let page = "<meta name=robots content='noindex, ask ann@example.com'><p>These words are the text.\
                <pre>call  555-123[1]-4567 or ann[2]@example.com now</pre>";
    fs::write(at("page.html"), page).unwrap();
    let pipeline = "rights = true\ntree = 'tags'\nblock_text = 'all'\n[[step]]\nmethod = 'keep-all'\n\
                    [[filter]]\nlines = 'c4-any-end'\n[[filter]]\npersonal = 'mask'\nkinds = ['email', 'phone']\n";
    fs::write(at("p.toml"), pipeline).unwrap();
    let (page, out, pipeline) = (at("page.html"), at("out"), at("p.toml"));
    let (code, _, log) = warcsieve(&["clean", &page, "--out", &out, "--pipeline", &pipeline, "-q"]);
    assert_eq!(code, 0, "{log}");
    for (table, column) in [("documents", "robots_meta"), ("blocks", "preformatted")] {
        let rows = rows(&Path::new(&out).join(table).join("page.html.parquet"));
        let texts = rows[0].column_by_name(column).unwrap().as_string::<i32>();
        let texts = texts.iter().flatten().collect::<String>();
        assert!(texts.contains("|||EMAIL_ADDRESS|||"), "{column}: {texts}");
        assert!(
            !texts.contains("example") && !texts.contains("4567"),
            "{texts}"
        );
    }
}

#[test]
fn the_card_and_the_list_say_where_the_documents_come_from() {
    let folder = tempfile::tempdir().unwrap();
    let crawl = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/testdata/crawl/en0000/00.warc.gz"
    );
    let file = folder.path().join("corpus.toml");
    let text = format!(
        "rights = true\n[corpus]\ninputs = ['{crawl}']\nout = 'out'\n[[step]]\nmethod = 'keep-all'\n"
    );
    fs::write(&file, text).unwrap();
    let end = run(&file);
    let out = folder.path().join("out");
    let list = fs::read_to_string(out.join("domains.tsv")).unwrap();
    let lines: Vec<Vec<&str>> = list
        .lines()
        .map(|line| line.split('\t').collect())
        .collect();
    assert_eq!(lines[0], ["domain", "documents", "text_bytes"]);
    let number = |line: &Vec<&str>, at: usize| line[at].parse::<u64>().unwrap();
    let documents: u64 = lines[1..].iter().map(|line| number(line, 1)).sum();
    assert_eq!(end["kept"], documents);
    let sizes: Vec<u64> = lines[1..].iter().map(|line| number(line, 2)).collect();
    assert!(
        sizes.len() > 1 && sizes.is_sorted_by(|a, b| a >= b),
        "{list}"
    );
    let card = fs::read_to_string(out.join("card.md")).unwrap();
    let domains = format!("The documents come from {} registered domains", sizes.len());
    let first = format!("| {} | {} | ", lines[1][0], lines[1][1]);
    for line in [&domains, &first, "## Licences", "| none is named | "] {
        assert!(card.contains(line), "{line} is not in\n{card}");
    }
    assert!(card.contains("SELECT licence, count(*)"), "{card}");
}

#[test]
fn a_corpus_that_is_killed_at_any_step_has_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    run(&config(folder.path(), "whole"));
    let expected = contents(&folder.path().join("whole"));
    let file = config(folder.path(), "killed");
    let out = folder.path().join("killed");
    let mut is_killed = false;
    for delay in [20, 60, 100, 140, 180, 240, 300] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_warcsieve"));
        command
            .arg("corpus")
            .arg(&file)
            .args(["--quiet", "--threads", "2"]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        is_killed |= child.try_wait().unwrap().is_none();
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(is_killed, "a run was killed before its end");
    run(&file);
    assert_same(&contents(&out), &expected, "killed");
    // What is lost after the end is made again: of each step a file, or its note.
    for lost in [
        "cleaned/_manifest",
        "duplicates/kept.parquet",
        "_steps/duplicates.json",
        "documents/b.warc.parquet",
        "_steps/documents.json",
        "card.md",
    ] {
        let path = out.join(lost);
        match path.is_dir() {
            true => fs::remove_dir_all(&path).unwrap(),
            false => fs::remove_file(&path).unwrap(),
        }
        run(&file);
        assert_same(&contents(&out), &expected, lost);
    }
}

#[test]
fn filters_that_change_texts_need_plain_text() {
    let folder = tempfile::tempdir().unwrap();
    let file = config(folder.path(), "out");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("output = 'markdown'\n{text}")).unwrap();
    let config = file.display().to_string();
    let (code, _, log) = warcsieve(&["corpus", &config]);
    assert_eq!(code, 2);
    assert!(
        log.contains("`lines c4-any-end` changes plain text, and the output is markdown"),
        "{log}"
    );
}

#[test]
fn a_folder_of_something_else_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let file = config(folder.path(), "out");
    let out = folder.path().join("out").display().to_string();
    let crawl = folder.path().join("crawl").display().to_string();
    let (code, _, log) = warcsieve(&["clean", &crawl, "--out", &out, "--pipeline", "keep-all"]);
    assert_eq!(code, 0, "{log}");
    let before = contents(Path::new(&out));
    let (code, _, log) = warcsieve(&["corpus", &file.display().to_string()]);
    assert_eq!(code, 2, "{log}");
    assert!(log.contains("files that are not part of a corpus"), "{log}");
    assert_same(&before, &contents(Path::new(&out)), "refused");
}

#[test]
fn one_page_is_not_extracted_by_filters_that_change_texts() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let page = file("page.html", "<p>Mail me@example.org now.");
    let pipeline = "[[filter]]\npersonal = 'mask'\n[[step]]\nmethod = 'keep-all'\n";
    let pipeline = file("p.toml", pipeline);
    let (code, text, log) = warcsieve(&["extract", &page, "--pipeline", &pipeline]);
    assert_eq!((code, text.as_str()), (2, ""), "{log}");
    assert!(log.contains("which only `clean` and `corpus` do"), "{log}");
}

#[test]
fn an_input_that_is_listed_no_more_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(folder.path(), "out");
    run(&config);
    fs::remove_file(folder.path().join("crawl/b.warc")).unwrap();
    let (code, _, log) = warcsieve(&["corpus", &config.display().to_string()]);
    assert!(
        code == 2 && log.contains("b.warc is in this corpus"),
        "{log}"
    );
}

#[test]
fn what_a_corpus_writes_is_no_input_of_it() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("a.html"),
        "<p>Cod spawn from January to April.",
    )
    .unwrap();
    let config = folder.path().join("c.toml");
    let text = "[corpus]\ninputs = ['.']\nout = 'out'\n[[step]]\nmethod = 'keep-all'\n";
    fs::write(&config, text).unwrap();
    for _ in 0..3 {
        assert_eq!(run(&config)["kept"], 1);
    }
    fs::write(&config, format!("{text}[dedup]\nnear = 'no'\n")).unwrap();
    let (code, _, log) = warcsieve(&["corpus", &config.display().to_string()]);
    assert_eq!(code, 2, "{log}");
    let success = folder.path().join("out/_SUCCESS");
    assert!(
        success.is_file(),
        "what is refused leaves the corpus as it is"
    );
}

#[test]
fn duplicates_that_are_no_longer_wanted_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(folder.path(), "corpus");
    run(&config);
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, text.split("[dedup]").next().unwrap()).unwrap();
    run(&config);
    assert!(!folder.path().join("corpus/duplicates").exists());
    let other = folder.path().join("other.toml");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&other, text.replace("'corpus'", "'other'")).unwrap();
    run(&other);
    let [once, again] = ["other", "corpus"].map(|out| contents(&folder.path().join(out)));
    assert!(again.keys().eq(once.keys()), "{:?}", again.keys());
}

#[test]
fn what_is_lost_or_broken_is_made_again_and_strays_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = config(folder.path(), "out");
    let out = folder.path().join("out");
    run(&file);
    let expected = contents(&out);
    let corpus = |more: &[&str]| {
        let config = file.display().to_string();
        warcsieve(&[&["corpus", &config], more].concat())
    };
    let verified = || corpus(&["--verify"]).0;
    assert_eq!(verified(), 0);
    let kept = out.join("duplicates/kept.parquet");
    let clusters = out.join("duplicates/clusters.parquet");
    let documents = out.join("documents/a.warc.parquet");
    let flip = |path: &Path| {
        let mut bytes = fs::read(path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(path, bytes).unwrap();
    };
    let damages: [&dyn Fn(); 8] = [
        &|| flip(&out.join("books.json")),
        &|| fs::remove_file(out.join("card.md")).unwrap(),
        &|| fs::remove_file(out.join("cleaned/_SUCCESS")).unwrap(),
        &|| fs::remove_file(&clusters).unwrap(),
        &|| fs::write(&kept, &fs::read(&kept).unwrap()[..40]).unwrap(),
        &|| flip(&kept),
        &|| flip(&documents),
        &|| fs::remove_file(&documents).unwrap(),
    ];
    for (number, damage) in damages.into_iter().enumerate() {
        damage();
        assert_eq!(verified(), 1, "{number}");
        run(&file);
        assert_same(&contents(&out), &expected, &format!("{number}"));
        assert_eq!(verified(), 0, "{number}");
    }
    let (code, text, _) = corpus(&["--verify", "--json"]);
    let result: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((code, &result["exit_code"]), (0, &serde_json::json!(0)));
    assert_eq!(result["not_as_written"], serde_json::json!([]));
    assert_eq!(corpus(&["--verify", "-q"]).1, "");
    let recipe = out.join("cleaned/_recipe.json");
    let kept_recipe = fs::read(&recipe).unwrap();
    fs::remove_file(&recipe).unwrap();
    let stray = out.join("cleaned/documents/mine.parquet");
    fs::write(&stray, "mine").unwrap();
    let (code, _, log) = corpus(&["--verify", "-q"]);
    assert!(
        code == 1 && log.contains("cleaned/_recipe.json: gone") && log.contains("mine.parquet"),
        "{code}: {log}"
    );
    fs::write(&recipe, kept_recipe).unwrap();
    fs::remove_file(&stray).unwrap();
    let stray = out.join("documents/mine.parquet");
    fs::write(&stray, "mine").unwrap();
    assert_eq!(verified(), 1);
    let (code, _, log) = corpus(&[]);
    assert!(code == 2 && log.contains("mine.parquet"), "{code}: {log}");
    assert!(!out.join("_SUCCESS").exists(), "it is not whole");
    assert_eq!(verified(), 1);
    fs::remove_file(&stray).unwrap();
    assert_eq!(verified(), 11);
    run(&file);
    assert_same(&contents(&out), &expected, "the stray is gone");
    // Nothing is made of cleaned pages that are not as they were written.
    flip(&out.join("cleaned/documents/a.warc.parquet"));
    fs::remove_file(&documents).unwrap();
    let (code, _, log) = corpus(&[]);
    assert!(
        code == 1 && log.contains("cleaned/documents/a.warc.parquet"),
        "{code}: {log}"
    );
    assert!(!out.join("_SUCCESS").exists() && !documents.exists());
}

#[test]
fn a_corpus_that_another_process_writes_waits_for_another_time() {
    let folder = tempfile::tempdir().unwrap();
    let file = config(folder.path(), "out");
    let out = folder.path().join("out");
    let lock = FolderLock::take(&out).unwrap();
    let before = contents(&out);
    let (code, _, log) = warcsieve(&["corpus", &file.display().to_string()]);
    assert!(
        code == 75 && log.contains("another process"),
        "{code}: {log}"
    );
    assert_same(&contents(&out), &before, "nothing is written");
    drop(lock);
    run(&file);
}

#[test]
fn of_processes_on_one_corpus_all_but_one_wait_for_another_time() {
    let folder = tempfile::tempdir().unwrap();
    run(&config(folder.path(), "whole"));
    let expected = contents(&folder.path().join("whole"));
    for round in 0..5 {
        let out = format!("raced-{round}");
        let file = config(folder.path(), &out);
        let start = || {
            let mut command = Command::new(env!("CARGO_BIN_EXE_warcsieve"));
            command.arg("corpus").arg(&file).arg("--quiet");
            command.stdout(Stdio::null()).stderr(Stdio::null());
            command.spawn().unwrap()
        };
        let ended = [start(), start(), start()].map(|mut child| child.wait().unwrap().code());
        assert!(ended.contains(&Some(0)), "{ended:?}");
        let is_temporary = |code: &Option<i32>| matches!(code, Some(0 | 75));
        assert!(ended.iter().all(is_temporary), "{ended:?}");
        assert_same(&contents(&folder.path().join(&out)), &expected, &out);
    }
}
