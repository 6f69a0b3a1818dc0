//! The list-view algorithm: all elements of one class at one depth (§3.3.3, Algorithm 2).

use serde::Deserialize;
use std::cmp::Ordering;
use std::num::NonZeroU32;
use warcsieve_common::shrink;
use warcsieve_features::elements::subtree_sums;
use warcsieve_html::ElementId;
use warcsieve_html::document::Document;

/// How the text of the elements of a class is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Length {
    /// In characters.
    Characters,
    /// In words.
    #[default]
    Words,
}

/// Readings of the algorithm, as parameters of a step.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Reading {
    /// The number of classes with the greatest R to choose from; the paper's n (§3.3.3).
    pub candidates: NonZeroU32,
    /// Whether the elements without a class at one depth are a class, as in line 6 of Algorithm 2.
    pub classless: bool,
    /// What L counts.
    pub length: Length,
}

impl Default for Reading {
    fn default() -> Self {
        Self {
            candidates: NonZeroU32::new(15).expect("15 is not 0"),
            classless: true,
            length: Length::default(),
        }
    }
}

/// The elements that hold the items of one page's list; buffers are reused.
#[derive(Debug, Default)]
pub struct ListView {
    /// By element: the length of the text in its subtree. The text of a block counts for the element that holds
    /// all of it, so inline elements inside a block have none.
    lengths: Vec<u32>,
    depths: Vec<u32>,
    /// By depth: the class of the last element that is in a group, and the index of the group in `groups`.
    last: Vec<Option<(u64, usize)>>,
    groups: Vec<Group>,
    /// By element: whether its own text is in one of the chosen elements.
    inside: Vec<bool>,
    /// The chosen group; `None` if no element with text is in one.
    pub chosen: Option<Group>,
    length: Length,
}

/// Elements of one class at one depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// The first of them.
    pub first: ElementId,
    /// The number of elements: O.
    pub occurrences: u32,
    /// The length of the text in all of them: L. Greater than 0.
    pub length: u32,
    /// A hash of depth and class.
    key: u64,
}

impl Group {
    /// R = 2·O·L / (O + L) (Eq. 1).
    pub fn rank(&self) -> f64 {
        let (product, sum) = self.quotient();
        product as f64 / sum as f64
    }

    /// The average length of text: L / O (Eq. 2).
    pub fn average_length(&self) -> f64 {
        f64::from(self.length) / f64::from(self.occurrences)
    }

    /// Numerator and denominator of [`Group::rank`].
    fn quotient(&self) -> (u128, u128) {
        let (o, l) = (u128::from(self.occurrences), u128::from(self.length));
        (2 * o * l, o + l)
    }

    /// Orders by falling R, compared exactly as fractions; of equal ones, the first on the page.
    fn by_rank(&self, other: &Self) -> Ordering {
        let ((a, b), (c, d)) = (self.quotient(), other.quotient());
        (c * b).cmp(&(a * d)).then(self.first.cmp(&other.first))
    }

    /// Orders by falling L / O, compared exactly; of equal ones, the first on the page.
    fn by_length(&self, other: &Self) -> Ordering {
        let product = |l: u32, o: u32| u64::from(l) * u64::from(o);
        let (mine, others) = (
            product(self.length, other.occurrences),
            product(other.length, self.occurrences),
        );
        others.cmp(&mine).then(self.first.cmp(&other.first))
    }
}

