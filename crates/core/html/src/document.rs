//! A segmented page: text, blocks and element tree, each stored once.

use crate::formula::region;
use crate::layout::{Layout, LayoutStatus};
use crate::{Element, ElementId, ElementTree, Tag};
use std::ops::Range;
use warcsieve_common::{shrink, shrink_text};

/// A page after segmentation. Use one per worker; it is cleared and refilled for each page.
///
/// ```
/// use warcsieve_html::document::Document;
/// use warcsieve_html::{Segmenter, SegmenterOptions};
///
/// let mut doc = Document::default();
/// let html = "<title>Cod</title><p>Cod spawn <b>early</b>.<p><a href=/>Home</a>";
/// Segmenter::new(SegmenterOptions::default()).segment_html(html, &mut doc)?;
/// let texts: Vec<_> = doc.blocks.iter().map(|block| doc.block_text(block)).collect();
/// assert_eq!((doc.title.as_str(), texts), ("Cod", vec!["Cod spawn early.", "Home"]));
/// assert_eq!(doc.blocks[1].link_density(), 1.0);
/// # Ok::<(), warcsieve_html::SegmentError>(())
/// ```
///
/// Memory: `text` and the attributes in `tree` are each at most as large as the decoded page, and
/// together hardly larger, because they come from different parts of it; a block takes
/// `size_of::<Block>()`, a run `size_of::<Run>()` and an element
/// `size_of::<Element>()` bytes.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// The texts of all blocks, in document order, each followed by `\n`.
    pub text: String,
    /// The text blocks in document order. A block is never empty.
    pub blocks: Vec<Block>,
    /// Which element each part of the blocks' texts is in, in document order.
    pub runs: Vec<Run>,
    /// The elements of the page in document order.
    pub tree: ElementTree,
    /// The blocks inside `pre`, with their line ends and indentation.
    pub preformatted: Preformatted,
    /// Text of the first `<title>`, white space collapsed; empty if there is none.
    pub title: String,
    /// Byte ranges in the page of the texts of `script`s of type `application/ld+json`, at most 64.
    pub json_ld: Vec<Range<u32>>,
    /// What was wrong with the page's markup.
    pub flaws: Flaws,
    /// Its address; empty if it is not known. Segmenters leave it empty.
    pub url: String,
    /// Where its elements are on a screen; `None` unless the pipeline asks for it.
    pub layout: Option<Box<Layout>>,
}

/// The text in `pre`, `textarea`, `listing`, `xmp` and `plaintext`, as browsers show it.
///
/// Its characters are those of the blocks, but white space is not collapsed: it consists of spaces,
/// tabs and `\n`. A `br` and the edge of a block-level element end the line.
/// Memory: at most the page's decoded size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preformatted {
    /// The text, including the white space between blocks.
    pub text: String,
    /// Block numbers, ascending, each with its byte range in `text`: from its line's indentation
    /// to its last character that is not white space.
    pub blocks: Vec<(u32, Range<u32>)>,
}

impl Preformatted {
    /// Byte range in `text` of the block with this number, if it is preformatted.
    #[inline]
    pub fn range(&self, block: usize) -> Option<Range<usize>> {
        let found = self.blocks.binary_search_by_key(&block, |b| b.0 as usize);
        let (_, text) = self.blocks.get(found.ok()?)?;
        Some(text.start as usize..text.end as usize)
    }

    /// The text of the block with this number, if it is preformatted.
    #[inline]
    pub fn block_text(&self, block: usize) -> Option<&str> {
        Some(&self.text[self.range(block)?])
    }

    /// The white space between two preformatted blocks of one element. If the blocks are not
    /// consecutive, it is a line end. If there is none, it is a space, unless `block` itself begins
    /// with white space.
    pub fn between(&self, before: usize, block: usize) -> &str {
        match (self.range(before), self.range(block)) {
            (Some(a), Some(b)) if before + 1 == block => match &self.text[a.end..b.start] {
                "" if self.text[b].starts_with([' ', '\t']) => "",
                "" => " ",
                space => space,
            },
            _ => "\n",
        }
    }
}

/// Errors in a page's markup that changed how it was segmented.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flaws {
    /// An element was deeper than `max_depth` and was attached at that depth.
    pub too_deep: bool,
    /// A `<title>`, `<script>` or other raw-text element was never closed and
    /// was ended early, so that the page after it is not lost.
    pub unclosed_raw_text: bool,
}

