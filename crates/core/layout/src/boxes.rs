//! Boxes of a page, by mark.

use std::collections::btree_map::{BTreeMap, Entry};
use warcsieve_html::layout::ElementBox;

/// A rectangle, given by its edges.
#[derive(Clone, Copy, Debug)]
pub struct Edges {
    pub left: f32,
    pub top: f32,
    pub right: f32,
    pub bottom: f32,
}

impl Edges {
    /// The smallest rectangle around both.
    pub fn around(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    fn of(own: &ElementBox) -> Self {
        Self {
            left: own.x,
            top: own.y,
            right: own.x + own.width,
            bottom: own.y + own.height,
        }
    }
}

/// The boxes found so far.
#[derive(Default)]
pub struct Boxes(BTreeMap<u32, ElementBox>);

impl Boxes {
    /// Adds the box of an element. If the parser made several elements of it, their visible boxes
    /// are joined.
    pub fn add(&mut self, mark: u32, own: ElementBox) {
        match self.0.entry(mark) {
            Entry::Vacant(entry) => {
                entry.insert(own);
            }
            Entry::Occupied(mut entry) => {
                let old = entry.get_mut();
                let takes = |b: &ElementBox| b.visible && b.width > 0.0;
                if !takes(old) {
                    *old = own;
                } else if takes(&own) {
                    let joined = Edges::of(old).around(Edges::of(&own));
                    (old.x, old.y) = (joined.left, joined.top);
                    old.width = joined.right - joined.left;
                    old.height = joined.bottom - joined.top;
                }
            }
        }
    }

    /// All of them by mark.
    pub fn into_list(self) -> Vec<(u32, ElementBox)> {
        self.0.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seen_boxes_of_one_element_are_joined() {
        let own = |x: f32, visible| ElementBox {
            x,
            width: 10.0,
            height: 5.0,
            visible,
            ..ElementBox::default()
        };
        let mut boxes = Boxes::default();
        boxes.add(7, own(50.0, false));
        boxes.add(7, own(20.0, true));
        boxes.add(7, own(90.0, false));
        boxes.add(7, own(40.0, true));
        boxes.add(3, own(1.0, false));
        let list = boxes.into_list();
        assert_eq!(list[0], (3, own(1.0, false)));
        let joined = ElementBox {
            width: 30.0,
            ..own(20.0, true)
        };
        assert_eq!(list[1..], [(7, joined)]);
    }
}
