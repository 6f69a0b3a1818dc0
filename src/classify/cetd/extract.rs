//! Which elements are content (Song, Sun, Liao 2013, §3.5.2, Algorithm 2).

use crate::document::shrink;
use crate::html::{ElementId, ElementTree, Tag};
use std::ops::Range;

/// The chosen elements of one page; buffers are kept for the next.
#[derive(Debug, Default)]
pub struct Extract {
    /// Least density on the way from the element of greatest DensitySum to the body;
    /// 0 in an empty tree.
    pub threshold: f64,
    /// For each element whether its own text is content.
    pub inside: Vec<bool>,
    /// For each element the one of greatest DensitySum in its subtree, the first of equals.
    greatest: Vec<ElementId>,
}

/// What becomes content at an element that Algorithm 2 comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The element of greatest DensitySum in its subtree, with all it holds.
    Greatest,
    /// Its own text.
    Own,
}

/// The first `body`, or the root of a page without one.
pub fn body(tree: &ElementTree) -> usize {
    let mut elements = tree.elements.iter();
    elements.position(|e| e.tag == Tag::Body).unwrap_or(0)
}

impl Extract {
    /// Algorithm 2: goes down from the body wherever the density is at or above the
    /// threshold, and at each element makes content of its `choice`.
    pub fn choose(&mut self, tree: &ElementTree, densities: &[f64], sums: &[f64], choice: Choice) {
        let page = self.begin(tree, densities, sums);
        let elements = &tree.elements;
        let mut i = page.start;
        while i < page.end {
            if densities[i] < self.threshold {
                i = (i + 1).max(elements[i].end as usize);
                continue;
            }
            let chosen = match choice {
                Choice::Own => i..i + 1,
                Choice::Greatest => {
                    let greatest = self.greatest[i] as usize;
                    greatest..elements[greatest].end as usize
                }
            };
            // Linear in all: what is chosen later is in here, or has nothing of it.
            if !self.inside[chosen.start] {
                self.inside[chosen].fill(true);
            }
            i += 1;
        }
    }

    /// Finds the threshold. Returns the elements from the body on.
    fn begin(&mut self, tree: &ElementTree, densities: &[f64], sums: &[f64]) -> Range<usize> {
        let elements = &tree.elements;
        shrink(&mut self.inside);
        shrink(&mut self.greatest);
        self.inside.clear();
        self.inside.resize(elements.len(), false);
        self.greatest.clear();
        self.greatest.extend(0..elements.len() as ElementId);
        self.threshold = 0.0;
        let body = body(tree);
        let Some(end) = elements.get(body).map(|e| e.end as usize) else {
            return 0..0;
        };
        let greatest = &mut self.greatest;
        for i in (body + 1..end).rev() {
            let parent = elements[i].parent as usize;
            let [new, old] = [greatest[i], greatest[parent]];
            let [more, most] = [new, old].map(|e| sums[e as usize]);
            // Children come last first, and the element itself is before them all.
            let wins = (more > most) | ((more == most) & (old as usize != parent));
            greatest[parent] = if wins { new } else { old };
        }
        let mut at = greatest[body] as usize;
        self.threshold = densities[at];
        while at > body {
            at = elements[at].parent as usize;
            self.threshold = self.threshold.min(densities[at]);
        }
        body..end
    }
}
