//! The Collapsed DOM.

use crate::skeleton::Skeleton;
use std::ops::Range;
use warcsieve_common::shrink;

/// An inner node: an element with two or more children, and the elements merged into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Node {
    /// The root is its own parent.
    parent: u32,
    depth: u32,
    /// Its first block, and one past its last.
    start: u32,
    end: u32,
}

/// The inner nodes of the Collapsed DOM in document order; node 0 is the root, which holds all
/// blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct CollapsedTree {
    nodes: Vec<Node>,
    /// By block: its parent.
    parents: Vec<u32>,
    /// By element: the number of its children, counting blocks.
    children: Vec<u32>,
    /// By element: the node that it is part of or below.
    node_of: Vec<u32>,
}

impl CollapsedTree {
    pub fn read(&mut self, skeleton: &Skeleton) {
        for buffer in [&mut self.parents, &mut self.children, &mut self.node_of] {
            shrink(buffer);
            buffer.clear();
        }
        shrink(&mut self.nodes);
        self.nodes.clear();
        self.children.resize(skeleton.elements.len(), 0);
        for place in &skeleton.places {
            self.children[place.0 as usize] += 1;
        }
        for element in skeleton.elements.iter().skip(1) {
            self.children[element.parent as usize] += 1;
        }
        self.collapse(skeleton);
        self.spread(skeleton);
    }

    /// Makes a node of each element that branches. The elements above the first such element have
    /// one child each, so it is merged with them and becomes the root.
    fn collapse(&mut self, skeleton: &Skeleton) {
        let root = Node {
            parent: 0,
            depth: 0,
            start: u32::MAX,
            end: 0,
        };
        for (element, children) in skeleton.elements.iter().zip(&self.children) {
            let above = self.node_of.get(element.parent as usize).copied();
            let above = above.unwrap_or(0);
            let branches = *children > 1;
            self.node_of.push(match (branches, self.nodes.len()) {
                (false, _) => above,
                (true, 0) => {
                    self.nodes.push(root);
                    0
                }
                (true, node) => {
                    self.nodes.push(Node {
                        parent: above,
                        depth: self.nodes[above as usize].depth + 1,
                        ..root
                    });
                    node as u32
                }
            });
        }
        if self.nodes.is_empty() {
            self.nodes.push(root);
        }
    }

    /// Sets the blocks of each node.
    fn spread(&mut self, skeleton: &Skeleton) {
        for (block, place) in (0..).zip(&skeleton.places) {
            let parent = self.node_of[place.0 as usize];
            self.parents.push(parent);
            let node = &mut self.nodes[parent as usize];
            node.start = node.start.min(block);
            node.end = node.end.max(block + 1);
        }
        for i in (1..self.nodes.len()).rev() {
            let Node {
                parent, start, end, ..
            } = self.nodes[i];
            let above = &mut self.nodes[parent as usize];
            above.start = above.start.min(start);
            above.end = above.end.max(end);
        }
    }

    /// The node above a block.
    pub fn parent(&self, block: usize) -> u32 {
        self.parents[block]
    }

    /// The node above a node; the root's is the root.
    pub fn above(&self, node: u32) -> u32 {
        self.nodes[node as usize].parent
    }

    /// The blocks below a node; at least one.
    pub fn blocks(&self, node: u32) -> Range<usize> {
        let node = &self.nodes[node as usize];
        node.start as usize..node.end as usize
    }

    /// The number of children of an element, counting blocks.
    pub fn children(&self, element: u32) -> u32 {
        self.children[element as usize]
    }

    /// The number of edges on the path from a block to the next. The sum over a page is about twice
    /// the number of the tree's edges, as in a depth-first walk. So calling this for every block
    /// takes linear time.
    pub fn distance(&self, block: usize) -> u32 {
        self.meet(block).0
    }

    /// The lowest node that holds a block and the next one. It takes as long as
    /// [`distance`](Self::distance).
    pub fn common(&self, block: usize) -> u32 {
        self.meet(block).1
    }

    fn meet(&self, block: usize) -> (u32, u32) {
        let (mut a, mut b) = (self.parents[block], self.parents[block + 1]);
        let mut edges = 2;
        while a != b {
            let deeper = match self.nodes[a as usize].depth >= self.nodes[b as usize].depth {
                true => &mut a,
                false => &mut b,
            };
            *deeper = self.nodes[*deeper as usize].parent;
            edges += 1;
        }
        (edges, a)
    }
}
