//! The rule for addresses of links and images, the same in HTML and Markdown.

use std::borrow::Cow;

/// Schemes of links: what a reader follows to read, write, fetch or call.
pub(super) const LINKED: &[&str] = &["http", "https", "mailto", "ftp", "tel"];

/// Schemes of what is shown or cited.
pub(super) const SHOWN: &[&str] = &["http", "https"];

/// An address as it is printed, if it is relative or has one of the schemes.
///
/// Control characters are removed first, so that what is checked is what is printed. A colon before
/// the first `/`, `?` or `#` ends a scheme: relative addresses have none there (RFC 3986, §4.2).
/// So a scheme in which an invisible character hides is unknown, whichever program removes it
/// later.
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
