//! Addresses in a text.

use super::address::Address;
use std::ops::Range;

/// How far an address extends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Extent {
    /// To the end of the text: the text is one argument, and its blanks belong to the name.
    Argument,
    /// To the next blank, or to the closing quote if the address is in quotes.
    Word,
}

/// Schemes of stores and servers. After one of these a single slash is enough, because paths are
/// shown without double slashes.
const KNOWN: &[&str] = &[
    "s3", "s3a", "s3n", "gs", "gcs", "az", "azure", "abfs", "abfss", "wasb", "wasbs", "adl",
    "http", "https", "ftp", "ftps", "sftp", "ssh", "hdfs", "webhdfs", "webdav", "oss", "cos",
    "obs", "swift", "b2", "r2",
];

/// The addresses in a text, in order, with their positions.
pub(super) fn addresses(text: &str, extent: Extent) -> Vec<(Range<usize>, Address<'_>)> {
    let (mut found, mut from) = (Vec::new(), 0);
    while let Some((start, rest)) = next(text, from) {
        let end = end(text, from..start, rest, extent);
        let address = Address {
            scheme: &text[start..rest],
            rest: &text[rest..end],
        };
        found.push((start..end, address));
        from = end;
    }
    found
}

/// Where the next address at or after `from` begins, and what follows its slashes.
fn next(text: &str, from: usize) -> Option<(usize, usize)> {
    text[from..].match_indices(":/").find_map(|(at, _)| {
        let (before, after) = (&text[from..from + at], &text[from + at + 1..]);
        let other = before.trim_end_matches(is_of_scheme);
        let scheme = before[other.len()..].trim_start_matches(|c: char| !c.is_ascii_alphabetic());
        let slashes = after.len() - after.trim_start_matches('/').len();
        let is_known = KNOWN.iter().any(|s| s.eq_ignore_ascii_case(scheme));
        // A single letter is a Windows drive, and a `file` address without a host is on this
        // machine.
        let is_local = scheme.eq_ignore_ascii_case("file") && slashes != 2;
        let is_scheme = scheme.len() > 1 && !is_local;
        let is_address = is_scheme && (is_known || slashes > 1);
        is_address.then(|| (from + at - scheme.len(), from + at + 1 + slashes))
    })
}

fn is_of_scheme(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')
}

/// Where the address ends whose part after the slashes begins at `rest`. `before` is the part
/// before it.
fn end(text: &str, before: Range<usize>, rest: usize, extent: Extent) -> usize {
    let after = &text[rest..];
    let word = text[before].rsplit(char::is_whitespace).next();
    let quote = word.and_then(|word| word.chars().rev().find(|c| matches!(c, '"' | '\'' | '`')));
    let quoted = quote.and_then(|quote| after.find(quote));
    let length = match (extent, quoted) {
        (Extent::Argument, _) => after.len(),
        (Extent::Word, Some(closing)) => closing,
        (Extent::Word, None) => {
            let word = after.find(char::is_whitespace).unwrap_or(after.len());
            // Punctuation that a sentence puts after an address.
            after[..word].trim_end_matches([':', ',', '.', ')']).len()
        }
    };
    let after = &after[..length];
    let mut marks = after.match_indices([',', ';', '|', ' ', '\t', '\n']);
    let other = marks.find(|(at, _)| begins_address(&after[at + 1..]));
    rest + other.map_or(length, |(at, _)| at)
}

/// Whether a text begins with a scheme and two slashes, after quotes and blanks.
fn begins_address(text: &str) -> bool {
    let text = text.strip_prefix([' ', '"', '\'', '`']).unwrap_or(text);
    let rest = text.trim_start_matches(is_of_scheme);
    text.len() - rest.len() > 1 && rest.starts_with("://")
}
