//! The tables of columns in `docs/` have the texts of the column entries.
//!
//! `UPDATE_DOCS=1 cargo test -p warcsieve-tables the_pages_list` rewrites them.

use crate::columns::{Column, Table};
use crate::{blocks, documents, links, removed};
use arrow_schema::{DataType, Field};
use warcsieve_extract::Pipeline;
use warcsieve_fixture::assert_page_has_table;

fn pipeline(settings: &str) -> Pipeline {
    let text = format!("{settings}\n[[step]]\nmethod = 'keep-all'\n");
    Pipeline::parse(&warcsieve_classify::CORE, "p.toml", &text).unwrap()
}

/// The type of a column in words.
fn type_of(field: &Field) -> String {
    let name = match field.data_type() {
        DataType::Utf8 | DataType::Dictionary(..) => "string",
        DataType::Int32 => "int32",
        DataType::Int64 => "int64",
        DataType::Float32 => "float",
        DataType::Float64 => "double",
        DataType::Boolean => "bool",
        DataType::Timestamp(..) => "timestamp µs UTC",
        DataType::List(_) => "list of strings",
        DataType::Struct(_) => "struct of strings",
        other => panic!("{other}"),
    };
    let null = if field.is_nullable() { ", null" } else { "" };
    format!("{name}{null}")
}

fn table<T: Table>(heading: &str, columns: &[Column<T>]) -> String {
    let mut text = format!("| {heading} | type | meaning |\n|---|---|---|\n");
    for column in columns {
        let (name, data_type) = (column.field.name(), type_of(&column.field));
        text += &format!("| `{name}` | {data_type} | {} |\n", column.doc);
    }
    text
}

#[test]
fn the_pages_list_the_columns_of_documents() {
    let page = "output/documents.md";
    let fixed = documents::columns(&pipeline("metadata = false"));
    let all = documents::columns(&pipeline(
        "metadata = true\n[[filter]]\npersonal = 'tag'\nkinds = ['email', 'ip', 'phone']",
    ));
    let (metadata, personal) = all[fixed.len()..].split_at(all.len() - fixed.len() - 3);
    let sources = table("column", &fixed);
    assert_page_has_table(page, "--out target/corpus\n```\n\n", &sources);
    let others = "metadata = false\n[[fallback]]\nwhen = 'confidence < 0.5'\npipeline = 'numwords'";
    let others = documents::columns(&pipeline(others));
    let others = table("column", &others[fixed.len()..]);
    assert_page_has_table(page, "labelled each page.\n\n", &others);
    let forms = documents::columns(&pipeline("metadata = false\nforms = ['markdown', 'html']"));
    let forms = table("column", &forms[fixed.len()..]);
    assert_page_has_table(page, "other forms of the content.\n\n", &forms);
    let said = table("column", metadata);
    assert_page_has_table(page, "[says about itself](../metadata.md).\n\n", &said);
    let counted = table("column", personal);
    assert_page_has_table(page, "these columns come last:\n\n", &counted);
}

#[test]
fn the_pages_list_the_columns_of_rights() {
    let pipelines = ["metadata = false", "metadata = false\nrights = true"].map(pipeline);
    let [fixed, all] = pipelines.each_ref().map(documents::columns);
    let rights = table("column", &all[fixed.len()..]);
    assert_page_has_table("metadata.md", "use of the content:\n\n", &rights);
}

#[test]
fn the_pages_list_the_columns_of_products() {
    let pipelines = ["metadata = false", "metadata = false\nproduct = true"].map(pipeline);
    let [fixed, all] = pipelines.each_ref().map(documents::columns);
    let product = table("column", &all[fixed.len()..]);
    assert_page_has_table("metadata.md", "that a page is about:\n\n", &product);
}

#[test]
fn the_pages_list_the_columns_of_blocks() {
    let fixed = blocks::columns(&pipeline("features = 'core'\ntree = 'tags'"));
    let before = "--id testdata-0001\n```\n\n";
    assert_page_has_table("output/blocks.md", before, &table("column", &fixed));
    let all = blocks::columns(&pipeline("features = 'none'\ntree = 'none'\nxpath = true"));
    let path = table("column", &all[all.len() - 1..]);
    assert_page_has_table("output/blocks.md", "the path of each block.\n\n", &path);
}

#[test]
fn the_pages_list_the_columns_of_layouts() {
    let pipelines = ["metadata = false", "metadata = false\nlayout = 'blitz'"].map(pipeline);
    let [fixed, all] = pipelines.each_ref().map(documents::columns);
    let of_pages = table("in `documents`", &all[fixed.len()..]);
    let before = "The key does not change the outputs of other pipelines.\n\n";
    assert_page_has_table("layout.md", before, &of_pages);
    let [fixed, all] = pipelines.each_ref().map(blocks::columns);
    let of_blocks = table("in `blocks`", &all[fixed.len()..]);
    let before = "not available; null for plain text |\n\n";
    assert_page_has_table("layout.md", before, &of_blocks);
}

#[test]
fn the_pages_list_the_columns_of_removed_and_links() {
    let links = table("column", &links::columns());
    let before = "has one row for each block.\n\n";
    assert_page_has_table("output/links.md", before, &links);
    let removed = table("column", &removed::columns(&pipeline("").filters));
    let before = "It has no rows in `documents` and `blocks`.\n\n";
    assert_page_has_table("corpus.md", before, &removed);
}
