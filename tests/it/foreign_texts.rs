//! What pages, gold and names hold reaches every output as text: no markup, no control characters, and no name that ends a
//! run.

use crate::common::{contents, warcsieve};
use crate::wacz::zip;
use pulldown_cmark::{Event, Options, Parser};
use std::fs;
use std::path::Path;

/// A title for the terminal, and a copy into the clipboard.
const OBEYED: &str = "\u{1b}]0;owned\u{7}\u{1b}]52;c;b3duZWQ=\u{7}\u{9d}8;;http://x\u{9c}\u{7f}";

const HOSTILE: &str =
    "<img src=x onerror=alert(1)>|`</script><script>alert(2)</script>&lt;\"'](http://evil.example)";

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn record(id: &str, page: &str) -> String {
    let length = page.len();
    format!(
        "WARC/1.0\r\nWARC-Type: resource\r\nWARC-TREC-ID: {id}\r\nWARC-Target-URI: http://a.example/{id}\r\n\
         Content-Type: text/html\r\nContent-Length: {length}\r\n\r\n{page}\r\n\r\n"
    )
}

fn words(n: usize) -> String {
    (0..60)
        .map(|word| format!("word{} ", n * 7 + word))
        .collect()
}

fn is_obeyed(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
}

#[test]
fn no_output_of_a_page_has_control_characters() {
    let folder = tempfile::tempdir().unwrap();
    let references: String = OBEYED
        .chars()
        .map(|c| format!("&#{};", u32::from(c)))
        .collect();
    let page = format!(
        "<html lang='e{OBEYED}'><title>a{OBEYED}b{references}</title>\
         <meta name=author content='Jo{references} Do{OBEYED}'><meta name=keywords content='x{references}, y'>\
         <body><h1>c{references}d</h1><p>{} e{OBEYED}f<a href='/x{OBEYED}' title='{OBEYED}'>link{references}</a>\
         <pre class='language-c{OBEYED}'>g{OBEYED}\th{references}\n i</pre>\
         <p>{} <img src=/y.png alt='j{references}k{OBEYED}'> <math alttext='x{references}{OBEYED}^2'></math>",
        words(1),
        words(2)
    );
    let (file, crawl) = (folder.path().join("a.html"), folder.path().join("b.warc"));
    fs::write(&file, &page).unwrap();
    fs::write(&crawl, record(&format!("id{OBEYED}"), &page)).unwrap();
    let out = folder.path().join("out");
    for form in ["txt", "md", "html", "json", "xml"] {
        for input in [&file, &crawl] {
            let set = ["--set", "images=true", "--set", "links=absolute"];
            let metadata: &[&str] = match form {
                "txt" | "md" => &["--with-metadata"],
                _ => &[],
            };
            let set: &[&str] = if form == "md" { &set } else { &[] };
            let arguments = [&["extract", path(input), "--to", form], metadata, set].concat();
            let (code, shown, log) = warcsieve(&arguments);
            assert_eq!(code, 0, "{form} {log}");
            assert!(shown.contains("word7"), "{form}: {shown}");
            for text in [&shown, &log] {
                assert!(!text.contains(is_obeyed), "{form}: {text:?}");
            }
            assert!(form == "json" || !shown.contains("\\u{1b}"), "{shown}");
            let (code, _, log) = warcsieve(&[&arguments[..], &["--out", path(&out)]].concat());
            assert_eq!(code, 0, "{log}");
        }
    }
    let written = contents(&out);
    // A file per page and form, and the list of the crawl's pages.
    assert_eq!(written.len(), 11, "{:?}", written.keys());
    for (name, bytes) in written {
        let text = String::from_utf8(bytes).unwrap();
        assert!(
            !name.contains(is_obeyed) && !text.contains(is_obeyed),
            "{name}"
        );
    }
}

#[test]
fn an_address_with_a_secret_is_refused_and_not_shown() {
    for (url, why) in [
        ("https://user:HUSH@a.example/", "password"),
        ("https://a.example/?X-Amz-Signature=HUSH", "signed"),
        ("https://a.example/\u{1b}]0;HUSH", "control character"),
    ] {
        let (code, shown, log) = warcsieve(&["extract", "testdata/pages/news.html", "--url", url]);
        assert!(code == 2 && log.contains(why), "{url}: {code} {log}");
        assert!(!format!("{shown}{log}").contains("HUSH"), "{log}");
    }
    let url = "http://a.example/?id=1";
    let (code, _, log) = warcsieve(&["extract", "testdata/pages/news.html", "--url", url]);
    assert_eq!(code, 0, "{log}");
}

#[test]
fn a_name_that_is_too_long_ends_nothing_but_its_input() {
    let folder = tempfile::tempdir().unwrap();
    let page = record("a", &format!("<p>{}", words(1)));
    let crawl = folder.path().join("crawl");
    fs::create_dir(&crawl).unwrap();
    for length in [248, 255] {
        let name = format!("{}.warc", "a".repeat(length - 5));
        fs::write(crawl.join(name), &page).unwrap();
    }
    let inner = format!("archive/{}.warc", "b".repeat(300));
    let list = format!("pages/{}.jsonl", "c".repeat(300));
    let zipped = [
        (&*inner, page.clone().into_bytes()),
        (&*list, b"{}\n".to_vec()),
    ];
    fs::write(crawl.join("c.wacz"), zip(&zipped)).unwrap();
    fs::write(crawl.join("z.warc"), &page).unwrap();
    let out = folder.path().join("out");
    for more in [&[][..], &["--redo"], &["--to", "md", "--redo"]] {
        let arguments = ["clean", path(&crawl), "--out", path(&out)];
        let (code, _, log) = warcsieve(&[&arguments[..], more].concat());
        assert_eq!(code, 10, "{log}");
        assert_eq!(
            log.matches("give the input a shorter name").count(),
            3,
            "{log}"
        );
        assert!(out.join("documents/z.warc.parquet").exists(), "{log}");
    }
    let status = ["status", path(&out), "--inputs", path(&crawl)];
    let (_, shown, log) = warcsieve(&status);
    assert_eq!(shown.matches(": not done").count(), 3, "{shown}{log}");
    let cdx = folder.path().join("cdx");
    let (code, _, log) = warcsieve(&["cdx", path(&crawl), "--out", path(&cdx)]);
    assert!(
        code == 10 && cdx.join("z.warc.cdxj").exists(),
        "{code}: {log}"
    );
}

