//! Decodes character references in text.

use htmlize::{BARE_ENTITY_MAX_LENGTH, ENTITIES, ENTITY_MIN_LENGTH};
use memchr::memchr_iter;
use std::ops::Range;

/// Hands `text` to `piece` in parts, in order: each part decoded, and its byte
/// range in `text`. A reference never extends beyond `text`.
pub fn decode(text: &str, mut piece: impl FnMut(&str, Range<usize>)) {
    let bytes = text.as_bytes();
    let mut done = 0;
    for at in memchr_iter(b'&', bytes) {
        let name = bytes[at + 1..]
            .iter()
            .take_while(|b| b.is_ascii_alphanumeric() || **b == b'#')
            .count();
        if name == 0 {
            continue;
        }
        let end = at + 1 + name + usize::from(bytes.get(at + 1 + name) == Some(&b';'));
        let mut buffer = [0; 4];
        let decoded = frequent(&text[at..end]).or_else(|| any(&text[at..end], &mut buffer));
        let Some((decoded, read)) = decoded else {
            continue;
        };
        let end = at + read;
        piece(&text[done..at], done..at);
        piece(decoded, at..end);
        done = end;
    }
    piece(&text[done..], done..text.len());
}

/// Fast path: the text of the most frequent references, and their length.
fn frequent(reference: &str) -> Option<(&'static str, usize)> {
    let decoded = match reference {
        "&amp;" => "&",
        "&lt;" => "<",
        "&gt;" => ">",
        "&quot;" => "\"",
        "&nbsp;" | "&#160;" => "\u{a0}",
        "&#39;" | "&#039;" | "&#x27;" | "&apos;" => "'",
        "&rsquo;" | "&#8217;" | "&#x2019;" => "\u{2019}",
        "&ldquo;" | "&#8220;" => "\u{201c}",
        "&rdquo;" | "&#8221;" => "\u{201d}",
        "&ndash;" | "&#8211;" => "\u{2013}",
        "&mdash;" | "&#8212;" => "\u{2014}",
        "&raquo;" => "\u{bb}",
        "&laquo;" => "\u{ab}",
        "&copy;" => "\u{a9}",
        _ => return None,
    };
    Some((decoded, reference.len()))
}

/// The text of a reference (§13.2.5.72 and the states after it), and how many bytes of `reference`
/// belong to it: those of the longest known name.
fn any<'b>(reference: &str, buffer: &'b mut [u8; 4]) -> Option<(&'b str, usize)> {
    if let Some(number) = reference.strip_prefix("&#") {
        let (c, read) = numeric(number)?;
        return Some((c.encode_utf8(buffer), read + 2));
    }
    let bare = reference.len().min(BARE_ENTITY_MAX_LENGTH);
    let lengths = std::iter::once(reference.len()).chain((ENTITY_MIN_LENGTH..=bare).rev());
    lengths.into_iter().find_map(|length| {
        let name = reference.as_bytes().get(..length)?;
        let decoded = std::str::from_utf8(ENTITIES.get(name)?).ok()?;
        Some((decoded, length))
    })
}

/// The character of a numeric reference, from after its `#`, and how many bytes were read.
fn numeric(number: &str) -> Option<(char, usize)> {
    let hex = number.starts_with(['x', 'X']);
    let digits = &number[usize::from(hex)..];
    let radix = if hex { 16 } else { 10 };
    let length = digits
        .bytes()
        .take_while(|b| char::from(*b).is_digit(radix));
    let digits = &digits[..length.count()];
    if digits.is_empty() {
        return None;
    }
    let read = usize::from(hex) + digits.len();
    let closed = number.as_bytes().get(read) == Some(&b';');
    let c = match u32::from_str_radix(digits, radix) {
        Ok(0) | Err(_) => char::REPLACEMENT_CHARACTER,
        Ok(code @ 0x80..=0x9f) => windows_1252(code as u8),
        Ok(code) => char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
    };
    Some((c, read + usize::from(closed)))
}

/// The character that authors meant by the number of a control character.
fn windows_1252(byte: u8) -> char {
    let mut utf8 = [0; 4];
    let mut decoder = encoding_rs::WINDOWS_1252.new_decoder_without_bom_handling();
    let (_, _, written, _) = decoder.decode_to_utf8(&[byte], &mut utf8, true);
    let decoded = std::str::from_utf8(&utf8[..written]).unwrap_or_default();
    decoded.chars().next().unwrap_or(char::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(text: &str) -> String {
        let mut out = String::new();
        let mut end = 0;
        decode(text, |piece, range| {
            assert_eq!(range.start, end);
            end = range.end;
            out.push_str(piece);
        });
        assert_eq!(end, text.len());
        out
    }

    #[test]
    fn references_are_decoded_as_the_standard_says() {
        for (text, decoded) in [
            ("a&amp;b", "a&b"),
            ("a & b && c&", "a & b && c&"),
            ("&notit; &notin; &amp&amp;&AMP", "¬it; ∉ &&&"),
            ("&#65;&#x42&#67", "ABC"),
            ("&#128;&#0;&#xD800;", "€\u{fffd}\u{fffd}"),
            ("&unknown; &;&#;&#x;", "&unknown; &;&#;&#x;"),
        ] {
            assert_eq!(all(text), decoded, "{text}");
        }
    }

    #[test]
    fn the_frequent_references_agree_with_the_table() {
        for name in [
            "amp", "lt", "gt", "quot", "nbsp", "#160", "#39", "#039", "#x27", "apos", "rsquo",
            "#8217", "#x2019", "ldquo", "#8220", "rdquo", "#8221", "ndash", "#8211", "mdash",
            "#8212", "raquo", "laquo", "copy",
        ] {
            let reference = format!("&{name};");
            let decoded = htmlize::unescape(&reference);
            let expected = Some((decoded.as_ref(), reference.len()));
            assert_eq!(frequent(&reference), expected, "{name}");
        }
    }

    #[test]
    fn every_name_and_number_decodes_as_the_library_does() {
        for name in ENTITIES.keys() {
            let name = std::str::from_utf8(name).unwrap();
            for text in [name.to_owned(), format!("{name}x"), name.replace(';', "")] {
                assert_eq!(all(&text), htmlize::unescape(&*text), "{text}");
            }
        }
        for code in (0..0x3000).chain([0xd7ff, 0xd800, 0xdfff, 0xfffe, 0x10_ffff, 0x11_0000]) {
            for text in [
                format!("&#{code};"),
                format!("&#x{code:x}z"),
                format!("&#X{code:X};;"),
            ] {
                assert_eq!(all(&text), htmlize::unescape(&*text), "{text}");
            }
        }
    }

    proptest! {
        #[test]
        fn decoding_in_parts_equals_decoding_at_once(text in "([a-zA-Z0-9#;& é]|&(amp|not|lt;|#x?[0-9a-f]{1,9};?)){0,40}") {
            prop_assert_eq!(all(&text), htmlize::unescape(&*text));
        }
    }
}
