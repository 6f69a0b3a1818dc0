use crate::classifier::Classifier;
use crate::label::Label;
use crate::steps::Steps;
use std::path::Path;
use warcsieve_features::frequency::page_keys;
use warcsieve_features::{Frequencies, FrequencyCounter};
use warcsieve_fixture::{document, words};
use warcsieve_html::document::Document;

fn page(url: &str, texts: &[String]) -> Document {
    let mut doc = document(texts);
    doc.url = url.to_owned();
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

/// Nine pages of one site, three of which are copies of one page, and two pages of another site.
fn crawl() -> Vec<Document> {
    let story = |n: usize| format!("{} story {n}", words(20));
    let [menu, quote] = ["Menu of the site".to_owned(), "As they say".to_owned()];
    let mut docs = Vec::new();
    for n in [1, 1, 1, 2, 3, 4, 5, 6, 7] {
        let texts = [menu.clone(), story(n), format!("Read {n} times")];
        docs.push(page("http://a.org/", &texts));
    }
    for n in [8, 9] {
        docs.push(page(
            "http://b.org/",
            &[menu.clone(), story(n), quote.clone()],
        ));
    }
    docs
}

fn kept(params: &str, docs: &[Document]) -> Vec<Vec<bool>> {
    let text = format!("[[step]]\nmethod = 'keep-all'\n[[step]]\nmethod = 'repeated'\n{params}");
    let mut steps = Steps::parse(&crate::CORE, "x.toml", &text).unwrap();
    assert!(steps.lacks_table().is_some());
    let bytes = bytes(docs, true);
    steps
        .give_table(Frequencies::from_bytes(&bytes).unwrap(), "00".to_owned())
        .unwrap();
    assert!(steps.lacks_table().is_none());
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
fn text_on_three_pages_of_a_host_is_dropped_unless_the_page_has_copies() {
    let docs = crawl();
    let found = kept("", &docs);
    assert_eq!(
        found[0],
        [false, true, true],
        "the menu is on nine pages, the story on three"
    );
    assert_eq!(found[3], [false, true, true]);
    assert_eq!(found[9], [true; 3], "another host has the menu twice");
    assert_eq!(
        kept("host_pages = 4", &docs)[0],
        [true; 3],
        "twelve pages would be needed"
    );
    assert_eq!(kept("host_pages = 4", &docs)[3], [false, true, true]);
}

#[test]
fn some_words_of_its_own_make_a_copy_no_page() {
    let mut docs = crawl();
    let text = words(20) + " story 1";
    docs.push(page(
        "http://a.org/",
        &["Menu of the site".to_owned(), text, "3 o'clock".to_owned()],
    ));
    assert_eq!(
        kept("", &docs)[11],
        [true; 3],
        "twelve pages would be needed, as the story is on four"
    );
    assert_eq!(kept("own = 0.0", &docs)[11], [false, false, true]);
}

#[test]
fn a_text_on_many_pages_of_the_crawl_is_dropped_for_any_host() {
    let docs = crawl();
    assert_eq!(
        kept("host_pages = 0\npages = 11", &docs)[9],
        [false, true, true]
    );
    assert_eq!(kept("host_pages = 0\npages = 12", &docs)[9], [true; 3]);
}

#[test]
fn without_a_crawl_nothing_repeats() {
    let text = "[[step]]\nmethod = 'keep-all'\n[[step]]\nmethod = 'repeated'\n";
    let steps = Steps::parse(&crate::CORE, "x.toml", text).unwrap();
    let (mut chain, _) = steps.build();
    let doc = &crawl()[3];
    let mut labels = vec![Label::default(); doc.blocks.len()];
    chain.classify(doc, &mut labels);
    assert!(labels.iter().all(|label| label.content));
    assert!(chain.explain(doc, &labels, 0).contains("no crawl is known"));
}

#[test]
fn a_provided_table_must_have_what_steps_need() {
    let give = |params: &str, by_host| {
        let text =
            format!("[[step]]\nmethod = 'keep-all'\n[[step]]\nmethod = 'repeated'\n{params}");
        let mut steps = Steps::parse(&crate::CORE, "x.toml", &text).unwrap();
        let table = Frequencies::from_bytes(&bytes(&crawl(), by_host)).unwrap();
        (
            steps.lacks_table().unwrap(),
            steps.give_table(table, String::new()),
        )
    };
    let (needs, given) = give("pages = 7", true);
    assert_eq!((needs.min_pages, needs.by_host, given), (3, true, Ok(())));
    assert!(give("", false).1.unwrap_err().contains("--by-host"));
    assert_eq!(give("host_pages = 0\npages = 2", false).1, Ok(()));
    assert!(
        give("host_pages = 1", true)
            .1
            .unwrap_err()
            .contains("--min-pages 1")
    );
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
        Steps::parse(&crate::CORE, &file, &text)
    };
    assert!(parse(true, "").is_ok_and(|steps| steps.lacks_table().is_none()));
    assert!(parse(false, "host_pages = 0\npages = 9").is_ok());
    let error = parse(false, "").unwrap_err().to_string();
    assert!(
        error.contains(":5") && error.contains("--by-host"),
        "{error}"
    );
    let error = parse(true, "host_pages = 1").unwrap_err().to_string();
    assert!(error.contains("--min-pages 1"), "{error}");
}
