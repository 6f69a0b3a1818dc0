//! The `blocks` table: one row a block.

use super::documents::to_i32;
use super::features::FeatureColumns;
use arrow_array::builder::{Float32Builder, Int32Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use std::ops::Range;
use std::sync::Arc;
use warcsieve_classify::Names;
use warcsieve_clean::Cleaned;
use warcsieve_clean::{BlockText, FeatureSet, Settings};
use warcsieve_html::document::Block;

/// A column of feature values: its name, and the function that reads it from a block.
enum Feature {
    Int(&'static str, fn(&Block) -> u32),
    Float(&'static str, fn(&Block) -> f32),
}

/// The `core` features: the counts of [`Block`] and the two densities of
/// Kohlschütter et al. 2010, §3.3 and §3.4.
const CORE: &[Feature] = &[
    Feature::Int("words", |b| b.words),
    Feature::Int("tokens", |b| b.tokens),
    Feature::Int("linked_tokens", |b| b.linked_tokens),
    Feature::Int("chars", |b| b.chars),
    Feature::Int("linked_chars", |b| b.linked_chars),
    Feature::Int("lines", |b| b.lines),
    Feature::Int("tags_before", |b| b.tags_before),
    Feature::Int("tags_inside", |b| b.tags_inside),
    Feature::Float("link_density", Block::link_density),
    Feature::Float("text_density", Block::text_density),
];

fn features(set: FeatureSet) -> &'static [Feature] {
    match set {
        FeatureSet::None => &[],
        FeatureSet::Core | FeatureSet::Shallow | FeatureSet::Structure => CORE,
    }
}

/// Names of the `core` features.
pub(super) fn core_names() -> impl Iterator<Item = &'static str> {
    CORE.iter().map(|f| match f {
        Feature::Int(name, _) | Feature::Float(name, _) => *name,
    })
}

/// Columns of `blocks` under these settings.
pub(super) fn schema(settings: &Settings) -> SchemaRef {
    let text = |name| Field::new(name, DataType::Utf8, false);
    let count = |name| Field::new(name, DataType::Int32, false);
    let maybe = |name, data_type| Field::new(name, data_type, true);
    let mut fields = vec![
        text("id"),
        count("block"),
        maybe("text", DataType::Utf8),
        count("source_start"),
        count("source_end"),
        maybe("text_start", DataType::Int32),
        maybe("text_end", DataType::Int32),
        text("tag_path"),
        text("label"),
        maybe("class", DataType::Utf8),
        Field::new("score", DataType::Float32, false),
        text("reason"),
    ];
    fields.extend(features(settings.features).iter().map(|f| match f {
        Feature::Int(name, _) => count(name),
        Feature::Float(name, _) => Field::new(*name, DataType::Float32, false),
    }));
    if let Some(more) = FeatureColumns::of(settings.features) {
        fields.extend(more.fields());
    }
    Arc::new(Schema::new(fields))
}

/// Bytes of a row without its texts.
const NUMBERS: usize = 128;

enum CoreColumn {
    Int(fn(&Block) -> u32, Int32Builder),
    Float(fn(&Block) -> f32, Float32Builder),
}

/// Collects rows of `blocks`.
pub(super) struct BlockRows {
    schema: SchemaRef,
    block_text: BlockText,
    names: Arc<Names>,
    path: String,
    id: StringBuilder,
    block: Int32Builder,
    text: StringBuilder,
    source_start: Int32Builder,
    source_end: Int32Builder,
    text_start: Int32Builder,
    text_end: Int32Builder,
    tag_path: StringBuilder,
    label: StringBuilder,
    class: StringBuilder,
    score: Float32Builder,
    reason: StringBuilder,
    core: Vec<CoreColumn>,
    more: Option<FeatureColumns>,
}

impl BlockRows {
    /// `names` are the texts of the pipeline's classes and reasons.
    pub fn new(settings: &Settings, names: Arc<Names>) -> Self {
        Self {
            schema: schema(settings),
            block_text: settings.block_text,
            names,
            path: String::new(),
            id: StringBuilder::new(),
            block: Int32Builder::new(),
            text: StringBuilder::new(),
            source_start: Int32Builder::new(),
            source_end: Int32Builder::new(),
            text_start: Int32Builder::new(),
            text_end: Int32Builder::new(),
            tag_path: StringBuilder::new(),
            label: StringBuilder::new(),
            class: StringBuilder::new(),
            score: Float32Builder::new(),
            reason: StringBuilder::new(),
            core: features(settings.features)
                .iter()
                .map(|f| match f {
                    Feature::Int(_, read) => CoreColumn::Int(*read, Int32Builder::new()),
                    Feature::Float(_, read) => CoreColumn::Float(*read, Float32Builder::new()),
                })
                .collect(),
            more: FeatureColumns::of(settings.features),
        }
    }

    /// Adds block `i` of a page; the blocks of a page are added in order from 0. `in_text` is its
    /// byte range in the document's text, if that is plain text that includes the block. Returns
    /// the approximate size of the row in bytes.
    pub fn push(&mut self, page: &Cleaned<'_>, i: usize, in_text: Option<Range<u32>>) -> usize {
        let (doc, block, label) = (page.doc, &page.doc.blocks[i], &page.labels[i]);
        self.id.append_value(&page.page.id);
        self.block.append_value(to_i32(i));
        let keeps_text = match self.block_text {
            BlockText::All => true,
            BlockText::Boilerplate => !label.content,
            BlockText::None => false,
        };
        let text = keeps_text.then(|| doc.block_text(block));
        self.text.append_option(text);
        self.source_start
            .append_value(to_i32(block.source.start as usize));
        self.source_end
            .append_value(to_i32(block.source.end as usize));
        self.text_start
            .append_option(in_text.as_ref().map(|r| to_i32(r.start as usize)));
        self.text_end
            .append_option(in_text.as_ref().map(|r| to_i32(r.end as usize)));
        self.path.clear();
        doc.tree.path(block.element, &mut self.path);
        self.tag_path.append_value(&self.path);
        self.label.append_value(if label.content {
            "content"
        } else {
            "boilerplate"
        });
        let class = self.names.class_of(label);
        self.class
            .append_option((!class.is_empty()).then_some(class));
        self.score.append_value(label.score);
        let reason = self.names.reason_of(label);
        self.reason.append_value(reason);
        for column in &mut self.core {
            match column {
                CoreColumn::Int(read, values) => {
                    values.append_value(to_i32(read(block) as usize));
                }
                CoreColumn::Float(read, values) => values.append_value(read(block)),
            }
        }
        let more = self.more.as_mut().map_or(0, |m| m.push(doc, i));
        NUMBERS
            + more
            + page.page.id.len()
            + text.map_or(0, str::len)
            + self.path.len()
            + reason.len()
    }

    /// The rows collected since the last call.
    pub fn finish(&mut self) -> RecordBatch {
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(self.id.finish()),
            Arc::new(self.block.finish()),
            Arc::new(self.text.finish()),
            Arc::new(self.source_start.finish()),
            Arc::new(self.source_end.finish()),
            Arc::new(self.text_start.finish()),
            Arc::new(self.text_end.finish()),
            Arc::new(self.tag_path.finish()),
            Arc::new(self.label.finish()),
            Arc::new(self.class.finish()),
            Arc::new(self.score.finish()),
            Arc::new(self.reason.finish()),
        ];
        columns.extend(self.core.iter_mut().map(|column| -> ArrayRef {
            match column {
                CoreColumn::Int(_, values) => Arc::new(values.finish()),
                CoreColumn::Float(_, values) => Arc::new(values.finish()),
            }
        }));
        if let Some(more) = &mut self.more {
            columns.extend(more.finish());
        }
        RecordBatch::try_new(self.schema.clone(), columns)
            .expect("the columns have the order and types of the schema")
    }
}
