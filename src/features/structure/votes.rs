//! Where a block is from the element that most text votes for, and from the densest one.

use super::containers::Containers;
use super::records::{Records, elements, index, inherit};
use super::share;
use super::table::{DENSITY, Row, StructureFeature, list};
use crate::document::{Block, Document, shrink};

/// Readability's way to find a page's main element.
const VOTED: &str = "after Readability's candidates";

const ROWS: &[Row] = &[
    (
        "up",
        "steps",
        "",
        "up to the nearest element that holds it, too",
    ),
    ("down", "steps", "", "from there down to it"),
    (
        "share",
        "share",
        "",
        "words under that nearest element / words of the page",
    ),
    ("part", "share", "", "words under it / words of the page"),
    (
        "branch.share",
        "share",
        "",
        "words of the block's branch / words of the page; 1 if it has none of its own",
    ),
    (
        "branch.ratio",
        "quotient",
        "",
        "words of the block's branch / words of its branch; 1 if the block has none of its own",
    ),
    (
        "branch.linked",
        "share",
        "",
        "linked words of the branch / its words",
    ),
    (
        "branch.prose",
        "share",
        "",
        "words of prose blocks of the branch / its words",
    ),
    (
        "branch.ended",
        "share",
        "",
        "words of blocks of the branch that end like a sentence / its words",
    ),
    ("branch.blocks", "blocks", "", "of the branch"),
    (
        "branch.after",
        "share",
        "",
        "elements from the start of its branch to that of the block's, negative if the latter comes first / elements of the page",
    ),
];

pub(super) fn features() -> Vec<StructureFeature> {
    let of = |prefix: &str, target: &str, source: &'static str| {
        let mut rows = list(prefix, target, ROWS);
        rows.iter_mut().for_each(|f| f.source = source);
        rows
    };
    let voted = "of the element with most votes: ";
    let dense = "of the densest element: ";
    [of("vote.", voted, VOTED), of("dense.", dense, DENSITY)].concat()
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
struct Target {
    element: usize,
    /// By element.
    ways: Vec<Way>,
    /// From the root down to the target.
    path: Vec<u32>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Votes {
    votes: Vec<f32>,
    targets: [Target; 2],
}

impl Votes {
    pub fn read(&mut self, doc: &Document, records: &Records, containers: &Containers) {
        let elements = elements(doc);
        shrink(&mut self.votes);
        self.votes.clear();
        self.votes.resize(elements.len(), 0.0);
        for (block, text) in doc.blocks.iter().zip(&records.texts) {
            let linked = block.link_density();
            if block.words < WORDS || linked >= LINKED {
                continue;
            }
            let vote = (block.words as f32 + COMMA * text.commas as f32) * (1.0 - linked);
            self.vote(doc, block, vote);
        }
        let best = [
            greatest(self.votes.iter().map(|v| f64::from(*v))),
            greatest(containers.density_sums.iter().copied()),
        ];
        for (target, best) in self.targets.iter_mut().zip(best) {
            target.read(doc, best);
        }
    }

    fn vote(&mut self, doc: &Document, block: &Block, vote: f32) {
        let elements = elements(doc);
        let mut at = index(doc, block.container);
        for share in SHARES {
            let parent = elements[at].parent as usize;
            if parent == at {
                break;
            }
            self.votes[parent] += vote * share;
            at = parent;
        }
    }

    pub fn push(&self, doc: &Document, records: &Records, block: usize, row: &mut Vec<f32>) {
        let page = records.total;
        let (element, _) = records.place(doc, block);
        for target in &self.targets {
            let Way { common, branch, up } = target.ways[element];
            let (common, branch) = (common as usize, branch as usize);
            let theirs = target.branch_below(usize::from(records.depths[common]));
            let depth = |i: usize| f32::from(records.depths[i]);
            let (own, other) = (&records.sums[branch], &records.sums[theirs]);
            let inside = branch == common;
            row.extend([
                f32::from(up),
                depth(target.element) - depth(common),
                share(records.sums[common].words, page.words),
                share(records.sums[target.element].words, page.words),
                if inside {
                    1.0
                } else {
                    share(own.words, page.words)
                },
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
                    (branch as f32 - theirs as f32) / page.elements.max(1) as f32
                },
            ]);
        }
    }
}

impl Target {
    fn read(&mut self, doc: &Document, target: usize) {
        self.element = target;
        self.path.clear();
        let mut at = target;
        loop {
            self.path.push(at as u32);
            let parent = elements(doc)[at].parent as usize;
            if parent == at {
                break;
            }
            at = parent;
        }
        self.path.reverse();
        inherit(
            elements(doc),
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
        self.path
            .get(depth + 1)
            .map_or(self.element, |e| *e as usize)
    }
}

/// The index of the greatest value, of equal ones the first.
fn greatest(values: impl Iterator<Item = f64>) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (i, value) in values.enumerate() {
        if value > best.1 {
            best = (i, value);
        }
    }
    best.0
}
