//! Finds where a tag ends (§13.2.5.8, §13.2.5.32 to §13.2.5.40).

use super::bytes::{CLASS, END, EQUALS, SLASH, SPACE, skip, skip_all};
use crate::byte_search;
use crate::names::NameSpans;

/// End of the tag name that continues at `from`.
#[inline]
pub(in super::super) fn name_end(bytes: &[u8], from: usize) -> usize {
    skip(bytes, from, SPACE | SLASH | END)
}

/// Where a tag ends, and what was found before its end.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct TagEnd {
    /// After its `>`.
    pub end: usize,
    /// Whether it ends with `/>`.
    pub self_closing: bool,
    pub names: NameSpans,
}

/// End of the attribute's name that continues at `at`.
#[inline]
fn attribute_name_end(bytes: &[u8], mut at: usize) -> usize {
    const ENDS: u8 = SPACE | SLASH | END | EQUALS;
    loop {
        match byte_search::find_sign(bytes, at) {
            Ok(sign) if CLASS[usize::from(bytes[sign])] & ENDS != 0 => return sign,
            Ok(sign) => at = sign + 1,
            Err(rest) => return skip(bytes, rest, ENDS),
        }
    }
}

/// Where the tag ends whose name ends at `at`. `None` if the input ends first. A quote has an
/// effect only as the first character of a value.
///
/// Examples: `<a b='>'>` ends at the second `>`, `<a b'>` and `<a b=c'>` end at the first.
#[inline]
pub(in super::super) fn tag_end(bytes: &[u8], at: usize) -> Option<TagEnd> {
    match bytes.get(at) {
        Some(b'>') => Some(TagEnd {
            end: at + 1,
            self_closing: false,
            names: NameSpans::NONE,
        }),
        _ => attributes_end(bytes, at),
    }
}

/// As [`tag_end`], for a tag that may have attributes. Each round of the loop passes one attribute:
/// name, `=` and value.
fn attributes_end(bytes: &[u8], mut at: usize) -> Option<TagEnd> {
    let first = skip_all(bytes, at, SPACE);
    let mut names = NameSpans::NONE;
    loop {
        let start = at;
        at = skip_all(bytes, at, SPACE | SLASH);
        if *bytes.get(at)? == b'>' {
            return Some(TagEnd {
                end: at + 1,
                self_closing: at > start && bytes[at - 1] == b'/',
                names,
            });
        }
        // The first character belongs to the attribute's name even if it is `=`.
        let name_end = attribute_name_end(bytes, at + 1);
        let name = &bytes[at..name_end];
        let mut value = name_end..name_end;
        at = skip_all(bytes, name_end, SPACE);
        if *bytes.get(at)? == b'=' {
            at = skip_all(bytes, at + 1, SPACE);
            match *bytes.get(at)? {
                quote @ (b'"' | b'\'') => {
                    let start = at + 1;
                    value = start..start + byte_search::find(quote, &bytes[start..])?;
                    at = value.end + 1;
                }
                _ => {
                    let end = skip(bytes, at, SPACE | END);
                    // An empty value has no position, because white space before it may be cut off.
                    if end > at {
                        value = at..end;
                    }
                    at = end;
                }
            }
        }
        names.note(name, value.start - first..value.end - first);
    }
}
