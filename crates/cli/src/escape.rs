//! Data of pages and file names as a terminal may show them.

use std::fmt::Write;
use warcsieve_common::is_control;

/// The text with characters escaped that would change what a terminal shows instead of being shown:
/// control characters other than line end and tab, and those that turn the direction of text.
pub fn text(text: &str) -> String {
    escaped(text, |c| is_control(c) && !matches!(c, '\n' | '\t'))
}

/// The text with all of these escaped, so that it stays on one line.
pub fn line(text: &str) -> String {
    escaped(text, is_control)
}

/// Escapes are those of Rust's literals: `\n`, `\u{1b}`.
fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' if is_escaped(c) => out.extend(c.escape_default()),
            _ if is_escaped(c) => {
                // Writing into a string does not fail.
                let _ = write!(out, "{}", c.escape_unicode());
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_moves_the_cursor_or_turns_text_is_left() {
        let hostile = "a\u{1b}[2Jb\u{9b}c\u{7f}\r\u{202e}d\u{2066}\u{85}\u{2028}é漢\n\t";
        let shown = "a\\u{1b}[2Jb\\u{9b}c\\u{7f}\\r\\u{202e}d\\u{2066}\\u{85}\\u{2028}é漢";
        assert_eq!(text(hostile), format!("{shown}\n\t"));
        assert_eq!(line(hostile), format!("{shown}\\n\\t"));
        assert_eq!(line("plain"), "plain");
    }
}
