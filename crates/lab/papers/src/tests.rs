//! Tests of properties that every method must have.

use super::METHODS as ALL;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use warcsieve_classify::{Chain, Classifier, Label, Method, Names, Needs, Scores, Shipped, Steps};
use warcsieve_fixture::{document, elements, links, segmented, words};
use warcsieve_html::document::Document;
use warcsieve_html::{AttributeSpan, Segmentation, Tag};

fn pipeline(steps: &str) -> Steps {
    // Methods that need a model name one from the repository.
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../test.toml");
    Steps::parse(&ALL, file, &format!("[[step]]\n{steps}")).unwrap()
}

fn run(chain: &mut Chain, doc: &Document) -> Vec<Label> {
    let mut labels = vec![Label::default(); doc.blocks.len()];
    chain.classify(doc, &mut labels);
    labels
}

/// Steps with their buffers.
pub(super) struct Labeller {
    pub chain: Chain,
    pub names: Names,
    pub labels: Vec<Label>,
}

impl Labeller {
    pub fn new(steps: &Steps) -> Self {
        let (chain, names) = steps.build();
        Self {
            chain,
            names,
            labels: Vec::new(),
        }
    }

    pub fn label(&mut self, doc: &Document) {
        self.labels = run(&mut self.chain, doc);
    }

    pub fn names(&self) -> &Names {
        &self.names
    }
}

/// Labels that steps produce. `steps` is the text after the first `[[step]]`.
pub(super) fn labels(steps: &str, doc: &Document) -> (Vec<Label>, Names) {
    let (mut chain, names) = pipeline(steps).build();
    (run(&mut chain, doc), names)
}

pub(super) fn content(steps: &str, doc: &Document) -> Vec<bool> {
    labels(steps, doc).0.iter().map(|l| l.content).collect()
}

pub(super) fn reasons(steps: &str, doc: &Document) -> Vec<String> {
    let (labels, names) = labels(steps, doc);
    labels
        .iter()
        .map(|l| names.reasons[l.reason as usize].clone())
        .collect()
}

/// The method's step as the text after `[[step]]`.
fn step(method: &Method) -> String {
    format!("method = '{}'\n{}", method.name, method.required)
}

/// Every method as the only step, and after another step.
fn each_pipeline(check: impl Fn(&Method, Steps)) {
    for method in ALL.methods {
        if !method.follows {
            check(method, pipeline(&step(method)));
        }
        let second = format!("method = 'min-words'\n[[step]]\n{}", step(method));
        check(method, pipeline(&second));
    }
}

fn sane(names: &Names, labels: &[Label]) {
    for label in labels {
        assert!(label.score.is_finite() && (0.0..=1.0).contains(&label.score));
        assert!(usize::from(label.class) < names.classes.len());
        assert!((label.reason as usize) < names.reasons.len());
    }
}

#[test]
fn names_are_words_that_a_shell_takes_and_differ() {
    for (i, method) in ALL.methods.iter().enumerate() {
        assert!(ALL.methods[..i].iter().all(|m| m.name != method.name));
        assert!(
            method
                .name
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        );
        assert!(!method.summary.is_empty() && !method.paper.is_empty());
    }
}

#[test]
fn every_method_is_in_the_docs() {
    let page = include_str!("../../../../docs/pipelines.md");
    for method in ALL.methods {
        let name = format!("`{}`", method.name);
        assert!(page.contains(&name), "docs/pipelines.md lacks {name}");
    }
}

/// Figures need the labelled corpora. If a pipeline was not measured yet, the page says so.
#[test]
fn every_pipeline_is_in_the_docs() {
    const END: &str = "\n## Methods for your own pipelines\n";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/methods.md");
    let mut page = std::fs::read_to_string(path).unwrap();
    for Shipped { name, note, .. } in ALL.shipped() {
        if page.contains(&format!("\n### {name}\n")) {
            continue;
        }
        assert!(
            std::env::var_os("UPDATE_DOCS").is_some(),
            "docs/methods.md lacks {name}: run with UPDATE_DOCS=1"
        );
        let section = format!("\n### {name}\n\n{note}\n\nNot measured yet.\n{END}");
        assert!(page.contains(END));
        page = page.replace(END, &section);
        std::fs::write(path, &page).unwrap();
    }
}

