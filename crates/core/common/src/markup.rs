//! Texts of others as parts of Markdown and HTML, which show them and obey nothing in them.

use std::borrow::Cow;

/// A text within a line of Markdown, or in a cell of a table.
///
/// Signs that would begin markup get a backslash; controls and line ends become spaces. At the beginning of a line or of an
/// item, use [`markdown_line`].
///
/// ```
/// use warcsieve_common::markdown;
///
/// assert_eq!(markdown("min-words a_b"), "min-words a_b");
/// assert_eq!(markdown("<img src=x> [a](b) |"), r"\<img src=x> \[a\](b) \|");
/// ```
pub fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let mut rest = text[at + c.len_utf8()..].chars();
        let next = rest.next().unwrap_or(' ');
        let is_sign = match c {
            '\\' | '`' | '*' | '[' | ']' | '|' | '~' | '$' => true,
            '_' => !(before.is_alphanumeric() && next.is_alphanumeric()),
            '<' => next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?'),
            '&' => next.is_ascii_alphanumeric() || next == '#',
            _ => false,
        };
        if is_sign {
            out.push('\\');
        }
        out.push(shown(c));
        before = c;
    }
    out
}

/// The same where a line, an item or a paragraph begins: signs of headings, items and quotes get a backslash there.
pub fn markdown_line(text: &str) -> String {
    let text = markdown(text.trim_start());
    let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = text.len() - number.len();
    match number.chars().next() {
        Some('#' | '>' | '+' | '-' | '=' | ':') if digits == 0 => format!("\\{text}"),
        Some('.' | ')') if digits > 0 => format!("{}\\{number}", &text[..digits]),
        _ => text,
    }
}

/// A text as a code span of Markdown, between more backticks than it has in a row.
pub fn markdown_code(text: &str) -> String {
    let text: String = text.chars().map(shown).collect();
    let fence = "`".repeat(longest_run(&text) + 1);
    let is_padded = text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) || text.is_empty();
    let pad = if is_padded { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A code span in a cell of a table, where `|` ends a cell even in code.
pub fn markdown_code_cell(text: &str) -> String {
    match text.contains("\\|") {
        // A backslash before the one of the cell could not be told from it.
        true => markdown(text),
        false => markdown_code(text).replace('|', "\\|"),
    }
}

/// Lines of code in Markdown, after a fence that is longer than any row of backticks in them, and before another.
pub fn markdown_code_block(language: &str, text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    let text: String = text
        .trim()
        .chars()
        .map(|c| if c == '\n' { c } else { shown(c) })
        .collect();
    format!("{fence}{language}\n{text}\n{fence}")
}

fn longest_run(text: &str) -> usize {
    let runs = text.split(|c| c != '`').map(str::len);
    runs.max().unwrap_or(0)
}

/// A text in HTML or SVG, between tags or in a value in quotes. Controls become U+FFFD.
pub fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A field of CSV (RFC 4180). Controls but tabs and line ends become U+FFFD.
pub fn csv(field: &str) -> Cow<'_, str> {
    let is_obeyed = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    let field: Cow<'_, str> = match field.contains(is_obeyed) {
        true => field.replace(is_obeyed, "\u{fffd}").into(),
        false => field.into(),
    };
    match field.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")).into(),
        false => field,
    }
}

/// A character of a text on one line.
fn shown(c: char) -> char {
    match crate::is_control(c) {
        true => ' ',
        false => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_texts_stay_as_they_are() {
        for text in [
            "justext",
            "a/b_c.warc.gz",
            "F1 < 0.5 & more",
            "-",
            "<.0001",
            "é (3)",
        ] {
            assert_eq!(markdown(text), text);
            assert_eq!(markdown_line(text).replace("\\-", "-"), text);
        }
        assert_eq!(markdown_code("a b"), "`a b`");
        assert_eq!(csv("a b"), "a b");
    }

    #[test]
    fn nothing_in_a_text_is_markup() {
        assert_eq!(
            markdown("_a_ `b`\n*c* &lt; ~~$"),
            r"\_a\_ \`b\` \*c\* \&lt; \~\~\$"
        );
        assert_eq!(markdown("a\u{1b}]0;\u{9b}\u{202e}"), r"a \]0;  ");
        for (text, expected) in [
            ("# a", r"\# a"),
            ("1. a", r"1\. a"),
            (" - a", r"\- a"),
            ("12", "12"),
        ] {
            assert_eq!(markdown_line(text), expected);
        }
        assert_eq!(markdown_code("a``b"), "```a``b```");
        assert_eq!(markdown_code("`\n"), "`` `  ``");
        assert_eq!(markdown_code_cell("a|b"), r"`a\|b`");
        assert_eq!(markdown_code_cell(r"a\|b"), r"a\\\|b");
        assert_eq!(
            markdown_code_block("toml", "a\n````\n"),
            "`````toml\na\n````\n`````"
        );
        assert_eq!(
            html("<a b='\"&\u{1b}>"),
            "&lt;a b=&#39;&quot;&amp;\u{fffd}&gt;"
        );
        assert_eq!(csv("say \"so\"\u{7}, a"), "\"say \"\"so\"\"\u{fffd}, a\"");
    }
}
