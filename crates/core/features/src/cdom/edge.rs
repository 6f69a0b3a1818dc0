//! Features of two neighbouring blocks.

use super::table::EDGE;
use super::tree::CollapsedTree;
use crate::elements::{class_hash, mix};
use crate::enclosing::inherit;
use crate::skeleton::Skeleton;
use warcsieve_common::shrink;
use warcsieve_html::document::Document;

/// The values by which neighbouring blocks are compared. Names whose hashes collide count as equal.
#[derive(Clone, Debug, Default)]
pub(super) struct Edges {
    /// By element: a hash of its class, 0 if it has none.
    classes: Vec<u64>,
    /// By element: a hash of tags and classes from the root down to it.
    paths: Vec<u64>,
}

impl Edges {
    pub fn read(&mut self, doc: &Document, skeleton: &Skeleton) {
        shrink(&mut self.classes);
        self.classes.clear();
        let elements = &skeleton.elements;
        let classes = elements.iter().map(|e| class_hash(doc.tree.class(e)));
        self.classes.extend(classes);
        let classes = &self.classes;
        inherit(elements, &mut self.paths, |i, element, above| {
            mix(above.unwrap_or(0), mix(classes[i], element.tag as u64))
        });
    }

    /// A hash of tags and classes from the root down to an element.
    pub fn path(&self, element: usize) -> u64 {
        self.paths[element]
    }

    /// The features of a block and the next, in the order of [`EDGE`].
    pub fn between(
        &self,
        tree: &CollapsedTree,
        skeleton: &Skeleton,
        block: usize,
    ) -> [f32; EDGE.len()] {
        if block + 1 >= skeleton.places.len() {
            return [0.0; EDGE.len()];
        }
        let both = [block, block + 1];
        let [a, b] = both.map(|block| skeleton.place(block).0);
        let parents = both.map(|block| tree.parent(block));
        let grandparents = parents.map(|node| tree.above(node));
        let great = grandparents.map(|node| tree.above(node));
        let same = |nodes: [u32; 2]| f32::from(u8::from(nodes[0] == nodes[1]));
        let flag = |is: bool| f32::from(u8::from(is));
        [
            same(parents),
            same(grandparents),
            same(great),
            flag(skeleton.elements[a].tag == skeleton.elements[b].tag),
            flag(self.classes[a] == self.classes[b]),
            flag(self.paths[a] == self.paths[b]),
            libm::logf(tree.distance(block) as f32),
        ]
    }
}
