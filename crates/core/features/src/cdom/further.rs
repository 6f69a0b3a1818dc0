//! The features that are in the program of the paper's authors but not in the paper's Table 1:
//! signs in the text, how often the text occurs, tags of merged elements, and the node at which two
//! neighbouring blocks meet.
//!
//! # Deviations
//! * The program cuts values off at bounds of its own, and standardises them with constants. Here
//!   the networks standardise them like all other features.
//! * It divides the number of blocks with the same class path by the number of all blocks in whole
//!   numbers, which results in 0. Here the quotient is a share.

use super::edge::Edges;
use super::nodes::Nodes;
use super::table::{LEAF_TAGS, MARKS, NODE, PARENT_TAGS};
use super::tree::CollapsedTree;
use crate::elements::hash;
use crate::enclosing::inherit;
use crate::share::share;
use crate::skeleton::Skeleton;
use std::ops::Range;
use warcsieve_common::shrink;
use warcsieve_html::Tag;
use warcsieve_html::document::{Block, Document};

/// Counts of one text or several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Marks {
    chars: u32,
    words: u32,
    numerals: u32,
    copyrights: u32,
    emails: u32,
    urls: u32,
    years: u32,
}

macro_rules! each_mark {
    ($a:expr, $b:expr, $op:ident) => {
        Marks {
            chars: $a.chars.$op($b.chars),
            words: $a.words.$op($b.words),
            numerals: $a.numerals.$op($b.numerals),
            copyrights: $a.copyrights.$op($b.copyrights),
            emails: $a.emails.$op($b.emails),
            urls: $a.urls.$op($b.urls),
            years: $a.years.$op($b.years),
        }
    };
}

impl Marks {
    fn of(doc: &Document, block: &Block) -> Self {
        let mut marks = Self {
            chars: block.chars,
            words: block.words,
            ..Self::default()
        };
        for token in doc.block_text(block).split(char::is_whitespace) {
            for c in token.chars() {
                marks.numerals += u32::from(c.is_numeric());
                marks.copyrights += u32::from(c == '©');
            }
            marks.emails += u32::from(is_email(token));
            marks.urls += u32::from(is_url(token));
            marks.years += u32::from(has_year(token));
        }
        marks
    }

    fn minus(&self, other: &Self) -> Self {
        each_mark!(self, other, wrapping_sub)
    }

