//! Features of blocks from the Collapsed DOM (Vogels, Ganea, Eickhoff 2018: Web2Text, §3.1 to
//! §3.3).
//!
//! The Collapsed DOM is the page's tree without elements that hold no text, in which each element
//! with one child is merged with that child. Its leaves are the blocks. A row has these features:
//! those of Table 1 for the block, its parent, its grandparent and the root; which elements enclose
//! the block; and those of the edge to the next block.
//!
//! # Deviations
//! * The second row of Table 1 is not legible. Here it is `rTags`, the share of tags, which §3.3
//!   gives as an example ("ratio of HTML tags to text") and no other row covers. It is more likely
//!   the logarithm of the number of words, which the authors' published program has; that is
//!   `logNWords` of [`FURTHER`].
//! * The root, the elements around a block and the distance in the tree are not in the paper, and
//!   neither are punctuation marks of other scripts.
//! * Positions in the source are those of a node's text, from its first to its last character,
//!   divided by the end of the page's last block. What follows that block says nothing about the
//!   text.
//! * Blocks are compared by tag and class of the innermost element, whatever is merged into it.

mod edge;
mod further;
#[cfg(test)]
mod markdown;
mod nodes;
mod path;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod tree;

pub use table::{CDOM, CdomFeature, FURTHER, Of};

use crate::skeleton::Skeleton;
use edge::Edges;
use further::Further;
use nodes::Nodes;
use path::Paths;
use std::ops::Range;
use tree::CollapsedTree;
use warcsieve_html::document::Document;

/// Computes the features of [`CDOM`] for the blocks of a page.
///
/// A page takes time linear in its text, attributes, elements and blocks. The buffers are kept from
/// page to page. Memory: about 62 bytes per element that holds text, 4 per other element, and 100
/// per block.
#[derive(Clone, Debug, Default)]
pub struct Cdom {
    skeleton: Skeleton,
    tree: CollapsedTree,
    paths: Paths,
    edges: Edges,
    nodes: Nodes,
    further: Option<Box<Further>>,
}

/// The features of a row: those of [`CDOM`], and then those of [`FURTHER`] if they are requested.
pub fn features(further: bool) -> impl Iterator<Item = &'static CdomFeature> {
    CDOM.iter().chain(FURTHER.iter().filter(move |_| further))
}

impl Cdom {
    /// Also computes the features of [`FURTHER`], after those of [`CDOM`].
    pub fn with_further() -> Self {
        Self {
            further: Some(Box::default()),
            ..Self::default()
        }
    }

    /// The first pass over a page.
    pub fn read(&mut self, doc: &Document) {
        self.skeleton.read(doc);
        self.tree.read(&self.skeleton);
        self.paths.read(&self.skeleton);
        self.edges.read(doc, &self.skeleton);
        self.nodes.read(doc);
        if let Some(further) = &mut self.further {
            further.read(doc, &self.skeleton, &self.tree, &self.edges);
        }
    }

    /// The second pass: appends the features of a range of blocks of the page that was read last,
    /// block by block, in the order of [`features`].
    ///
    /// # Panics
    /// If the range is beyond the page's blocks.
    pub fn rows(&self, doc: &Document, blocks: Range<usize>, rows: &mut Vec<f32>) {
        if blocks.is_empty() {
            return;
        }
        let root = self.nodes.of(doc, 0..doc.blocks.len());
        // Neighbours mostly share their parent and grandparent, so the features computed last are
        // kept.
        let mut above = [None; 2];
        for block in blocks {
            let parent = self.tree.parent(block);
            rows.extend(self.nodes.of(doc, block..block + 1));
            for (node, last) in [parent, self.tree.above(parent)]
                .into_iter()
                .zip(&mut above)
            {
                let features = match *last {
                    Some((known, features)) if known == node => features,
                    _ => self.nodes.of(doc, self.tree.blocks(node)),
                };
                *last = Some((node, features));
                rows.extend(features);
            }
            rows.extend(root);
            rows.extend(self.paths.of(&self.skeleton, block));
            rows.extend(self.edges.between(&self.tree, &self.skeleton, block));
            if let Some(further) = &self.further {
                further.push(&self.skeleton, &self.tree, &self.nodes, doc, block, rows);
            }
        }
    }
}
