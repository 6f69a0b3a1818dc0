//! Escapes text for CommonMark. Characters that would be markup get a backslash. `<` and `&` become
//! character references, which are harmless even in a renderer that ignores backslashes.

use super::super::page::Page;
use super::formula::{self, Formulas};
use super::reference::is_reference;
use warcsieve_common::prefix;

/// Where a text is printed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    /// At the beginning of a line.
    pub line_start: bool,
    /// At the end of a heading, where `#` would be dropped.
    pub heading_end: bool,
    /// Directly before a link.
    pub before_link: bool,
    /// In a table cell.
    pub cell: bool,
    /// In a link, which cannot contain another link.
    pub linked: bool,
    /// Before a line break, which is printed as a backslash.
    pub before_break: bool,
    /// In a paragraph with at least two `$`. Many renderers see a formula between them, even in
    /// code.
    pub dollars: bool,
}

/// Appends text. A line end in it becomes a space. TeX between `\(` and `\)`, which pages contain
/// for MathJax, becomes a formula.
pub(super) fn text(source: &str, mut place: Place, out: &mut Page<'_>) {
    let mut formulas = Formulas::new(source);
    for (before, tex) in formulas.by_ref() {
        let last = Place {
            heading_end: false,
            before_link: false,
            before_break: false,
            ..place
        };
        escaped(
            before,
            Place {
                dollars: true,
                ..last
            },
            out,
        );
        formula::write(&tex, place.cell, out);
        place.line_start = false;
    }
    escaped(formulas.rest(), place, out);
}

/// Appends the text of an image. It has no formulas.
pub(super) fn label(source: &str, cell: bool, out: &mut Page<'_>) {
    let place = Place {
        cell,
        linked: true,
        dollars: true,
        ..Place::default()
    };
    escaped(source, place, out);
}

fn escaped(source: &str, place: Place, out: &mut Page<'_>) {
    let bytes = source.as_bytes();
    let mut done = 0;
    // Every byte is read at most once in a search for addresses, however many begin: an address
    // cannot contain another one.
    let mut read = 0;
    // Readers drop a byte order mark at the start of a file.
    let first = source.len() - source.trim_start_matches('\u{feff}').len();
    let marker = place.line_start.then(|| line_marker(&bytes[first..]));
    let marker = marker.flatten().map(|at| first + at);
    for (at, &byte) in bytes.iter().enumerate() {
        if at < done {
            continue;
        }
        if byte == b'h' && !place.linked && at >= read {
            let found = address(source, at, place.before_break);
            read = at + found.read;
            if let Some(address) = found.address {
                out.push_str(&source[done..at]);
                for part in ["<", address, ">"] {
                    out.push_str(part);
                }
                done = at + address.len();
                continue;
            }
        }
        let last = at + 1 == bytes.len();
        let replaced = match byte {
            b'<' if !matches!(bytes.get(at + 1), Some(b' ' | b'\n')) => Some("&lt;"),
            b'&' if is_reference(&bytes[at + 1..]) => Some("&amp;"),
            b'\n' => Some(" "),
            _ => None,
        };
        if let Some(replacement) = replaced {
            out.push_str(&source[done..at]);
            out.push_str(replacement);
            done = at + 1;
            continue;
        }
        let escaped = match byte {
            b'\\' | b'`' | b'*' | b'[' | b']' | b'~' => true,
            b'_' => !is_inside_word(source, at),
            b'|' if place.cell => true,
            b'$' if place.dollars => true,
            b'!' if last => place.before_link,
            b'#' if last && place.heading_end => true,
            _ => false,
        };
        if escaped || marker == Some(at) {
            out.push_str(&source[done..at]);
            out.push('\\');
            done = at;
        }
    }
    out.push_str(&source[done..]);
}

/// Maximum length of an address that becomes a link, in bytes.
const MAX_ADDRESS: usize = 2048;

/// The result of a search for an address.
#[derive(Default)]
struct Found<'s> {
    /// The address, if it must be written as `<address>`.
    address: Option<&'s str>,
    /// Number of bytes read by the search.
    read: usize,
}

/// A web address that begins at `at`, if it needs `<` and `>` around it. It does if a backslash
/// would be printed inside it or directly after it: programs that turn addresses into links would
/// take that backslash as a part of the address.
fn address(source: &str, at: usize, before_break: bool) -> Found<'_> {
    let rest = &source[at..];
    let scheme = ["https://", "http://"]
        .into_iter()
        .find(|s| rest.starts_with(s));
    let Some(scheme) = scheme else {
        return Found::default();
    };
    if source[..at].ends_with(|c: char| c.is_alphanumeric() || c == '<') {
        return Found::default();
    }
    let rest = prefix(rest, MAX_ADDRESS + 1);
    let end = rest.find(|c: char| c.is_whitespace() || c.is_control() || "<>|\"`\\".contains(c));
    let read = end.unwrap_or(rest.len());
    let address = without_punctuation(&rest[..read]);
    let references = address
        .bytes()
        .enumerate()
        .filter(|(_, byte)| *byte == b'&');
    let mut references = references.map(|(at, _)| &address.as_bytes()[at + 1..]);
    let is_plain = address.len() > scheme.len() && !references.any(is_reference);
    let ends = before_break && at + address.len() == source.len();
    let mut signs = address.match_indices(['*', '~', '[', ']', '$', '_']);
    let has_signs = signs.any(|(at, sign)| sign != "_" || !is_inside_word(address, at));
    let is_written = read <= MAX_ADDRESS && is_plain && (ends || has_signs);
    Found {
        address: is_written.then_some(address),
        read,
    }
}

