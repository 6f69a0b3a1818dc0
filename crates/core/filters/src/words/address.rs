//! Addresses as spaCy recognises them; each is one word: `lang/tokenizer_exceptions.py`,
//! `URL_PATTERN`.
//!
//! The pattern there is one regular expression. Here it is matched once from each position where a
//! host may begin. A match attempt ends where the next one could begin, so all attempts together
//! take linear time.

use super::classes::{HOST, TOP_DOMAIN};

/// Whether all of the text is an address.
pub(super) fn is_address(text: &str) -> bool {
    if !text.contains('.') {
        return false;
    }
    let after_user = text.match_indices('@').filter(|(at, _)| *at > 0);
    let starts = after_user.map(|(at, _)| at + 1);
    let starts = [0].into_iter().chain(after_scheme(text)).chain(starts);
    let mut rest = starts.map(|at| &text[at..]);
    rest.any(|rest| begins_with_host(rest) || begins_with_ip(rest))
}

/// Where a host begins after a scheme, such as `https://`.
fn after_scheme(text: &str) -> Option<usize> {
    let end = text.find("://")?;
    let scheme = &text[..end];
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '+' | '-' | '.');
    (scheme.chars().count() >= 2 && scheme.chars().all(is_part)).then_some(end + 3)
}

/// Whether the text consists of labels, a top-level domain, and what may follow a host.
fn begins_with_host(mut text: &str) -> bool {
    loop {
        let is_part = |c: char| HOST.has(c) || matches!(c, '_' | '-');
        let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
        let label = &text[..end];
        let ends = [label.chars().next(), label.chars().next_back()];
        let is_label = ends.into_iter().all(|c| c.is_some_and(|c| HOST.has(c)));
        if !is_label || label.chars().count() > 64 || !text[end..].starts_with('.') {
            return false;
        }
        text = &text[end + 1..];
        let top = text.find(|c| !TOP_DOMAIN.has(c)).unwrap_or(text.len());
        if (2..=63).contains(&text[..top].chars().count()) && ends_after_host(&text[top..]) {
            return true;
        }
    }
}

/// Whether only a port, a path, a query or a fragment follows.
fn ends_after_host(text: &str) -> bool {
    let text = match text.strip_prefix(':') {
        None => text,
        Some(port) => {
            let digits = port.bytes().take_while(u8::is_ascii_digit).count();
            if !(2..=5).contains(&digits) {
                return false;
            }
            &port[digits..]
        }
    };
    text.is_empty() || text.starts_with(['/', '?', '#'])
}

/// Whether the text consists of a public IPv4 address and what may follow a host.
fn begins_with_ip(text: &str) -> bool {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
    let (ip, rest) = text.split_at(end.unwrap_or(text.len()));
    let mut parts = ip.split('.');
    let mut next = || parts.next().filter(|p| (1..=3).contains(&p.len()));
    let (Some(a), Some(b), Some(c), Some(d)) = (next(), next(), next(), next()) else {
        return false;
    };
    let number = |part: &str| part.parse::<u16>().unwrap_or(999);
    let is_plain = |part: &str| !part.starts_with('0');
    let is_middle = |part: &str| number(part) < 256 && (part.len() < 3 || is_plain(part));
    let [first, second] = [number(a), number(b)];
    let is_private = matches!(first, 10 | 127)
        || matches!((first, second), (169, 254) | (192, 168))
        || first == 172 && (16..32).contains(&second);
    parts.next().is_none()
        && is_plain(a)
        && first < 224
        && [b, c].into_iter().all(is_middle)
        && is_plain(d)
        && number(d) < 255
        && !is_private
        && ends_after_host(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_words() {
        for yes in [
            "example.org",
            "http://example.org/a?b#c",
            "me@example.org",
            "a:b@c.example.org:8080/x",
            "8.8.8.8",
            "ftp://8.8.8.8:21/",
            "例え.テスト",
        ] {
            assert!(is_address(yes), "{yes}");
        }
        for no in [
            "word",
            "end.Next",
            "10.0.0.1",
            "192.168.1.1",
            "3.14",
            "a..b",
            "-a.org-",
            "example.org:1",
            "x.y",
            "@",
        ] {
            assert!(!is_address(no), "{no}");
        }
    }
}
