use super::*;
use flate2::{Compression, write::GzEncoder};
use std::io::Write;

pub(super) fn page(text: &str) -> GoldPage {
    GoldPage {
        id: "a".into(),
        file: 0,
        line: 1,
        text: text.into(),
        page_type: String::new(),
        markdown: None,
        url: None,
    }
}

fn with(variant: Variant, file: &[u8]) -> Result<GoldSet, String> {
    let options = GoldOptions {
        variant,
        ..GoldOptions::default()
    };
    read_from("g.jsonl", file, options).map_err(|e| e.to_string())
}

fn all(file: &str) -> Result<GoldSet, String> {
    with(Variant::Gold, file.as_bytes())
}

/// The message of a file with one fault.
fn fault(file: &str) -> String {
    let message = all(file).unwrap_err();
    assert_eq!(message.lines().count(), 1, "{message}");
    message
}

fn gzip(text: &str) -> Vec<u8> {
    let mut writer = GzEncoder::new(Vec::new(), Compression::default());
    writer.write_all(text.as_bytes()).unwrap();
    writer.finish().unwrap()
}

#[test]
fn fields_are_read_and_others_ignored() {
    let file = "\u{feff}{\"id\":\"a\",\"gold\":\"x\",\"page_type\":\"forum\",\"with\":[1,{}]}\r\n\n\
                {\"id\":\"b\",\"url\":\"http://x/\",\"main_content\":\"m\",\"gold\":\"g\",\"page_type\":null}";
    let set = all(file).unwrap();
    assert_eq!(set.find("b"), Some(1));
    assert_eq!(set.find("c"), None);
    assert_eq!(set.markup, Markup::Plain);
    let [a, b] = &set.pages[..] else {
        panic!("{set:?}");
    };
    assert_eq!(
        (&*a.id, a.line, &*a.text, &*a.page_type),
        ("a", 1, "x", "forum")
    );
    assert_eq!((&*b.id, b.line, &*b.text, &*b.page_type), ("b", 3, "m", ""));
    assert_eq!((&a.url, b.url.as_deref()), (&None, Some("http://x/")));
}

#[test]
fn variants_choose_the_text() {
    let line = br#"{"id":"a","gold":"g","gold_main":"m","comments":"c"}"#;
    for (variant, text) in [
        (Variant::Gold, "g"),
        (Variant::Main, "m"),
        (Variant::Both, "g\nc"),
    ] {
        assert_eq!(with(variant, line).unwrap().pages[0].text, text);
        let bare = with(variant, br#"{"id":"a","title":"t"}"#).unwrap_err();
        assert!(bare.starts_with("g.jsonl:1: page a: no `"), "{bare}");
    }
}

#[test]
fn gzip_may_have_many_members() {
    let mut bytes = gzip("{\"id\":\"a\",\"text\":\"x\"}\n{\"id\":");
    bytes.extend(gzip("\"b\",\"text\":\"\"}\n"));
    assert_eq!(with(Variant::Gold, &bytes).unwrap().pages.len(), 2);
    for cut in [bytes.len() - 1, bytes.len() - 20, 5] {
        let message = with(Variant::Gold, &bytes[..cut]).unwrap_err();
        assert!(message.contains(": reading stopped: "), "{message}");
    }
}

#[test]
fn cleaneval_markers_are_detected_or_forced() {
    let file = br#"{"id":"a","gold":" <h> A"}"#;
    let text = |markup| {
        let options = GoldOptions {
            markup,
            ..GoldOptions::default()
        };
        let set = read_from("g", &file[..], options).unwrap();
        (set.pages[0].text.clone(), set.markup)
    };
    assert_eq!(text(Markup::Auto), ("   A".into(), Markup::CleanEval));
    assert_eq!(text(Markup::CleanEval), ("   A".into(), Markup::CleanEval));
    assert_eq!(text(Markup::Plain), (" <h> A".into(), Markup::Plain));
}

#[test]
fn each_fault_names_its_line() {
    let good = "{\"id\":\"a\",\"gold\":\"\"}\n";
    for (line, what) in [
        ("{\"id\":\"b\",\"gold\":\"x\"", "broken JSON at column "),
        (
            "{\"id\":\"b\" \"gold\":\"x\"}",
            "broken JSON at column 11: expected ",
        ),
        (
            "{\"id\":\"b\",\"id\":\"c\"}",
            "broken JSON at column 14: duplicate field `id`",
        ),
        ("[1]", "not a JSON object"),
        ("id,gold", "not a JSON object"),
        ("{\"gold\":\"x\"}", "no `id`; "),
        ("{\"id\":\"\",\"gold\":\"x\"}", "no `id`; "),
        (
            "{\"id\":7,\"gold\":\"x\"}",
            "`id` is a number; write a string",
        ),
        (
            "{\"id\":\"b\"}",
            "page b: no `gold`, `main_content` or `text`; ",
        ),
        (
            "{\"id\":\"b\",\"gold\":[\"x\"]}",
            "page b: `gold` is a list; ",
        ),
        (
            "{\"id\":\"b\",\"gold\":\"\",\"url\":{}}",
            "page b: `url` is an object; ",
        ),
        (
            "{\"id\":\"a\",\"gold\":\"x\"}",
            "page a is in line 1 already; keep ",
        ),
    ] {
        let message = fault(&format!("{good}\n{line}\n"));
        assert!(
            message.starts_with(&format!("g.jsonl:3: {what}")),
            "{message}"
        );
    }
    let latin = with(Variant::Gold, b"\n{\"id\":\"\xe9\"}").unwrap_err();
    assert!(
        latin.starts_with("g.jsonl:2: invalid UTF-8 at byte 8 "),
        "{latin}"
    );
    for empty in ["", "\n \n"] {
        assert!(fault(empty).starts_with("g.jsonl:1: no pages; "));
    }
}

#[test]
fn three_faults_are_listed_and_the_rest_counted() {
    let message = all(&"x\n".repeat(13)).unwrap_err();
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(message.contains("; g.jsonl:3: "), "{message}");
    assert!(
        message.ends_with("; and 10 more broken lines in g.jsonl"),
        "{message}"
    );
}

#[test]
fn a_file_that_is_missing_is_named() {
    let error = read("/nowhere/g.jsonl".as_ref(), GoldOptions::default()).unwrap_err();
    assert!(error.to_string().contains("/nowhere/g.jsonl"), "{error}");
}

#[test]
fn sets_are_named_after_their_files_where_that_tells_them_apart() {
    let names = |files: &[&str]| {
        let read = |(at, file): (usize, &&str)| {
            let line = format!("{{\"id\": \"{at}\", \"gold\": \"text\"}}");
            read_from(file, line.as_bytes(), GoldOptions::default()).unwrap()
        };
        let mut sets = files.iter().enumerate().map(read);
        let mut all = sets.next().unwrap();
        sets.for_each(|set| all.append(set).unwrap());
        assert!(
            all.pages
                .iter()
                .enumerate()
                .all(|(at, page)| page.file == at)
        );
        all.sets()
    };
    assert_eq!(names(&["x/a.gold.jsonl.gz"]), [""]);
    assert_eq!(names(&["x/a.gold.jsonl.gz", "b.jsonl"]), ["a", "b"]);
    assert_eq!(
        names(&["x/a.jsonl", "y/a.jsonl", "c"]),
        ["x/a.jsonl", "y/a.jsonl", "c"]
    );
    assert_eq!(
        names(&["g.v1.jsonl", "g.v2.jsonl", ".jsonl"]),
        ["g.v1", "g.v2", ".jsonl"]
    );
}
