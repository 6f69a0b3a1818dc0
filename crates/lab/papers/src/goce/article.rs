//! The article algorithm: descends to the element whose text is evenly spread over its children
//! (§3.3.2, Algorithm 1).

use std::ops::Range;
use warcsieve_features::elements::subtree_sums;
use warcsieve_html::document::Document;
use warcsieve_html::{ElementId, ElementTree};

/// The element that holds the article of one page; buffers are reused.
#[derive(Debug, Default)]
pub struct Article {
    /// By element: words in its subtree. A block's words count for the element that holds all of
    /// it, so inline elements inside a block have none.
    words: Vec<u32>,
    /// The chosen element.
    pub element: ElementId,
    /// The range of its subtree.
    pub chosen: Range<ElementId>,
}

impl Article {
    /// Descends from the root. The children of each element are visited at most once, so the time
    /// is linear in elements and blocks.
    pub fn choose(&mut self, doc: &Document) {
        let own = doc.blocks.iter().map(|b| (b.element, b.words));
        subtree_sums(doc, own, &mut self.words);
        self.element = 0;
        while let Some(child) = next(&doc.tree, &self.words, self.element) {
            self.element = child;
        }
        let element = doc.tree.elements.get(self.element as usize);
        self.chosen = self.element..element.map_or(0, |e| e.end);
    }

    /// Whether the element's own text is part of the article. A page without elements is all
    /// article.
    pub fn is_inside(&self, element: ElementId) -> bool {
        self.chosen.is_empty() || self.chosen.contains(&element)
    }

    /// Describes the chosen element to a person.
    pub fn describe(&self, doc: &Document) -> String {
        let mut text = String::new();
        doc.tree.path(self.element, &mut text);
        let words = self.words.get(self.element as usize).copied();
        format!("{text} ({} words)", words.unwrap_or(0))
    }
}

/// The child to descend to: the longest one, if its lead over the second is greater than the
/// standard deviation of the children's lengths. `None` if the algorithm stops at this element.
fn next(tree: &ElementTree, words: &[u32], element: ElementId) -> Option<ElementId> {
    let (mut count, mut sum, mut squares) = (0u128, 0u128, 0u128);
    let (mut longest, mut most, mut second) = (None, 0, 0);
    for child in tree.children(element) {
        let n = words[child as usize];
        count += 1;
        sum += u128::from(n);
        squares += u128::from(n) * u128::from(n);
        if n > most {
            (longest, second, most) = (Some(child), most, n);
        } else {
            second = second.max(n);
        }
    }
    // difference > √(squares / count − (sum / count)²), with both sides times count and squared:
    // exact in integers.
    let lead = count * u128::from(most - second);
    let only = count == 1;
    longest.filter(|_| only || lead * lead > count * squares - sum * sum)
}