#[test]
fn unknown_parameters_are_errors_with_their_line() {
    for method in ALL.methods {
        let first = "[[step]]\nmethod = 'keep-all'\n";
        let text = format!(
            "{first}[[step]]\nmethod = '{}'\n\nno_such_key = 1\n",
            method.name
        );
        let e = Steps::parse(&ALL, "p.toml", &text).unwrap_err().to_string();
        assert!(
            e.starts_with("p.toml:6:") && e.contains("no_such_key"),
            "{e}"
        );
    }
}

#[test]
fn names_begin_with_the_empty_class_and_no_reason() {
    each_pipeline(|method, pipeline| {
        let name = method.name;
        let (_, names) = pipeline.build();
        assert_eq!(names.classes[0], "", "{name}");
        assert_eq!(names.reasons[0], "not labelled by any step", "{name}");
        for texts in [&names.classes[1..], &names.reasons[1..]] {
            for (i, text) in texts.iter().enumerate() {
                assert!(
                    !text.is_empty() && !texts[..i].contains(text),
                    "{name}: {text}"
                );
            }
        }
    });
}

#[test]
fn an_empty_document_and_one_block() {
    each_pipeline(|_, pipeline| {
        let (mut chain, names) = pipeline.build();
        for text in ["", "–", "word", "[link]", &words(100), &links(100)] {
            let doc = document(&[text]);
            let labels = run(&mut chain, &doc);
            sane(&names, &labels);
            chain.explain(&doc, &labels, 0);
        }
        assert_eq!(run(&mut chain, &document::<&str>(&[])), []);
    });
}

#[test]
fn every_first_step_sets_a_reason() {
    let doc = document(&[words(30), words(3), links(3), words(90)]);
    for method in ALL.methods.iter().filter(|m| !m.follows) {
        let (labels, names) = labels(&step(method), &doc);
        sane(&names, &labels);
        assert!(labels.iter().all(|l| l.reason > 0), "{}", method.name);
        let of = |content| labels.iter().filter(move |l| l.content == content);
        let least = of(true).map(|l| l.score).fold(1.0, f32::min);
        let most = of(false).map(|l| l.score).fold(0.0, f32::max);
        let is_split = match method.scores {
            Scores::Half => least > 0.5 && most <= 0.5,
            Scores::Page => least >= most,
            Scores::Chain => true,
        };
        assert!(is_split, "{}", method.name);
    }
}

#[test]
fn methods_that_need_no_attributes_do_not_read_them() {
    let html = r#"<title>Cod in winter</title><body class=page>
        <div id=nav class="menu"><a href=/>Home</a> <a href=/fish class=active>Fish</a></div>
        <article class=content id=main><h1>Cod in winter</h1>
        <p itemprop=articleBody>Cod spawn from January to April, in water of four degrees, and the
        largest shoals are off the islands, where they were fished for a thousand years.
        <p class=ad>Buy two.<img src=a.png alt=cod>
        <p>They are eaten in all the countries there.</article>
        <ul class="comments"><li class=comment>First!<li class=comment>It was the best.</ul>
        <footer class=footer role=contentinfo>All rights reserved.</footer>"#;
    for segmentation in [Segmentation::Inline, Segmentation::Justext] {
        let doc = segmented(html, segmentation);
        let mut bare = doc.clone();
        for element in &mut bare.tree.elements {
            element.attrs = AttributeSpan::NONE;
        }
        each_pipeline(|method, pipeline| {
            let labels = |doc| run(&mut pipeline.build().0, doc);
            if method.needs == Needs::Tags && labels(&doc) != labels(&bare) {
                panic!("{} reads attributes", method.name);
            }
        });
    }
}

/// The costs of methods, without duplicates.
fn costs() -> impl Iterator<Item = usize> {
    let mut costs: Vec<usize> = ALL.methods.iter().map(|method| method.cost).collect();
    costs.sort_unstable();
    costs.dedup();
    costs.into_iter()
}

