//! The command as users call it.
use crate::common::warcsieve;
use assert_cmd::Command;
use flate2::Compression;
use flate2::write::GzEncoder;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::Path;

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut writer = GzEncoder::new(Vec::new(), Compression::default());
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap()
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_clean_crawl_ends_with_0_and_is_sealed() {
    let out = tempfile::tempdir().unwrap();
    let (code, table, _) = warcsieve(&[
        "clean",
        "testdata/crawl/en0000/00.warc.gz",
        "--out",
        path(out.path()),
    ]);
    assert_eq!(code, 0, "{table}");
    for file in [
        "documents/00.warc.gz.parquet",
        "blocks/00.warc.gz.parquet",
        "_manifest/00.warc.gz.json",
        "_SUCCESS",
    ] {
        assert!(out.path().join(file).is_file(), "{file}");
    }
    assert!(table.contains("documents"), "{table}");
    assert!(table.contains("_SUCCESS"), "{table}");
}

/// The rows of a table, each a column's name and value.
fn rows(file: &Path) -> Vec<HashMap<String, Field>> {
    let reader = SerializedFileReader::new(fs::File::open(file).unwrap()).unwrap();
    let rows = reader.get_row_iter(None).unwrap();
    rows.map(|row| row.unwrap().into_columns().into_iter().collect())
        .collect()
}

fn text(field: &Field) -> Option<&str> {
    match field {
        Field::Str(text) => Some(text),
        _ => None,
    }
}

#[test]
fn documents_hold_what_the_output_says() {
    let folder = tempfile::tempdir().unwrap();
    let [plain, html, markdown] = ["text", "html", "markdown"].map(|output| {
        let file = folder.path().join(format!("{output}.toml"));
        let pipeline =
            format!("output = '{output}'\nblock_text = 'all'\n[[step]]\nmethod = 'numwords'\n");
        fs::write(&file, pipeline).unwrap();
        let out = folder.path().join(output);
        let (code, table, log) = warcsieve(&[
            "clean",
            "testdata/crawl/en0000/00.warc.gz",
            "--pipeline",
            path(&file),
            "--out",
            path(&out),
        ]);
        assert_eq!(code, 0, "{table}{log}");
        let table = |name: &str| rows(&out.join(name).join("00.warc.gz.parquet"));
        (table("documents"), table("blocks"))
    });
    assert_eq!(plain.0.len(), html.0.len());
    let mut structured = 0;
    for (plain, html) in plain.0.iter().zip(&html.0) {
        let [plain_text, html_text] = [plain, html].map(|row| text(&row["text"]).unwrap());
        assert_eq!(html_text.is_empty(), plain_text.is_empty());
        assert!(html_text.is_empty() || html_text.starts_with("<html"));
        assert!(!html_text.contains("<script"));
        structured += usize::from(html_text.contains("<p>") && html_text.contains("</p>"));
        assert_eq!(html["text_bytes"], Field::Int(html_text.len() as i32));
        for same in ["id", "language", "language_score", "n_content_blocks"] {
            assert_eq!(plain[same], html[same], "{same}");
        }
    }
    assert!(structured > 5, "{structured}");
    let heads = |page: &HashMap<String, Field>| text(&page["text"]).unwrap().starts_with("# ");
    assert!(markdown.0.iter().any(heads));
    let mut content = 0;
    let pages: HashMap<_, _> = plain
        .0
        .iter()
        .map(|page| (text(&page["id"]), page))
        .collect();
    for ((plain, html), markdown) in plain.1.iter().zip(&html.1).zip(&markdown.1) {
        assert_eq!(plain["text"], html["text"]);
        assert_eq!(html["text_start"], Field::Null);
        assert_eq!(markdown["text_end"], Field::Null);
        let is_content = text(&html["label"]) == Some("content");
        let (Field::Int(start), Field::Int(end)) = (&plain["text_start"], &plain["text_end"])
        else {
            assert!(!is_content);
            continue;
        };
        assert!(is_content);
        let page = text(&pages[&text(&plain["id"])]["text"]).unwrap();
        let words = page[*start as usize..*end as usize].split_whitespace();
        assert!(words.eq(text(&plain["text"]).unwrap().split(' ')));
        content += 1;
    }
    assert!(content > 10, "{content}");
}

