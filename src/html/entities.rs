//! Character references of text.

use memchr::memchr_iter;
use std::borrow::Cow;
use std::ops::Range;

/// Hands `text` to `piece` in parts, in order: each part decoded, and the byte
/// range of `text` it stands at. A reference ends inside `text` or not at all.
pub(crate) fn decode(text: &str, mut piece: impl FnMut(&str, Range<usize>)) {
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
        let reference = &text[at..end];
        let decoded: Cow<'_, str> = match frequent(reference) {
            Some(decoded) => decoded.into(),
            None => htmlize::unescape(reference),
        };
        piece(&text[done..at], done..at);
        piece(&decoded, at..end);
        done = end;
    }
    piece(&text[done..], done..text.len());
}

/// The references that pages are full of, without an allocation.
fn frequent(reference: &str) -> Option<&'static str> {
    Some(match reference {
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
    })
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
    fn the_frequent_ones_agree_with_the_table() {
        for name in [
            "amp", "lt", "gt", "quot", "nbsp", "#160", "#39", "#039", "#x27", "apos", "rsquo",
            "#8217", "#x2019", "ldquo", "#8220", "rdquo", "#8221", "ndash", "#8211", "mdash",
            "#8212", "raquo", "laquo", "copy",
        ] {
            let reference = format!("&{name};");
            let decoded = htmlize::unescape(&reference);
            assert_eq!(frequent(&reference), Some(decoded.as_ref()), "{name}");
        }
    }

    proptest! {
        #[test]
        fn decoding_in_parts_is_decoding(text in "([a-zA-Z0-9#;& é]|&(amp|not|lt;|#x?[0-9a-f]{1,9};?)){0,40}") {
            prop_assert_eq!(all(&text), htmlize::unescape(&*text));
        }
    }
}
