//! A page as rules see it.

use crate::edits::Edits;
use std::borrow::Cow;

/// A value that rules compare.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'v> {
    /// A number.
    Number(f64),
    /// A text.
    Text(Cow<'v, str>),
    /// None: it breaks every rule about it.
    Missing,
}

/// What rules ask of a page.
pub trait Row {
    /// The value of one of [`COLUMNS`].
    fn column(&self, name: &str) -> Value<'_>;

    /// The value of a signal of the text as it is now, by its number.
    fn signal(&mut self, number: usize) -> Option<f64>;

    /// The text, to be changed.
    fn edits(&mut self) -> &mut Edits;

    /// Says that the text is another one now.
    fn edited(&mut self);
}

/// Columns that rules may name besides signals, and whether they are numbers. `host` is that of
/// `url`.
pub const COLUMNS: [(&str, bool); 15] = [
    ("id", false),
    ("url", false),
    ("host", false),
    ("title", false),
    ("content_mime_type", false),
    ("content_charset", false),
    ("language", false),
    ("language_score", true),
    ("fetch_status", true),
    ("n_blocks", true),
    ("n_content_blocks", true),
    ("confidence", true),
    ("n_formulas", true),
    ("html_bytes", true),
    ("text_bytes", true),
];
