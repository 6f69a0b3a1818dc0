//! One page gives the same text, title, language, confidence and removal, whoever asks the page engine.

use crate::common::warcsieve;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use warcsieve::{Engine, Extraction, Page, PageView, Pipeline, Record};
use warcsieve_html::document::Document;

/// What all ways must agree on.
#[derive(Debug, PartialEq)]
struct Said {
    text: String,
    title: String,
    language: Option<&'static str>,
    confidence: Option<f32>,
    removed_by: Option<String>,
}

impl Said {
    fn of_view(view: &PageView<'_>) -> Self {
        Self {
            text: view.text.to_owned(),
            title: view.doc.title.clone(),
            language: view.language().map(|language| language.code),
            confidence: view.confidence(),
            removed_by: view.removing_rule().map(str::to_owned),
        }
    }

    fn of_extraction(page: &Extraction) -> Self {
        Self {
            text: page.text().to_owned(),
            title: page.title().to_owned(),
            language: page.language().map(|language| language.code),
            confidence: page.confidence(),
            removed_by: page.removed_by().map(str::to_owned),
        }
    }
}

/// The HTML pages of testdata, as bytes and decoded.
fn pages() -> Vec<(PathBuf, Record, String)> {
    let entries = fs::read_dir("testdata/pages").unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "html"));
    paths.sort();
    let mut engine =
        Engine::new(&Pipeline::built_in(&warcsieve_papers::METHODS, "keep-all").unwrap());
    let headers = [("WARC-Type", "resource"), ("Content-Type", "text/html")];
    let mut read = |path: PathBuf| {
        let record = Record::from_parts(&headers, &fs::read(&path).unwrap());
        let html = engine.record("x", &record).ok()?.page.payload.to_owned();
        Some((path, record, html))
    };
    paths.into_iter().filter_map(&mut read).collect()
}

/// Every pipeline that ships and can be built here; those with a filter are among them.
fn pipelines() -> Vec<Pipeline> {
    let mut pipelines: Vec<_> = warcsieve_papers::METHODS
        .shipped()
        .filter_map(|shipped| Pipeline::built_in(&warcsieve_papers::METHODS, shipped.name).ok())
        .filter(|pipeline| pipeline.check_engine().is_ok())
        .collect();
    let filtered = "[[filter]]\nkeep = 'language in [\"en\"]'\n[[step]]\nmethod = 'forest'\n";
    pipelines.push(Pipeline::parse(&warcsieve_papers::METHODS, "filtered", filtered).unwrap());
    pipelines
}

#[test]
fn records_html_and_documents_give_the_same() {
    let (pages, mut removed, mut kept) = (pages(), 0, 0);
    for pipeline in pipelines() {
        let [mut by_record, mut by_html, mut by_document] = [0; 3].map(|_| Engine::new(&pipeline));
        let mut segmenter = pipeline.segmenter();
        for (path, record, html) in &pages {
            let what = format!("{} under {}", path.display(), pipeline.name);
            let view = by_record.record("x", record).expect(&what);
            let said = Said::of_view(&view);
            assert_eq!(Said::of_extraction(&view.to_extraction()), said, "{what}");
            let owned = by_html.extract(html, "").expect(&what);
            assert_eq!(Said::of_extraction(&owned), said, "{what}");
            let mut doc = Document::default();
            segmenter.segment_html(html, &mut doc).unwrap();
            let view = by_document.document(Page::of_html(html, ""), &doc);
            assert_eq!(Said::of_view(&view.expect(&what)), said, "{what}");
            removed += usize::from(said.removed_by.is_some());
            kept += usize::from(!said.text.is_empty());
        }
    }
    assert!(removed > 0 && kept > 100, "{removed} removed, {kept} kept");
}

#[test]
fn extract_prints_what_the_library_gives_and_says_which_filter_removes() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine =
        Engine::new(&Pipeline::built_in(&warcsieve_papers::METHODS, "default").unwrap());
    let path = |path: &PathBuf| path.display().to_string();
    let columns = include_str!("../../docs/output/documents.md");
    for (page, _, html) in &pages() {
        let (_, line, log) = warcsieve(&["extract", &path(page), "--to", "json"]);
        let line: Value = serde_json::from_str(&line).expect(&log);
        let said = Said::of_extraction(&engine.extract(html, "").unwrap());
        assert_eq!(line["text"], said.text.as_str());
        assert_eq!(line["title"].as_str().unwrap_or_default(), said.title);
        assert_eq!(line["language"], said.language.unwrap_or("und"));
        for name in line.as_object().unwrap().keys() {
            assert!(columns.contains(&format!("| `{name}` |")), "{name}");
        }
    }
    let pipeline = folder.path().join("p.toml");
    fs::write(
        &pipeline,
        "[[filter]]\nkeep = 'n_blocks >= 1000'\n[[step]]\nmethod = 'keep-all'\n",
    )
    .unwrap();
    let (page, ..) = &pages()[0];
    let (code, text, log) = warcsieve(&["extract", &path(page), "--pipeline", &path(&pipeline)]);
    assert_eq!((code, text.as_str()), (0, ""), "{log}");
    assert!(
        log.contains("removed by the filter `n_blocks >= 1000`"),
        "{log}"
    );
}
