//! jusText's second stage: short and near-good blocks get the class of the good and bad ones around
//! them, and headings get that of the text below them.

use warcsieve_common::{emptied, shrink};

/// Classes of the first stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Bad,
    Short,
    NearGood,
    Good,
}

pub const CLASSES: usize = Class::Good as usize + 1;

impl Class {
    pub const ALL: [Self; CLASSES] = [Self::Bad, Self::Short, Self::NearGood, Self::Good];

    pub fn name(self) -> &'static str {
        match self {
            Self::Bad => "bad",
            Self::Short => "short",
            Self::NearGood => "near-good",
            Self::Good => "good",
        }
    }
}

/// Why a block is good or bad in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The first stage was certain.
    Own,
    AmongGood,
    AmongBad,
    /// Good only on one side; on the other side a near-good block is nearer than the bad one.
    NearGoodBetween,
    NoNearGoodBetween,
    BesideGood,
    Heading,
}

pub const OUTCOMES: usize = Outcome::Heading as usize + 1;

impl Outcome {
    pub const ALL: [Self; OUTCOMES] = [
        Self::Own,
        Self::AmongGood,
        Self::AmongBad,
        Self::NearGoodBetween,
        Self::NoNearGoodBetween,
        Self::BesideGood,
        Self::Heading,
    ];

    pub fn text(self) -> &'static str {
        match self {
            Self::Own => "",
            Self::AmongGood => "good blocks on both sides",
            Self::AmongBad => "bad blocks on both sides",
            Self::NearGoodBetween => "near-good towards the bad side",
            Self::NoNearGoodBetween => "nothing near-good towards the bad side",
            Self::BesideGood => "good block on a side",
            Self::Heading => "heading of good text",
        }
    }
}

/// The result for a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// [`Class::Good`] or [`Class::Bad`].
    pub class: Class,
    pub outcome: Outcome,
}

struct Entry {
    first: Class,
    heading: bool,
    chars: u32,
    now: Resolved,
}

/// The classes of the nearest blocks on one side that decide; the page's edges are bad.
#[derive(Clone, Copy)]
struct Side {
    /// The nearest good or bad block.
    sure: Class,
    /// The nearest good, bad or near-good block.
    any: Class,
}

impl Side {
    const EDGE: Self = Self {
        sure: Class::Bad,
        any: Class::Bad,
    };

    fn pass(&mut self, class: Class) {
        match class {
            Class::Good | Class::Bad => (self.sure, self.any) = (class, class),
            Class::NearGood => self.any = class,
            Class::Short => {}
        }
    }
}

/// The blocks of one page, in document order; the buffers are reused from page to page. Ten bytes
/// per block.
pub struct Context {
    max_heading_distance: u32,
    blocks: Vec<Entry>,
    right: Vec<Side>,
}

impl Context {
    pub fn new(max_heading_distance: u32) -> Self {
        Self {
            max_heading_distance,
            blocks: Vec::new(),
            right: Vec::new(),
        }
    }

    pub fn clear(&mut self) {
        emptied(&mut self.blocks);
        shrink(&mut self.right);
    }

    /// Adds a block with its class from the first stage.
    pub fn push(&mut self, first: Class, heading: bool, chars: u32) {
        self.blocks.push(Entry {
            first,
            heading,
            chars,
            now: Resolved {
                class: first,
                outcome: Outcome::Own,
            },
        });
    }

    pub fn resolved(&self, block: usize) -> Resolved {
        self.blocks[block].now
    }

