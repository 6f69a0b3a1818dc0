//! Finds the selector that decides about each element of a page.

use super::bits::Bits;
use super::program::{Relation, Selectors, Test};
use std::array::from_fn;
use std::borrow::Cow;
use std::cell::OnceCell;
use warcsieve_common::emptied;
use warcsieve_html::{Counting, Element, ElementId, ElementTree, Places, attribute, decode_value};

/// Matches selectors on one page at a time. Its buffers are reused.
///
/// Takes one pass over the elements: per element at most one test of each part of the selectors. A test of an attribute
/// takes time linear in its length. Memory: 2 bytes per
/// element, 6 more for each kind of siblings that are counted, and 150 bytes per open element.
#[derive(Default)]
pub struct Matcher {
    /// By element: 1 more than the compound that decides about it, or 0.
    decided: Vec<u16>,
    open: Vec<Open>,
    places: [Option<Places>; 4],
}

/// An element whose subtree is being read, or what is around the root.
#[derive(Clone, Copy, Default)]
struct Open {
    end: ElementId,
    /// The compounds that match it.
    own: Bits,
    /// The compounds that match it or an ancestor.
    above: Bits,
    /// Those that match its last child so far.
    previous: Bits,
    /// Those that match one of its children so far.
    earlier: Bits,
    decided: u16,
}

/// The id and the classes of an element, decoded once if a selector asks for them.
#[derive(Default)]
struct Named<'t> {
    id: OnceCell<Cow<'t, str>>,
    classes: OnceCell<Cow<'t, str>>,
}

fn kind(counting: Counting) -> usize {
    2 * usize::from(counting.of_type) + usize::from(counting.from_end)
}

impl Matcher {
    /// Buffers for these selectors.
    pub fn new(selectors: &Selectors) -> Self {
        let mut is_used = [false; 4];
        for test in selectors.tests() {
            if let Test::Place(counting, _) = test {
                is_used[kind(*counting)] = true;
            }
        }
        Self {
            places: from_fn(|kind| is_used[kind].then(Places::default)),
            ..Self::default()
        }
    }

    /// Reads a page.
    pub fn read(&mut self, selectors: &Selectors, tree: &ElementTree) {
        for (of_type, from_end) in [(false, false), (false, true), (true, false), (true, true)] {
            let counting = Counting { of_type, from_end };
            if let Some(places) = &mut self.places[kind(counting)] {
                places.count(tree, counting);
            }
        }
        emptied(&mut self.decided);
        emptied(&mut self.open).push(Open {
            end: ElementId::MAX,
            ..Open::default()
        });
        for (id, element) in (0..).zip(&tree.elements) {
            while self.open.pop_if(|open| open.end <= id).is_some() {}
            let Some(&around) = self.open.last() else {
                return;
            };
            let own = self.matching(selectors, tree, id, element, &around);
            let drop = own.and(selectors.drops).first();
            let decides = drop.or_else(|| own.and(selectors.keeps).first());
            let decided = decides.map_or(around.decided, |compound| compound as u16 + 1);
            self.decided.push(decided);
            if let Some(around) = self.open.last_mut() {
                around.previous = own;
                around.earlier = around.earlier.or(own);
            }
            self.open.push(Open {
                end: element.end,
                own,
                above: around.above.or(own),
                decided,
                ..Open::default()
            });
        }
    }

    /// The last compound of the selector that decides about an element: one that matches it, else one that matches the
    /// nearest ancestor.
    #[inline]
    pub fn decides(&self, element: ElementId) -> Option<usize> {
        usize::from(self.decided[element as usize]).checked_sub(1)
    }

    /// The compounds that match an element. `around` is its parent.
    fn matching(
        &self,
        selectors: &Selectors,
        tree: &ElementTree,
        id: ElementId,
        element: &Element,
        around: &Open,
    ) -> Bits {
        let mut own = Bits::default();
        let named = Named::default();
        for (number, compound) in selectors.compounds.iter().enumerate() {
            let is_placed = compound.left.is_none_or(|(relation, left)| {
                match relation {
                    Relation::Parent => around.own,
                    Relation::Ancestor => around.above,
                    Relation::Previous => around.previous,
                    Relation::Earlier => around.earlier,
                }
                .has(left)
            });
            let holds = |test: &Test| self.holds(test, tree, id, (element, &named), own);
            if is_placed && compound.tests.iter().all(holds) {
                own.insert(number);
            }
        }
        own
    }

    fn holds<'t>(
        &self,
        test: &Test,
        tree: &'t ElementTree,
        id: ElementId,
        (element, named): (&'t Element, &Named<'t>),
        own: Bits,
    ) -> bool {
        match test {
            Test::Tag(tag) => element.tag == *tag,
            Test::Root => id == 0,
            Test::Id(wanted) => *named.id.get_or_init(|| decode_value(tree.id(element))) == *wanted,
            Test::Class(wanted) => {
                let classes = named
                    .classes
                    .get_or_init(|| decode_value(tree.class(element)));
                let mut classes = classes.split_ascii_whitespace();
                classes.any(|class| class == wanted)
            }
            Test::Attribute(name, wanted) => {
                let value = attribute(tree.attributes(element), name);
                value.is_some_and(|value| {
                    let wanted = wanted.as_ref();
                    wanted.is_none_or(|wanted| wanted.is_met_by(&decode_value(value)))
                })
            }
            Test::Place(counting, numbers) => {
                let places = self.places[kind(*counting)].as_ref();
                let number = places.map(|places| places.of(id));
                let number = number.and_then(|number| i32::try_from(number).ok());
                number.is_some_and(|number| numbers.matches_index(number))
            }
            Test::Any(compounds) => own.and(*compounds).first().is_some(),
            Test::None(compounds) => own.and(*compounds).first().is_none(),
        }
    }
}
