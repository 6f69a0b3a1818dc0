//! `clean --to`: a file a page beside the tables.

use crate::common::warcsieve;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn text_of(path: &Path) -> String {
    path.display().to_string()
}

/// All files below a folder, by their paths below it.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                found.insert(name, fs::read(path).unwrap());
            }
        }
    }
    found
}

#[test]
fn they_are_what_extract_writes_and_the_same_after_a_stop() {
    let crawl = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/crawl/en0000");
    let crawl = text_of(&crawl);
    let folder = tempfile::tempdir().unwrap();
    let (out, extracted) = (folder.path().join("out"), folder.path().join("extracted"));
    let clean = |threads: &str| {
        let to = text_of(&out);
        let arguments = [
            "clean",
            &crawl,
            "--out",
            &to,
            "--to",
            "md",
            "--threads",
            threads,
        ];
        let (code, _, err) = warcsieve(&arguments);
        assert_eq!(code, 10, "{err}");
    };
    clean("3");
    let (code, _, err) = warcsieve(&[
        "extract",
        &crawl,
        "--to",
        "md",
        "--out",
        &text_of(&extracted),
    ]);
    assert_eq!(code, 10, "{err}");
    let written = files(&out.join("md"));
    let named_as_inputs = files(&extracted).into_iter().map(|(name, bytes)| {
        let (stem, page) = name.split_once('/').unwrap();
        (format!("{stem}.warc.gz/{page}"), bytes)
    });
    assert!(written.len() > 10 && written == named_as_inputs.collect());
    assert!(written.keys().all(
        |name| name.starts_with("0") && name.ends_with(".md") || name.ends_with("/index.jsonl")
    ));
    for (name, bytes) in &written {
        let text = std::str::from_utf8(bytes).unwrap();
        let Some(crawl) = name.strip_suffix("index.jsonl") else {
            assert!(text.starts_with("---\n"), "{name}");
            continue;
        };
        for line in text.lines() {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            let file = format!("{crawl}{}", line["file"].as_str().unwrap());
            let page = std::str::from_utf8(&written[&file]).unwrap();
            assert!(page.contains(&format!("url: {}\n", line["url"])), "{page}");
        }
    }
    // As if the run had been killed while it wrote an input.
    let lost = written.keys().next().unwrap();
    fs::remove_file(out.join("md").join(lost)).unwrap();
    fs::remove_file(out.join("documents/00.warc.gz.parquet")).unwrap();
    clean("1");
    assert!(files(&out.join("md")) == written);
}

#[test]
fn a_folder_that_was_cleaned_without_them_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("in/a.html");
    fs::create_dir(folder.path().join("in")).unwrap();
    fs::write(&page, "<p>Cod spawn from January to April.").unwrap();
    let (from, out) = (
        text_of(&folder.path().join("in")),
        text_of(&folder.path().join("out")),
    );
    let clean = |more: &[&str]| warcsieve(&[&["clean", &from, "--out", &out], more].concat());
    assert_eq!(clean(&[]).0, 0);
    let (code, _, err) = clean(&["--to", "txt"]);
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("page files"), "{err}");
    let (code, _, err) = clean(&["--to", "txt", "--redo"]);
    assert_eq!(code, 0, "{err}");
    assert!(folder.path().join("out/txt/a.html.txt").is_file());
}

#[test]
fn the_file_of_a_page_is_not_taken_for_one_of_a_crawl_with_the_name_of_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("in/news")).unwrap();
    fs::write(at("in/news/a.html"), "<p>Cod spawn from January to April.").unwrap();
    let body = "<p>Herring spawn in autumn.";
    // It states the name of the input as its id.
    let record = format!(
        "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <news>\r\nContent-Type: text/html\r\n\
         Content-Length: {}\r\n\r\n{body}\r\n\r\n",
        body.len()
    );
    fs::create_dir(at("crawls")).unwrap();
    fs::write(at("crawls/news"), record.repeat(2)).unwrap();
    let out = text_of(&at("out"));
    for from in ["in", "crawls/news"] {
        let from = text_of(&at(from));
        let (code, _, err) = warcsieve(&["clean", &from, "--out", &out, "--to", "md", "--no-seal"]);
        assert_eq!(code, 0, "{err}");
    }
    let names: Vec<_> = files(&at("out/md")).into_keys().collect();
    assert_eq!(names.len(), 4, "{names:?}");
    assert!(names.contains(&"news/a.html.md".to_owned()), "{names:?}");
}

