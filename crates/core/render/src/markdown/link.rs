//! The addresses of links.

use super::super::address::{Base, LINKED};
use super::super::page::Page;
use super::reference::is_reference;
use std::ops::Range;
use warcsieve_html::{attribute, decode_value};

/// Maximum length of a link's address in bytes.
const MAX_ADDRESS: usize = 2048;

/// Appends the address of an `a` with these attributes to `addresses`, and returns its range. The
/// range is empty if the link leads nowhere else, is not allowed, or is longer than 2048 bytes.
pub(super) fn address(source: &str, base: &Base, addresses: &mut String) -> Range<usize> {
    let start = addresses.len();
    let value = attribute(source, "href").filter(|v| v.len() <= 4 * MAX_ADDRESS);
    let value = decode_value(value.unwrap_or_default());
    let leads = |a: &str| !matches!(a, "" | "#") && a.len() <= MAX_ADDRESS;
    let written = value.trim_matches(' ');
    if let Some(address) = base
        .complete(&value, LINKED)
        .filter(|a| leads(written) && leads(a))
    {
        addresses.push_str(&address);
    }
    start..addresses.len()
}

/// Appends the destination of a link. `cell` says whether it is in a table cell.
pub(super) fn destination(address: &str, cell: bool, out: &mut Page<'_>) {
    out.push('(');
    for (at, c) in address.char_indices() {
        match c {
            // Many renderers see a formula between two `$`, even if one of them is in an address.
            '(' | ')' | '\\' | '$' => {
                out.push('\\');
                out.push(c);
            }
            // Browsers encode these, too. Some renderers would end the address there.
            '<' | '>' | '"' | '`' => encode(c, out),
            '|' if cell => encode(c, out),
            c if c.is_whitespace() => encode(c, out),
            '&' if is_reference(&address.as_bytes()[at + 1..]) => out.push_str("&amp;"),
            c => out.push(c),
        }
    }
    out.push(')');
}

/// Appends a character percent-encoded.
fn encode(c: char, out: &mut Page<'_>) {
    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
        out.push_str(&format!("%{byte:02X}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(source: &str) -> String {
        let mut addresses = "before".to_owned();
        let range = address(source, &Base::default(), &mut addresses);
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
            ("a&amp;lt;", "(a&amp;lt;)"),
            ("javascript&amp;#58x", "(javascript&amp;#58x)"),
            ("a$b", r"(a\$b)"),
            (" /a b\n(c) ", r"(/a%20b\(c\))"),
            ("a|b", "(a%7Cb)"),
            ("a<b>`c&nbsp;&quot;", "(a%3Cb%3E%60c%C2%A0%22)"),
            ("", "()"),
            ("#", "()"),
            ("#a", "(#a)"),
            ("java\nscript:x", "()"),
            ("java&#x81;script:x", "()"),
            ("java&shy;script:x", "()"),
            ("&nbsp;javascript:x", "()"),
            ("javascrit:x", "()"),
            ("htp://x", "()"),
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