#[test]
fn an_output_that_is_not_there_is_named_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.toml");
    fs::write(&file, "\noutput = 'pdf'\n[[step]]\nmethod = 'keep-all'\n").unwrap();
    let out = folder.path().join("out");
    let arguments = ["clean", "testdata/crawl", "--pipeline", path(&file)];
    let (code, _, log) = warcsieve(&[&arguments[..], &["--out", path(&out)]].concat());
    assert_eq!(code, 2, "{log}");
    assert!(log.contains("p.toml:2:") && log.contains("html"), "{log}");
}

#[test]
fn damage_is_listed_and_ends_with_10_and_the_rest_is_kept() {
    let out = tempfile::tempdir().unwrap();
    let arguments = ["clean", "testdata/crawl", "--out", path(out.path())];
    let (code, table, log) = warcsieve(&arguments);
    assert_eq!(code, 10, "{table}{log}");
    assert!(log.contains("damaged/02.warc.gz: offset "), "{log}");
    assert!(
        out.path().join("_SUCCESS").is_file(),
        "the ledger balances, so the folder is sealed"
    );
    assert!(
        out.path()
            .join("documents/old/crawl.arc.gz.parquet")
            .is_file()
    );

    let (code, table, _) = warcsieve(&arguments);
    assert_eq!(code, 10);
    assert!(table.contains("inputs done before"), "{table}");
}

#[test]
fn other_pipelines_are_not_mixed_in_unless_asked() {
    let out = tempfile::tempdir().unwrap();
    let input = "testdata/crawl/en0000/00.warc.gz";
    assert_eq!(warcsieve(&["clean", input, "--out", path(out.path())]).0, 0);
    let other = [
        "clean",
        input,
        "--out",
        path(out.path()),
        "--pipeline",
        "keep-all",
    ];
    let (code, _, log) = warcsieve(&other);
    assert_eq!(code, 2);
    assert!(
        log.contains("the pipeline file was") && log.contains("--redo"),
        "{log}"
    );
    let (code, ..) = warcsieve(&[&other[..], &["--redo"]].concat());
    assert_eq!(code, 0);
}

#[test]
fn shards_of_other_pipelines_are_refused() {
    let out = tempfile::tempdir().unwrap();
    let part = |part, pipeline| {
        let out = path(out.path());
        warcsieve(&[
            "clean",
            "testdata/crawl",
            "--out",
            out,
            "--shard",
            part,
            "--pipeline",
            pipeline,
        ])
    };
    assert_ne!(part("1/2", "numwords").0, 2);
    let (code, _, log) = part("2/2", "keep-all");
    assert_eq!(code, 2);
    assert!(log.contains("the pipeline file was `numwords`"), "{log}");
    assert!(!out.path().join("_SUCCESS").exists());
}

#[test]
fn changed_inputs_and_lost_outputs_are_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("a.warc.gz");
    let out = folder.path().join("out");
    let crawl = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/crawl");
    fs::copy(crawl.join("en0000/00.warc.gz"), &input).unwrap();
    let clean = ["clean", path(&input), "--out", path(&out)];
    assert_eq!(warcsieve(&clean).0, 0);
    let blocks = out.join("blocks/a.warc.gz.parquet");
    let before = fs::read(&blocks).unwrap();

    let todo = |more: &[&str]| {
        let status = ["status", path(&out), "--inputs", path(&input), "--todo"];
        let (code, list, log) = warcsieve(&[&status[..], more].concat());
        assert!(code == if list.is_empty() { 0 } else { 10 }, "{log}");
        list
    };
    assert_eq!(todo(&[]), "");
    assert_eq!(todo(&["--pipeline", "bte"]).lines().count(), 1);

    fs::remove_file(&blocks).unwrap();
    assert_eq!(todo(&[]), format!("{}\n", path(&input)));
    let (code, report, _) = warcsieve(&["status", path(&out), "--inputs", path(&input), "--seal"]);
    assert_eq!(code, 75);
    assert!(
        report.contains("blocks/a.warc.gz.parquet: gone"),
        "{report}"
    );
    assert!(!out.join("_SUCCESS").exists(), "the seal is taken back");
    assert_eq!(warcsieve(&clean).0, 0);
    assert_eq!(fs::read(&blocks).unwrap(), before);

    fs::copy(crawl.join("zst/03.warc.zst"), &input).unwrap();
    let json: serde_json::Value = serde_json::from_str(&todo(&["--json"])).unwrap();
    assert_eq!(
        json,
        serde_json::json!({"input": "a.warc.gz", "path": path(&input)})
    );
    let (code, _, log) = warcsieve(&clean);
    assert_eq!(code, 2);
    assert!(log.contains("the input's size was"), "{log}");
    assert_eq!(warcsieve(&[&clean[..], &["--redo"]].concat()).0, 0);
    assert_ne!(fs::read(&blocks).unwrap(), before);
}