    /// In the order of [`MARKS`].
    fn features(&self) -> [f32; MARKS.len()] {
        let has = |count: u32| f32::from(u8::from(count > 0));
        [
            libm::logf(self.words.max(1) as f32),
            has(self.numerals),
            share(self.numerals, self.chars),
            has(self.copyrights),
            has(self.emails),
            has(self.urls),
            has(self.years),
        ]
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether the token has an `@` with a letter or digit before it, and a letter, digit or period
/// after it.
fn is_email(token: &str) -> bool {
    token.match_indices('@').any(|(at, _)| {
        let before = token[..at].chars().next_back();
        let after = token[at + 1..].chars().next();
        before.is_some_and(is_word) && after.is_some_and(|c| is_word(c) || c == '.')
    })
}

fn is_url(token: &str) -> bool {
    ["http://", "https://", "ftp://"].iter().any(|scheme| {
        let rest = token.find(scheme).map(|at| &token[at + scheme.len()..]);
        rest.is_some_and(|rest| rest.starts_with(is_word))
    })
}

/// Whether the token contains four digits with no letter or digit next to them.
fn has_year(token: &str) -> bool {
    let mut parts = token.split(|c| !is_word(c));
    parts.any(|part| part.len() == 4 && part.bytes().all(|b| b.is_ascii_digit()))
}

/// The values from which the features of one page are computed.
///
/// Texts and paths whose hashes collide count as equal. Memory: 16 bytes per element that holds
/// text, 53 per block.
#[derive(Clone, Debug, Default)]
pub(super) struct Further {
    /// Prefix sums: the marks of all blocks before each block, and at the end those of all blocks.
    before: Vec<Marks>,
    /// By element: the [`bit`]s of its tag and of the tags that are merged with it from above.
    chains: Vec<u64>,
    /// By node of the Collapsed DOM: the bits of its tags.
    nodes: Vec<u64>,
    /// By block: how many blocks have its text, and how many have its class path.
    same: Vec<[u32; 2]>,
    /// Scratch: the hashes of texts and of class paths, of all blocks.
    sorted: [Vec<u64>; 2],
    /// By block: whether an element that is not inline begins or ends between it and the next.
    breaks: Vec<bool>,
}

/// A bit for each of the tags in [`LEAF_TAGS`] and [`PARENT_TAGS`].
fn bit(tag: Tag) -> u64 {
    let mut all = LEAF_TAGS.iter().chain(&PARENT_TAGS);
    all.position(|(t, _)| *t == tag).map_or(0, |at| 1 << at)
}

impl Further {
    pub fn read(
        &mut self,
        doc: &Document,
        skeleton: &Skeleton,
        tree: &CollapsedTree,
        edges: &Edges,
    ) {
        shrink(&mut self.before);
        self.before.clear();
        let mut sum = Marks::default();
        self.before.push(sum);
        for block in &doc.blocks {
            sum = each_mark!(sum, Marks::of(doc, block), wrapping_add);
            self.before.push(sum);
        }
        inherit(&skeleton.elements, &mut self.chains, |i, element, above| {
            let merged = i > 0 && tree.children(element.parent) == 1;
            bit(element.tag) | above.filter(|_| merged).unwrap_or(0)
        });
        shrink(&mut self.nodes);
        self.nodes.clear();
        let chains = (0..).zip(&self.chains);
        let branching = chains.filter(|(element, _)| tree.children(*element) > 1);
        self.nodes.extend(branching.map(|(_, bits)| *bits));
        self.count_same(doc, skeleton, edges);
        self.find_breaks(doc);
    }

    fn count_same(&mut self, doc: &Document, skeleton: &Skeleton, edges: &Edges) {
        let text = |block: usize| hash(doc.block_text(&doc.blocks[block]).as_bytes());
        let path = |block: usize| edges.path(skeleton.place(block).0);
        let blocks = 0..doc.blocks.len();
        for (sorted, of) in self
            .sorted
            .iter_mut()
            .zip([&text as &dyn Fn(usize) -> u64, &path])
        {
            shrink(sorted);
            sorted.clear();
            sorted.extend(blocks.clone().map(of));
            sorted.sort_unstable();
        }
        let [texts, paths] = &self.sorted;
        let count = |sorted: &[u64], value: u64| {
            let first = sorted.partition_point(|v| *v < value);
            let same = sorted[first..].partition_point(|v| *v == value);
            same as u32
        };
        shrink(&mut self.same);
        self.same.clear();
        let same = |block| [count(texts, text(block)), count(paths, path(block))];
        self.same.extend(blocks.map(same));
    }

    fn find_breaks(&mut self, doc: &Document) {
        shrink(&mut self.breaks);
        self.breaks.clear();
        let mut runs = doc.runs.iter().peekable();
        // The first element that begins after the text before, and the container of that text.
        let mut last: Option<(u32, u32)> = None;
        for block in &doc.blocks {
            let (mut first, mut after) = (None, last.map_or(0, |last| last.0));
            while let Some(run) = runs.next_if(|run| run.start < block.text.end) {
                first.get_or_insert(run.next);
                after = run.next;
            }
            if let Some((from, container)) = last {
                let to = first.unwrap_or(from).max(from);
                // Each element begins between two blocks at most, so this takes linear time.
                let between = doc.tree.elements.get(from as usize..to as usize);
                let mut between = between.unwrap_or_default().iter();
                let separated = between.any(|element| !element.tag.is_inline());
                self.breaks.push(separated || container != block.container);
            }
            last = Some((after, block.container));
        }
        if last.is_some() {
            self.breaks.push(false);
        }
    }

    fn marks(&self, blocks: Range<usize>) -> [f32; MARKS.len()] {
        let marks = self.before[blocks.end].minus(&self.before[blocks.start]);
        marks.features()
    }

    /// Appends the features of a block, in the order of [`FURTHER`](super::FURTHER).
    pub fn push(
        &self,
        skeleton: &Skeleton,
        tree: &CollapsedTree,
        nodes: &Nodes,
        doc: &Document,
        block: usize,
        row: &mut Vec<f32>,
    ) {
        let all = doc.blocks.len();
        let parent = tree.parent(block);
        row.extend(self.marks(block..block + 1));
        row.extend(self.marks(tree.blocks(parent)));
        row.extend(self.marks(tree.blocks(tree.above(parent))));
        row.extend(self.marks(0..all));
        let [texts, paths] = self.same[block];
        let flag = |is: bool| f32::from(u8::from(is));
        row.extend([flag(texts > 1), flag(texts > 10)]);
        row.push(share(paths, all as u32));
        let element = skeleton.place(block).0;
        let own = match tree.children(element as u32) {
            1 => self.chains[element],
            _ => 0,
        };
        let above = self.nodes.get(parent as usize).copied().unwrap_or(0);
        let has = |bits: u64, tag: &Tag| flag(bits & bit(*tag) != 0);
        row.extend(LEAF_TAGS.iter().map(|(tag, _)| has(own, tag)));
        row.extend(PARENT_TAGS.iter().map(|(tag, _)| has(above, tag)));
        row.push(flag(self.breaks[block]));
        if block + 1 == all {
            row.extend([0.0; NODE.len() + MARKS.len()]);
            return;
        }
        let common = tree.blocks(tree.common(block));
        row.extend(nodes.of(doc, common.clone()));
        row.extend(self.marks(common));
    }
}
