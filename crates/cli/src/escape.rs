//! Escapes data of pages and file names, so that a terminal can show them.

use std::fmt::Write;
use warcsieve_common::is_control;

/// Escapes characters that would change what a terminal shows: control characters except line end
/// and tab, and characters that change the direction of text.
pub fn text(text: &str) -> String {
    escaped(text, |c| is_control(c) && !matches!(c, '\n' | '\t'))
}

/// Escapes all of these, including line ends and tabs, so that the text stays on one line.
pub fn line(text: &str) -> String {
    escaped(text, is_control)
}

/// Uses the escapes of Rust literals: `\n`, `\u{1b}`.
fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' if is_escaped(c) => out.extend(c.escape_default()),
            _ if is_escaped(c) => {
                // Writing into a string cannot fail.
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
