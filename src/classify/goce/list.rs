//! The list-view algorithm: all elements of one class at one depth (§3.3.3, Algorithm 2).

use crate::document::{Document, shrink};
use crate::features::elements::{class_name, subtree_sums};
use crate::html::ElementId;
use std::cmp::Ordering;

/// The elements that hold the items of one page's list; buffers are kept for the next.
#[derive(Debug, Default)]
pub struct ListView {
    /// Characters in each subtree. A block's are its element's, so what is inline in it has none.
    chars: Vec<u32>,
    depths: Vec<u32>,
    /// At each depth the class of the last element that had one, and its place in `groups`.
    last: Vec<(u64, usize)>,
    groups: Vec<Group>,
    /// For each element whether its own text is in one of the chosen.
    inside: Vec<bool>,
    /// What was chosen; `None` where no element with text has a class.
    pub chosen: Option<Group>,
}

/// Elements of one class at one depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// The first of them.
    pub first: ElementId,
    /// How many there are: O.
    pub occurrences: u32,
    /// Characters of the text in all of them: L. More than 0.
    pub chars: u32,
    /// Hash of depth and class.
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
        f64::from(self.chars) / f64::from(self.occurrences)
    }

    /// Numerator and denominator of [`Group::rank`].
    fn quotient(&self) -> (u128, u128) {
        let (o, l) = (u128::from(self.occurrences), u128::from(self.chars));
        (2 * o * l, o + l)
    }

    /// The greater R first, of equal ones that which the page has first.
    fn by_rank(&self, other: &Self) -> Ordering {
        let ((a, b), (c, d)) = (self.quotient(), other.quotient());
        (c * b).cmp(&(a * d)).then(self.first.cmp(&other.first))
    }

    /// The greater L / O first, of equal ones that which the page has first.
    fn by_length(&self, other: &Self) -> Ordering {
        let product = |l: u32, o: u32| u64::from(l) * u64::from(o);
        let (mine, others) = (
            product(self.chars, other.occurrences),
            product(other.chars, self.occurrences),
        );
        others.cmp(&mine).then(self.first.cmp(&other.first))
    }
}

/// Of one class at one depth.
fn key(depth: u32, class: u64) -> u64 {
    class ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl ListView {
    /// Chooses among the `candidates` (at least 1) classes of the greatest R. `classes` are the
    /// page's [`class_hashes`](crate::features::elements::class_hashes). Time: that of sorting
    /// the elements that have a class.
    pub fn choose(&mut self, doc: &Document, classes: &[u64], candidates: usize) {
        let own = doc.blocks.iter().map(|b| (b.element, b.chars));
        subtree_sums(doc, own, &mut self.chars);
        shrink(&mut self.depths);
        self.depths.clear();
        self.group(doc, classes);
        let last = candidates.min(self.groups.len()).saturating_sub(1);
        if last + 1 < self.groups.len() {
            self.groups.select_nth_unstable_by(last, Group::by_rank);
            self.groups.truncate(last + 1);
        }
        self.chosen = self.groups.iter().copied().min_by(Group::by_length);
        self.mark(doc, classes);
    }

    /// Refills `depths`, and `groups` with those that have text.
    fn group(&mut self, doc: &Document, classes: &[u64]) {
        shrink(&mut self.groups);
        self.groups.clear();
        self.last.clear();
        for (i, (element, &class)) in doc.tree.elements.iter().zip(classes).enumerate() {
            let above = self.depths.get(element.parent as usize);
            let depth = above.map_or(0, |depth| depth + 1);
            self.depths.push(depth);
            if self.last.len() <= depth as usize {
                self.last.push((0, 0));
            }
            if class == 0 {
                continue;
            }
            // Mostly it is that of the element before it at this depth, and nothing is left to sort.
            let (known, at) = &mut self.last[depth as usize];
            if *known != class {
                (*known, *at) = (class, self.groups.len());
                self.groups.push(Group {
                    first: i as ElementId,
                    occurrences: 0,
                    chars: 0,
                    key: key(depth, class),
                });
            }
            let group = &mut self.groups[*at];
            group.occurrences += 1;
            group.chars = group.chars.saturating_add(self.chars[i]);
        }
        self.groups.sort_unstable_by_key(|g| (g.key, g.first));
        self.groups.dedup_by(|other, group| {
            let same = other.key == group.key;
            if same {
                group.occurrences += other.occurrences;
                group.chars = group.chars.saturating_add(other.chars);
            }
            same
        });
        self.groups.retain(|group| group.chars > 0);
    }

    /// Marks what the chosen elements hold.
    fn mark(&mut self, doc: &Document, classes: &[u64]) {
        let elements = &doc.tree.elements;
        shrink(&mut self.inside);
        self.inside.clear();
        // Where there is nothing to choose from, the whole page is the list.
        self.inside.resize(elements.len(), self.chosen.is_none());
        let Some(chosen) = self.chosen else {
            return;
        };
        let mut i = chosen.first as usize;
        while i < elements.len() {
            if classes[i] != 0 && key(self.depths[i], classes[i]) == chosen.key {
                let end = elements[i].end as usize;
                self.inside[i..end].fill(true);
                // One holds another only where hashes collide.
                i = end.max(i + 1);
            } else {
                i += 1;
            }
        }
    }

    /// Whether the element's own text is the list's. A page without elements is all list.
    pub fn is_inside(&self, element: ElementId) -> bool {
        self.inside.get(element as usize).copied().unwrap_or(true)
    }

    /// The chosen class for a person.
    pub fn describe(&self, doc: &Document) -> String {
        let Some(group) = self.chosen else {
            return "the page, for no element with text has a class".to_owned();
        };
        let element = &doc.tree.elements[group.first as usize];
        format!(
            "{} of class \"{}\" at depth {} (R {:.1}, {:.1} characters each)",
            group.occurrences,
            class_name(doc.attributes(element)),
            self.depths[group.first as usize],
            group.rank(),
            group.average_length()
        )
    }
}
