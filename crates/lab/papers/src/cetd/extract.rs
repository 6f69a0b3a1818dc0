//! Which elements are content (Song, Sun, Liao 2013, §3.5.2, Algorithm 2).

use std::ops::Range;
use warcsieve_common::{emptied, shrink};
use warcsieve_html::{ElementId, ElementTree, Tag};

/// The chosen elements of one page; buffers are reused.
#[derive(Debug, Default)]
pub struct Extract {
    /// Lowest density on the path from the element with the greatest DensitySum to the body; 0 in
    /// an empty tree.
    pub threshold: f64,
    /// By element: whether its own text is content.
    pub inside: Vec<bool>,
    /// By element: whether it is above one that is inside; empty unless
    /// [`keep_ancestors`](Self::keep_ancestors) was called for the page.
    pub above: Vec<bool>,
    /// By element: the element with the greatest DensitySum in its subtree; of equal ones, the
    /// first.
    greatest: Vec<ElementId>,
}

/// What becomes content when Algorithm 2 visits an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The element with the greatest DensitySum in its subtree, with its whole subtree.
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
    /// Algorithm 2: descends from the body into elements whose density is at least the threshold,
    /// and applies `choice` to each visited element.
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
            // Linear in total: a later choice is either inside this one and skipped, or disjoint
            // from it.
            if !self.inside[chosen.start] {
                self.inside[chosen].fill(true);
            }
            i += 1;
        }
    }

    /// Marks the ancestors of the chosen elements, up to the body. The paper's Algorithm 2 keeps
    /// them.
    pub fn keep_ancestors(&mut self, tree: &ElementTree) {
        let elements = &tree.elements;
        self.above.resize(elements.len(), false);
        let body = body(tree);
        let Some(end) = elements.get(body).map(|e| e.end as usize) else {
            return;
        };
        // Elements below the body come after it, and children after their parent.
        for i in (body + 1..end).rev() {
            if self.inside[i] || self.above[i] {
                self.above[elements[i].parent as usize] = true;
            }
        }
    }

    /// Finds the threshold. Returns the range of the body's subtree.
    fn begin(&mut self, tree: &ElementTree, densities: &[f64], sums: &[f64]) -> Range<usize> {
        let elements = &tree.elements;
        emptied(&mut self.inside);
        emptied(&mut self.above);
        shrink(&mut self.greatest);
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
            // Of equal sums the first element wins. An element comes before its children, and the
            // children are visited in reverse order, so an equal sum that is visited later replaces
            // the earlier one.
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
