//! The place of a block relative to the page's main element: the one that gets the most votes of
//! text.
//!
//! As in Readability, text votes for the elements a few steps above it. The element with the most
//! votes is the *target*. The features describe the relation of a block to it:
//!
//! * the *common* element: the nearest one at or above the block's element that also holds the
//!   target, which may be either of them;
//! * two *branches*: the children of the common element that hold the block and the target.
//!
//! For example, with the target `main` and a block in `li`:
//!
//! ```text
//! body                common: holds both li and main
//! ├─ nav              branch of the block
//! │  └─ ul
//! │     └─ li         block: 3 steps up to common
//! └─ div              branch of the target
//!    └─ main          target: 2 steps down from common
//! ```
//!
//! A block in a `p` below `main` has `main` as common element and the `p` as its branch; the
//! target's branch is then `main` itself. A block whose element is the common element, such as text
//! directly in `body`, has no branch of its own.

use super::columns::Cursor;
use super::feature::{Row, StructureFeature, list};
use super::records::Records;
use crate::enclosing::inherit;
use crate::share::share;
use warcsieve_common::shrink;
use warcsieve_html::Element;
use warcsieve_html::document::Document;

/// The source of these features.
const READABILITY: &str = "after Readability's candidates";

const ROWS: &[Row] = &[
    (
        "up",
        "steps",
        READABILITY,
        "from the block's element up to the common element",
    ),
    (
        "down",
        "steps",
        READABILITY,
        "from the common element down to the target",
    ),
    (
        "share",
        "share",
        READABILITY,
        "words under the common element / words of the page",
    ),
    (
        "part",
        "share",
        READABILITY,
        "words under the target / words of the page",
    ),
    (
        "branch.share",
        "share",
        READABILITY,
        "words of the block's branch / words of the page; 1 if the block has no branch",
    ),
    (
        "branch.ratio",
        "quotient",
        READABILITY,
        "words of the block's branch / words of the target's branch; 1 if the block has no branch",
    ),
    (
        "branch.linked",
        "share",
        READABILITY,
        "linked words of the block's branch / its words",
    ),
    (
        "branch.prose",
        "share",
        READABILITY,
        "words of prose blocks of the block's branch / its words",
    ),
    (
        "branch.ended",
        "share",
        READABILITY,
        "words of those blocks of the block's branch that end like a sentence / words of the branch",
    ),
    (
        "branch.blocks",
        "blocks",
        READABILITY,
        "blocks of the block's branch",
    ),
    (
        "branch.after",
        "share",
        READABILITY,
        "elements from the start of the target's branch to the start of the block's branch, negative if the block's branch comes first / elements of the page; only elements with text count",
    ),
];

pub(super) fn features() -> Vec<StructureFeature> {
    list("vote.", "", ROWS)
}

/// The minimum number of words of a block that votes.
const WORDS: u32 = 8;
/// With at least this link density, a block does not vote.
const LINKED: f32 = 0.5;
/// How many words a comma counts as.
const COMMA: f32 = 10.0;
/// The shares of a vote for the container's parent, its grandparent and the element above that.
const SHARES: [f32; 3] = [1.0, 0.5, 1.0 / 3.0];

/// How an element is related to the target.
#[derive(Clone, Copy, Debug, Default)]
struct Relation {
    /// The nearest element at or above it that holds the target.
    common: u32,
    /// The child of `common` at or above it; `common` itself if it has no branch of its own.
    branch: u32,
    /// Steps up to `common`.
    up: u16,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Votes {
    /// By element.
    votes: Vec<f32>,
    target: usize,
    /// By element.
    relations: Vec<Relation>,
    /// The elements from the root down to the target, by depth.
    path: Vec<u32>,
}

impl Votes {
    pub fn read(&mut self, doc: &Document, records: &Records) {
        let elements = records.elements();
        shrink(&mut self.votes);
        self.votes.clear();
        self.votes.resize(elements.len(), 0.0);
        for (i, (block, text)) in doc.blocks.iter().zip(&records.texts).enumerate() {
            let linked = block.link_density();
            if block.words < WORDS || linked >= LINKED {
                continue;
            }
            let vote = (block.words as f32 + COMMA * text.commas as f32) * (1.0 - linked);
            self.vote(elements, records.place(i).1, vote);
        }
        self.target = argmax(&self.votes);
        self.relate(elements);
    }

    fn vote(&mut self, elements: &[Element], container: usize, vote: f32) {
        let mut at = container;
        for share in SHARES {
            let parent = elements[at].parent as usize;
            if parent == at {
                break;
            }
            self.votes[parent] += vote * share;
            at = parent;
        }
    }

    /// Finds the path to the target and the relation of every element to it, top down: an element
    /// that holds the target is its own common element; any other has that of its parent.
    fn relate(&mut self, elements: &[Element]) {
        let target = self.target;
        self.path.clear();
        let mut at = target;
        loop {
            self.path.push(at as u32);
            let parent = elements[at].parent as usize;
            if parent == at {
                break;
            }
            at = parent;
        }
        self.path.reverse();
        inherit(
            elements,
            &mut self.relations,
            |i, element, above: Option<Relation>| {
                let id = i as u32;
                let holds_target = i <= target && target < element.end as usize;
                match above {
                    Some(above) if !holds_target => Relation {
                        branch: if element.parent == above.common {
                            id
                        } else {
                            above.branch
                        },
                        common: above.common,
                        up: above.up.saturating_add(1),
                    },
                    _ => Relation {
                        common: id,
                        branch: id,
                        up: 0,
                    },
                }
            },
        );
    }

    /// The target's branch below a common element of that depth: the next element on the path to
    /// the target, or the target itself if it is the common element.
    fn target_branch(&self, depth: usize) -> usize {
        let below = self.path.get(depth + 1);
        below.map_or(self.target, |e| *e as usize)
    }

    pub fn push(&self, records: &Records, block: usize, to: &mut Cursor<'_>) {
        let page = records.total.words;
        let (element, _) = records.place(block);
        let Relation { common, branch, up } = self.relations[element];
        let (common, branch) = (common as usize, branch as usize);
        let target_branch = self.target_branch(usize::from(records.depths[common]));
        let depth = |i: usize| f32::from(records.depths[i]);
        let (own, other) = (&records.sums[branch], &records.sums[target_branch]);
        // The block has no branch of its own.
        let inside = branch == common;
        to.extend([
            f32::from(up),
            depth(self.target) - depth(common),
            share(records.sums[common].words, page),
            share(records.sums[self.target].words, page),
            if inside { 1.0 } else { share(own.words, page) },
            if inside {
                1.0
            } else {
                own.words as f32 / other.words.max(1) as f32
            },
            share(own.linked, own.words),
            share(own.prose, own.words),
            share(own.ended, own.words),
            own.blocks as f32,
            if inside {
                0.0
            } else {
                (branch as f32 - target_branch as f32) / records.elements().len() as f32
            },
        ]);
    }
}

/// The index of the greatest value; of equal ones, the first.
fn argmax(values: &[f32]) -> usize {
    let mut best = 0;
    for (i, value) in values.iter().enumerate() {
        if *value > values[best] {
            best = i;
        }
    }
    best
}
