//! What holds for every method.

use super::fixture::{document, elements, links, words};
use super::*;
use crate::config::{BUILT_IN, Pipeline};
use crate::html::Tag;
use proptest::prelude::*;
use std::time::{Duration, Instant};

fn pipeline(steps: &str) -> Pipeline {
    Pipeline::parse("test", &format!("[[step]]\n{steps}")).unwrap()
}

fn run(chain: &mut Chain, doc: &Document) -> Vec<Label> {
    let mut labels = vec![Label::default(); doc.blocks.len()];
    chain.classify(doc, &mut labels);
    labels
}

/// Labels by steps, given as the text behind the first `[[step]]`.
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

/// The method's step as the text behind `[[step]]`.
fn step(method: &Method) -> String {
    format!("method = '{}'\n{}", method.name, method.required)
}

/// Every method as the only step, and behind another.
fn each_pipeline(check: impl Fn(&str, Pipeline)) {
    for method in METHODS {
        if !method.follows {
            check(method.name, pipeline(&step(method)));
        }
        let second = format!("method = 'min-words'\n[[step]]\n{}", step(method));
        check(method.name, pipeline(&second));
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
    for (i, method) in METHODS.iter().enumerate() {
        assert!(METHODS[..i].iter().all(|m| m.name != method.name));
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
fn every_method_and_pipeline_stands_in_the_docs() {
    let (methods, pipelines) = (
        include_str!("../../docs/methods.md"),
        include_str!("../../docs/pipelines.md"),
    );
    for method in METHODS {
        let name = format!("`{}`", method.name);
        assert!(pipelines.contains(&name), "docs/pipelines.md lacks {name}");
        let of_built_in = BUILT_IN.iter().any(|(n, _)| *n == method.name);
        assert!(
            of_built_in || methods.contains(&name),
            "docs/methods.md lacks {name}"
        );
    }
    for (name, _) in BUILT_IN {
        let heading = format!("\n### {name}\n");
        assert!(methods.contains(&heading), "docs/methods.md lacks {name}");
    }
}

#[test]
fn unknown_parameters_are_errors_with_their_line() {
    for method in METHODS {
        let first = "[[step]]\nmethod = 'keep-all'\n";
        let text = format!(
            "{first}[[step]]\nmethod = '{}'\n\nno_such_key = 1\n",
            method.name
        );
        let e = Pipeline::parse("p.toml", &text).unwrap_err().to_string();
        assert!(
            e.starts_with("p.toml:6:") && e.contains("no_such_key"),
            "{e}"
        );
    }
}

#[test]
fn names_begin_with_the_empty_class_and_no_reason() {
    each_pipeline(|name, pipeline| {
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
fn every_first_step_gives_a_reason() {
    let doc = document(&[words(30), words(3), links(3), words(90)]);
    for method in METHODS.iter().filter(|m| !m.follows) {
        let (labels, names) = labels(&step(method), &doc);
        sane(&names, &labels);
        assert!(labels.iter().all(|l| l.reason > 0), "{}", method.name);
        let of = |content| labels.iter().filter(move |l| l.content == content);
        let least = of(true).map(|l| l.score).fold(1.0, f32::min);
        let most = of(false).map(|l| l.score).fold(0.0, f32::max);
        // In a chain the best label of a block depends on those of others, not on how likely it is alone.
        let chained = method.name == "web2text";
        assert!(chained || least >= most, "{}", method.name);
        // The forest's bar depends on the page.
        let moving = chained || method.name == "forest";
        assert!(moving || least > 0.5 && most <= 0.5, "{}", method.name);
    }
}

/// By how much less a method has to do in the tests of time: networks reckon 100,000 products a block. What they
/// have in common with `crf` is timed there.
fn part(name: &str) -> usize {
    if name.starts_with("web2text") { 50 } else { 1 }
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
        let (whole, less) = (of(BLOCKS), of(BLOCKS / part("web2text")));
        each_pipeline(|name, pipeline| {
            let doc = if part(name) > 1 { &less } else { &whole };
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
    // Quadratic time would be hours.
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
            for (i, element) in doc.tree.elements.iter_mut().enumerate() {
                let start = doc.tree.attrs.len() as u32;
                doc.tree.attrs += &format!("class=c{}", class(i));
                element.attrs = start..doc.tree.attrs.len() as u32;
            }
            doc
        };
        let (whole, less) = (of(ELEMENTS), of(ELEMENTS / part("web2text")));
        for method in METHODS {
            let before = if method.follows {
                "method = 'keep-all'\n[[step]]\n"
            } else {
                ""
            };
            let (mut chain, names) = pipeline(&format!("{before}{}", step(method))).build();
            let doc = if part(method.name) > 1 { &less } else { &whole };
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
        each_pipeline(|name, pipeline| {
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