    /// Makes every block good or bad.
    pub fn resolve(&mut self) {
        self.headings(
            |block| block.now.class == Class::Short,
            |block| block.now.class = Class::NearGood,
        );
        self.between(Class::Short, |left, right| match (left.sure, right.sure) {
            (Class::Good, Class::Good) => (Class::Good, Outcome::AmongGood),
            (Class::Good, _) if right.any == Class::NearGood => {
                (Class::Good, Outcome::NearGoodBetween)
            }
            (_, Class::Good) if left.any == Class::NearGood => {
                (Class::Good, Outcome::NearGoodBetween)
            }
            (Class::Good, _) | (_, Class::Good) => (Class::Bad, Outcome::NoNearGoodBetween),
            _ => (Class::Bad, Outcome::AmongBad),
        });
        self.between(Class::NearGood, |left, right| {
            if left.sure == Class::Good || right.sure == Class::Good {
                (Class::Good, Outcome::BesideGood)
            } else {
                (Class::Bad, Outcome::AmongBad)
            }
        });
        self.headings(
            |block| block.now.class == Class::Bad && block.first != Class::Bad,
            |block| {
                block.now = Resolved {
                    class: Class::Good,
                    outcome: Outcome::Heading,
                };
            },
        );
    }

    /// Promotes the headings that `which` selects and that are at most `max_heading_distance`
    /// characters before a good block. Promoted headings do not count as good for the headings
    /// before them.
    fn headings(&mut self, which: impl Fn(&Entry) -> bool, promote: impl Fn(&mut Entry)) {
        let mut to_good: Option<u64> = None;
        for block in self.blocks.iter_mut().rev() {
            let good = block.now.class == Class::Good;
            let near = to_good.is_some_and(|d| d <= u64::from(self.max_heading_distance));
            if block.heading && near && which(block) {
                promote(block);
            }
            to_good = if good {
                Some(0)
            } else {
                to_good.map(|d| d + u64::from(block.chars))
            };
        }
    }

