//! The blocks of a page, column by column.

use super::pool::Pool;
use serde::Serialize;
use warcsieve_classify::{Classifier, Names};
use warcsieve_extract::PageView;
use warcsieve_html::Tag;
use warcsieve_html::document::{Block, Document};

/// The maximum number of bytes of explanations per page. Later blocks have only their reason.
const MAX_EXPLANATION_BYTES: usize = 400 << 10;

/// The maximum number of blocks that are explained, because some methods read the whole page for each.
const MAX_EXPLAINED_BLOCKS: usize = 4_000;

/// The blocks in the order of the page; all columns have one value per block.
#[derive(Debug, Default, Serialize)]
pub struct Blocks {
    /// Texts, white space collapsed.
    text: Vec<String>,
    /// The kind of each block: `h1` to `h6`, `p`, `li`, `td`, `th`, `dt`, `dd`, `pre`, `quote`, `caption`, `button`, or
    /// `` for others.
    kind: Vec<&'static str>,
    /// How many lists are around it, at most 6.
    lists: Vec<u8>,
    /// `1` for content, `0` for boilerplate, one character per block.
    kept: String,
    /// Scores in thousandths.
    score: Vec<u32>,
    /// Blocks with at least this score, in thousandths, are content; if the pipeline has such a score for the page.
    cut: Option<u32>,
    /// Classes, reasons and paths, by their numbers in the pools.
    class: Vec<u32>,
    reason: Vec<u32>,
    path: Vec<u32>,
    /// Words, and percentages of linked words; words per line, in tenths.
    words: Vec<u32>,
    linked: Vec<u32>,
    density: Vec<u32>,
    /// First and last byte in the page.
    start: Vec<u32>,
    end: Vec<u32>,
    /// The explanations of the methods for the first blocks, and by how much features moved their scores.
    why: Vec<String>,
    moved: Vec<Vec<Feature>>,
    /// Why later blocks are not explained.
    unexplained: String,
    classes: Pool,
    reasons: Pool,
    paths: Pool,
}

/// Name, value, and how much it added to the log-odds of the score.
type Feature = (String, f32, f32);

/// About how many bytes the figures of a feature take.
const FIGURES: usize = 16;

/// To two decimals, as they are shown.
fn round(value: f32) -> f32 {
    (value * 100.0).round() / 100.0
}

/// A score in thousandths.
fn thousandths(score: f32) -> u32 {
    (score.clamp(0.0, 1.0) * 1000.0).round() as u32
}

impl Blocks {
    /// The blocks of a page that was just labelled. With `reasons`, also what the methods say about each.
    pub fn of(view: &PageView<'_>, names: &Names, reasons: bool) -> Self {
        let doc = view.doc;
        let mut blocks = Self {
            cut: view.chain.cut().map(thousandths),
            ..Self::default()
        };
        let (mut path, mut explained) = (String::new(), 0);
        for (i, (block, label)) in doc.blocks.iter().zip(view.labels).enumerate() {
            let (kind, lists) = kind(doc, block);
            blocks.text.push(doc.block_text(block).to_owned());
            blocks.kind.push(kind);
            blocks.lists.push(lists);
            blocks.kept.push(if label.content { '1' } else { '0' });
            blocks.score.push(thousandths(label.score));
            let class = blocks.classes.add(names.class_of(label));
            blocks.class.push(class);
            let reason = blocks.reasons.add(names.reason_of(label));
            blocks.reason.push(reason);
            path.clear();
            doc.tree.path(block.element, &mut path);
            let path = blocks.paths.add(&path);
            blocks.path.push(path);
            blocks.words.push(block.words);
            blocks
                .linked
                .push((block.link_density() * 100.0).round() as u32);
            blocks
                .density
                .push((block.text_density() * 10.0).round() as u32);
            blocks.start.push(block.source.start);
            blocks.end.push(block.source.end);
            if !reasons || !blocks.unexplained.is_empty() {
                continue;
            }
            if i == MAX_EXPLAINED_BLOCKS {
                blocks.unexplained = format!(
                    "The first {MAX_EXPLAINED_BLOCKS} blocks are explained; of later ones this is the reason."
                );
            } else if explained >= MAX_EXPLANATION_BYTES {
                blocks.unexplained = format!(
                    "The first blocks are explained, {} KB of it; of later ones this is the reason.",
                    MAX_EXPLANATION_BYTES >> 10
                );
            } else {
                let why = view.chain.explain(doc, view.labels, i);
                let moved = view.chain.moved(doc, i).into_iter();
                let moved: Vec<Feature> = moved
                    .map(|m| (m.feature, round(m.value), round(m.by)))
                    .collect();
                let features = moved.iter().map(|(name, ..)| name.len() + FIGURES);
                explained += why.len() + features.sum::<usize>();
                blocks.why.push(why);
                blocks.moved.push(moved);
            }
        }
        blocks
    }

    /// `1` for content, `0` for boilerplate, one character per block.
    pub fn labels(&self) -> &str {
        &self.kept
    }

    /// The texts of all blocks.
    pub fn texts(&self) -> &[String] {
        &self.text
    }

    /// Words of the content.
    pub fn kept_words(&self) -> usize {
        let words = self.kept.bytes().zip(&self.words);
        words
            .filter(|(kept, _)| *kept == b'1')
            .map(|(_, n)| *n as usize)
            .sum()
    }

    /// Number of blocks.
    pub fn count(&self) -> usize {
        self.text.len()
    }
}

/// The kind of a block, and how many lists are around it.
fn kind(doc: &Document, block: &Block) -> (&'static str, u8) {
    let (mut kind, mut lists) = ("", 0u8);
    for element in doc.tree.ancestors(block.element) {
        let here = match element.tag {
            Tag::H1 => "h1",
            Tag::H2 => "h2",
            Tag::H3 => "h3",
            Tag::H4 => "h4",
            Tag::H5 => "h5",
            Tag::H6 => "h6",
            Tag::Li => "li",
            Tag::Td => "td",
            Tag::Th => "th",
            Tag::Dt => "dt",
            Tag::Dd => "dd",
            Tag::Pre | Tag::Textarea | Tag::Listing | Tag::Xmp | Tag::Plaintext => "pre",
            Tag::Blockquote => "quote",
            Tag::Caption | Tag::Figcaption => "caption",
            Tag::Button | Tag::Label | Tag::Option => "button",
            Tag::P => "p",
            Tag::Ul | Tag::Ol | Tag::Menu => {
                lists = (lists + 1).min(6);
                ""
            }
            _ => "",
        };
        // A heading or an item is more specific than the paragraph in it.
        if kind.is_empty() || kind == "p" && !here.is_empty() {
            kind = here;
        }
    }
    (kind, lists)
}