#[test]
fn a_broken_manifest_row_is_named() {
    let out = tempfile::tempdir().unwrap();
    let clean = [
        "clean",
        "testdata/crawl/zst/03.warc.zst",
        "--out",
        path(out.path()),
    ];
    assert_eq!(warcsieve(&clean).0, 0);
    fs::write(out.path().join("_manifest/03.warc.zst.json"), "{").unwrap();
    let (code, _, log) = warcsieve(&clean);
    assert_eq!(code, 1, "{log}");
    assert!(
        log.contains("03.warc.zst.json") && log.contains("remove it"),
        "{log}"
    );
}

#[test]
fn wrong_usage_is_one_clear_line_and_2() {
    let out = tempfile::tempdir().unwrap();
    let out = path(out.path());
    for (arguments, expected) in [
        (vec!["clean", "x"], "--out <DIR>"),
        (
            vec!["clean", "x", "--out", out, "--shard", "3/2"],
            "1 <= I <= N",
        ),
        (
            vec!["clean", "x", "--out", out, "--threads", "0"],
            "from 1 to 1024",
        ),
        (vec!["nonsense"], "nonsense"),
        (
            vec!["clean", "testdata/crawl/*.nothing", "--out", out],
            "no file matches",
        ),
        (
            vec![
                "clean",
                "testdata/crawl",
                "--out",
                out,
                "--pipeline",
                "nope",
            ],
            "no built-in pipeline",
        ),
        (
            vec![
                "clean",
                "testdata/crawl",
                "--out",
                out,
                "--pipeline",
                "no/such.toml",
            ],
            "no/such.toml",
        ),
        (vec!["claen", "testdata/crawl"], "did you mean `clean`?"),
        (
            vec!["clean", "--pipelin", "x"],
            "did you mean `--pipeline`?",
        ),
        (vec!["clean", "-", "--out", out], "--name"),
        (vec!["clean", "@no-such-list", "--out", out], "no-such-list"),
        (vec!["status", "no/such/folder"], "no/such/folder"),
    ] {
        let (code, stdout, log) = warcsieve(&arguments);
        assert_eq!(code, 2, "{arguments:?}: {log}");
        assert!(log.contains(expected), "{arguments:?}: {log}");
        assert_eq!(log.lines().count(), 1, "{arguments:?}: {log}");
        assert_eq!(stdout, "");
    }
}

#[test]
fn unusable_inputs_end_with_42_and_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let text = folder.path().join("notes.warc.gz");
    fs::write(&text, "this is neither WARC nor ARC\n").unwrap();
    let (code, _, log) = warcsieve(&["clean", path(&text), "--out", path(&out)]);
    assert_eq!(code, 42, "{log}");
    assert!(log.contains("notes.warc.gz"), "{log}");
}

