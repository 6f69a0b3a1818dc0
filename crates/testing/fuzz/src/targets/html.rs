//! Segmentation of any page.
//!
//! Blocks divide the text, their sources are in order, and the tree is valid. A used segmenter
//! returns the same as a fresh one, and both tokenizers return the same.
//!
//! The first byte selects segmentation, depth, and whether the input is plain text.

use crate::Target;
use crate::digest::{choice, is_sampled};
use crate::seeds::{chosen, pages};
use std::cell::RefCell;
use warcsieve_html::document::Document;
use warcsieve_html::{Segmentation, Segmenter, SegmenterOptions, Tokenizer};

/// The target.
pub const TARGET: Target = Target {
    name: "html",
    check,
    seeds,
    max_len: 2048,
    fair: 2000.0,
};

/// All segmentations, for targets whose first byte selects one.
pub(super) const SEGMENTATIONS: [Segmentation; 4] = [
    Segmentation::Inline,
    Segmentation::Paper,
    Segmentation::Leaves,
    Segmentation::Justext,
];

thread_local! {
    static USED: RefCell<Vec<(Segmenter, Document)>> = RefCell::new(
        (0..8).map(|how| (Segmenter::new(options(how)), Document::default())).collect(),
    );
}

/// The segmentation is selected by the lowest two bits, a small depth by the third.
fn options(how: usize) -> SegmenterOptions {
    SegmenterOptions {
        segmentation: SEGMENTATIONS[how & 3],
        max_depth: if how & 4 == 0 { 512 } else { 6 },
        ..SegmenterOptions::default()
    }
}

/// Segments a page as its first byte says, with a segmenter that is kept, and passes the document
/// to `work`.
pub(super) fn segmented(input: &[u8], work: impl FnOnce(&Document, &str, SegmenterOptions)) {
    let (how, rest) = choice(input);
    let page = String::from_utf8_lossy(rest);
    let options = options(how & 7);
    USED.with_borrow_mut(|used| {
        let (segmenter, doc) = &mut used[how & 7];
        let done = match how & 8 {
            0 => segmenter.segment_html(&page, doc),
            _ => segmenter.segment_text(&page, doc),
        };
        done.unwrap();
        work(doc, &page, options);
    });
}

fn check(input: &[u8]) {
    let is_text = choice(input).0 & 8 != 0;
    segmented(input, |doc, page, options| {
        assert_blocks(doc, page);
        assert_tree(doc, options.max_depth);
        if is_sampled(input, 8) {
            assert_same(doc, page, options, is_text);
        }
        let tokenizer = Tokenizer::LolHtml;
        if !is_text && is_sampled(input, 16) && tokenizers_agree(page) {
            assert_same(
                doc,
                page,
                SegmenterOptions {
                    tokenizer,
                    ..options
                },
                false,
            );
        }
    });
}

fn assert_blocks(doc: &Document, page: &str) {
    let (mut text_end, mut source_end) = (0, 0);
    for block in &doc.blocks {
        let text = doc.block_text(block);
        assert_eq!(block.text.start, text_end);
        text_end = block.text.end + 1;
        assert!(doc.text[block.text.end as usize..].starts_with('\n'));
        assert!(!text.is_empty() && text.trim() == text && !text.contains("  "));
        assert!(block.source.start >= source_end && block.source.end > block.source.start);
        source_end = block.source.end;
        let source = block.source.start as usize..block.source.end as usize;
        assert!(page.get(source).is_some());
        assert_eq!(block.chars as usize, text.chars().count());
        assert!(block.words <= block.tokens && block.tokens <= block.chars);
        assert!(block.linked_words <= block.words && block.linked_tokens <= block.tokens);
        assert!(block.linked_chars <= block.chars && block.linked_words <= block.linked_tokens);
        assert!(block.container <= block.element);
    }
    assert_eq!(text_end as usize, doc.text.len());
    assert!(source_end as usize <= page.len() && !doc.title.contains('\n'));
}

fn assert_tree(doc: &Document, max_depth: usize) {
    let elements = &doc.tree.elements;
    let mut depth = vec![1; elements.len()];
    for (id, element) in elements.iter().enumerate().skip(1) {
        let parent = element.parent as usize;
        assert!(parent < id && element.end as usize > id && element.end <= elements[parent].end);
        depth[id] = depth[parent] + 1;
        assert!(depth[id] <= max_depth);
    }
    assert!(doc.runs.is_sorted_by_key(|run| run.next));
}

fn assert_same(doc: &Document, page: &str, options: SegmenterOptions, is_text: bool) {
    let (mut segmenter, mut again) = (Segmenter::new(options), Document::default());
    let done = match is_text {
        true => segmenter.segment_text(page, &mut again),
        false => segmenter.segment_html(page, &mut again),
    };
    done.unwrap();
    let tokenizer = options.tokenizer;
    assert_eq!(
        (&again.text, &again.title),
        (&doc.text, &doc.title),
        "{tokenizer:?}"
    );
    assert_eq!(
        (&again.blocks, &again.runs),
        (&doc.blocks, &doc.runs),
        "{tokenizer:?}"
    );
    assert_eq!(again.preformatted, doc.preformatted, "{tokenizer:?}");
}

/// Whether lol_html reads the page as the standard requires. It has errors in what closes SVG and
/// MathML, and in raw text after a tag that ends with `=`.
fn tokenizers_agree(page: &str) -> bool {
    let tags = page.to_ascii_lowercase();
    let without_value = |part: &str| part.trim_ascii_end().ends_with('=');
    !tags.split('>').any(without_value)
        && !["<svg", "<math", "<script", "<noscript"]
            .iter()
            .any(|tag| tags.contains(tag))
}

fn seeds() -> Vec<Vec<u8>> {
    chosen(&[0, 1, 2, 3, 4, 8], &pages())
}
