//! Encodes ids and URLs for TREC's formats.

use std::borrow::Cow;
use std::fmt::Write;

/// A page's id encoded for runs and TREC's formats: white space, control characters, `<`, `>`, `&`
/// and `%` are percent-encoded in UTF-8. Most ids do not change, but an input's name in
/// `NAME@OFFSET` may have such characters. Different ids stay different.
pub fn docno(id: &str) -> Cow<'_, str> {
    encode(id, |c| matches!(c, '<' | '>' | '&' | '%'))
}

/// A URL as one line without markup. `%` is not encoded, because URLs already use it.
pub(super) fn address(url: &str) -> Cow<'_, str> {
    encode(url, |c| matches!(c, '<' | '>'))
}

/// A text as one line: white space and control characters are percent-encoded.
pub(super) fn one_line(text: &str) -> Cow<'_, str> {
    encode(text, |_| false)
}

fn encode(text: &str, special: impl Fn(char) -> bool) -> Cow<'_, str> {
    let is_bad = |c: char| c.is_whitespace() || c.is_control() || special(c);
    if !text.contains(is_bad) {
        return Cow::Borrowed(text);
    }
    let mut encoded = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_bad(c) {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                let _ = write!(encoded, "%{byte:02X}");
            }
        } else {
            encoded.push(c);
        }
    }
    Cow::Owned(encoded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ids_of_crawls_stay_and_special_characters_are_encoded() {
        for id in [
            "clueweb09-en0000-00-00000",
            "urn:uuid:8d5e",
            "crawl/00.arc.gz@12",
            "ü",
        ] {
            assert_eq!(docno(id), id);
        }
        assert_eq!(docno("my crawl.arc@1"), "my%20crawl.arc@1");
        assert_eq!(docno("a%20b"), "a%2520b");
        assert_eq!(docno("\u{3000}</DOCNO>"), "%E3%80%80%3C/DOCNO%3E");
        assert_eq!(address("http://x/?a=1&b=%20\n"), "http://x/?a=1&b=%20%0A");
    }

    proptest! {
        #[test]
        fn docnos_have_no_white_space_and_are_unique(a in "\\PC{0,4}|[%20 <]{0,4}", b in "[%20 <]{0,6}") {
            let (x, y) = (docno(&a), docno(&b));
            prop_assert!(!x.contains(|c: char| c.is_whitespace() || "<>&".contains(c)));
            prop_assert_eq!(x == y, a == b);
        }
    }
}