#[test]
fn an_input_that_a_part_of_a_job_misses_fails_alone_and_prevents_the_seal() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let list = folder.path().join("list");
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let good = here.join("testdata/crawl/en0000/00.warc.gz");
    let missing = here.join("testdata/crawl/en0000/99.warc.gz");
    fs::write(
        &list,
        format!("{}\n{}\n", good.display(), missing.display()),
    )
    .unwrap();
    let list = format!("@{}", list.display());
    let (code, _, log) = warcsieve(&["clean", &list, "--out", path(&out), "--no-seal"]);
    assert_eq!(code, 10, "{log}");
    assert!(log.contains("99.warc.gz"), "{log}");
    assert!(out.join("documents/00.warc.gz.parquet").is_file());
    assert!(!out.join("_SUCCESS").exists());
    let (code, table, _) = warcsieve(&["status", path(&out), "--inputs", &list, "--seal"]);
    assert_eq!(code, 75);
    assert!(table.contains("99.warc.gz: not done"), "{table}");
}

#[test]
fn shards_seal_together() {
    let out = tempfile::tempdir().unwrap();
    let out = path(out.path());
    for part in ["1/3", "2/3", "3/3"] {
        assert!(!Path::new(out).join("_SUCCESS").exists());
        let (code, _, log) = warcsieve(&[
            "clean",
            "testdata/crawl",
            "--out",
            out,
            "--shard",
            part,
            "--quiet",
        ]);
        assert!(code == 0 || code == 10, "{log}");
    }
    assert!(Path::new(out).join("_SUCCESS").exists());
    let unsealed = tempfile::tempdir().unwrap();
    let unsealed = path(unsealed.path());
    warcsieve(&[
        "clean",
        "testdata/crawl",
        "--out",
        unsealed,
        "--no-seal",
        "--quiet",
    ]);
    assert!(!Path::new(unsealed).join("_SUCCESS").exists());
    warcsieve(&["status", unsealed, "--inputs", "testdata/crawl", "--seal"]);
    assert!(Path::new(unsealed).join("_SUCCESS").exists());
}

#[test]
fn standard_input_is_an_input_with_a_name() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (folder.path().join("a"), folder.path().join("b"));
    let input = "testdata/crawl/en0000/00.warc.gz";
    let piped = Command::cargo_bin("warcsieve")
        .unwrap()
        .args(["clean", "-", "--name", "00.warc.gz", "--out", path(&a)])
        .pipe_stdin(Path::new(env!("CARGO_MANIFEST_DIR")).join(input))
        .unwrap()
        .output()
        .unwrap();
    assert_eq!(piped.status.code(), Some(0));
    assert_eq!(warcsieve(&["clean", input, "--out", path(&b)]).0, 0);
    for file in ["documents/00.warc.gz.parquet", "blocks/00.warc.gz.parquet"] {
        assert_eq!(
            fs::read(a.join(file)).unwrap(),
            fs::read(b.join(file)).unwrap(),
            "{file}"
        );
    }
}

#[test]
fn inspect_shows_blocks_with_their_reasons() {
    let warc = "testdata/crawl/en0000/00.warc.gz";
    let (code, page, log) = warcsieve(&["inspect", warc, "--id", "testdata-0001"]);
    assert_eq!(code, 0, "{log}");
    let marked = |mark| page.lines().filter(|l| l.get(5..7) == Some(mark)).count();
    assert!(marked("+ ") > 10 && marked("- ") > 10, "{page}");
    assert!(page.contains("moved most by "), "{page}");
    assert!(
        !page.contains('\u{1b}'),
        "no colours where nobody sees them"
    );
    let (code, _, log) = warcsieve(&["inspect", warc, "--id", "nobody"]);
    assert_eq!(code, 2);
    assert!(log.contains("no page has the id nobody"), "{log}");
}

#[test]
fn check_reports_structure_and_faults_with_offsets() {
    let (code, report, _) = warcsieve(&["check", "--long", "testdata/crawl/en0000/00.warc.gz"]);
    assert_eq!(code, 0, "{report}");
    assert!(
        report.contains("response") && report.contains("members"),
        "{report}"
    );
    let (code, report, _) = warcsieve(&["check", "--long", "testdata/crawl/damaged/02.warc.gz"]);
    assert_eq!(code, 10, "{report}");
    assert!(report.contains("offset "), "{report}");
}

