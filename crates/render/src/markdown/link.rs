//! The addresses of links.

use super::super::html::is_address;
use super::super::page::Page;
use super::escape::is_reference;
use std::ops::Range;
use warcsieve_html::{attribute, decode_value};

/// Longest address of a link in bytes.
const MAX_ADDRESS: usize = 2048;

/// Appends the address of an `a` with these attributes to `addresses` and returns its range. The
/// range is empty if the link leads nowhere else, runs a script or is longer than 2048 bytes.
pub(super) fn address(source: &str, addresses: &mut String) -> Range<usize> {
    let start = addresses.len();
    let Some(value) = attribute(source, "href").filter(|v| v.len() <= 4 * MAX_ADDRESS) else {
        return start..start;
    };
    let value = decode_value(value);
    let value = value.trim_matches(|c| c <= ' ');
    let leads = !matches!(value, "" | "#") && value.len() <= MAX_ADDRESS;
    if leads && is_address(value, &["http", "https", "mailto"]) {
        // Browsers ignore tabs and line ends.
        addresses.extend(value.chars().filter(|c| !c.is_control()));
    }
    start..addresses.len()
}

/// Appends the destination of a link; `cell` says whether it is in a cell of a table.
pub(super) fn destination(address: &str, cell: bool, out: &mut Page<'_>) {
    out.push('(');
    for (at, c) in address.char_indices() {
        match c {
            ' ' => out.push_str("%20"),
            '(' | ')' | '<' | '>' | '\\' | '`' => {
                out.push('\\');
                out.push(c);
            }
            '|' if cell => out.push_str("\\|"),
            '&' if is_reference(&address.as_bytes()[at + 1..]) => out.push_str("\\&"),
            c => out.push(c),
        }
    }
    out.push(')');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(source: &str) -> String {
        let mut addresses = "before".to_owned();
        let range = address(source, &mut addresses);
        let mut out = String::new();
        destination(
            &addresses[range],
            true,
            &mut Page::new(&mut out, usize::MAX),
        );
        out
    }

    #[test]
    fn addresses_are_decoded_and_escaped() {
        for (href, expected) in [
            ("a?b=1&amp;c=2#d", "(a?b=1&c=2#d)"),
            ("a&amp;lt;", r"(a\&lt;)"),
            (" /a b\n(c) ", r"(/a%20b\(c\))"),
            ("a|b", r"(a\|b)"),
            ("", "()"),
            ("#", "()"),
            ("#a", "(#a)"),
            ("java\nscript:x", "()"),
            ("data:x", "()"),
            ("mailto:a@b", "(mailto:a@b)"),
        ] {
            assert_eq!(written(&format!("href=\"{href}\"")), expected, "{href}");
        }
        assert_eq!(written("name=x"), "()");
        assert_eq!(written(&format!("href={}", "x".repeat(2049))), "()");
        assert_eq!(written(&format!("href={}", "x".repeat(2048))).len(), 2050);
    }
}
