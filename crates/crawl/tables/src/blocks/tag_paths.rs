//! The column of tag paths.
//!
//! # Invariant
//! The paths of a batch form a tree of their own. Each path is one node, whatever page it is from.
//! So the path of an element is the path of its parent and one step, and its text is made once per
//! path, not once per block. A batch that ends inside a page drops its tree, and the next batch
//! begins the page again.

use super::run::Column;
use crate::builders::Build;
use crate::dictionary::Dictionary;
use arrow_array::ArrayRef;
use warcsieve_common::shrink;
use warcsieve_html::document::Document;
use warcsieve_html::{ElementId, Tag};

/// No node.
const NONE: u32 = u32::MAX;

/// The column.
pub fn column() -> Column {
    let doc = "tags from the root to the deepest element that holds the block; if there are more than 32, `…` stands \
               for the outermost";
    let field = Dictionary::field("tag_path", false);
    Column::new(field, doc, TagPaths::default(), |run, paths| {
        if run.begins_page() || !paths.is_begun {
            paths.begin(run.doc());
        }
        let blocks = run.blocks().iter();
        blocks.map(|b| paths.push(run.doc(), b.element)).sum()
    })
}

/// Collects the tag paths of blocks.
#[derive(Debug, Default)]
struct TagPaths {
    column: Dictionary,
    /// The paths of the batch's elements.
    nodes: Vec<Node>,
    /// The node of each element of the page, or [`NONE`].
    of_element: Vec<u32>,
    /// Elements whose node is being looked up, the innermost first.
    chain: Vec<ElementId>,
    path: String,
    /// Whether the batch has blocks of the open page.
    is_begun: bool,
}

/// A path: the path of its parent, and a tag.
#[derive(Debug)]
struct Node {
    tag: Tag,
    /// Its first child, and its parent's next one.
    child: u32,
    sibling: u32,
    /// The key of its text, or [`NONE`].
    key: u32,
}

impl Node {
    fn new(tag: Tag) -> Self {
        Self {
            tag,
            child: NONE,
            sibling: NONE,
            key: NONE,
        }
    }
}

impl Build for TagPaths {
    fn finish(&mut self) -> ArrayRef {
        self.nodes.clear();
        self.is_begun = false;
        self.column.finish()
    }
}

impl TagPaths {
    /// Begins a page, or a batch that starts inside one.
    fn begin(&mut self, doc: &Document) {
        self.is_begun = true;
        self.of_element.clear();
        shrink(&mut self.of_element);
        self.of_element.resize(doc.tree.elements.len(), NONE);
    }

    /// Adds a block of this element of the current page. Returns the bytes of its path if the path
    /// is new in the batch.
    fn push(&mut self, doc: &Document, element: ElementId) -> usize {
        let node = self.node(doc, element);
        let mut new = 0;
        if self.nodes[node].key == NONE {
            self.path.clear();
            doc.tree.path(element, &mut self.path);
            self.nodes[node].key = self.column.add(&self.path);
            new = self.path.len() + size_of::<Node>();
        }
        self.column.push(self.nodes[node].key);
        new
    }

    /// The node of an element: walks up to an element whose node is known, and down again.
    fn node(&mut self, doc: &Document, element: ElementId) -> usize {
        let elements = &doc.tree.elements;
        let mut at = element;
        let mut node = loop {
            let known = self.of_element[at as usize];
            if known != NONE {
                break known;
            }
            self.chain.push(at);
            let parent = elements[at as usize].parent;
            if parent == at {
                break NONE;
            }
            at = parent;
        };
        while let Some(element) = self.chain.pop() {
            node = self.step(node, elements[element as usize].tag);
            self.of_element[element as usize] = node;
        }
        node as usize
    }

    /// The node of a child with this tag. A path has at most one.
    fn step(&mut self, parent: u32, tag: Tag) -> u32 {
        // The root has no parent and is the first node.
        let first = match self.nodes.get(parent as usize) {
            Some(parent) => parent.child,
            None if self.nodes.is_empty() => NONE,
            None => 0,
        };
        let mut child = first;
        while let Some(node) = self.nodes.get(child as usize) {
            if node.tag == tag {
                return child;
            }
            child = node.sibling;
        }
        let new = self.nodes.len() as u32;
        self.nodes.push(Node {
            sibling: first,
            ..Node::new(tag)
        });
        if let Some(parent) = self.nodes.get_mut(parent as usize) {
            parent.child = new;
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::Array;
    use arrow_array::cast::AsArray;
    use arrow_array::types::UInt32Type;
    use warcsieve_fixture::segmented;
    use warcsieve_html::Segmentation;

    #[test]
    fn paths_are_those_of_the_tree_and_each_is_there_once() {
        let deep = "<div>".repeat(50);
        let pages = [
            "<p>a<p>b<ul><li>c<li>d<b>e</b></ul>".to_owned(),
            format!("<p>a<div><p>b</div>{deep}c<p>d"),
            "<table><td>a<th>b<td>c</table>".to_owned(),
        ];
        let mut paths = TagPaths::default();
        for _ in 0..2 {
            let mut expected = Vec::new();
            for page in &pages {
                let doc = segmented(page, Segmentation::Inline);
                paths.begin(&doc);
                for block in &doc.blocks {
                    paths.push(&doc, block.element);
                    let mut path = String::new();
                    doc.tree.path(block.element, &mut path);
                    expected.push(path);
                }
            }
            let column = paths.finish();
            let column = column.as_dictionary::<UInt32Type>();
            let texts = column.values().as_string::<i32>();
            let keys = column.keys().values();
            let found: Vec<_> = keys.iter().map(|key| texts.value(*key as usize)).collect();
            assert_eq!(found, expected);
            expected.sort();
            expected.dedup();
            assert_eq!(texts.len(), expected.len());
        }
    }
}
