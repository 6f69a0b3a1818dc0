//! The `blocks` table: one row a block.

use super::documents::to_i32;
use super::features::FeatureColumns;
use super::few::FewTexts;
use super::labels::LabelColumns;
use super::layout::BoxColumns;
use super::paths::TagPaths;
use super::personal::Masker;
use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, Float32Array, Int32Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use std::ops::Range;
use std::sync::Arc;
use warcsieve_classify::Names;
use warcsieve_extract::{BlockText, FeatureSet, PageView, Pipeline, Settings, TreeColumns};
use warcsieve_html::document::Block;
use warcsieve_html::outline::Outline;

/// A column of feature values: its name, and how it is read from blocks.
enum Feature {
    Int(&'static str, Read<i32>),
    Float(&'static str, Read<f32>),
}

/// Appends a value of each block.
type Read<T> = fn(&[Block], &mut Vec<T>);

/// The count of a block that a column holds.
pub type Count = fn(&mut Block) -> &mut u32;

/// A row of [`CORE`] or of [`COUNTS`] for each count.
macro_rules! counts {
    ($($name:ident)*) => {
        /// The counts of [`Block`], by the names of their columns.
        pub const COUNTS: &[(&str, Count)] = &[$((stringify!($name), |b| &mut b.$name)),*];

        /// The `core` features: the counts of [`Block`] and the two densities of
        /// Kohlschütter et al. 2010, §3.3 and §3.4.
        const CORE: &[Feature] = &[
            $(Feature::Int(stringify!($name), |blocks, to| {
                to.extend(blocks.iter().map(|b| to_i32(b.$name as usize)));
            }),)*
            Feature::Float("link_density", |blocks, to| {
                to.extend(blocks.iter().map(Block::link_density));
            }),
            Feature::Float("text_density", |blocks, to| {
                to.extend(blocks.iter().map(Block::text_density));
            }),
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
pub fn schema(settings: &Settings) -> SchemaRef {
    let count = |name| Field::new(name, DataType::Int32, false);
    let maybe = |name, data_type| Field::new(name, data_type, true);
    let mut fields = vec![
        FewTexts::field("id", false),
        count("block"),
        maybe("text", DataType::Utf8),
        count("source_start"),
        count("source_end"),
        maybe("text_start", DataType::Int32),
        maybe("text_end", DataType::Int32),
        FewTexts::field("tag_path", false),
        FewTexts::field("label", false),
        FewTexts::field("class", true),
        Field::new("score", DataType::Float32, false),
        FewTexts::field("reason", false),
    ];
    fields.extend(features(settings.features).iter().map(|f| match f {
        Feature::Int(name, _) => count(name),
        Feature::Float(name, _) => Field::new(*name, DataType::Float32, false),
    }));
    if let Some(more) = FeatureColumns::of(settings.features) {
        fields.extend(more.fields());
    }
    if settings.tree >= TreeColumns::Tags {
        fields.push(Field::new("tree", DataType::Utf8, false));
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
    Int(Read<i32>, Vec<i32>),
    Float(Read<f32>, Vec<f32>),
}

/// Collects rows of `blocks`.
pub(super) struct BlockRows {
    schema: SchemaRef,
    block_text: BlockText,
    /// Of the page that is open, and its key; `None` where a batch begins.
    page_id: Option<u32>,
    id: FewTexts,
    block: Vec<i32>,
    text: StringBuilder,
    source_start: Vec<i32>,
    source_end: Vec<i32>,
    tag_path: TagPaths,
    labels: LabelColumns,
    core: Vec<CoreColumn>,
    more: Option<FeatureColumns>,
    trees: Option<Trees>,
    boxes: Option<BoxColumns>,
    masker: Masker,
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
    fn push(&mut self, page: &PageView<'_>, i: usize, masker: &mut Masker) -> usize {
        match self.attributes {
            Some(_) => self.outline.block(page.doc, i),
            None => {
                self.outline.tags(page.doc, i);
            }
        }
        let Outline {
            tree,
            attributes,
            preformatted,
            ..
        } = &self.outline;
        self.tree.append_value(tree);
        let masked = preformatted.as_deref().map(|text| masker.mask(text));
        self.preformatted.append_option(masked);
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
    pub fn new(pipeline: &Pipeline, names: Arc<Names>) -> Self {
        let settings = &pipeline.settings;
        Self {
            schema: schema(settings),
            block_text: settings.block_text,
            labels: LabelColumns::new(names),
            page_id: None,
            id: FewTexts::default(),
            block: Vec::new(),
            text: StringBuilder::new(),
            source_start: Vec::new(),
            source_end: Vec::new(),
            tag_path: TagPaths::default(),
            core: features(settings.features)
                .iter()
                .map(|f| match f {
                    Feature::Int(_, read) => CoreColumn::Int(*read, Vec::new()),
                    Feature::Float(_, read) => CoreColumn::Float(*read, Vec::new()),
                })
                .collect(),
            more: FeatureColumns::of(settings.features),
            trees: Trees::of(settings.tree),
            boxes: BoxColumns::of(settings),
            masker: Masker::new(&pipeline.filters),
        }
    }

    /// Adds blocks of a page; those of a page are added in order from 0. `in_text` are the byte
    /// ranges of the content blocks among them in the document's text, if that is plain text, in
    /// order. Returns the approximate size of the rows in bytes.
    pub fn push(
        &mut self,
        page: &PageView<'_>,
        numbers: Range<usize>,
        in_text: &mut dyn Iterator<Item = Range<u32>>,
    ) -> usize {
        let (doc, blocks) = (page.doc, &page.doc.blocks[numbers.clone()]);
        let mut bytes = NUMBERS * blocks.len();
        let key = match self.page_id.filter(|_| numbers.start > 0) {
            Some(key) => key,
            None => {
                bytes += page.page.id.len();
                self.tag_path.begin(doc);
                *self.page_id.insert(self.id.add(&page.page.id))
            }
        };
        self.id.push_all(key, blocks.len());
        self.block.extend(numbers.clone().map(to_i32));
        let source = |at: u32| to_i32(at as usize);
        let starts = blocks.iter().map(|b| source(b.source.start));
        self.source_start.extend(starts);
        let ends = blocks.iter().map(|b| source(b.source.end));
        self.source_end.extend(ends);
        for (block, label) in blocks.iter().zip(&page.labels[numbers.clone()]) {
            let keeps_text = match self.block_text {
                BlockText::All => true,
                BlockText::Boilerplate => !label.content,
                BlockText::None => false,
            };
            let text = keeps_text.then(|| self.masker.mask(doc.block_text(block)));
            self.text.append_option(text.as_deref());
            let place = label.content.then(|| in_text.next()).flatten();
            bytes += text.map_or(0, |text| text.len())
                + self.tag_path.push(doc, block.element)
                + self.labels.push(label, place);
        }
        for column in &mut self.core {
            match column {
                CoreColumn::Int(read, values) => read(blocks, values),
                CoreColumn::Float(read, values) => read(blocks, values),
            }
        }
        for i in numbers {
            bytes += self.more.as_mut().map_or(0, |m| m.push(doc, i));
            bytes += self
                .trees
                .as_mut()
                .map_or(0, |t| t.push(page, i, &mut self.masker));
            if let Some(boxes) = &mut self.boxes {
                boxes.push(doc, doc.blocks[i].element);
            }
        }
        bytes
    }

    /// The rows collected since the last call.
    pub fn finish(&mut self) -> RecordBatch {
        self.page_id = None;
        let ints = |values: &mut Vec<i32>| -> ArrayRef {
            Arc::new(Int32Array::from(std::mem::take(values)))
        };
        let [text_start, text_end, label, class, score, reason] = self.labels.finish();
        let mut columns: Vec<ArrayRef> = vec![
            self.id.finish(),
            ints(&mut self.block),
            Arc::new(self.text.finish()),
            ints(&mut self.source_start),
            ints(&mut self.source_end),
            text_start,
            text_end,
            self.tag_path.finish(),
            label,
            class,
            score,
            reason,
        ];
        columns.extend(self.core.iter_mut().map(|column| -> ArrayRef {
            match column {
                CoreColumn::Int(_, values) => ints(values),
                CoreColumn::Float(_, values) => {
                    Arc::new(Float32Array::from(std::mem::take(values)))
                }
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
