//! Which elements enclose a block.

use super::table::PATH;
use crate::enclosing::inherit;
use crate::skeleton::Skeleton;
use warcsieve_common::shrink;
use warcsieve_html::Tag;

/// By element: one bit per feature of [`PATH`]. It is set if the element has that tag or is inside
/// an element that has it.
#[derive(Clone, Debug, Default)]
pub(super) struct Paths(Vec<u16>);

/// The feature that a tag counts for.
fn feature(tag: Tag) -> Option<usize> {
    Some(match tag {
        Tag::Article | Tag::Main => 0,
        Tag::Nav | Tag::Menu => 1,
        Tag::Header => 2,
        Tag::Footer => 3,
        Tag::Aside => 4,
        Tag::Form | Tag::Button | Tag::Select | Tag::Label => 5,
        Tag::Ul | Tag::Ol | Tag::Dl => 6,
        Tag::Table => 7,
        Tag::A => 8,
        Tag::P => 9,
        Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => 10,
        Tag::Blockquote | Tag::Pre | Tag::Code => 11,
        Tag::Figure | Tag::Figcaption => 12,
        _ => return None,
    })
}

impl Paths {
    pub fn read(&mut self, skeleton: &Skeleton) {
        shrink(&mut self.0);
        inherit(&skeleton.elements, &mut self.0, |_, element, above| {
            above.unwrap_or(0) | feature(element.tag).map_or(0, |at| 1 << at)
        });
    }

    /// The features of a block, in the order of [`PATH`].
    pub fn of(&self, skeleton: &Skeleton, block: usize) -> [f32; PATH.len()] {
        let bits = self.0[skeleton.place(block).0];
        std::array::from_fn(|at| f32::from(bits >> at & 1))
    }
}