/// The key of a class at a depth.
fn key(depth: u32, class: u64) -> u64 {
    class ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl ListView {
    /// Chooses the class with the greatest L / O among the candidates, the classes with the greatest R. `classes` are
    /// the page's [`class_hashes`](warcsieve_features::elements::class_hashes). Time: that of sorting the elements.
    pub fn choose(&mut self, doc: &Document, classes: &[u64], reading: Reading) {
        self.length = reading.length;
        let own = doc.blocks.iter().map(|b| match reading.length {
            Length::Characters => (b.element, b.chars),
            Length::Words => (b.element, b.words),
        });
        subtree_sums(doc, own, &mut self.lengths);
        shrink(&mut self.depths);
        self.depths.clear();
        self.group(doc, classes, reading.classless);
        let candidates = reading.candidates.get() as usize;
        let last = candidates.min(self.groups.len()).saturating_sub(1);
        if last + 1 < self.groups.len() {
            self.groups.select_nth_unstable_by(last, Group::by_rank);
            self.groups.truncate(last + 1);
        }
        self.chosen = self.groups.iter().copied().min_by(Group::by_length);
        self.mark(doc, classes, reading.classless);
    }

    /// Refills `depths`, and `groups` with the groups that have text.
    fn group(&mut self, doc: &Document, classes: &[u64], classless: bool) {
        shrink(&mut self.groups);
        self.groups.clear();
        self.last.clear();
        for (i, (element, &class)) in doc.tree.elements.iter().zip(classes).enumerate() {
            let above = self.depths.get(element.parent as usize);
            let depth = above.map_or(0, |depth| depth + 1);
            self.depths.push(depth);
            if self.last.len() <= depth as usize {
                self.last.push(None);
            }
            if class == 0 && !classless {
                continue;
            }
            // Mostly an element has the same class as the one before it at this depth. Adding to
            // that group directly leaves few groups to sort and merge.
            let last = &mut self.last[depth as usize];
            let at = match *last {
                Some((known, at)) if known == class => at,
                _ => {
                    let at = self.groups.len();
                    *last = Some((class, at));
                    self.groups.push(Group {
                        first: i as ElementId,
                        occurrences: 0,
                        length: 0,
                        key: key(depth, class),
                    });
                    at
                }
            };
            let group = &mut self.groups[at];
            group.occurrences += 1;
            group.length = group.length.saturating_add(self.lengths[i]);
        }
        self.groups.sort_unstable_by_key(|g| (g.key, g.first));
        self.groups.dedup_by(|other, group| {
            let same = other.key == group.key;
            if same {
                group.occurrences += other.occurrences;
                group.length = group.length.saturating_add(other.length);
            }
            same
        });
        self.groups.retain(|group| group.length > 0);
    }

    /// Marks the subtrees of the chosen elements.
    fn mark(&mut self, doc: &Document, classes: &[u64], classless: bool) {
        let elements = &doc.tree.elements;
        shrink(&mut self.inside);
        self.inside.clear();
        // If there is nothing to choose from, the whole page is the list.
        self.inside.resize(elements.len(), self.chosen.is_none());
        let Some(chosen) = self.chosen else {
            return;
        };
        let mut i = chosen.first as usize;
        while i < elements.len() {
            if (classless || classes[i] != 0) && key(self.depths[i], classes[i]) == chosen.key {
                let end = elements[i].end as usize;
                self.inside[i..end].fill(true);
                // All are at one depth, so none contains another, unless hashes collide.
                i = end.max(i + 1);
            } else {
                i += 1;
            }
        }
    }

    /// Whether the element's own text is part of the list. A page without elements is all list.
    pub fn is_inside(&self, element: ElementId) -> bool {
        self.inside.get(element as usize).copied().unwrap_or(true)
    }

    /// Describes the chosen class to a person.
    pub fn describe(&self, doc: &Document) -> String {
        let Some(group) = self.chosen else {
            return "the page, because no element with text has a class".to_owned();
        };
        let element = &doc.tree.elements[group.first as usize];
        let class = match doc.tree.class(element).trim_ascii() {
            "" => "no class".to_owned(),
            class => format!("class \"{class}\""),
        };
        let unit = match self.length {
            Length::Characters => "characters",
            Length::Words => "words",
        };
        format!(
            "{} of {class} at depth {} (R {:.1}, {:.1} {unit} each)",
            group.occurrences,
            self.depths[group.first as usize],
            group.rank(),
            group.average_length()
        )
    }
}
