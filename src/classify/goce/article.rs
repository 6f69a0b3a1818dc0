//! The article algorithm: down to the element whose children share its text (§3.3.2, Algorithm 1).

use crate::document::Document;
use crate::features::elements::subtree_sums;
use crate::html::{ElementId, ElementTree};
use std::ops::Range;

/// The element that holds the article of one page; buffers are kept for the next.
#[derive(Debug, Default)]
pub struct Article {
    /// Words in each subtree. A block's words are its element's, so what is inline in it has none.
    words: Vec<u32>,
    /// The chosen element.
    pub element: ElementId,
    /// It and all below it.
    pub chosen: Range<ElementId>,
}

impl Article {
    /// Goes down from the root. Each element's children are looked at once at most, so the
    /// time is linear in elements and blocks.
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

    /// Whether the element's own text is the article's. A page without elements is all article.
    pub fn is_inside(&self, element: ElementId) -> bool {
        self.chosen.is_empty() || self.chosen.contains(&element)
    }

    /// The chosen element for a person.
    pub fn describe(&self, doc: &Document) -> String {
        let mut text = String::new();
        doc.tree.path(self.element, &mut text);
        let words = self.words.get(self.element as usize).copied();
        format!("{text} ({} words)", words.unwrap_or(0))
    }
}

/// The child to go down to, if the element is not the one.
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
    // Exactly: difference > √(squares / count − (sum / count)²).
    let lead = count * u128::from(most - second);
    let only = count == 1;
    longest.filter(|_| only || lead * lead > count * squares - sum * sum)
}
