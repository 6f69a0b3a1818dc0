//! Images between two pieces of content.

use super::super::address::{Base, SHOWN};
use super::super::html;
use super::super::page::Page;
use super::{escape, link};
use std::ops::Range;
use warcsieve_common::prefix;
use warcsieve_html::{attribute, decode_value};

/// Longest address and alternative text in bytes.
const MOST: usize = 2048;

/// Where pages that load images late have the address, besides `src`.
const SOURCES: [&str; 4] = ["src", "data-src", "data-original", "data-lazy-src"];

/// An image: ranges of the page's addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Image {
    alt: Range<usize>,
    address: Range<usize>,
}

impl Image {
    /// The image with these attributes, whose texts are appended to `texts`; `None` if it has no
    /// address that may be shown, or is a dot.
    pub fn of(source: &str, base: &Base, texts: &mut String) -> Option<Self> {
        if html::is_dot(source) {
            return None;
        }
        let addresses = SOURCES.iter().filter_map(|name| attribute(source, name));
        let address = addresses
            .filter(|value| value.len() <= 4 * MOST)
            .find_map(|value| {
                let value = decode_value(value);
                let address = base.complete(&value, SHOWN)?;
                let is_good = !address.is_empty() && address.len() <= MOST;
                is_good.then(|| address.into_owned())
            })?;
        let start = texts.len();
        let alt = decode_value(attribute(source, "alt").unwrap_or_default());
        let words = prefix(&alt, MOST).split(|c: char| c.is_whitespace() || c.is_control());
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

    /// Appends it as HTML.
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
