//! The rule for addresses of links and images. It is the same in HTML and Markdown.

use std::borrow::Cow;
use url::Url;
use warcsieve_html::document::Document;
use warcsieve_html::{Tag, attribute, decode_value};

/// Schemes allowed in links: those that a reader follows to read, write, download or call.
pub(super) const LINKED: &[&str] = &["http", "https", "mailto", "ftp", "tel"];

/// Schemes allowed in images and citations.
pub(super) const SHOWN: &[&str] = &["http", "https"];

/// The base that completes relative addresses. It may be empty; then nothing is completed.
#[derive(Clone, Debug, Default)]
pub struct Base(Option<Url>);

impl Base {
    /// The base of a page at `url`: its first `<base>`, completed with `url`, else `url` itself.
    pub fn of(url: &str, doc: &Document) -> Self {
        let page = web(Url::parse(url));
        let mut bases = doc.tree.elements.iter().filter(|e| e.tag == Tag::Base);
        let stated = bases.find_map(|base| attribute(doc.attributes(base), "href"));
        let stated = stated
            .filter(|value| value.len() <= MAX_ADDRESS)
            .map(decode_value);
        let stated = stated.and_then(|value| {
            web(match &page {
                Some(page) => page.join(&value),
                None => Url::parse(&value),
            })
        });
        Self(stated.or(page))
    }

    /// An address as it is printed. A relative one is completed, unless it or the result is longer
    /// than 16 KiB.
    pub(super) fn complete<'a>(&self, value: &'a str, schemes: &[&str]) -> Option<Cow<'a, str>> {
        let address = address(value, schemes)?;
        let Some(base) = &self.0 else {
            return Some(address);
        };
        if address.is_empty() || address.len() > MAX_ADDRESS || has_scheme(&address) {
            return Some(address);
        }
        match web(base.join(&address)) {
            Some(whole) => Some(String::from(whole).into()),
            None => Some(address),
        }
    }

    /// Completes a relative address by the URL standard. `None` if there is no base, or the result
    /// is not a web address.
    pub fn join(&self, address: &str) -> Option<String> {
        let base = self.0.as_ref().filter(|_| address.len() <= MAX_ADDRESS)?;
        web(base.join(address)).map(String::from)
    }
}

/// Maximum length of an address in bytes, before and after it is completed, and of a `<base>`.
const MAX_ADDRESS: usize = 16 << 10;

/// Accepts only `http` and `https` addresses that are not too long.
fn web(parsed: Result<Url, url::ParseError>) -> Option<Url> {
    parsed
        .ok()
        .filter(|url| SHOWN.contains(&url.scheme()) && url.as_str().len() <= MAX_ADDRESS)
}

/// Whether an address begins with a scheme.
fn has_scheme(address: &str) -> bool {
    let first = address.split(['/', '?', '#']).next().unwrap_or_default();
    first.contains(':')
}

/// An address as it is printed; `None` unless it is relative or has one of the schemes.
///
/// Control characters are removed first, so that the checked address is the printed one. A colon
/// before the first `/`, `?` or `#` ends a scheme, because relative addresses have no colon there
/// (RFC 3986, §4.2). So a scheme with an invisible character inside is an unknown scheme, no matter
/// which program removes that character later.
pub(super) fn address<'a>(value: &'a str, schemes: &[&str]) -> Option<Cow<'a, str>> {
    let value = if value.contains(char::is_control) {
        let kept: String = value.chars().filter(|c| !c.is_control()).collect();
        Cow::Owned(kept.trim_matches(' ').to_owned())
    } else {
        Cow::Borrowed(value.trim_matches(' '))
    };
    let first = value.split(['/', '?', '#']).next().unwrap_or_default();
    let is_known = |scheme: &str| schemes.iter().any(|s| s.eq_ignore_ascii_case(scheme));
    let allowed = first.split_once(':').is_none_or(|(s, _)| is_known(s));
    allowed.then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_relative_or_of_a_known_scheme() {
        for good in [
            "http://a/b?c=1&d=2",
            "HTTPS://a",
            "/a:b",
            "?q=javascript:1",
            "#a:b",
            "//a/b",
            "a.html",
            "",
            "mailto:a@b",
            "ftp://a",
            "tel:+49",
        ] {
            assert_eq!(address(good, LINKED).as_deref(), Some(good));
        }
        for bad in [
            "javascript:alert(1)",
            "data:text/html,x",
            "vbscript:x",
            "file:///a",
            "https+x:a",
            "httpx:a",
            "htp:a",
            "javascrit:a",
            "1a:b",
            ":",
            "C:\\a",
        ] {
            assert_eq!(address(bad, LINKED), None, "{bad}");
        }
        assert_eq!(address("mailto:a@b", SHOWN), None);
    }

    #[test]
    fn relative_addresses_are_completed() {
        let complete = |url: &str, html: &str, value: &str| {
            let doc = warcsieve_fixture::segmented(html, warcsieve_html::Segmentation::Inline);
            let found = Base::of(url, &doc).complete(value, LINKED);
            found.map(Cow::into_owned).unwrap_or_default()
        };
        let page = "http://a.example/b/c?d";
        for (value, expected) in [
            ("e", "http://a.example/b/e"),
            ("/e?f#g", "http://a.example/e?f#g"),
            ("//b.example", "http://b.example/"),
            ("#h", "http://a.example/b/c?d#h"),
            ("../../i j", "http://a.example/i%20j"),
            ("mailto:a@b", "mailto:a@b"),
            ("HTTPS://X/", "HTTPS://X/"),
            ("javascript:x", ""),
            ("", ""),
        ] {
            assert_eq!(complete(page, "<p>x", value), expected, "{value}");
            assert!(!complete("", "<p>x", value).contains("a.example"));
        }
        assert_eq!(
            complete(page, "<base href=../k/><p>x", "e"),
            "http://a.example/k/e"
        );
        assert_eq!(
            complete("", "<base href=https://c.example/><p>x", "e"),
            "https://c.example/e"
        );
        assert_eq!(
            complete(page, "<base href=data:x><p>x", "e"),
            "http://a.example/b/e"
        );
        assert_eq!(complete("urn:x", "<p>x", "e"), "e");
    }

    #[test]
    fn nothing_hides_in_a_scheme() {
        let invisible = "\0 \t\n\r\u{1}\u{7f}\u{80}\u{81}\u{9f}\u{a0}\u{ad}\u{200b}\u{200d}\u{202e}\
            \u{2028}\u{2060}\u{3000}\u{feff}\u{fffd}\u{e0001}";
        for c in invisible.chars() {
            for at in 0..="javascript:".len() {
                let mut hidden = "javascript:alert(1)".to_owned();
                hidden.insert(at, c);
                assert_eq!(address(&hidden, LINKED), None, "{hidden:?}");
            }
        }
        assert_eq!(address(" \u{81} a\n/b \t", LINKED).as_deref(), Some("a/b"));
        assert_eq!(address("ht\ntp://a", LINKED).as_deref(), Some("http://a"));
    }
}
