use crate::classifier::Classifier;
use crate::label::Label;
use crate::steps::Steps;
use std::path::Path;
use warcsieve_features::frequency::{host_key, page_keys};
use warcsieve_features::{Frequencies, FrequencyCounter};
use warcsieve_fixture::{document, words};
use warcsieve_html::document::Document;

fn page(url: &str, texts: &[String]) -> Document {
    let mut doc = document(texts);
    doc.host = host_key(url);
    doc
}

fn bytes(pages: &[Document], by_host: bool) -> Vec<u8> {
    let counter = FrequencyCounter::new(1 << 12, &std::env::temp_dir()).unwrap();
    let mut counter = counter.by_host(by_host);
    let mut keys = Vec::new();
    for page in pages {
        page_keys(page, by_host, &mut keys);
        counter.push_keys(&keys).unwrap();
    }
    let mut bytes = Vec::new();
    counter.write(2, &mut bytes, Path::new("x")).unwrap();
    bytes
}

/// Four pages of one site, two of another; the first two of the site are one page.
fn crawl() -> Vec<Document> {
    let story = |n: usize| format!("{} story {n}", words(20));
    let [menu, quote] = ["Menu of the site".to_owned(), "As they say".to_owned()];
    let of = |host: &str, texts: &[&String]| {
        let texts: Vec<_> = texts.iter().map(|text| (*text).clone()).collect();
        page(&format!("http://{host}/"), &texts)
    };
    vec![
        of("a.org", &[&menu, &story(1)]),
        of("a.org", &[&menu, &story(1)]),
        of("a.org", &[&menu, &story(1), &quote]),
        of("a.org", &[&menu, &story(2), &quote]),
        of("b.org", &[&menu, &story(3), &quote]),
        of("b.org", &[&story(4), &quote]),
    ]
}

fn kept(params: &str, docs: &[Document]) -> Vec<Vec<bool>> {
    let text = format!("[[step]]\nmethod = 'keep-all'\n[[step]]\nmethod = 'repeated'\n{params}");
    let mut steps = Steps::parse("x.toml", &text).unwrap();
    assert!(steps.lacks_table());
    let bytes = bytes(docs, true);
    steps.give_table(Frequencies::from_bytes(&bytes).unwrap(), "00".to_owned());
    assert!(!steps.lacks_table());
    assert_eq!(steps.model_hash.as_deref(), Some("00"));
    let (mut chain, _) = steps.build();
    let of = |doc: &Document| {
        let mut labels = vec![Label::default(); doc.blocks.len()];
        chain.classify(doc, &mut labels);
        labels.iter().map(|label| label.content).collect()
    };
    docs.iter().map(of).collect()
}

#[test]
fn what_three_pages_of_a_host_have_goes_unless_the_page_is_a_copy() {
    let docs = crawl();
    let whole = |doc: &Document| vec![true; doc.blocks.len()];
    let mut expected: Vec<_> = docs.iter().map(whole).collect();
    expected[3][0] = false;
    assert_eq!(
        kept("", &docs),
        expected,
        "three pages tell the first story"
    );
    expected[0][0] = false;
    expected[1][0] = false;
    expected[2][0] = false;
    let copies = kept("copy = 1.0", &docs);
    assert_eq!(copies[0], [true, true], "all of it would go");
    assert_eq!(copies[2], [false, false, true]);
}

#[test]
fn a_text_of_many_pages_of_the_crawl_goes_whatever_their_host() {
    let docs = crawl();
    let found = kept("host_pages = 0\npages = 4", &docs);
    assert_eq!(found[4], [false, true, false]);
    assert_eq!(found[5], [true, false]);
    assert_eq!(kept("host_pages = 0\npages = 5", &docs)[5], [true, true]);
}

#[test]
fn without_a_crawl_nothing_repeats() {
    let text = "[[step]]\nmethod = 'keep-all'\n[[step]]\nmethod = 'repeated'\n";
    let steps = Steps::parse("x.toml", text).unwrap();
    let (mut chain, _) = steps.build();
    let doc = &crawl()[3];
    let mut labels = vec![Label::default(); doc.blocks.len()];
    chain.classify(doc, &mut labels);
    assert!(labels.iter().all(|label| label.content));
    assert!(chain.explain(doc, &labels, 0).contains("no crawl is known"));
}

#[test]
fn a_table_that_cannot_answer_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.toml").display().to_string();
    let parse = |by_host, params: &str| {
        std::fs::write(folder.path().join("t"), bytes(&crawl(), by_host)).unwrap();
        let text = format!(
            "[[step]]\nmethod = 'keep-all'\n[[step]]\nmethod = 'repeated'\nfrequencies = 't'\n{params}"
        );
        Steps::parse(&file, &text)
    };
    assert!(parse(true, "").is_ok_and(|steps| !steps.lacks_table()));
    assert!(parse(false, "host_pages = 0\npages = 9").is_ok());
    let error = parse(false, "").unwrap_err().to_string();
    assert!(
        error.contains(":5") && error.contains("--by-host"),
        "{error}"
    );
    let error = parse(true, "host_pages = 1").unwrap_err().to_string();
    assert!(error.contains("--min-pages 1"), "{error}");
}
