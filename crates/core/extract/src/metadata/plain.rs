//! Turns values into plain text.

use std::borrow::Cow;
use warcsieve_common::prefix;
use warcsieve_html::decode_value;

/// Maximum length of a value in bytes. A longer text is cut. A longer address or date is left out.
pub(super) const MAX_BYTES: usize = 4096;

/// A value as a reader should see it. Programs often escape a text twice in an attribute, or leave
/// markup in it.
pub(super) fn shown(value: &str) -> Cow<'_, str> {
    let value = match value.contains('&') {
        true => decode_value(value),
        false => Cow::Borrowed(value),
    };
    let begins_tag = |at: usize| {
        let next = value[at + 1..].chars().next();
        next.is_some_and(|c| c.is_ascii_alphabetic() || c == '/')
    };
    let mut text = String::new();
    let mut rest = 0;
    for (at, _) in value.match_indices('<') {
        if at >= rest && begins_tag(at) {
            // If this tag has no end, no later tag has one.
            let Some(length) = value[at..].find('>') else {
                break;
            };
            text.push_str(&value[rest..at]);
            // The end of a paragraph separates words. Other tags may be inside a word.
            if value[at..].starts_with("</p") || value[at..].starts_with("<br") {
                text.push(' ');
            }
            rest = at + length + 1;
        }
    }
    if rest == 0 {
        return value;
    }
    text.push_str(&value[rest..]);
    Cow::Owned(text)
}

/// The text with collapsed white space and without control characters, cut to [`MAX_BYTES`]. `None`
/// if nothing is left.
pub(super) fn plain(text: &str) -> Option<String> {
    let mut out = String::new();
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()) {
        if word.is_empty() {
            continue;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
        if out.len() > MAX_BYTES {
            out.truncate(prefix(&out, MAX_BYTES).len());
            break;
        }
    }
    (!out.is_empty()).then_some(out)
}
