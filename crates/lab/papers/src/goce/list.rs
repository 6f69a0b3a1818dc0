//! The list-view algorithm: all elements of one class at one depth (§3.3.3, Algorithm 2).

use std::cmp::Ordering;
use warcsieve_common::shrink;
use warcsieve_features::elements::subtree_sums;
use warcsieve_html::ElementId;
use warcsieve_html::document::Document;

/// The elements that hold the items of one page's list; buffers are reused.
#[derive(Debug, Default)]
pub struct ListView {
    /// By element: characters in its subtree. A block's characters count for the element that holds
    /// all of it, so inline elements inside a block have none.
    chars: Vec<u32>,
    depths: Vec<u32>,
    /// By depth: the class of the last element that had one, and its index in `groups`.
    last: Vec<(u64, usize)>,
    groups: Vec<Group>,
    /// By element: whether its own text is in one of the chosen elements.
    inside: Vec<bool>,
    /// The chosen group; `None` if no element with text has a class.
    pub chosen: Option<Group>,
}

/// Elements of one class at one depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// The first of them.
    pub first: ElementId,
    /// The number of elements: O.
    pub occurrences: u32,
    /// Characters of the text in all of them: L. Greater than 0.
    pub chars: u32,
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
        f64::from(self.chars) / f64::from(self.occurrences)
    }

    /// Numerator and denominator of [`Group::rank`].
    fn quotient(&self) -> (u128, u128) {
        let (o, l) = (u128::from(self.occurrences), u128::from(self.chars));
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
            product(self.chars, other.occurrences),
            product(other.chars, self.occurrences),
        );
        others.cmp(&mine).then(self.first.cmp(&other.first))
    }
}

/// The key of a class at a depth.
fn key(depth: u32, class: u64) -> u64 {
    class ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl ListView {
    /// Chooses the class with the greatest L / O among the `candidates` (at least 1) classes with
    /// the greatest R. `classes` are the page's
    /// [`class_hashes`](warcsieve_features::elements::class_hashes). Time: that of sorting the
    /// elements that have a class.
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

    /// Refills `depths`, and `groups` with the groups that have text.
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
            // Mostly an element has the same class as the one before it at this depth. Adding to
            // that group directly leaves few groups to sort and merge.
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

    /// Marks the subtrees of the chosen elements.
    fn mark(&mut self, doc: &Document, classes: &[u64]) {
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
            if classes[i] != 0 && key(self.depths[i], classes[i]) == chosen.key {
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
            return "the page, for no element with text has a class".to_owned();
        };
        let element = &doc.tree.elements[group.first as usize];
        format!(
            "{} of class \"{}\" at depth {} (R {:.1}, {:.1} characters each)",
            group.occurrences,
            doc.tree.class(element).trim_ascii(),
            self.depths[group.first as usize],
            group.rank(),
            group.average_length()
        )
    }
}