/// Checks the files below a folder, each in its form.
fn check(folder: &Path) -> usize {
    let mut checked = 0;
    for (name, bytes) in contents(folder) {
        let Some(ending @ ("md" | "html" | "csv" | "svg")) = name.rsplit('.').next() else {
            continue;
        };
        let text = String::from_utf8(bytes).unwrap();
        assert!(!text.contains(is_obeyed), "{name}");
        match ending {
            "md" => {
                let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
                for event in Parser::new_ext(&text, options) {
                    let live = matches!(&event, Event::Html(_) | Event::InlineHtml(_));
                    assert!(!live, "{name}: {event:?}\n{text}");
                    if let Event::Start(pulldown_cmark::Tag::Link { dest_url, .. }) = event {
                        assert!(!dest_url.contains("evil"), "{name}: {dest_url}\n{text}");
                    }
                }
            }
            "csv" => {
                let columns = |line: &str| {
                    let mut quoted = false;
                    let ends = |c: char| {
                        quoted ^= c == '"';
                        c == ',' && !quoted
                    };
                    line.matches(ends).count()
                };
                let mut lines = text.lines();
                let head = columns(lines.next().unwrap());
                assert!(lines.all(|line| columns(line) == head), "{text}");
            }
            _ => {
                assert!(!text.contains("<img src=x"), "{name}");
                assert!(!text.contains("<script>alert"), "{name}");
            }
        }
        checked += 1;
    }
    checked
}

#[test]
fn hostile_names_ids_and_types_are_text_in_every_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mut crawl = String::new();
    let mut gold = String::new();
    for n in 0..12 {
        let id = format!("{n} # {HOSTILE}");
        let text = words(n);
        let page = format!(
            "<title>{n}{}</title><p>{text}",
            HOSTILE.replace('<', "&lt;")
        );
        crawl += &record(&id, &page);
        let line = serde_json::json!({
            "id": id, "gold": text, "page_type": format!("- {HOSTILE}{}", n % 2),
        });
        gold += &format!("{line}\n");
    }
    let missing = serde_json::json!({"id": format!("# {HOSTILE}"), "gold": "x", "page_type": ""});
    gold += &format!("{missing}\n");
    let input = at("<i>|`a`.warc");
    fs::write(&input, &crawl).unwrap();
    let gold_file = at("<b>`|gold.jsonl");
    fs::write(&gold_file, gold).unwrap();
    let pipeline = at("<b>|`# p.toml");
    fs::write(&pipeline, "[[step]]\nmethod = 'keep-all'\n").unwrap();
    let [gold, input, pipeline] = [&gold_file, &input, &pipeline].map(|p| path(p));
    let files = at("files");
    fs::create_dir(&files).unwrap();
    let to = |name: &str| path(&files.join(name)).to_owned();
    let clean = path(&at("clean")).to_owned();
    let id = format!("1 # {HOSTILE}");
    let commands: [&[&str]; 6] = [
        &[
            "eval",
            input,
            "--gold",
            gold,
            "--pipeline",
            pipeline,
            "--pipeline",
            "bte",
            "--worst",
            "5",
            "--out",
            &to("eval"),
            "--html",
            &to("eval.html"),
        ],
        &[
            "view",
            input,
            "--id",
            &id,
            "--gold",
            gold,
            "--pipeline",
            pipeline,
            "--out",
            &to("view.html"),
        ],
        &[
            "label",
            input,
            "--pipeline",
            pipeline,
            "--out",
            &to("label"),
        ],
        &["clean", input, "--pipeline", pipeline, "--out", &clean],
        &["report", &clean, "--out", &to("report.html")],
        &[
            "extract",
            input,
            "--to",
            "md",
            "--with-metadata",
            "--out",
            &to("pages"),
        ],
    ];
    for arguments in commands {
        let (code, shown, log) = warcsieve(arguments);
        assert!(
            code == 0 || code == 10,
            "{arguments:?} {code}: {shown}{log}"
        );
    }
    let corpus = format!(
        "# ```\n# {HOSTILE}\n[corpus]\ninputs = ['{}']\nout = 'files/corpus'\n\n[[filter]]\nkeep = 'n_blocks > 0'\n\n\
         [[step]]\nmethod = 'keep-all'\n",
        Path::new(input).file_name().unwrap().to_str().unwrap()
    );
    fs::write(at("c.toml"), corpus).unwrap();
    let (code, _, log) = warcsieve(&["corpus", path(&at("c.toml"))]);
    assert_eq!(code, 0, "{log}");
    assert!(check(&files) > 20, "{:?}", contents(&files).keys());
    let report = fs::read_to_string(files.join("eval/report.md")).unwrap();
    assert!(report.contains(r"\<img src=x"), "{report}");
}
