//! The `blocks` table: one row per block.

mod boxes;
mod counts;
mod features;
mod outlines;
mod rows;
mod run;
mod tag_paths;

pub use self::counts::{COUNTS, Count};
pub use self::rows::BlockRows;
use self::run::{Blocks, Column};

use self::counts::int;
use self::features::Features;
use super::builders::to_i32;
use super::columns::{self, schema_of};
use super::dictionary::{Dictionary, Numbered, OfPage, page_ids};
use super::masker::Masker;
use arrow_array::builder::{Int32Builder, StringBuilder};
use arrow_schema::{DataType, Field, SchemaRef};
use std::ops::Range;
use warcsieve_extract::{BlockText, FeatureSet, Pipeline, TreeColumns};
use warcsieve_filters::filter::Filters;
use warcsieve_html::XPaths;

/// The columns under this pipeline.
pub fn columns(pipeline: &Pipeline) -> Vec<Column> {
    let (settings, filters) = (&pipeline.settings, &pipeline.filters);
    let mut columns = always(settings.block_text, filters);
    if settings.features != FeatureSet::None {
        columns.extend(counts::columns());
        let more = of_features(settings.features, &columns);
        columns.extend(more);
    }
    if settings.xpath {
        columns.push(xpath());
    }
    if settings.tree >= TreeColumns::Tags {
        columns.extend([tree(), preformatted(Masker::new(filters))]);
    }
    if settings.tree == TreeColumns::Attributes {
        columns.push(attributes());
    }
    if !settings.layout.is_none() {
        columns.extend(boxes::columns());
    }
    columns
}

/// Fields under this pipeline.
pub fn schema(pipeline: &Pipeline) -> SchemaRef {
    schema_of(&columns(pipeline))
}

/// The columns whose texts repeat, which no setting adds or removes.
pub fn repeated_texts() -> Vec<Field> {
    columns::repeated_texts(always(BlockText::All, &Filters::default()))
}

/// The columns under any settings.
fn always(which: BlockText, filters: &Filters) -> Vec<Column> {
    vec![
        page_ids::<Blocks>("the page", |run| OfPage {
            id: &run.view.page.id,
            is_begun: run.begins_page(),
            rows: run.numbers.len(),
        })
        .sized(),
        block(),
        text(which, Masker::new(filters)).sized(),
        int(
            "source_start",
            "where the block begins, in bytes of the page as decoded to UTF-8",
            |block| to_i32(block.source.start as usize),
        ),
        int(
            "source_end",
            "where the block ends, in the same bytes",
            |block| to_i32(block.source.end as usize),
        ),
        place(
            "text_start",
            "where the block's text begins in `documents.text`, in bytes. With [rules about \
             lines](../corpus.md#lines), only the rest of the block's text counts. Null if the block is not in \
             `documents.text`, or if `output` is not `text`",
            |range| range.start,
        ),
        place(
            "text_end",
            "where the text ends there; in `pre` the line ends are included",
            |range| range.end,
        ),
        tag_paths::column().sized(),
        label().sized().following_labels(),
        class().sized().following_labels(),
        score().following_labels(),
        reason().sized().following_labels(),
    ]
}

fn block() -> Column {
    let field = Field::new("block", DataType::Int32, false);
    let doc = "the number of the block in the page, from 0";
    Column::new(field, doc, Vec::new(), |run, numbers| {
        numbers.extend(run.numbers.clone().map(to_i32));
        0
    })
}

fn text(which: BlockText, mut masker: Masker) -> Column {
    let field = Field::new("text", DataType::Utf8, true);
    let doc = "the block's text; the raw text of the page is its block texts joined by `\\n`";
    let values = StringBuilder::new();
    Column::new(field, doc, values, move |run, texts| {
        let mut bytes = 0;
        let blocks = run.numbers.clone().zip(run.blocks());
        for (((number, block), label), place) in blocks.zip(run.labels()).zip(run.places) {
            let keeps_text = match which {
                BlockText::All => true,
                BlockText::Boilerplate => !label.content,
                BlockText::None => false,
            };
            let text = keeps_text.then(|| {
                let of_content = run.of_content(place);
                let replaced = run.view.replaced(number);
                masker.mask_block(run.doc().block_text(block), of_content, replaced)
            });
            texts.append_option(text.as_deref());
            bytes += text.map_or(0, |text| text.len());
        }
        bytes
    })
}

fn place(name: &str, doc: &'static str, at: fn(&Range<u32>) -> u32) -> Column {
    let field = Field::new(name, DataType::Int32, true);
    let values = Int32Builder::new();
    let column = Column::new(field, doc, values, move |run, numbers| {
        for place in run.places {
            let place = place.as_ref().map(|range| to_i32(at(range) as usize));
            numbers.append_option(place);
        }
        0
    });
    column.following_labels()
}

