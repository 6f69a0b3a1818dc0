//! The columns of a page's blocks.

use crate::offsets;
use crate::page::PageData;
use arrow_array::builder::{BooleanBuilder, Float32Builder, Int32Builder, StringBuilder};
use arrow_array::{ArrayRef, Int32Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use std::sync::{Arc, LazyLock};
use warcsieve::Block as Counts;

/// A count of a block.
type Count = (&'static str, fn(&Counts) -> u32);

const COUNTS: [Count; 10] = [
    ("words", |b| b.words),
    ("linked_words", |b| b.linked_words),
    ("tokens", |b| b.tokens),
    ("linked_tokens", |b| b.linked_tokens),
    ("chars", |b| b.chars),
    ("linked_chars", |b| b.linked_chars),
    ("lines", |b| b.lines),
    ("wrapped_tokens", |b| b.wrapped_tokens),
    ("tags_before", |b| b.tags_before),
    ("tags_inside", |b| b.tags_inside),
];

/// Names and types of the columns. Names that the table `blocks` has, too, mean the same there.
pub static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let field = |name: &str, data_type, nullable| Field::new(name, data_type, nullable);
    let int = |name| field(name, DataType::Int32, false);
    let maybe = |name| field(name, DataType::Int32, true);
    let mut fields = vec![
        int("block"),
        field("text", DataType::Utf8, false),
        field("content", DataType::Boolean, false),
        field("label", DataType::Utf8, false),
        field("class", DataType::Utf8, true),
        field("score", DataType::Float32, false),
        field("reason", DataType::Utf8, false),
        field("tag_path", DataType::Utf8, false),
        int("source_start"),
        int("source_end"),
        int("source_char_start"),
        int("source_char_end"),
        maybe("text_start"),
        maybe("text_end"),
        maybe("text_char_start"),
        maybe("text_char_end"),
    ];
    fields.extend(COUNTS.iter().map(|(name, _)| int(name)));
    fields.push(field("link_density", DataType::Float32, false));
    fields.push(field("text_density", DataType::Float32, false));
    Arc::new(Schema::new(fields))
});

/// What a number that is absent is for NumPy, which has no nulls.
const ABSENT: i32 = -1;

fn int(n: u32) -> i32 {
    i32::try_from(n).unwrap_or(i32::MAX)
}

/// A column of numbers.
fn ints(values: impl Iterator<Item = u32>) -> ArrayRef {
    Arc::new(Int32Array::from_iter_values(values.map(int)))
}

/// A column of numbers of which some are absent.
fn maybes(values: impl Iterator<Item = Option<u32>>) -> ArrayRef {
    let values: Vec<Option<i32>> = values.map(|value| value.map(int)).collect();
    let present = values.iter().map(Option::is_some).collect::<Vec<_>>();
    let values: Vec<i32> = values
        .into_iter()
        .map(|value| value.unwrap_or(ABSENT))
        .collect();
    Arc::new(Int32Array::new(values.into(), Some(present.into())))
}

/// The columns of a page's blocks.
pub fn columns(page: &PageData) -> RecordBatch {
    let extraction = &page.extraction;
    let doc = extraction.document();
    let number = doc.blocks.len();
    let places: Vec<u32> = extraction
        .text_blocks()
        .iter()
        .flat_map(|r| [r.start, r.end])
        .collect();
    let place_chars = offsets::characters(extraction.text(), &places);
    let mut text = StringBuilder::with_capacity(number, doc.text.len());
    let (mut content, mut score) = (BooleanBuilder::new(), Float32Builder::new());
    let [mut label, mut class, mut reason, mut path] =
        std::array::from_fn(|_| StringBuilder::new());
    let mut written = String::new();
    for block in extraction.blocks() {
        text.append_value(block.text);
        content.append_value(block.label.content);
        label.append_value(if block.label.content {
            "content"
        } else {
            "boilerplate"
        });
        class.append_option(Some(block.class).filter(|class| !class.is_empty()));
        score.append_value(block.label.score);
        reason.append_value(block.reason);
        written.clear();
        doc.tree.path(block.block.element, &mut written);
        path.append_value(&written);
    }
    // Offsets of the n-th content block are the n-th two of `places`.
    let in_text = |offsets: &[u32], end: usize| {
        let mut pairs = offsets.chunks_exact(2);
        let places = extraction.blocks().map(|block| match block.label.content {
            true => pairs.next().map(|pair| pair[end]),
            false => None,
        });
        maybes(places.collect::<Vec<_>>().into_iter())
    };
    let source = |end: usize| ints(page.source_chars.chunks_exact(2).map(move |pair| pair[end]));
    let density = |read: fn(&Counts) -> f32| -> ArrayRef {
        let mut values = Float32Builder::with_capacity(number);
        doc.blocks
            .iter()
            .for_each(|block| values.append_value(read(block)));
        Arc::new(values.finish())
    };
    let mut blocks = Int32Builder::with_capacity(number);
    (0..number).for_each(|n| blocks.append_value(i32::try_from(n).unwrap_or(i32::MAX)));
    let mut columns: Vec<ArrayRef> = vec![
        Arc::new(blocks.finish()),
        Arc::new(text.finish()),
        Arc::new(content.finish()),
        Arc::new(label.finish()),
        Arc::new(class.finish()),
        Arc::new(score.finish()),
        Arc::new(reason.finish()),
        Arc::new(path.finish()),
        ints(doc.blocks.iter().map(|b| b.source.start)),
        ints(doc.blocks.iter().map(|b| b.source.end)),
        source(0),
        source(1),
        in_text(&places, 0),
        in_text(&places, 1),
        in_text(&place_chars, 0),
        in_text(&place_chars, 1),
    ];
    columns.extend(
        COUNTS
            .iter()
            .map(|(_, read)| ints(doc.blocks.iter().map(read))),
    );
    columns.push(density(Counts::link_density));
    columns.push(density(Counts::text_density));
    RecordBatch::try_new(SCHEMA.clone(), columns)
        .expect("the columns have the order and types of the schema")
}