#[test]
fn lost_and_altered_ones_are_found_and_made_again_and_stale_ones_removed() {
    let folder = tempfile::tempdir().unwrap();
    let (from, out) = (folder.path().join("in"), folder.path().join("out"));
    fs::create_dir(&from).unwrap();
    let page = |id: &str, text: &str| {
        let body = format!("<p>{text}</p>");
        format!(
            "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: {id}\r\nContent-Type: text/html\r\n\
             Content-Length: {}\r\n\r\n{body}\r\n\r\n",
            body.len()
        )
    };
    let crawl = [
        page("cod", "Cod spawn from January to April."),
        page("cod", "Cod spawn in the same places."),
        page("mail", "Write to me@example.org today."),
    ];
    fs::write(from.join("a.warc"), crawl.concat()).unwrap();
    fs::write(from.join("b.html"), "<p>Herring spawn in autumn.").unwrap();
    let pipeline = folder.path().join("p.toml");
    let filter = "[[filter]]\npersonal = 'drop-over 0'\nkinds = ['email']\n";
    let keep_all = "[[step]]\nmethod = 'keep-all'\n";
    fs::write(&pipeline, keep_all).unwrap();
    let places = [&from, &out, &pipeline].map(|path| text_of(path));
    let [from, to, pipeline_name] = &places;
    let clean = |more: &[&str]| {
        let all = [
            &["clean", from, "--out", to, "--pipeline", pipeline_name],
            more,
        ]
        .concat();
        let (code, _, log) = warcsieve(&all);
        assert_eq!(code, 0, "{log}");
    };
    let status = || warcsieve(&["status", to, "--verify"]);
    clean(&["--to", "txt", "--names", "id"]);
    let whole = files(&out.join("txt"));
    assert_eq!(
        whole.keys().collect::<Vec<_>>(),
        [
            "a.warc/cod-2.txt",
            "a.warc/cod.txt",
            "a.warc/index.jsonl",
            "a.warc/mail.txt",
            "b.html.txt"
        ]
    );
    assert_eq!(status().0, 0);

    fs::write(out.join("txt/b.html.txt"), "junk").unwrap();
    let (code, text, _) = status();
    assert!(
        code != 0 && text.contains("txt/b.html.txt: its bytes"),
        "{text}"
    );
    fs::remove_file(out.join("txt/a.warc/cod-2.txt")).unwrap();
    let (code, text, _) = status();
    assert!(
        code != 0 && text.contains("txt/a.warc/cod-2.txt: gone"),
        "{text}"
    );
    let list = out.join("txt/a.warc/index.jsonl");
    let longer = [&whole["a.warc/index.jsonl"], &b"x"[..]].concat();
    fs::write(&list, longer).unwrap();
    let (code, text, _) = status();
    assert!(
        code != 0 && text.contains("txt/a.warc/index.jsonl: its bytes"),
        "{text}"
    );
    fs::remove_file(list).unwrap();
    clean(&["--to", "txt", "--names", "id"]);
    assert!(files(&out.join("txt")) == whole);

    // What a killed writer left is removed where the next one writes.
    let left = out.join("txt/a.warc/.cod.txt.0123456789abcdef.tmp");
    fs::write(&left, "Cod").unwrap();
    // As if the run had been killed before it was done with the input.
    fs::remove_file(out.join("_manifest/a.warc.json")).unwrap();
    fs::write(&pipeline, format!("{keep_all}{filter}")).unwrap();
    clean(&["--to", "txt", "--names", "id", "--redo"]);
    let rest = files(&out.join("txt"));
    assert!(
        !rest.contains_key("a.warc/mail.txt") && rest.len() == 4,
        "{:?}",
        rest.keys()
    );
    clean(&["--redo"]);
    assert!(files(&out.join("txt")).is_empty());
}

#[test]
fn several_forms_of_one_run_are_those_of_a_run_each() {
    let crawl =
        text_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/crawl/en0000/00.warc.gz"));
    let folder = tempfile::tempdir().unwrap();
    let clean = |to: &str| {
        let out = folder.path().join(to);
        let (code, _, log) = warcsieve(&["clean", &crawl, "--out", &text_of(&out), "--to", to]);
        assert_eq!(code, 0, "{log}");
        out
    };
    let all = clean("md,html,txt");
    for form in ["md", "html", "txt"] {
        let alone = clean(form);
        let [together, alone] = [&all, &alone].map(|out| files(&out.join(form)));
        assert!(together.len() > 5 && together == alone, "{form}");
    }
    let status = ["status", &text_of(&all), "--verify"];
    assert_eq!(warcsieve(&status).0, 0);
    let page = files(&all.join("html")).into_keys().next().unwrap();
    fs::remove_file(all.join("html").join(&page)).unwrap();
    let (code, report, _) = warcsieve(&status);
    assert!(code != 0 && report.contains(&page), "{code} {report}");
}

