//! Formulas of KaTeX, MathJax, MathML and pictures become the TeX from which they were made.

use serde::Deserialize;
use std::collections::BTreeMap;
use warcsieve_html::document::Document;
use warcsieve_html::{Segmenter, SegmenterOptions};

#[derive(Deserialize)]
struct Case {
    maker: String,
    display: bool,
    tex: String,
    html: String,
}

fn cases() -> Vec<Case> {
    let text = include_str!("../../../../testdata/formulas/cases.jsonl");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a line is a case"))
        .collect()
}

fn without_space(tex: &str) -> String {
    tex.split_whitespace().collect()
}

#[test]
fn formulas_come_out_once_and_as_they_were_written() {
    let mut exact = BTreeMap::new();
    let mut others = Vec::new();
    for case in cases() {
        let mut doc = Document::default();
        let page = format!("<p>before {} after</p>", case.html);
        let mut segmenter = Segmenter::new(SegmenterOptions::default());
        segmenter.segment_html(&page, &mut doc).unwrap();
        let sign = if case.display { "$$" } else { "$" };
        let wanted = format!("before{sign}{}{sign}after", without_space(&case.tex));
        let (right, all) = exact.entry(case.maker.clone()).or_insert((0, 0));
        *all += 1;
        if without_space(&doc.text) == wanted {
            *right += 1;
        } else {
            others.push(format!(
                "{}: {} came out as {}",
                case.maker, case.tex, doc.text
            ));
        }
    }
    println!("exact, of all: {exact:?}");
    assert!(others.is_empty(), "{exact:?}\n{}", others.join("\n"));
}
