//! Finds where a tag ends (§13.2.5.8, §13.2.5.32 to §13.2.5.40).

use memchr::memchr;

/// Classes of the bytes that end the name of a tag or of an attribute; `=` ends only the latter.
pub(in super::super) const SPACE: u8 = 1;
pub(in super::super) const SLASH: u8 = 2;
const END: u8 = 4;
pub(in super::super) const EQUALS: u8 = 8;

static CLASS: [u8; 256] = {
    let mut class = [0; 256];
    class[b'\t' as usize] = SPACE;
    class[b'\n' as usize] = SPACE;
    class[b'\x0c' as usize] = SPACE;
    class[b'\r' as usize] = SPACE;
    class[b' ' as usize] = SPACE;
    class[b'/' as usize] = SLASH;
    class[b'>' as usize] = END;
    class[b'=' as usize] = EQUALS;
    class
};

/// First position at or after `at` whose byte is in the classes `until`, or the end.
#[inline]
pub(in super::super) fn skip(bytes: &[u8], mut at: usize, until: u8) -> usize {
    while let Some(&b) = bytes.get(at) {
        if CLASS[b as usize] & until != 0 {
            break;
        }
        at += 1;
    }
    at
}

/// First position at or after `at` whose byte is not in the classes `of`, or the end.
#[inline]
pub(in super::super) fn skip_all(bytes: &[u8], mut at: usize, of: u8) -> usize {
    while let Some(&b) = bytes.get(at) {
        if CLASS[b as usize] & of == 0 {
            break;
        }
        at += 1;
    }
    at
}

/// End of the tag name that continues at `from`.
#[inline]
pub(in super::super) fn name_end(bytes: &[u8], from: usize) -> usize {
    skip(bytes, from, SPACE | SLASH | END)
}

/// Where the tag ends whose name ends at `at`, and whether it ends with `/>`; `None` if the input
/// ends first. A quote counts only as the first character of a value.
///
/// Examples: `<a b='>'>` ends at the second `>`, `<a b'>` and `<a b=c'>` end at the first.
#[inline]
pub(in super::super) fn tag_end(bytes: &[u8], at: usize) -> Option<(usize, bool)> {
    match bytes.get(at) {
        Some(b'>') => Some((at + 1, false)),
        _ => attributes_end(bytes, at),
    }
}

/// As [`tag_end`], for a tag that may have attributes. Each round of the loop skips one attribute:
/// name, `=` and value.
fn attributes_end(bytes: &[u8], mut at: usize) -> Option<(usize, bool)> {
    loop {
        let start = at;
        at = skip_all(bytes, at, SPACE | SLASH);
        if *bytes.get(at)? == b'>' {
            return Some((at + 1, at > start && bytes[at - 1] == b'/'));
        }
        // The first character belongs to the attribute's name even if it is `=`.
        at = skip(bytes, at + 1, SPACE | SLASH | END | EQUALS);
        at = skip_all(bytes, at, SPACE);
        if *bytes.get(at)? != b'=' {
            continue;
        }
        at = skip_all(bytes, at + 1, SPACE);
        at = match *bytes.get(at)? {
            quote @ (b'"' | b'\'') => at + 2 + memchr(quote, &bytes[at + 1..])?,
            _ => skip(bytes, at, SPACE | END),
        };
    }
}
