use crate::tests::{content, labels, reasons};
use proptest::prelude::*;
use std::fs;
use warcsieve_classify::{Classifier, Label, Steps};
use warcsieve_fixture::{document, links, words};
use warcsieve_html::document::{Block, Document};

const NUMWORDS: &str = "method = 'tree'\nmodel = 'pipelines/numwords.tree'";
const DENSITY: &str = "method = 'tree'\nmodel = 'pipelines/density.tree'";

/// A pipeline of one step, in a folder that contains files with these names and texts.
fn with_files(files: &[(&str, &str)], step: &str) -> Result<Steps, String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let path = folder.path().join("p.toml");
    let text = format!("[[step]]\nmethod = 'tree'\n{step}\n");
    let pipeline =
        Steps::parse(&crate::METHODS, path.to_str().unwrap(), &text).map_err(|e| e.to_string());
    // Building the steps later must not read the files again.
    folder.close().unwrap();
    pipeline
}

const THREE: &str = "format = 1
classes = ['boilerplate', 'headline', 'fulltext']
rules = '''
words <= 3: boilerplate (60, 30, 10)
words > 3
| words <= 8: headline (30, 50, 20)
| words > 8: fulltext (10, 10, 80)
'''
";

#[test]
fn label_score_class_and_explanation() {
    let pipeline = with_files(&[("m.tree", THREE)], "model = 'm.tree'").unwrap();
    let (mut chain, names) = pipeline.build();
    let doc = document(&[words(3), words(4), words(9)]);
    let mut labels = vec![Label::default(); 3];
    chain.classify(&doc, &mut labels);
    let seen: Vec<_> = labels
        .iter()
        .map(|l| (l.content, l.score, names.class_of(l), names.reason_of(l)))
        .collect();
    assert_eq!(
        seen,
        [
            (false, 0.4, "boilerplate", "words <= 3"),
            (true, 0.7, "headline", "words > 3, words <= 8"),
            (true, 0.9, "fulltext", "words > 3, words > 8"),
        ]
    );
    assert_eq!(
        chain.explain(&doc, &labels, 1),
        "tree: words 4 > 3, words 4 <= 8 → headline (0.50 of 100 words in training)"
    );
}

#[test]
fn a_single_leaf_labels_all_blocks() {
    let one = "format = 1\nclasses = ['content']\nrules = ': content (7)'\n";
    let pipeline = with_files(&[("m", one)], "model = 'm'").unwrap();
    let (mut chain, names) = pipeline.build();
    let mut labels = [Label::default()];
    chain.classify(&document(&["x"]), &mut labels);
    assert!(labels[0].content && names.reason_of(&labels[0]) == "always");
}

#[test]
fn the_models_hash_is_part_of_the_pipeline() {
    let hash = |model: &str| {
        let steps = with_files(&[("m", model)], "model = 'm'").unwrap();
        steps.model_hash.unwrap()
    };
    let (a, b) = (hash(THREE), hash(&THREE.replace("<= 8", "<= 8.0")));
    assert_ne!(a, b);
    let without = Steps::parse(&crate::METHODS, "p", "[[step]]\nmethod = 'numwords'").unwrap();
    assert_eq!(without.model_hash, None);
}

#[test]
fn faults_name_the_line_of_the_pipeline_and_of_the_file() {
    let error = |model: &str, step: &str| with_files(&[("m", model)], step).unwrap_err();
    let e = error(THREE, "\nmodel = 'gone'");
    assert!(e.contains("p.toml:4: ") && e.contains("gone: "), "{e}");
    let e = error(&THREE.replace("<= 8", "< 8"), "model = 'm'");
    assert!(e.contains("p.toml:3: ") && e.contains("m: line 6: "), "{e}");
    let e = error(&THREE.replace("words", "wrods"), "model = 'm'");
    assert!(e.contains("p.toml:3: ") && e.contains("`wrods`"), "{e}");
    let e = error(&THREE.replace("words", "next.frequency"), "model = 'm'");
    assert!(
        e.contains("p.toml:3: ") && e.contains("`frequencies"),
        "{e}"
    );
    let e = error(THREE, "");
    assert!(e.contains("p.toml:1: ") && e.contains("`model`"), "{e}");
}

#[test]
fn the_shipped_pipeline_loads_the_model_next_to_it() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../pipelines/tree.toml");
    let pipeline = Steps::parse(&crate::METHODS, path, &fs::read_to_string(path).unwrap()).unwrap();
    assert!(pipeline.model_hash.is_some());
}

#[test]
fn too_many_classes_are_an_error() {
    let classes = |i: usize| -> String {
        let names: Vec<_> = (0..32).map(|c| format!("'c{i}-{c}'")).collect();
        format!(
            "format = 1\nclasses = [{}]\nrules = ': c{i}-0'\n",
            names.join(",")
        )
    };
    let models: Vec<_> = (0..8).map(|i| (format!("m{i}"), classes(i))).collect();
    let files: Vec<_> = models
        .iter()
        .map(|(n, t)| (n.as_str(), t.as_str()))
        .collect();
    let steps: Vec<_> = (0..8).map(|i| format!("model = 'm{i}'\n")).collect();
    let e = with_files(&files, &steps.join("[[step]]\nmethod = 'tree'\n")).unwrap_err();
    assert!(e.contains("255 classes"), "{e}");
}

#[test]
fn model_files_label_texts_like_the_published_rules() {
    let doc = document(&[
        words(30),
        links(4),
        words(16),
        words(4),
        words(17),
        words(3),
    ]);
    assert_eq!(
        content(NUMWORDS, &doc),
        content("method = 'numwords'", &doc)
    );
    assert_eq!(
        reasons(NUMWORDS, &doc),
        reasons("method = 'numwords'", &doc)
    );
    assert_eq!(content(DENSITY, &doc), content("method = 'density'", &doc));
}

/// Blocks with values near the thresholds of the published trees, and some with values far from
/// them.
fn blocks() -> impl Strategy<Value = Vec<Block>> {
    let block = (
        prop_oneof![0..60u32, 0..5000u32],
        0..5000u32,
        prop_oneof![1..6u32, 1..500u32],
        0..5000u32,
    );
    let block = block.prop_map(|(words, linked, lines, wrapped)| Block {
        words,
        tokens: words,
        linked_tokens: linked % (words + 1),
        lines,
        wrapped_tokens: wrapped % (16 * lines),
        ..Block::default()
    });
    prop::collection::vec(block, 1..12)
}

proptest! {
    #[test]
    fn the_model_files_label_as_the_methods_do(blocks in blocks()) {
        let doc = Document { blocks, ..Document::default() };
        for (file, method) in [(NUMWORDS, "method = 'numwords'"), (DENSITY, "method = 'density'")] {
            let (from_file, names) = labels(file, &doc);
            let (built_in, _) = labels(method, &doc);
            for (a, b) in from_file.iter().zip(&built_in) {
                prop_assert_eq!((a.content, a.score), (b.content, b.score), "{}", names.reason_of(a));
            }
        }
    }
}