/// A record of type `resource` with this body.
fn resource(headers: &str, body: &str) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:\u{9b}31m>\r\n\
         Content-Type: text/html\r\n{headers}Content-Length: {}\r\n\r\n{body}\r\n\r\n",
        body.len()
    )
}

const ABC_DIGEST: &str = "WARC-Payload-Digest: md5:900150983cd24fb0d6963f7d28e17f72\r\n";

#[test]
fn check_names_digests_that_are_none_and_records_that_share_a_member() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.warc");
    let check = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        let (code, report, _) = warcsieve(&["check", "--long", path(&file)]);
        (code, report)
    };
    let good = resource(ABC_DIGEST, "abc");
    assert_eq!(check(good.as_bytes()).0, 0);
    let bad = resource("WARC-Payload-Digest: sha1:1112H3S6\r\n", "abc");
    let (code, report) = check(bad.as_bytes());
    assert_eq!(code, 10, "{report}");
    assert!(report.contains("  of digests"), "{report}");
    assert!(
        report.contains("digests that cannot be decoded"),
        "{report}"
    );
    assert!(
        report.contains("offset 0+0: record <urn:uuid:\\u{9b}31m>"),
        "{report}"
    );

    let url = "WARC-Target-URI: http://a.example/x\r\n";
    let bad = resource(
        &format!("{url}WARC-Payload-Digest: sha1:1112H3S6\r\n"),
        "abc",
    );
    let (_, report) = check(bad.as_bytes());
    let named = "31m> of http://a.example/x: the payload digest";
    assert!(report.contains(named), "{report}");

    let unknown = resource("WARC-Payload-Digest: blake3:af13\r\n", "abc");
    let (code, report) = check(unknown.as_bytes());
    assert_eq!(code, 0, "{report}");
    assert!(report.contains("could not be compared"), "{report}");

    let (code, report) = check(&gz(format!("{good}{good}{good}").as_bytes()));
    assert_eq!(code, 10, "{report}");
    assert!(
        report.contains("offset 0: first of 2 records in the same member"),
        "{report}"
    );
    let apart = [gz(good.as_bytes()), gz(good.as_bytes())].concat();
    assert_eq!(check(&apart).0, 0);
    assert_eq!(check(format!("{good}{good}").as_bytes()).0, 0);
}

#[test]
fn pages_are_compared_with_their_digests_where_the_pipeline_asks() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.warc");
    let records = ["abc", "abd", "abc"].map(|body| resource(ABC_DIGEST, body));
    fs::write(&file, records.concat() + &resource("", "abc")).unwrap();
    let step = "[[step]]\nmethod = 'keep-all'\n";
    let clean = |setting: &str| {
        let pipeline = folder.path().join("p.toml");
        fs::write(&pipeline, format!("{setting}\n{step}")).unwrap();
        let out = tempfile::tempdir().unwrap();
        let arguments = ["clean", path(&file), "--pipeline", path(&pipeline)];
        let (code, table, log) =
            warcsieve(&[&arguments[..], &["--out", path(out.path())]].concat());
        let rows = rows(&out.path().join("documents/a.warc.parquet"));
        let verdicts: Vec<_> = rows
            .iter()
            .map(|row| text(&row["digest_verdict"]).map(str::to_owned))
            .collect();
        let row = fs::read_to_string(out.path().join("_manifest/a.warc.json")).unwrap();
        let row: serde_json::Value = serde_json::from_str(&row).unwrap();
        (code, table, log, verdicts, row["pages"]["digests"].clone())
    };
    let (code, table, log, verdicts, counts) = clean("digests = 'verify'");
    assert_eq!(code, 10, "{table}{log}");
    let expected = ["match", "mismatch", "match", "absent"];
    assert_eq!(verdicts, expected.map(|v| Some(v.to_owned())));
    let counted = serde_json::json!({"match": 2, "mismatch": 1, "absent": 1});
    assert_eq!(counts, counted);
    assert!(table.contains("digest: mismatch"), "{table}");
    assert!(log.contains("1 page does not agree"), "{log}");
    assert!(log.lines().all(|line| !line.contains('\u{9b}')), "{log}");

    let (code, _, _, verdicts, counts) = clean("");
    assert_eq!((code, counts), (0, serde_json::Value::Null));
    assert_eq!(verdicts, vec![None; 4]);
}

