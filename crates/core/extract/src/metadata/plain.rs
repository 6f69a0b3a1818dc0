//! Values as plain text.

use std::borrow::Cow;
use warcsieve_common::prefix;
use warcsieve_html::decode_value;

/// Longest value of a field in bytes; a longer one is cut off, an address or a date left out.
pub(super) const MAX_BYTES: usize = 4096;

/// A value as a reader should see it: programs write text into attributes that is escaped once more, or is markup.
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
            // Where no tag ends, none after it does.
            let Some(length) = value[at..].find('>') else {
                break;
            };
            text.push_str(&value[rest..at]);
            // The end of a paragraph parts words; other tags may stand in one.
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

/// The text with white space collapsed and without control characters, cut off at
/// [`MAX_BYTES`]; `None` if nothing is left.
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
