//! The events that building a tree reports.

use super::tags::Tag;

/// Is notified of every element that is opened or closed.
pub(super) trait Edges {
    fn edge(&mut self, tag: Tag);

    /// A line of code begins that is an element of a [`CodeTable`](super::code_table::CodeTable).
    fn begin_line(&mut self);

    /// The line ends.
    fn end_line(&mut self);
}