#[test]
fn what_a_browser_crawler_keeps_beside_a_page_is_counted_apart() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.warc");
    let records = [
        (
            "https://example.com/",
            "<title>a</title><p>A page of its own.",
        ),
        (
            "urn:text:https://example.com/",
            "A page of its own. Home About",
        ),
        ("urn:pageinfo:https://example.com/", "{\"urls\":{}}"),
        ("urn:view:https://example.com/", "\u{89}PNG"),
        ("urn:uuid:0b0e9b3c", "<p>Another page."),
    ]
    .map(|(url, body)| resource(&format!("WARC-Target-URI: {url}\r\n"), body));
    fs::write(&file, records.concat()).unwrap();
    let out = folder.path().join("out");
    let (code, table, log) = warcsieve(&["clean", path(&file), "--out", path(&out)]);
    assert_eq!(code, 0, "{table}{log}");
    let rows = rows(&out.join("documents/a.warc.parquet"));
    let urls: Vec<_> = rows.iter().map(|row| text(&row["url"]).unwrap()).collect();
    assert_eq!(urls, ["https://example.com/", "urn:uuid:0b0e9b3c"]);
    let skips = table.lines().find(|l| l.contains("skipped: not_a_page"));
    assert!(skips.unwrap().trim_end().ends_with('3'), "{table}");
}

#[test]
fn nothing_of_a_page_reaches_the_terminal_as_a_control_character() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a\nb.warc");
    let target = "WARC-Target-URI: http://a/\u{1b}]0;x\u{7}\r\n";
    let page = "<title>a&#x9b;b</title><p class=\"\u{1b}c\">red \u{1b}[31m \u{202e}turned";
    fs::write(&file, resource(target, page)).unwrap();
    for arguments in [
        vec!["inspect"],
        vec!["inspect", "--full"],
        vec!["check", "--long"],
    ] {
        let (code, shown, log) = warcsieve(&[&arguments[..], &[path(&file)]].concat());
        assert_eq!(code, 0, "{shown}{log}");
        let hostile = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!shown.contains(hostile), "{arguments:?}: {shown:?}");
    }
    let (_, _, log) = warcsieve(&["inspect", path(&file), "--id", "none"]);
    assert!(log.contains("a\\nb.warc: no page has the id none"), "{log}");
}