    /// Decides the blocks of one class by both sides. The sides are as they were before any of
    /// these blocks was decided.
    fn between(&mut self, class: Class, decide: impl Fn(Side, Side) -> (Class, Outcome)) {
        let mut side = Side::EDGE;
        self.right.clear();
        self.right.extend(self.blocks.iter().rev().map(|block| {
            let right = side;
            side.pass(block.now.class);
            right
        }));
        let mut left = Side::EDGE;
        for (block, right) in self.blocks.iter_mut().zip(self.right.iter().rev()) {
            let was = block.now.class;
            if was == class {
                let (class, outcome) = decide(left, *right);
                block.now = Resolved { class, outcome };
            }
            left.pass(was);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Class::{Bad, Good, NearGood, Short};
    use super::*;
    use proptest::prelude::*;

    const MAX: u32 = 200;

    fn fast(blocks: &[(Class, bool, u32)]) -> Vec<Class> {
        let mut context = Context::new(MAX);
        for &(class, heading, chars) in blocks {
            context.push(class, heading, chars);
        }
        context.resolve();
        (0..blocks.len())
            .map(|i| context.resolved(i).class)
            .collect()
    }

    fn without_headings(classes: &[Class]) -> Vec<Class> {
        fast(&classes.iter().map(|&c| (c, false, 10)).collect::<Vec<_>>())
    }

    /// The stage as jusText describes it: for every block, it walks to the neighbours.
    fn slow(blocks: &[(Class, bool, u32)]) -> Vec<Class> {
        let first: Vec<_> = blocks.iter().map(|b| b.0).collect();
        let before_good = |classes: &[Class], i: usize| {
            let mut distance = 0;
            for j in i + 1..blocks.len() {
                if distance > MAX {
                    return false;
                }
                if classes[j] == Good {
                    return true;
                }
                distance += blocks[j].2;
            }
            false
        };
        let nearest = |classes: &[Class], near_good_too: bool, mut path: Vec<usize>| {
            path.retain(|&j| {
                matches!(classes[j], Good | Bad) || near_good_too && classes[j] == NearGood
            });
            path.first().map_or(Bad, |&j| classes[j])
        };
        let left = |i: usize| (0..i).rev().collect::<Vec<_>>();
        let right = |i: usize| (i + 1..blocks.len()).collect::<Vec<_>>();

        let mut classes = first.clone();
        for i in 0..blocks.len() {
            if blocks[i].1 && classes[i] == Short && before_good(&first, i) {
                classes[i] = NearGood;
            }
        }
        let was = classes.clone();
        for i in (0..blocks.len()).filter(|&i| was[i] == Short) {
            let (l, r) = (
                nearest(&was, false, left(i)),
                nearest(&was, false, right(i)),
            );
            let good = match (l, r) {
                (Good, Good) => true,
                (Good, _) => nearest(&was, true, right(i)) == NearGood,
                (_, Good) => nearest(&was, true, left(i)) == NearGood,
                _ => false,
            };
            classes[i] = if good { Good } else { Bad };
        }
        // One after the other, each seeing the decisions before it.
        for i in 0..blocks.len() {
            if classes[i] == NearGood {
                let l = nearest(&classes, false, left(i));
                let r = nearest(&classes, false, right(i));
                classes[i] = if l == Bad && r == Bad { Bad } else { Good };
            }
        }
        let was = classes.clone();
        for i in 0..blocks.len() {
            if blocks[i].1 && was[i] == Bad && first[i] != Bad && before_good(&was, i) {
                classes[i] = Good;
            }
        }
        classes
    }

    #[test]
    fn short_blocks_follow_both_sides() {
        assert_eq!(without_headings(&[Good, Short, Short, Good]), [Good; 4]);
        assert_eq!(without_headings(&[Bad, Short, Short, Bad]), [Bad; 4]);
        assert_eq!(
            without_headings(&[Good, Short, Short, Bad]),
            [Good, Bad, Bad, Bad]
        );
    }

    #[test]
    fn the_near_good_block_next_to_the_bad_one_is_the_border() {
        assert_eq!(
            without_headings(&[Bad, Short, NearGood, Short, NearGood, Short, Good]),
            [Bad, Bad, Good, Good, Good, Good, Good]
        );
        assert_eq!(
            without_headings(&[Good, Short, NearGood, Short, Bad]),
            [Good, Good, Good, Bad, Bad]
        );
    }

    #[test]
    fn the_edges_of_the_page_are_bad() {
        assert_eq!(without_headings(&[Short, Good, Short]), [Bad, Good, Bad]);
        assert_eq!(without_headings(&[NearGood, NearGood]), [Bad, Bad]);
        assert_eq!(without_headings(&[NearGood, Good, NearGood]), [Good; 3]);
        assert_eq!(without_headings(&[]), []);
    }

    #[test]
    fn headings_follow_the_text_below() {
        let bad = (Bad, false, 10);
        let heading = (Short, true, 10);
        let good = (Good, false, 300);
        let gap = |chars| (Short, false, chars);
        assert_eq!(fast(&[bad, heading, good]), [Bad, Good, Good]);
        assert_eq!(
            fast(&[bad, heading, gap(10), good]),
            [Bad, Good, Good, Good]
        );
        assert_eq!(fast(&[bad, heading, gap(200), good])[1], Good);
        assert_eq!(fast(&[bad, heading, gap(201), good])[1], Bad);
        assert_eq!(fast(&[bad, heading, bad, good]), [Bad, Good, Bad, Good]);
        assert_eq!(fast(&[good, heading, bad]), [Good, Bad, Bad]);
        assert_eq!(fast(&[(Bad, true, 10), good]), [Bad, Good]);
    }

    fn class() -> impl Strategy<Value = Class> {
        prop_oneof![
            Just(Bad),
            Just(Short),
            Just(Short),
            Just(NearGood),
            Just(Good)
        ]
    }

    proptest! {
        #[test]
        fn two_passes_equal_walking_from_each_block(
            blocks in prop::collection::vec((class(), any::<bool>(), 1..150u32), 0..30)
        ) {
            prop_assert_eq!(fast(&blocks), slow(&blocks));
        }
    }
}