fn label() -> Column {
    let field = Dictionary::field("label", false);
    let doc = "`content` or `boilerplate`";
    Column::new(field, doc, Numbered::default(), |run, texts| {
        let labels = run.labels().iter();
        labels.map(|label| texts.push_label(label)).sum()
    })
}

fn class() -> Column {
    let field = Dictionary::field("class", true);
    let doc = "the finer class of the method, if it has one";
    let values = Numbered::default();
    Column::new(field, doc, values, |run, texts| {
        let mut new = 0;
        for label in run.labels() {
            match run.view.names.class_of(label) {
                "" => texts.push_null(),
                class => new += texts.push(usize::from(label.class), class),
            }
        }
        new
    })
}

fn score() -> Column {
    let field = Field::new("score", DataType::Float32, false);
    let doc = "0 (boilerplate) to 1 (content). The score of `forest` is a probability: of the tokens in blocks with score \
               .7, seven in ten are content ([accuracy](../accuracy.md)). Readers' comments that are dropped have 0";
    Column::new(field, doc, Vec::new(), |run, scores| {
        scores.extend(run.labels().iter().map(|label| label.score));
        0
    })
}

fn reason() -> Column {
    let field = Dictionary::field("reason", false);
    let doc = "the reason of the label; for decision trees, the path through the tree; with `reasons = true`, `forest` \
               names a feature";
    let values = Numbered::default();
    Column::new(field, doc, values, |run, texts| {
        let mut new = 0;
        for label in run.labels() {
            new += texts.push(label.reason as usize, run.view.names.reason_of(label));
        }
        new
    })
}

/// The features that a set has besides the `core` ones, which are among these columns. A name with
/// a dot would need quotes in SQL, so `prev.words` becomes `prev_words`.
fn of_features(set: FeatureSet, columns: &[Column]) -> Vec<Column> {
    let names = Features::of(set).names().into_iter().enumerate();
    let new = names.filter(|(_, (name, _))| columns.iter().all(|c| c.field.name() != name));
    let column = |(feature, (name, doc)): (usize, (&'static str, &'static str))| {
        let field = Field::new(name.replace('.', "_"), DataType::Float32, false);
        let column = Column::new(field, doc, Vec::new(), move |run, values| {
            run.features.append(feature, run.numbers.clone(), values);
            size_of::<f32>() * run.numbers.len()
        });
        column.sized()
    };
    new.map(column).collect()
}

fn xpath() -> Column {
    let field = Field::new("xpath", DataType::Utf8, true);
    let doc = "the path of the deepest element that holds the block, as in `/html/body/div[2]/p`, [for \
               lxml](#the-path). Null if the element is in more than 63 others, or the path has more than 1,024 bytes";
    let mut paths = XPaths::default();
    let column = Column::new(field, doc, StringBuilder::new(), move |run, texts| {
        let tree = &run.doc().tree;
        if run.begins_page() {
            paths.begin(tree);
        }
        let mut bytes = 0;
        for block in run.blocks() {
            let path = paths.of(tree, block.element);
            texts.append_option(path);
            bytes += path.map_or(0, str::len);
        }
        bytes
    });
    column.sized()
}

fn tree() -> Column {
    let field = Field::new("tree", DataType::Utf8, false);
    let doc = "the [elements](#the-tree) that begin and end before the block's text and in it";
    let values = StringBuilder::new();
    let column = Column::new(field, doc, values, |run, trees| {
        let mut bytes = 0;
        for tree in run.outlines.trees.iter() {
            trees.append_value(tree);
            bytes += tree.len();
        }
        bytes
    });
    column.sized()
}

fn preformatted(mut masker: Masker) -> Column {
    let field = Field::new("preformatted", DataType::Utf8, true);
    let doc = "the text of a block in `pre` with its white space, and the white space before it";
    let values = StringBuilder::new();
    let column = Column::new(field, doc, values, move |run, texts| {
        let mut bytes = 0;
        let blocks = run.numbers.clone().zip(run.places);
        for (text, (number, place)) in run.outlines.preformatted.iter().zip(blocks) {
            let (of_content, replaced) = (run.of_content(place), run.view.replaced(number));
            let masked = text.as_deref();
            let masked = masked.map(|text| masker.mask_block(text, of_content, replaced));
            texts.append_option(masked);
            bytes += text.as_ref().map_or(0, String::len);
        }
        bytes
    });
    column.sized()
}

fn attributes() -> Column {
    let field = Field::new("attributes", DataType::Utf8, true);
    let doc = "the attributes of the elements that begin in `tree`; null if none has any";
    let values = StringBuilder::new();
    let column = Column::new(field, doc, values, |run, texts| {
        let mut bytes = 0;
        for attributes in run.outlines.attributes.iter() {
            texts.append_option((!attributes.is_empty()).then_some(attributes));
            bytes += attributes.len();
        }
        bytes
    });
    column.sized()
}
