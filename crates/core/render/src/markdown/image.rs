//! Images between two pieces of content.

use super::super::address::{Base, SHOWN};
use super::super::html;
use super::super::page::Page;
use super::{escape, link};
use std::ops::Range;
use warcsieve_common::prefix;
use warcsieve_html::{attribute, decode_value};

/// Maximum length of an address, and of an alternative text, in bytes.
const MAX_TEXT: usize = 2048;

/// Attributes with the address. All except `src` are used by pages that load images late.
const SOURCES: [&str; 4] = ["src", "data-src", "data-original", "data-lazy-src"];

/// An image, as ranges of the page's text buffer for addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Image {
    alt: Range<usize>,
    address: Range<usize>,
}

impl Image {
    /// The image with these attributes. Its texts are appended to `texts`. `None` if it has no
    /// allowed address, or is a single dot.
    pub fn of(source: &str, base: &Base, texts: &mut String) -> Option<Self> {
        if html::is_dot(source) {
            return None;
        }
        let addresses = SOURCES.iter().filter_map(|name| attribute(source, name));
        let address = addresses
            .filter(|value| value.len() <= 4 * MAX_TEXT)
            .find_map(|value| {
                let value = decode_value(value);
                let address = base.complete(&value, SHOWN)?;
                let is_good = !address.is_empty() && address.len() <= MAX_TEXT;
                is_good.then(|| address.into_owned())
            })?;
        let start = texts.len();
        let alt = decode_value(attribute(source, "alt").unwrap_or_default());
        let words = prefix(&alt, MAX_TEXT).split(|c: char| c.is_whitespace() || c.is_control());
        for word in words.filter(|word| !word.is_empty()) {
            if texts.len() > start {
                texts.push(' ');
            }
            texts.push_str(word);
        }
        let end = texts.len();
        texts.push_str(&address);
        Some(Self {
            alt: start..end,
            address: end..texts.len(),
        })
    }

    /// Appends the image as HTML.
    pub fn write_tagged(&self, texts: &str, out: &mut Page<'_>) {
        out.push_str("<img src=\"");
        html::escape_value(&texts[self.address.clone()], out);
        out.push_str("\" alt=\"");
        html::escape_value(&texts[self.alt.clone()], out);
        out.push_str("\">");
    }

    /// Appends `![text](address)`.
    pub fn write(&self, texts: &str, cell: bool, out: &mut Page<'_>) {
        out.push_str("![");
        escape::label(&texts[self.alt.clone()], cell, out);
        out.push(']');
        link::destination(&texts[self.address.clone()], cell, out);
    }
}