impl Flaws {
    /// The flaws as words, sorted; see `warcsieve_page::WARNINGS`.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        [
            (self.too_deep, "too_deep"),
            (self.unclosed_raw_text, "unclosed_raw_text"),
        ]
        .into_iter()
        .filter_map(|(is, word)| is.then_some(word))
    }
}

/// A text block: a maximal run of text that no separating tag interrupts.
///
/// White space is collapsed to single spaces and trimmed at both ends.
/// A *token* is a run of non-white-space characters, a *word* a token with at
/// least one letter or digit (Kohlschütter et al. 2010, §3.3), *linked* means
/// inside an `<a>`; a token is linked if it begins there. Counts are of the
/// collapsed text; white space is what Unicode calls so, U+00A0 included.
///
/// In scripts without spaces between words, tokens are found by Unicode text segmentation
/// (UAX #29): an ideograph or hiragana is one, with the signs after it, and so is a run
/// of katakana. In Thai, Lao, Burmese and Khmer, which the standard leaves to dictionaries,
/// four characters count as a token. A token of Latin next to one of these ends there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// Byte range in [`Document::text`], without the closing `\n`.
    pub text: Range<u32>,
    /// Byte range in the UTF-8 payload, from the first to the last character of
    /// text, markup in between included, character references as a whole.
    pub source: Range<u32>,
    /// The deepest element that holds the whole block.
    pub element: ElementId,
    /// The nearest non-inline element at or above `element`.
    pub container: ElementId,
    /// Tokens with a letter or digit.
    pub words: u32,
    /// Words inside links.
    pub linked_words: u32,
    /// Tokens.
    pub tokens: u32,
    /// Tokens inside links.
    pub linked_tokens: u32,
    /// Unicode scalar values of the text, spaces included.
    pub chars: u32,
    /// Unicode scalar values inside links.
    pub linked_chars: u32,
    /// Lines of the text wrapped at 80 columns, at least 1 (§3.4); a longer token
    /// has a line of its own. Every character takes one column, wide ones too; lines
    /// break between tokens, with or without a space there.
    pub lines: u32,
    /// Tokens on all lines but the last; all tokens where there is one line.
    pub wrapped_tokens: u32,
    /// Start and end tags between the previous block's text and this one's.
    pub tags_before: u32,
    /// Start and end tags inside the block's source range.
    pub tags_inside: u32,
}

/// A part of a block's text that is directly in one element and that no element interrupts.
///
/// It extends from `start` to the next run, or to the end of its block. There are at most two
/// runs per element and one per block. Between two runs of a block an element begins or ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// Where it begins in [`Document::text`].
    pub start: u32,
    /// The element.
    pub element: ElementId,
    /// The first element that begins after it, which is also the number of elements that begin
    /// before.
    pub next: ElementId,
    /// Unicode scalar values, without white space at both ends.
    pub chars: u32,
}

impl Document {
    /// The number of formulas in the texts of the blocks: see [`is_formula`](Self::is_formula). Takes time linear in
    /// the number of runs.
    pub fn formulas(&self) -> usize {
        let ends = self.runs.iter().skip(1).map(|run| run.start as usize);
        let ends = ends.chain([self.text.len()]);
        let texts = self.runs.iter().zip(ends).filter_map(|(run, end)| {
            let start = run.start as usize;
            let is_tex = self.text.as_bytes().get(start) == Some(&b'$');
            is_tex.then(|| (run.element, self.text[start..end].trim_end()))
        });
        texts
            .filter(|(element, text)| self.is_formula(*element, text))
            .count()
    }

    /// Whether a text that is directly in `element` is a formula: TeX between `$`, in an element that holds all
    /// copies of one.
    pub fn is_formula(&self, element: ElementId, text: &str) -> bool {
        let is_tex = text.len() > 2 && text.starts_with('$') && text.ends_with('$');
        let element = &self.tree.elements[element as usize];
        // Names that are not in the table are not kept; that of MathJax's element is one.
        is_tex && (element.tag == Tag::Other || self.opens_formula(element))
    }

    /// Whether an image shows a formula, or is one of the copies of a formula, whose TeX is the text.
    pub fn is_formula_image(&self, image: ElementId) -> bool {
        let mut around = self.tree.ancestors(image).take(4);
        around.any(|element| self.opens_formula(element))
    }

