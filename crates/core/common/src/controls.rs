//! Characters that change what a terminal shows, or where a line ends, instead of being shown.

use std::fmt::Write;

/// Controls (Unicode's C0, DEL, C1), line separators, and direction marks. Direction marks can make
/// a text appear in another order than its own.
pub fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}')
}

/// The same JSON with all of these characters escaped, so that any reader sees one line, and the
/// text is shown unchanged. Some libraries end lines at U+0085 and U+2028, which JSON allows in
/// strings.
///
/// `json` must be as `serde_json` writes it, without white space between its parts, so that each of
/// these characters is inside a string.
pub fn escaped_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            // Writing into a string does not fail.
            _ if is_control(c) => drop(write!(out, "\\u{:04x}", u32::from(c))),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_json_is_one_line_and_says_the_same() {
        let escaped = escaped_json("{\"a\\n\":\"\u{7f}\u{85}\u{9b}\u{2028}\u{202e}é漢\"}");
        let expected = "{\"a\\n\":\"\\u007f\\u0085\\u009b\\u2028\\u202eé漢\"}";
        assert_eq!(escaped, expected);
        assert!((0..=0x10_ffff).filter_map(char::from_u32).all(|c| {
            // Four digits suffice.
            !is_control(c) || u32::from(c) <= 0xffff
        }));
    }
}
