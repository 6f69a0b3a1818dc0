//! Documents for tests, built by hand: block texts in, counts made by a slow
//! and clear count.

use crate::document::{Block, Document, Run};
use crate::html::{Element, Segmentation, Segmenter, SegmenterOptions, Tag};
use proptest::prelude::*;

/// A document of these blocks. Text in `[…]` is linked; the brackets go.
pub fn document<S: AsRef<str>>(blocks: &[S]) -> Document {
    let mut doc = Document::default();
    for text in blocks {
        push(&mut doc, text.as_ref());
    }
    doc
}

/// A document of these elements in document order: depth (at most one more than the one
/// before; the first is the root), tag, and characters of its own text, a block each.
pub fn elements(page: &[(usize, Tag, u32)]) -> Document {
    let mut doc = Document::default();
    let mut open: Vec<u32> = Vec::new();
    let close = |doc: &mut Document, open: &mut Vec<u32>, depth: usize| {
        let end = doc.tree.elements.len() as u32;
        for id in open.drain(depth.min(open.len())..) {
            doc.tree.elements[id as usize].end = end;
        }
    };
    for (id, &(depth, tag, chars)) in page.iter().enumerate() {
        close(&mut doc, &mut open, depth);
        let element = id as u32;
        doc.tree.elements.push(Element {
            tag,
            parent: open.last().copied().unwrap_or(element),
            ..Element::default()
        });
        open.push(element);
        if chars > 0 {
            push(&mut doc, &"x".repeat(chars as usize));
            let block = doc.blocks.last_mut().unwrap();
            block.element = element;
            let start = block.text.start;
            doc.runs.push(Run {
                start,
                element,
                next: element + 1,
                chars,
            });
        }
    }
    close(&mut doc, &mut open, 0);
    doc
}

/// Blocks of so many words, each with so many tags before it.
pub fn among_tags(blocks: &[(u32, usize)]) -> Document {
    let texts: Vec<_> = blocks.iter().map(|b| words(b.1)).collect();
    let mut doc = document(&texts);
    for (block, &(tags, _)) in doc.blocks.iter_mut().zip(blocks) {
        block.tags_before = tags;
    }
    doc
}

/// A block of these counts and no text.
pub fn counted(tags_before: u32, tokens: u32, tags_inside: u32) -> Block {
    Block {
        tags_before,
        tokens,
        tags_inside,
        ..Block::default()
    }
}

/// A page as it is segmented.
pub fn segmented(html: &str, segmentation: Segmentation) -> Document {
    let mut doc = Document::default();
    let options = SegmenterOptions {
        segmentation,
        ..SegmenterOptions::default()
    };
    Segmenter::new(options)
        .segment_html(html, &mut doc)
        .unwrap();
    doc
}

/// Markup that is dense with elements, with text of some scripts.
pub fn markup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "</?(div|p|ul|li|h1|h2|a|b|table|td|nav|footer|article)( class=(nav|comment|x1|item))?>",
        "[a-zA-Z ,.。中文ไทย©$?]{0,40}",
        Just("All that is said here, and more than that, is said at some length. ".repeat(3)),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

/// `words` words of five letters, so that 13 of them fill a line of 80 columns.
pub fn words(words: usize) -> String {
    vec!["words"; words].join(" ")
}

/// As [`words`], all of them linked.
pub fn links(words: usize) -> String {
    format!("[{}]", self::words(words))
}

fn push(doc: &mut Document, marked: &str) {
    let start = doc.text.len() as u32;
    let mut block = Block::default();
    let mut linked = false;
    let mut token_linked = false;
    let mut columns = 0;
    let mut lines: Vec<u32> = vec![0];
    for token in marked.split_whitespace() {
        let mut plain = String::new();
        for c in token.chars() {
            match c {
                '[' => linked = true,
                ']' => linked = false,
                _ => {
                    plain.push(c);
                    token_linked = linked;
                    block.linked_chars += u32::from(linked);
                }
            }
        }
        if columns > 0 {
            doc.text.push(' ');
            block.chars += 1;
            block.linked_chars += u32::from(linked && token_linked);
        }
        let width = plain.chars().count();
        block.chars += width as u32;
        doc.text.push_str(&plain);

        if columns > 0 && columns + 1 + width > 80 {
            lines.push(0);
            columns = width;
        } else {
            columns += width + usize::from(columns > 0);
        }
        *lines.last_mut().unwrap() += 1;

        let word = u32::from(plain.contains(char::is_alphanumeric));
        block.tokens += 1;
        block.words += word;
        if token_linked {
            block.linked_tokens += 1;
            block.linked_words += word;
        }
    }
    block.lines = lines.len() as u32;
    block.wrapped_tokens = match lines.as_slice() {
        [only] => *only,
        [all_but_last @ .., _] => all_but_last.iter().sum(),
        [] => 0,
    };
    block.text = start..doc.text.len() as u32;
    doc.text.push('\n');
    doc.blocks.push(block);
}

#[test]
fn counts_of_a_small_block() {
    let doc = document(&["Read [the news] – today", &words(14)]);
    let b = &doc.blocks[0];
    assert_eq!(doc.block_text(b), "Read the news – today");
    assert_eq!((b.words, b.tokens, b.chars), (4, 5, 21));
    assert_eq!((b.linked_words, b.linked_tokens, b.linked_chars), (2, 2, 8));
    assert_eq!((b.lines, b.wrapped_tokens), (1, 5));
    let b = &doc.blocks[1];
    assert_eq!(doc.block_text(b).len(), 14 * 6 - 1);
    assert_eq!((b.lines, b.wrapped_tokens), (2, 13));
}

/// Holds a page of `docs/` against what a table says: from `start` on it is `expected`, and what stands before is
/// written by hand. With `UPDATE_DOCS` set it is written anew.
pub fn assert_page_ends_with(page: &str, start: &str, expected: &str) {
    let path = format!("{}/docs/{page}", env!("CARGO_MANIFEST_DIR"));
    let found = std::fs::read_to_string(&path).unwrap();
    let (by_hand, _) = found.split_once(start).unwrap();
    let expected = format!("{by_hand}{expected}");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, expected).unwrap();
    } else {
        assert!(
            found == expected,
            "docs/{page} is not what the table says: run with UPDATE_DOCS=1"
        );
    }
}