#[test]
fn an_output_folder_among_the_inputs_is_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.html"), "<p>Cod spawn in spring.").unwrap();
    let (from, out) = (text_of(folder.path()), text_of(&folder.path().join("out")));
    for _ in 0..2 {
        let (code, _, log) = warcsieve(&["clean", &from, "--out", &out, "--to", "html"]);
        assert_eq!(code, 0, "{log}");
        assert_eq!(files(&folder.path().join("out/html")).len(), 1);
    }
}

#[test]
fn of_the_lists_beside_pages_only_our_own_are_removed() {
    let crawl =
        text_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/crawl/en0000/00.warc.gz"));
    let folder = tempfile::tempdir().unwrap();
    let out = text_of(&folder.path().join("out"));
    assert_eq!(
        warcsieve(&["clean", &crawl, "--out", &out, "--to", "txt"]).0,
        0
    );
    let notes = folder.path().join("out/txt/00.warc.gz/notes.jsonl");
    fs::write(&notes, "mine").unwrap();
    let (code, _, log) = warcsieve(&["clean", &crawl, "--out", &out, "--redo"]);
    assert_eq!(code, 0, "{log}");
    let left = files(&folder.path().join("out/txt"));
    assert_eq!(left.keys().collect::<Vec<_>>(), ["00.warc.gz/notes.jsonl"]);
}

#[test]
fn other_links_are_another_recipe() {
    let crawl =
        text_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/crawl/en0000/00.warc.gz"));
    let folder = tempfile::tempdir().unwrap();
    let out = text_of(&folder.path().join("out"));
    let clean = |more: &[&str]| {
        warcsieve(&[&["clean", &crawl, "--out", &out, "--to", "md"], more].concat())
    };
    assert_eq!(clean(&[]).0, 0);
    // What the pipeline says anyway changes nothing.
    assert_eq!(clean(&["--set", "links=page"]).0, 0);
    let (code, _, log) = clean(&["--set", "links=absolute", "--set", "images=true"]);
    assert_eq!(code, 2, "{log}");
    let change = "what `--set` changes was none, now images = true, links = \"absolute\"";
    assert!(log.contains(change), "{log}");
    assert_eq!(clean(&["--set", "links=absolute", "--redo"]).0, 0);
    let (code, list, log) = warcsieve(&["status", &out, "--inputs", &crawl, "--todo"]);
    assert_eq!((code, list.as_str()), (0, ""), "{log}");
}

#[test]
fn pages_of_a_crawl_are_named_as_is_asked_for() {
    let crawl = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/crawl/en0000/00.warc.gz");
    let crawl = text_of(&crawl);
    let folder = tempfile::tempdir().unwrap();
    let names = |names: &str, metadata: &str| {
        let out = folder.path().join(names);
        let to = text_of(&out);
        let (code, _, log) = warcsieve(&[
            "clean", &crawl, "--out", &to, "--to", "md", "--names", names, metadata,
        ]);
        assert_eq!(code, 0, "{log}");
        let status = warcsieve(&["status", &to, "--verify"]);
        assert_eq!(status.0, 0, "{}", status.1);
        files(&out.join("md/00.warc.gz"))
    };
    let by_id = names("id", "--with-metadata=false");
    let by_number = names("number", "--with-metadata");
    let by_url = names("url", "--with-metadata=false");
    assert!(by_id.contains_key("testdata-0001.md"), "{:?}", by_id.keys());
    assert!(by_number["000001.md"].starts_with(b"---\n"));
    let pages = |files: &BTreeMap<String, Vec<u8>>| {
        let pages = files.iter().filter(|(name, _)| name.ends_with(".md"));
        let mut texts: Vec<_> = pages.map(|(_, text)| text.clone()).collect();
        texts.sort();
        texts
    };
    assert_eq!(pages(&by_id), pages(&by_url));
    assert!(!pages(&by_url)[0].starts_with(b"---\n"));
    for (command, add) in [
        (&["clean", &crawl, "--out", "x"][..], "add --to"),
        (&["extract", &crawl], "add --out"),
        (&["extract", &crawl, "--out", "x.md"], "add --out"),
    ] {
        let (code, _, log) = warcsieve(&[command, &["--names", "id"]].concat());
        assert_eq!(code, 2, "{command:?}");
        assert!(log.contains(add), "{command:?}: {log}");
    }
}
