//! The `blocks` table: one row a block.

use super::documents::to_i32;
use super::features::FeatureColumns;
use super::labels::LabelColumns;
use super::layout::BoxColumns;
use arrow_array::builder::{Float32Builder, Int32Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use std::ops::Range;
use std::sync::Arc;
use warcsieve_classify::Names;
use warcsieve_clean::Cleaned;
use warcsieve_clean::{BlockText, FeatureSet, Settings, TreeColumns};
use warcsieve_html::document::Block;
use warcsieve_html::outline::Outline;

/// A column of feature values: its name, and how it is read from a block.
enum Feature {
    Int(&'static str, fn(&Block) -> u32),
    Float(&'static str, fn(&Block) -> f32),
}

/// The count of a block that a column holds.
pub(crate) type Count = fn(&mut Block) -> &mut u32;

/// A row of [`CORE`] or of [`COUNTS`] for each count.
macro_rules! counts {
    ($($name:ident)*) => {
        /// The counts of [`Block`], by the names of their columns.
        pub(crate) const COUNTS: &[(&str, Count)] = &[$((stringify!($name), |b| &mut b.$name)),*];

        /// The `core` features: the counts of [`Block`] and the two densities of
        /// Kohlschütter et al. 2010, §3.3 and §3.4.
        const CORE: &[Feature] = &[
            $(Feature::Int(stringify!($name), |b| b.$name),)*
            Feature::Float("link_density", Block::link_density),
            Feature::Float("text_density", Block::text_density),
        ];
    };
}

counts! {
    words linked_words tokens linked_tokens chars linked_chars lines wrapped_tokens
    tags_before tags_inside
}

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
pub(crate) fn schema(settings: &Settings) -> SchemaRef {
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
    if settings.tree >= TreeColumns::Tags {
        fields.push(text("tree"));
        fields.push(maybe("preformatted", DataType::Utf8));
    }
    if settings.tree == TreeColumns::Attributes {
        fields.push(maybe("attributes", DataType::Utf8));
    }
    if !settings.layout.is_none() {
        fields.extend(BoxColumns::fields());
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
    path: String,
    id: StringBuilder,
    block: Int32Builder,
    text: StringBuilder,
    source_start: Int32Builder,
    source_end: Int32Builder,
    tag_path: StringBuilder,
    labels: LabelColumns,
    core: Vec<CoreColumn>,
    more: Option<FeatureColumns>,
    trees: Option<Trees>,
    boxes: Option<BoxColumns>,
}

/// Collects the columns of outlines.
struct Trees {
    outline: Outline,
    tree: StringBuilder,
    preformatted: StringBuilder,
    /// `None` where the pipeline wants tags only.
    attributes: Option<StringBuilder>,
}

impl Trees {
    fn of(columns: TreeColumns) -> Option<Self> {
        (columns != TreeColumns::None).then(|| Self {
            outline: Outline::default(),
            tree: StringBuilder::new(),
            preformatted: StringBuilder::new(),
            attributes: (columns == TreeColumns::Attributes).then(StringBuilder::new),
        })
    }

    /// Adds block `i` of a page; returns the size of its values in bytes.
    fn push(&mut self, page: &Cleaned<'_>, i: usize) -> usize {
        self.outline.block(page.doc, i);
        let Outline {
            tree,
            attributes,
            preformatted,
            ..
        } = &self.outline;
        self.tree.append_value(tree);
        self.preformatted.append_option(preformatted.as_deref());
        let mut bytes = tree.len() + preformatted.as_ref().map_or(0, String::len);
        if let Some(column) = &mut self.attributes {
            column.append_option((!attributes.is_empty()).then_some(attributes));
            bytes += attributes.len();
        }
        bytes
    }

    fn finish(&mut self) -> impl Iterator<Item = ArrayRef> {
        let columns = [&mut self.tree, &mut self.preformatted];
        let columns = columns.into_iter().chain(&mut self.attributes);
        columns.map(|column| -> ArrayRef { Arc::new(column.finish()) })
    }
}

impl BlockRows {
    /// `names` are the texts of the pipeline's classes and reasons.
    pub fn new(settings: &Settings, names: Arc<Names>) -> Self {
        Self {
            schema: schema(settings),
            block_text: settings.block_text,
            labels: LabelColumns::new(names),
            path: String::new(),
            id: StringBuilder::new(),
            block: Int32Builder::new(),
            text: StringBuilder::new(),
            source_start: Int32Builder::new(),
            source_end: Int32Builder::new(),
            tag_path: StringBuilder::new(),
            core: features(settings.features)
                .iter()
                .map(|f| match f {
                    Feature::Int(_, read) => CoreColumn::Int(*read, Int32Builder::new()),
                    Feature::Float(_, read) => CoreColumn::Float(*read, Float32Builder::new()),
                })
                .collect(),
            more: FeatureColumns::of(settings.features),
            trees: Trees::of(settings.tree),
            boxes: BoxColumns::of(settings),
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
        self.path.clear();
        doc.tree.path(block.element, &mut self.path);
        self.tag_path.append_value(&self.path);
        let labelled = self.labels.push(label, in_text);
        for column in &mut self.core {
            match column {
                CoreColumn::Int(read, values) => {
                    values.append_value(to_i32(read(block) as usize));
                }
                CoreColumn::Float(read, values) => values.append_value(read(block)),
            }
        }
        let more = self.more.as_mut().map_or(0, |m| m.push(doc, i));
        let trees = self.trees.as_mut().map_or(0, |t| t.push(page, i));
        if let Some(boxes) = &mut self.boxes {
            boxes.push(doc, block.element);
        }
        NUMBERS
            + more
            + trees
            + page.page.id.len()
            + text.map_or(0, str::len)
            + self.path.len()
            + labelled
    }

    /// The rows collected since the last call.
    pub fn finish(&mut self) -> RecordBatch {
        let [text_start, text_end, label, class, score, reason] = self.labels.finish();
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(self.id.finish()),
            Arc::new(self.block.finish()),
            Arc::new(self.text.finish()),
            Arc::new(self.source_start.finish()),
            Arc::new(self.source_end.finish()),
            text_start,
            text_end,
            Arc::new(self.tag_path.finish()),
            label,
            class,
            score,
            reason,
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
        if let Some(trees) = &mut self.trees {
            columns.extend(trees.finish());
        }
        columns.extend(self.boxes.iter_mut().flat_map(BoxColumns::finish));
        RecordBatch::try_new(self.schema.clone(), columns)
            .expect("the columns have the order and types of the schema")
    }
}