/// An address without the punctuation after it. A bracket at its end belongs to it if it closes one
/// that is opened inside, as in `Mercury_(planet)`.
fn without_punctuation(address: &str) -> &str {
    let count = |sign: char| address.matches(sign).count();
    let unopened = |open, close| count(close).saturating_sub(count(open));
    let (mut round, mut square) = (unopened('(', ')'), unopened('[', ']'));
    let take = |unopened: &mut usize| {
        let is_one = *unopened > 0;
        *unopened = unopened.saturating_sub(1);
        is_one
    };
    address.trim_end_matches(|c: char| match c {
        ')' => take(&mut round),
        ']' => take(&mut square),
        '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '*' | '_' | '~' | '$' | '&' => true,
        _ => false,
    })
}

/// Appends a code span. Its fence has more backticks than any sequence in the text. In a table
/// cell, `|` needs a backslash even in code. Renderers do not show that backslash.
pub(super) fn code(source: &str, cell: bool, out: &mut Page<'_>) {
    let fence = "`".repeat(longest_run(source, b'`', 0) + 1);
    let pad = if source.starts_with('`') || source.ends_with('`') {
        " "
    } else {
        ""
    };
    out.push_str(&fence);
    out.push_str(pad);
    let mut done = 0;
    for (at, byte) in source.bytes().enumerate() {
        let replacement = match byte {
            b'\n' => " ",
            b'|' if cell => "\\|",
            _ => continue,
        };
        out.push_str(&source[done..at]);
        out.push_str(replacement);
        done = at + 1;
    }
    out.push_str(&source[done..]);
    out.push_str(pad);
    out.push_str(&fence);
}

/// Length of the longest sequence of a byte, but at least `least`.
pub(super) fn longest_run(source: &str, byte: u8, least: usize) -> usize {
    let (mut longest, mut run) = (least, 0);
    for &b in source.as_bytes() {
        run = if b == byte { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// Position of the character at the beginning of a line that would turn the line into a heading, an
/// item, a quote, a rule or a table.
fn line_marker(bytes: &[u8]) -> Option<usize> {
    match bytes.first()? {
        b'#' | b'+' | b'-' | b'=' | b'>' | b'|' | b':' => return Some(0),
        _ => {}
    }
    let digits = bytes.iter().take_while(|b| b.is_ascii_digit()).count();
    let ends = bytes
        .get(digits + 1)
        .is_none_or(|&b| matches!(b, b' ' | b'\n'));
    let is = (1..10).contains(&digits) && matches!(bytes.get(digits), Some(b'.' | b')')) && ends;
    is.then_some(digits)
}

/// Whether there are letters or digits on both sides.
fn is_inside_word(source: &str, at: usize) -> bool {
    let before = source[..at].chars().next_back();
    let after = source[at + 1..].chars().next();
    before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(source: &str, place: Place) -> String {
        let mut out = String::new();
        text(source, place, &mut Page::new(&mut out, usize::MAX));
        out
    }

    #[test]
    fn only_what_would_be_markup_is_escaped() {
        for (source, expected) in [
            (r"a\b*c* `d` [e](f) ~g~", r"a\\b\*c\* \`d\` \[e\](f) \~g\~"),
            ("snake_case _a_ é_é __b", r"snake_case \_a\_ é_é \_\_b"),
            ("a < b <c </d <!-- <", "a < b &lt;c &lt;/d &lt;!-- &lt;"),
            ("<a@b.c> <3", "&lt;a@b.c> &lt;3"),
            ("AT&T &amp; &#1; &am &", "AT&T &amp;amp; &amp;#1; &am &"),
            ("&amp", "&amp;amp"),
            ("- 1. # + > | !", "- 1. # + > | !"),
            ("a\nb", "a b"),
        ] {
            assert_eq!(escaped(source, Place::default()), expected);
        }
    }

    #[test]
    fn hostile_addresses_take_linear_time() {
        let started = std::time::Instant::now();
        for text in ["http://", "http://a&amp;_b*", "https://[a]/_"] {
            escaped(&text.repeat(300_000), Place::default());
        }
        assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    }

    #[test]
    fn what_is_markup_depends_on_the_place() {
        let start = Place {
            line_start: true,
            ..Place::default()
        };
        for (source, expected) in [
            ("- a", r"\- a"),
            ("# a", r"\# a"),
            ("=", r"\="),
            ("12. a", r"12\. a"),
            ("1)", r"1\)"),
            ("1.5 a", "1.5 a"),
            ("1234567890. a", "1234567890. a"),
        ] {
            assert_eq!(escaped(source, start), expected);
        }
        let end = Place {
            heading_end: true,
            ..Place::default()
        };
        assert_eq!(escaped("C# a ##", end), r"C# a #\#");
        let link = Place {
            before_link: true,
            ..Place::default()
        };
        assert_eq!(escaped("a! b!", link), r"a! b\!");
        let cell = Place {
            cell: true,
            ..Place::default()
        };
        assert_eq!(escaped("a|b", cell), r"a\|b");
        let dollars = Place {
            dollars: true,
            ..Place::default()
        };
        assert_eq!(escaped("$5", dollars), r"\$5");
    }

    #[test]
    fn code_has_a_longer_fence_than_its_text_contains() {
        let written = |source, cell| {
            let mut out = String::new();
            code(source, cell, &mut Page::new(&mut out, usize::MAX));
            out
        };
        let span = |source| written(source, false);
        assert_eq!(span("a*b"), "`a*b`");
        assert_eq!(span("a`b``c"), "```a`b``c```");
        assert_eq!(span("`a\nb"), "`` `a b ``");
        assert_eq!(span("a || b"), "`a || b`");
        assert_eq!(written("a || b", true), r"`a \|\| b`");
    }
}
