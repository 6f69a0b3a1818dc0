//! Articles that are shortened to a few blocks.

use warcsieve_html::Element;
use warcsieve_html::document::Document;

/// The minimum number of content blocks of a page that is shortened.
const MIN_CONTENT_BLOCKS: usize = 6;

/// The maximum number of content blocks that remain; at least one remains.
const MAX_BLOCKS_LEFT: usize = 5;

/// The page as if its author had written little: one to five consecutive blocks of content remain,
/// and everything else. An element is removed together with the last of its text. `key` chooses the
/// blocks; equal keys choose the same. Returns the page and the indices that its blocks had before.
/// `None` if the page has little content anyway.
///
/// Labels do not change. If a forest is also trained on such pages, it does not learn that much
/// boilerplate means much content.
pub fn shortened(doc: &Document, content: &[bool], key: u64) -> Option<(Document, Vec<usize>)> {
    let of_content: Vec<usize> = (0..content.len()).filter(|b| content[*b]).collect();
    if of_content.len() < MIN_CONTENT_BLOCKS {
        return None;
    }
    // A fixed mixing of the key (from splitmix64), so that pages differ.
    let mixed = (key + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 11;
    let left = 1 + mixed as usize % MAX_BLOCKS_LEFT;
    let start = (mixed >> 8) as usize % (of_content.len() - left + 1);
    let mut is_kept: Vec<bool> = content.iter().map(|is_content| !is_content).collect();
    of_content[start..start + left]
        .iter()
        .for_each(|block| is_kept[*block] = true);
    let kept: Vec<usize> = (0..is_kept.len()).filter(|b| is_kept[*b]).collect();
    Some((with_blocks(doc, &kept), kept))
}

/// The page with some of its blocks. An element whose subtree had text and has none now is left
/// out, like the blocks in it.
fn with_blocks(doc: &Document, kept: &[usize]) -> Document {
    let elements = &doc.tree.elements;
    let before = |blocks: &mut dyn Iterator<Item = usize>| {
        let mut sums = vec![0u32; elements.len() + 1];
        for block in blocks {
            if let Some(sum) = sums.get_mut(doc.blocks[block].element as usize + 1) {
                *sum += 1;
            }
        }
        (1..sums.len()).for_each(|i| sums[i] += sums[i - 1]);
        sums
    };
    let had = before(&mut (0..doc.blocks.len()));
    let has = before(&mut kept.iter().copied());
    let blocks_of = |sums: &[u32], i: usize| sums[elements[i].end as usize] - sums[i];
    // By element: how many elements before it stay. If an element goes, all elements below it go,
    // too.
    let mut ranks = Vec::with_capacity(elements.len() + 1);
    let (mut rank, mut gone_until) = (0, 0);
    for (i, element) in elements.iter().enumerate() {
        ranks.push(rank);
        if i >= gone_until && i > 0 && blocks_of(&had, i) > 0 && blocks_of(&has, i) == 0 {
            gone_until = element.end as usize;
        }
        rank += u32::from(i >= gone_until);
    }
    ranks.push(rank);
    let stays = |i: &usize| ranks[*i] < ranks[*i + 1];
    let mut tree = doc.tree.clone();
    tree.elements = (0..elements.len())
        .filter(stays)
        .map(|i| Element {
            parent: ranks[elements[i].parent as usize],
            end: ranks[elements[i].end as usize],
            ..elements[i].clone()
        })
        .collect();
    let place = |element: u32| ranks.get(element as usize).copied().unwrap_or(element);
    let mut blocks: Vec<_> = kept.iter().map(|b| doc.blocks[*b].clone()).collect();
    for block in &mut blocks {
        (block.element, block.container) = (place(block.element), place(block.container));
    }
    Document {
        text: doc.text.clone(),
        title: doc.title.clone(),
        tree,
        blocks,
        ..Document::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warcsieve_fixture::segmented;
    use warcsieve_html::{Segmentation, Tag};

    #[test]
    fn removed_content_takes_its_elements_along() {
        let html = format!(
            "<nav><a href=/>Home</a></nav><main id=m>{}<img></main><p>end",
            (0..9)
                .map(|i| format!("<div><p>text {i}</p></div>"))
                .collect::<String>()
        );
        let doc = segmented(&html, Segmentation::Inline);
        let content: Vec<bool> = (0..11).map(|block| (1..10).contains(&block)).collect();
        let mut sizes = [0; MAX_BLOCKS_LEFT];
        for key in 0..50 {
            let (short, kept) = shortened(&doc, &content, key).unwrap();
            assert_eq!((kept[0], *kept.last().unwrap()), (0, 10));
            let left = &kept[1..kept.len() - 1];
            assert!(left.windows(2).all(|pair| pair[1] == pair[0] + 1));
            sizes[left.len() - 1] += 1;
            let tags: Vec<Tag> = short.tree.elements.iter().map(|e| e.tag).collect();
            let paragraphs = tags.iter().filter(|t| **t == Tag::P).count();
            assert_eq!(paragraphs, left.len() + 1, "those of content, and the end");
            assert!(tags.contains(&Tag::Img), "what held no text stays");
            for (block, was) in short.blocks.iter().zip(&kept) {
                let (tag, old) = (
                    short.tree.elements[block.container as usize].tag,
                    doc.tree.elements[doc.blocks[*was].container as usize].tag,
                );
                assert_eq!(tag, old);
                assert_eq!(short.block_text(block), doc.block_text(&doc.blocks[*was]));
            }
            let last = short.tree.elements.len() as u32;
            assert!(
                short
                    .tree
                    .elements
                    .iter()
                    .all(|e| e.end <= last && e.parent < last)
            );
        }
        assert!(sizes.iter().all(|n| *n > 0), "{sizes:?}");
    }

    #[test]
    fn little_content_is_left_as_it_is() {
        let doc = segmented("<p>a<p>b<p>c", Segmentation::Inline);
        assert!(shortened(&doc, &[true; 3], 1).is_none());
    }
}