    fn opens_formula(&self, element: &Element) -> bool {
        let (tag, attrs) = (element.tag, self.attributes(element));
        // No other class is looked for, as attributes may be long and many texts in one element.
        let class = element.attrs.names().class(attrs);
        region(tag, tag.name(), attrs, class).is_some()
    }

    /// Empties the document for the next page and keeps its buffers, unless a
    /// buffer grew over 4 MiB.
    pub fn clear(&mut self) {
        shrink(&mut self.blocks);
        self.blocks.clear();
        shrink(&mut self.runs);
        self.runs.clear();
        for text in [&mut self.text, &mut self.title, &mut self.url] {
            shrink_text(text);
            text.clear();
        }
        self.tree.clear();
        shrink_text(&mut self.preformatted.text);
        self.preformatted.text.clear();
        shrink(&mut self.preformatted.blocks);
        self.preformatted.blocks.clear();
        self.json_ld.clear();
        self.flaws = Flaws::default();
        self.layout = None;
    }

    /// The page's layout, if there is one.
    #[inline]
    pub fn boxes(&self) -> Option<&Layout> {
        let layout = self.layout.as_deref();
        layout.filter(|layout| layout.status == LayoutStatus::Done)
    }

    /// Whether the page is plain text: the blocks are paragraphs, and there is no element except
    /// the root.
    #[inline]
    pub fn is_plain_text(&self) -> bool {
        self.tree.elements.len() < 2
    }

    /// The text of a block.
    #[inline]
    pub fn block_text(&self, block: &Block) -> &str {
        &self.text[block.text.start as usize..block.text.end as usize]
    }

    /// The attributes of an element as written in the page; [`attributes`](crate::attributes())
    /// parses them.
    #[inline]
    pub fn attributes(&self, element: &Element) -> &str {
        self.tree.attributes(element)
    }
}

impl Block {
    /// Linked tokens by tokens (§3.3), 0 to 1.
    #[inline]
    pub fn link_density(&self) -> f32 {
        if self.tokens == 0 {
            0.0
        } else {
            self.linked_tokens as f32 / self.tokens as f32
        }
    }

    /// Tokens per line, without the last line unless it is the only one (Eq. 1).
    #[inline]
    pub fn text_density(&self) -> f32 {
        self.wrapped_tokens as f32 / self.lines.saturating_sub(1).max(1) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::ElementBox;
    use warcsieve_common::BUFFER_LIMIT;

    #[test]
    fn buffers_that_grew_for_an_unusual_page_are_dropped() {
        let mut doc = Document {
            text: "x".repeat(BUFFER_LIMIT + 1),
            title: "x".repeat(BUFFER_LIMIT + 1),
            blocks: vec![Block::default(); BUFFER_LIMIT / size_of::<Block>() + 1],
            ..Document::default()
        };
        doc.tree.attrs = "x".repeat(BUFFER_LIMIT + 1);
        doc.preformatted.text = "x".repeat(BUFFER_LIMIT + 1);
        doc.preformatted.blocks = vec![(0, 0..1)];
        doc.clear();
        assert_eq!((doc.text.capacity(), doc.title.capacity()), (0, 0));
        assert_eq!(doc.tree.attrs.capacity(), 0);
        assert_eq!(doc.preformatted.text.capacity(), 0);
        assert_eq!(doc.preformatted.range(0), None);
        assert_eq!(doc.blocks.capacity(), 0);
        doc.text.push_str("kept");
        doc.clear();
        assert!(doc.text.is_empty() && doc.text.capacity() > 0);
    }

    #[test]
    fn a_document_has_boxes_only_if_it_was_laid_out() {
        let mut doc = Document::default();
        assert_eq!(doc.boxes(), None);
        for status in LayoutStatus::ALL {
            doc.layout = Some(Box::new(Layout {
                boxes: vec![None, Some(ElementBox::default())],
                status,
                ..Layout::default()
            }));
            let found = doc.boxes().and_then(|layout| layout.of(1)).copied();
            let expected = (status == LayoutStatus::Done).then(ElementBox::default);
            assert_eq!(found, expected, "{}", status.as_str());
        }
        doc.clear();
        assert_eq!(doc.layout, None);
    }
}
