//! Where a block is from the element that most text votes for.

use super::columns::Cursor;
use super::records::Records;
use super::share;
use super::table::{Row, StructureFeature, list};
use crate::document::{Document, shrink};
use crate::features::enclosing::inherit;
use crate::html::Element;

/// Readability's way to find a page's main element.
const VOTED: &str = "after Readability's candidates";

const ROWS: &[Row] = &[
    (
        "up",
        "steps",
        VOTED,
        "up to the nearest element that holds it, too",
    ),
    ("down", "steps", VOTED, "from there down to it"),
    (
        "share",
        "share",
        VOTED,
        "words under that nearest element / words of the page",
    ),
    ("part", "share", VOTED, "words under it / words of the page"),
    (
        "branch.share",
        "share",
        VOTED,
        "words of the block's branch / words of the page; 1 if it has none of its own",
    ),
    (
        "branch.ratio",
        "quotient",
        VOTED,
        "words of the block's branch / words of its branch; 1 if the block has none of its own",
    ),
    (
        "branch.linked",
        "share",
        VOTED,
        "linked words of the branch / its words",
    ),
    (
        "branch.prose",
        "share",
        VOTED,
        "words of prose blocks of the branch / its words",
    ),
    (
        "branch.ended",
        "share",
        VOTED,
        "words of blocks of the branch that end like a sentence / its words",
    ),
    ("branch.blocks", "blocks", VOTED, "of the branch"),
    (
        "branch.after",
        "share",
        VOTED,
        "elements from the start of its branch to that of the block's, negative if the latter comes first / elements of the page, of those with text",
    ),
];

pub(super) fn features() -> Vec<StructureFeature> {
    list("vote.", "of the element with most votes: ", ROWS)
}

/// Fewest words of a block that votes.
const WORDS: u32 = 8;
/// Link density from which on none does.
const LINKED: f32 = 0.5;
/// What each comma counts.
const COMMA: f32 = 10.0;
/// What the container's parent, the next element up and the one above get.
const SHARES: [f32; 3] = [1.0, 0.5, 1.0 / 3.0];

/// How an element is to the target.
#[derive(Clone, Copy, Debug, Default)]
struct Way {
    /// The nearest element at or above it that holds the target.
    common: u32,
    /// The child of `common` at or above it; itself if it is `common`.
    branch: u32,
    up: u16,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Votes {
    /// By element.
    votes: Vec<f32>,
    target: usize,
    /// By element.
    ways: Vec<Way>,
    /// From the root down to the target.
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
        self.target = greatest(&self.votes);
        self.find_ways(elements);
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

    fn find_ways(&mut self, elements: &[Element]) {
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
            &mut self.ways,
            |i, element, above: Option<Way>| {
                let id = i as u32;
                match above {
                    Some(above) if !(i <= target && target < element.end as usize) => Way {
                        branch: if element.parent == above.common {
                            id
                        } else {
                            above.branch
                        },
                        common: above.common,
                        up: above.up.saturating_add(1),
                    },
                    _ => Way {
                        common: id,
                        branch: id,
                        up: 0,
                    },
                }
            },
        );
    }

    /// The element on the way down to the target that is below one at that depth, or else the target.
    fn branch_below(&self, depth: usize) -> usize {
        let below = self.path.get(depth + 1);
        below.map_or(self.target, |e| *e as usize)
    }

    pub fn push(&self, records: &Records, block: usize, to: &mut Cursor<'_>) {
        let page = records.total.words;
        let (element, _) = records.place(block);
        let Way { common, branch, up } = self.ways[element];
        let (common, branch) = (common as usize, branch as usize);
        let theirs = self.branch_below(usize::from(records.depths[common]));
        let depth = |i: usize| f32::from(records.depths[i]);
        let (own, other) = (&records.sums[branch], &records.sums[theirs]);
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
                (branch as f32 - theirs as f32) / records.elements().len() as f32
            },
        ]);
    }
}

/// The index of the greatest value, of equal ones the first.
fn greatest(values: &[f32]) -> usize {
    let mut best = 0;
    for (i, value) in values.iter().enumerate() {
        if *value > values[best] {
            best = i;
        }
    }
    best
}
