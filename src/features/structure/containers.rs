//! What stands in the elements around a block.

use super::records::{Records, elements, inherit, number};
use super::table::{DENSITY, OURS, Row, StructureFeature, list};
use super::{log, share};
use crate::document::{Document, shrink};
use crate::features::density::{CompositeTextDensity, Counts, count, density_sums};
use crate::features::elements::mix;
use crate::html::Tag;

const CONTAINER: &[Row] = &[
    ("words", "log", OURS, "ln(1 + words)"),
    ("share", "share", OURS, "words / words of the page"),
    ("linked", "share", OURS, "linked words / words"),
    ("prose", "share", OURS, "words of prose blocks / words"),
    (
        "ended",
        "share",
        OURS,
        "words of blocks that end like a sentence / words",
    ),
    ("words_a_block", "words", OURS, "words / blocks"),
    ("words_an_element", "words", OURS, "words / elements"),
    ("headings", "a block", OURS, "headings / blocks"),
    ("controls", "a block", OURS, "buttons and fields / blocks"),
    ("images", "a block", OURS, "images / blocks"),
    (
        "same",
        "elements",
        OURS,
        "with words, of its tag and class under its parent, itself included",
    ),
    (
        "same_share",
        "share",
        OURS,
        "their words / words of the page",
    ),
    (
        "density_sum",
        "log",
        DENSITY,
        "ln(1 + DensitySum) by composite text density, over 10⁹ as 10⁹",
    ),
];

const RECORD: &[Row] = &[
    (
        "record.up",
        "steps",
        OURS,
        "from the nearest element that is not inline up to the nearest of two blocks or more with two others with words of its tag and class under its parent; 40 if there is none",
    ),
    (
        "record.same",
        "elements",
        OURS,
        "how many of them there are, itself included",
    ),
    (
        "record.share",
        "share",
        OURS,
        "their words / words of the page",
    ),
];

/// How many containers are looked at: the nearest element that is not inline, and from each
/// the next up that is not inline either and holds more words.
const CONTAINERS: usize = 4;

const OF: [(&str, &str); CONTAINERS] = [
    ("c0.", "of the nearest element that is not inline: "),
    (
        "c1.",
        "of the next such element up that holds more words, or else of the root: ",
    ),
    ("c2.", "of the next after c1, in the same way: "),
    ("c3.", "of the next after c2, in the same way: "),
];

pub(super) fn features() -> Vec<StructureFeature> {
    let mut all: Vec<_> = OF
        .iter()
        .flat_map(|(prefix, of)| list(prefix, of, CONTAINER))
        .collect();
    all.extend(list("", "", RECORD));
    all
}

/// Elements of one tag and class under one parent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Siblings {
    pub elements: u32,
    pub words: u32,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Containers {
    /// By element: the next container up that holds more words; the root is its own.
    wider: Vec<u32>,
    /// By element: the nearest record at or above it, and steps up.
    record: Vec<(Option<u32>, u16)>,
    /// By element: its number in `siblings`.
    group: Vec<u32>,
    pub siblings: Vec<Siblings>,
    /// By element: composite text density, and its sum over the children.
    pub densities: Vec<f64>,
    pub density_sums: Vec<f64>,
    counts: Vec<Counts>,
    sorted: Vec<(u64, u32)>,
}

impl Containers {
    pub fn read(&mut self, doc: &Document, records: &Records) {
        let elements = elements(doc);
        self.read_densities(doc);
        self.read_siblings(doc, records);
        let words = |i: u32| records.sums[i as usize].words;
        // The nearest element above that is not inline.
        let mut outer: Vec<u32> = Vec::new();
        inherit(elements, &mut outer, |_, element, above| match above {
            Some(above) if elements[element.parent as usize].tag.is_inline() => above,
            _ => element.parent,
        });
        inherit(elements, &mut self.wider, |i, _, _| i as u32);
        for i in 0..elements.len() {
            let outer = outer[i];
            self.wider[i] = if words(outer) > words(i as u32) || outer as usize == i {
                outer
            } else {
                self.wider[outer as usize]
            };
        }
        inherit(elements, &mut self.record, |i, element, above| {
            let same = self.siblings[self.group[i] as usize].elements;
            let is_root = element.parent as usize == i;
            if !is_root && same >= 3 && records.sums[i].blocks >= 2 {
                (Some(i as u32), 0)
            } else {
                above.map_or((None, 0), |(record, up)| (record, up.saturating_add(1)))
            }
        });
    }

    /// The next container up from an element that holds more words.
    #[cfg(test)]
    pub fn wider(&self, element: usize) -> usize {
        self.wider[element] as usize
    }

    fn read_densities(&mut self, doc: &Document) {
        shrink(&mut self.counts);
        count(doc, &mut self.counts);
        let body = doc.tree.elements.iter().position(|e| e.tag == Tag::Body);
        let page = self.counts.get(body.unwrap_or(0));
        let density = CompositeTextDensity::new(&page.copied().unwrap_or_default());
        shrink(&mut self.densities);
        self.densities.clear();
        self.densities
            .extend(self.counts.iter().map(|c| density.of(c)));
        shrink(&mut self.density_sums);
        density_sums(&doc.tree, &self.densities, &mut self.density_sums);
        self.density_sums.resize(elements(doc).len(), 0.0);
        // Of a great page, what is no longer needed makes room for what follows.
        shrink(&mut self.counts);
        shrink(&mut self.densities);
    }

    /// Elements without words are nobody's siblings: all of them are one group.
    fn read_siblings(&mut self, doc: &Document, records: &Records) {
        let elements = elements(doc);
        let keys = elements.iter().enumerate().map(|(i, element)| {
            if records.sums[i].words == 0 {
                0
            } else {
                mix(records.kinds[i], u64::from(element.parent) + 1)
            }
        });
        let groups = number(keys, &mut self.sorted, &mut self.group);
        shrink(&mut self.siblings);
        self.siblings.clear();
        self.siblings.resize(groups, Siblings::default());
        for (i, group) in self.group.iter().enumerate() {
            if records.sums[i].words > 0 {
                let siblings = &mut self.siblings[*group as usize];
                siblings.elements += 1;
                siblings.words = siblings.words.saturating_add(records.sums[i].words);
            }
        }
    }

    pub fn push(&self, doc: &Document, records: &Records, block: usize, row: &mut Vec<f32>) {
        let page = records.total.words;
        let (_, container) = records.place(doc, block);
        let mut at = container;
        for _ in 0..CONTAINERS {
            let sums = &records.sums[at];
            let siblings = self.siblings[self.group[at] as usize];
            row.extend([
                log(sums.words as f32),
                share(sums.words, page),
                share(sums.linked, sums.words),
                share(sums.prose, sums.words),
                share(sums.ended, sums.words),
                share(sums.words, sums.blocks),
                share(sums.words, sums.elements),
                share(sums.headings, sums.blocks),
                share(sums.controls, sums.blocks),
                share(sums.images, sums.blocks),
                siblings.elements as f32,
                share(siblings.words, page),
                log(self.density_sums[at].min(1e9) as f32),
            ]);
            at = self.wider[at] as usize;
        }
        let (record, up) = self.record[container];
        let siblings = record.map(|r| self.siblings[self.group[r as usize] as usize]);
        let siblings = siblings.unwrap_or_default();
        row.extend([
            record.map_or(40.0, |_| f32::from(up)),
            siblings.elements as f32,
            share(siblings.words, page),
        ]);
    }
}