#[test]
fn a_hundred_thousand_blocks_in_linear_time() {
    const BLOCKS: usize = 100_000;
    // A quadratic step would take minutes.
    const LIMIT: Duration = Duration::from_secs(10);
    let shapes: [fn(usize) -> String; 4] = [
        |_| "a".to_owned(),
        |_| words(20),
        |i| if i % 2 == 0 { words(20) } else { links(3) },
        |i| words([3, 30, 1, 60, 12][i % 5]),
    ];
    for shape in shapes {
        let of = |blocks| document(&(0..blocks).map(shape).collect::<Vec<_>>());
        let costs: BTreeMap<usize, Document> =
            costs().map(|cost| (cost, of(BLOCKS / cost))).collect();
        each_pipeline(|method, pipeline| {
            let name = method.name;
            let doc = &costs[&method.cost];
            let (mut chain, names) = pipeline.build();
            let start = Instant::now();
            let labels = run(&mut chain, doc);
            assert!(start.elapsed() < LIMIT, "{name}: {:?}", start.elapsed());
            sane(&names, &labels);
        });
    }
}

#[test]
fn a_million_elements_of_any_shape_in_linear_time() {
    const ELEMENTS: usize = 1_000_000;
    // Quadratic time would take hours.
    const LIMIT: Duration = Duration::from_secs(20);
    type Shape = (fn(usize) -> usize, fn(usize) -> usize);
    let shapes: [Shape; 4] = [
        (|i| i, |i| i),
        (|i| i.min(2), |i| i),
        (|i| i.min(2), |_| 0),
        (|i| i.min(2 + i % 9), |i| i % 1000),
    ];
    for (depth, class) in shapes {
        let of = |count: usize| {
            let page: Vec<_> = (0..count)
                .map(|i| match i {
                    0 => (0, Tag::Html, 0),
                    1 => (1, Tag::Body, 0),
                    _ => (
                        depth(i),
                        [Tag::Div, Tag::A, Tag::P, Tag::Span][i % 4],
                        (i % 3) as u32,
                    ),
                })
                .collect();
            let mut doc = elements(&page);
            for i in 0..doc.tree.elements.len() {
                let attrs = format!("class=c{}", class(i));
                doc.tree.elements[i].attrs = doc.tree.add_attributes(&attrs);
            }
            doc
        };
        let costs: BTreeMap<usize, Document> =
            costs().map(|cost| (cost, of(ELEMENTS / cost))).collect();
        for method in ALL.methods {
            let before = if method.follows {
                "method = 'keep-all'\n[[step]]\n"
            } else {
                ""
            };
            let (mut chain, names) = pipeline(&format!("{before}{}", step(method))).build();
            let doc = &costs[&method.cost];
            let start = Instant::now();
            let labels = run(&mut chain, doc);
            assert!(
                start.elapsed() < LIMIT,
                "{}: {:?}",
                method.name,
                start.elapsed()
            );
            sane(&names, &labels);
        }
    }
}

/// Block texts of all kinds: prose, links, signs, other scripts.
fn block() -> impl Strategy<Value = String> {
    prop_oneof![
        (0..60usize).prop_map(words),
        (1..20usize).prop_map(links),
        (1..30usize, 1..30usize).prop_map(|(a, b)| format!("{} {}", words(a), links(b))),
        "[a-z© ]{0,250}",
        "\\PC{0,250}",
        Just("It was the best of times and it was the worst of times. ".repeat(5)),
        Just("Короткий ответ в том, что никто не знает, где кончается дорога. ".repeat(4)),
    ]
}

fn page() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(block(), 0..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn labels_depend_on_the_page_alone(page in page(), other in page()) {
        let (doc, other) = (document(&page), document(&other));
        each_pipeline(|method, pipeline| {
        let name = method.name;
            let (mut used, names) = pipeline.build();
            let first = run(&mut used, &doc);
            sane(&names, &first);
            run(&mut used, &other);
            assert_eq!(run(&mut used, &doc), first, "{name} keeps something of a page");
            assert_eq!(run(&mut pipeline.build().0, &doc), first, "{name} is not deterministic");
            for i in 0..doc.blocks.len() {
                used.explain(&doc, &first, i);
            }
        });
    }
}
