//! The positions of blocks in an exported text.

use super::View;
use serde::Serialize;
use warcsieve_common::{Error, Result};

/// First character, end (exclusive), and score. Positions count code points, as in Python strings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Span(pub usize, pub usize, pub f32);

/// The content blocks of a clean text, or the boilerplate of a raw one, in their order.
///
/// # Errors
/// [`Error::Invalid`] if the shard does not contain the positions of its blocks.
pub(super) fn spans(view: &View<'_>) -> Result<Vec<Span>> {
    let mut spans = Vec::new();
    // Ranges are in order, so every character is counted only once.
    let (mut byte, mut characters) = (0, 0);
    let mut count_to = |end: u32| {
        let part = &view.text[byte..end as usize];
        byte = end as usize;
        characters += part.chars().count();
        characters
    };
    for block in &view.page.blocks {
        let place = match (view.raw, block.content) {
            (true, false) => &block.raw,
            (false, true) => block.text.as_ref().ok_or_else(|| {
                Error::Invalid(format!(
                    "page {} does not say where its blocks are in its text; set output = \"text\" in \
                     the pipeline file and run `clean` again with another --out",
                    view.page.id
                ))
            })?,
            _ => continue,
        };
        spans.push(Span(
            count_to(place.start),
            count_to(place.end),
            block.score,
        ));
    }
    Ok(spans)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shards::{ShardBlock, ShardPage};
    use proptest::prelude::*;
    use warcsieve_render::TextFormat;

    fn page(blocks: &[(bool, std::ops::Range<u32>)]) -> ShardPage {
        let block = |(content, range): &(bool, std::ops::Range<u32>)| ShardBlock {
            content: *content,
            raw: range.clone(),
            text: content.then(|| range.clone()),
            score: 0.5,
            ..ShardBlock::default()
        };
        ShardPage {
            blocks: blocks.iter().map(block).collect(),
            ..ShardPage::default()
        }
    }

    #[test]
    fn characters_are_counted_not_bytes() {
        let text = "ä\n\n東京 𝄞";
        let page = page(&[(true, 0..2), (false, 2..4), (true, 4..15)]);
        let mut view = View {
            page: &page,
            text,
            title: None,
            raw: false,
            form: TextFormat::Text,
        };
        assert_eq!(spans(&view).unwrap(), [Span(0, 1, 0.5), Span(3, 7, 0.5)]);
        view.raw = true;
        assert_eq!(spans(&view).unwrap(), [Span(1, 3, 0.5)]);
    }

    proptest! {
        #[test]
        fn spans_select_the_same_texts(parts in prop::collection::vec(("\\PC{0,6}", any::<bool>()), 0..9)) {
            let mut text = String::new();
            let mut blocks = Vec::new();
            for (part, content) in &parts {
                let start = text.len() as u32;
                text += part;
                blocks.push((*content, start..text.len() as u32));
                text.push('\n');
            }
            let page = page(&blocks);
            for raw in [false, true] {
                let view = View { page: &page, text: &text, title: None, raw, form: TextFormat::Text };
                let cut = |s: &Span| text.chars().skip(s.0).take(s.1 - s.0).collect::<String>();
                let cut: Vec<_> = spans(&view).unwrap().iter().map(cut).collect();
                let expected = parts.iter().filter(|(_, content)| *content != raw);
                prop_assert_eq!(cut, expected.map(|(part, _)| part.clone()).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn texts_without_positions_of_blocks_are_refused() {
        let mut page = page(&[(true, 0..1)]);
        page.blocks[0].text = None;
        let view = View {
            page: &page,
            text: "<p>a",
            title: None,
            raw: false,
            form: TextFormat::Text,
        };
        let error = spans(&view).unwrap_err().to_string();
        assert!(error.contains("output = \"text\""), "{error}");
    }
}