#[test]
fn one_of_anything_is_not_called_many() {
    let folder = tempfile::tempdir().unwrap();
    let [out, cdx, freq] = ["out", "cdx", "freq"].map(|n| folder.path().join(n));
    let crawl = folder.path().join("crawl");
    fs::create_dir(&crawl).unwrap();
    let page = resource(
        &format!("WARC-Target-URI: http://a/\r\n{ABC_DIGEST}"),
        "some words",
    );
    // A byte of garbage, and a record that shares a member.
    let bytes = [gz(page.as_bytes()), gz(format!("{page}{page}x").as_bytes())].concat();
    let file = crawl.join("a.warc.gz");
    fs::write(&file, bytes).unwrap();
    let plain = folder.path().join("a.warc");
    fs::write(&plain, format!("{page}x")).unwrap();
    let (file, crawl, out) = (path(&file), path(&crawl), path(&out));
    let nouns = [
        "faults", "pages", "records", "inputs", "blocks", "files", "bytes", "threads", "units",
    ];
    let mut said = String::new();
    for arguments in [
        vec!["check", "--long", file],
        vec!["check", path(&plain)],
        vec!["inspect", path(&plain), "--pipeline", "keep-all"],
        vec!["clean", crawl, "--out", out, "--no-seal"],
        vec!["clean", path(&plain), "--out", out, "--quiet"],
        vec!["status", out],
        vec!["freq", path(&plain), "--out", path(&freq)],
        vec!["cdx", file, "--out", path(&cdx)],
        vec!["plan", path(&plain), "--threads", "1"],
    ] {
        let (_, shown, log) = warcsieve(&arguments);
        let text = shown + &log;
        for line in text.lines() {
            let words: Vec<_> = line.split([' ', ',', ':', '(', ')', '.']).collect();
            let is_wrong = |pair: &[&str]| pair[0] == "1" && nouns.contains(&pair[1]);
            assert!(!words.windows(2).any(is_wrong), "{arguments:?}: {line}");
        }
        said += &text;
    }
    for expected in [
        "first of 1 record in the same member as another record",
        "1 decoded byte belongs to no record",
        "1 of 1 block is content",
        ": 1 fault, ",
        "time by 1 thread ",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
}

#[test]
fn methods_and_generated_texts_print() {
    let (code, list, _) = warcsieve(&["methods"]);
    assert_eq!(code, 0);
    for name in [
        "density",
        "numwords",
        "keep-all",
        "min-words",
        "justext",
        "smoothing",
    ] {
        assert!(list.contains(name), "{name}");
    }
    let (code, pipeline, _) = warcsieve(&["methods", "--show", "density"]);
    assert_eq!(code, 0);
    assert!(pipeline.contains("[[step]]"));
    assert!(warcsieve(&["completions", "bash"]).1.contains("warcsieve"));
    assert!(warcsieve(&["man"]).1.contains(".TH"));
    assert!(warcsieve(&["--help"]).1.contains("Exit codes"));
}

#[test]
fn logs_can_be_json() {
    let out = tempfile::tempdir().unwrap();
    let (code, summary, log) = warcsieve(&[
        "clean",
        "testdata/crawl",
        "--out",
        path(out.path()),
        "--log-format",
        "json",
    ]);
    assert_eq!(code, 10);
    assert!(log.lines().count() > 0);
    for line in log.lines().chain(summary.lines()) {
        serde_json::from_str::<serde_json::Value>(line).unwrap_or_else(|e| panic!("{e}: {line}"));
    }
}

/// A pipe that nobody writes would block whoever opens it.
#[cfg(unix)]
#[test]
fn extract_reads_on_only_while_somebody_reads() {
    let folder = tempfile::tempdir().unwrap();
    let [crawl, pipe] = ["a.warc.gz", "b.warc.gz"].map(|name| folder.path().join(name));
    fs::copy("testdata/crawl/en0000/00.warc.gz", &crawl).unwrap();
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_warcsieve"))
        .args(["extract", path(&crawl), path(&pipe), "--to", "json"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    for _ in 0..600 {
        if child.try_wait().unwrap().is_some() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    child.kill().unwrap();
    panic!("it waits for a pipe that it need not read");
}

#[test]
fn json_has_the_rights_and_the_product_that_a_pipeline_reads() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let product = r#"{"@type":"Product","name":"Mill","sku":"T2","offers":{"price":"189","priceCurrency":"EUR"}}"#;
    let html = format!(
        "<meta name=robots content=noai><script type=application/ld+json>{product}</script><h1>Mill</h1>\
         <p>The mill grinds a cup of wheat to fine flour in about three minutes, and every part can be bought."
    );
    fs::write(&page, html).unwrap();
    let line = |set: &[&str]| {
        let extract = [
            "extract",
            path(&page),
            "--to",
            "json",
            "--pipeline",
            "keep-all",
        ];
        let (code, line, log) = warcsieve(&[&extract, set].concat());
        assert_eq!(code, 0, "{log}");
        serde_json::from_str::<serde_json::Value>(&line).unwrap()
    };
    let plain = line(&[]);
    assert!(plain.get("price").is_none() && plain.get("noai").is_none());
    let both = line(&["--set", "rights=true", "--set", "product=true"]);
    assert_eq!(
        (&both["price"], &both["currency"], &both["sku"]),
        (&189.0.into(), &"EUR".into(), &"T2".into())
    );
    assert_eq!(
        (&both["noai"], &both["noindex"]),
        (&true.into(), &false.into())
    );
    assert_eq!(both["headline"], plain["headline"]);
}
