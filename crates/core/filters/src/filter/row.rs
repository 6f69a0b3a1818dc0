//! The view that rules have of a page.

use crate::edits::Edits;
use std::borrow::Cow;

/// A value that rules compare.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'v> {
    /// A number.
    Number(f64),
    /// A text.
    Text(Cow<'v, str>),
    /// No value. It breaks every rule about it.
    Missing,
}

/// The values of a page that rules need.
pub trait Row {
    /// The value of one of [`COLUMNS`].
    fn column(&self, name: &str) -> Value<'_>;

    /// The value of a signal of the current text, by the number of the signal.
    fn signal(&mut self, number: usize) -> Option<f64>;

    /// The text, which rules may change.
    fn edits(&mut self) -> &mut Edits;

    /// Says that the text has changed.
    fn edited(&mut self);
}

/// Columns that rules may name besides signals, and whether they are numbers. `host` is the host of
/// `url`.
pub const COLUMNS: [(&str, bool); 19] = [
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
    ("noindex", true),
    ("noai", true),
    ("tdm_reservation", true),
    ("licence", false),
    ("html_bytes", true),
    ("text_bytes", true),
];
