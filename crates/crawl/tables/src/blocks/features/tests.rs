use super::*;
use crate::{RowBuilder, Rows};
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Int32Type};
use std::collections::BTreeSet;
use std::sync::Arc;
use warcsieve_extract::{Engine, Pipeline};
use warcsieve_features::structure::FOREST;
use warcsieve_fixture::segmented;
use warcsieve_html::Segmentation;
use warcsieve_warc::{Location, Record};

/// The rows of `blocks` for these pages with a set of features, in the batches in which they are
/// handed on.
fn rows(features: &str, pages: &[&str]) -> Vec<RecordBatch> {
    let text = format!("features = '{features}'\n[[step]]\nmethod = 'keep-all'\n");
    let pipeline = Arc::new(Pipeline::parse(&warcsieve_classify::CORE, "test", &text).unwrap());
    let mut engine = Engine::new(&pipeline);
    let mut rows = RowBuilder::new(&pipeline);
    rows.begin("x");
    let headers = [("WARC-Type", "resource"), ("Content-Type", "text/html")];
    let mut parts = Vec::new();
    let mut full = |rows: Rows| {
        parts.push(rows.blocks.unwrap());
        Ok(())
    };
    for page in pages {
        let record = Record::from_parts(&headers, page.as_bytes());
        let view = engine.record("x", &record).ok().unwrap();
        rows.push(&view, &Location::default(), &mut full).unwrap();
    }
    parts.push(rows.finish().blocks.unwrap());
    parts
}

/// Names of all columns.
fn names(batch: &RecordBatch) -> Vec<String> {
    let schema = batch.schema();
    schema.fields().iter().map(|f| f.name().clone()).collect()
}

/// The values of a column of floats.
fn column(batch: &RecordBatch, name: &str) -> Vec<f32> {
    let column = batch.column_by_name(name).unwrap();
    column.as_primitive::<Float32Type>().values().to_vec()
}

#[test]
fn names_are_unique_and_need_no_quotes() {
    for set in ["shallow", "structure"] {
        let names = names(&rows(set, &["<p>a"])[0]);
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        assert!(names.iter().all(|n| n.chars().all(plain)), "{names:?}");
        assert_eq!(BTreeSet::from_iter(&names).len(), names.len(), "{set}");
    }
}

#[test]
fn rows_of_a_large_page_continue_over_batches() {
    let blocks = 120 * Columns::BLOCKS;
    let page: String = (0..blocks)
        .map(|i| format!("<p>{}", "a ".repeat(1 + i % 5)))
        .collect();
    for (set, index) in [("shallow", "absolute_position"), ("structure", "index")] {
        let batches = rows(set, &[&page]);
        assert!(batches.len() > 1);
        let bytes = batches[0].get_array_memory_size();
        assert!(bytes < 2 * RowBuilder::LIMIT, "{bytes} bytes in a piece");
        let all = |name| -> Vec<f32> { batches.iter().flat_map(|b| column(b, name)).collect() };
        let words = (0..blocks).map(|i| (1 + i % 5) as f32);
        let moved: Vec<_> = std::iter::once(0.0).chain(words).take(blocks).collect();
        assert!(all("prev_words") == moved, "{set}");
        assert_eq!(all(index).last(), Some(&((blocks - 1) as f32)), "{set}");
    }
}

const FIRST: &str = "<title>BIG news</title><h1>BIG news</h1><p>They met. <a href=x>More</a>";
const SECOND: &str = "<ul class=nav><li><a href=/>Home</a><li>All<li>New</ul><p>What was it?";

#[test]
fn shallow_features_are_added_to_the_core_columns() {
    let page = "<h1>BIG news</h1><p>They met. <a href=x>More</a>";
    let batch = &rows("shallow", &[page])[0];
    let names = names(batch);
    assert_eq!(names.len(), 12 + 12 + 64 + 2);
    assert!(names.iter().all(|n| !n.contains("frequency")));
    assert_eq!(column(batch, "in_h1"), [1.0, 0.0]);
    assert_eq!(column(batch, "all_caps_words"), [1.0, 0.0]);
    assert_eq!(column(batch, "prev_words"), [0.0, 2.0]);
    assert_eq!(column(batch, "next_link_density"), [1.0 / 3.0, 0.0]);
    assert_eq!(column(batch, "words_quotient"), [0.0, 1.5]);
}

#[test]
fn structure_features_are_added_to_the_core_columns() {
    let batch = &rows("structure", &[FIRST])[0];
    // Three are core columns: words and the two densities.
    let own = STRUCTURE.len() - 3;
    assert_eq!(names(batch).len(), 12 + 12 + own + 2);
    let docs_page = include_str!("../../../../../../docs/output/blocks.md");
    assert!(docs_page.contains(&format!("as {own} float columns")));
    assert_eq!(column(batch, "from_h1"), [0.0, 1.0]);
    assert_eq!(column(batch, "prev_words"), [0.0, 2.0]);
    assert_eq!(column(batch, "to_nav"), [40.0, 40.0]);
    assert_eq!(column(batch, "vote_part"), [1.0, 1.0]);
}

#[test]
fn each_column_holds_its_feature_page_by_page() {
    let batch = &rows("structure", &[FIRST, SECOND])[0];
    let mut expected = Vec::new();
    for page in [FIRST, SECOND] {
        let doc = segmented(page, Segmentation::Inline);
        let (mut structure, mut rows) = (Structure::default(), Vec::new());
        structure.read(&doc);
        structure.rows(&doc, 0..doc.blocks.len(), &mut rows);
        let rows = rows.chunks(FOREST.len()).map(|row| &row[..STRUCTURE.len()]);
        expected.extend(rows.flatten().copied());
    }
    for (at, feature) in STRUCTURE.iter().enumerate() {
        let values = expected.iter().skip(at).step_by(STRUCTURE.len());
        let written = batch.column_by_name(&feature.name.replace('.', "_"));
        let written = written.unwrap();
        // Counts among the core columns are integers.
        let written: Vec<f32> = match written.as_primitive_opt::<Int32Type>() {
            Some(counts) => counts.values().iter().map(|v| *v as f32).collect(),
            None => written.as_primitive::<Float32Type>().values().to_vec(),
        };
        assert!(values.eq(&written), "{}", feature.name);
    }
}
