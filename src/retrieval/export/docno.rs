//! Ids and addresses as TREC's formats can hold them.

use std::borrow::Cow;
use std::fmt::Write;

/// A page's id as runs and TREC's formats can hold it: white space, control characters, `<`, `>`, `&`
/// and `%` are percent-encoded in UTF-8. Most ids stay as they are; an input's name in
/// `NAME@OFFSET` may have such. Two ids never become one.
pub fn docno(id: &str) -> Cow<'_, str> {
    encode(id, |c| matches!(c, '<' | '>' | '&' | '%'))
}

/// An address that is one line without markup. What `%` means in it is left to it.
pub(super) fn address(url: &str) -> Cow<'_, str> {
    encode(url, |c| matches!(c, '<' | '>'))
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
    fn ids_of_crawls_stay_and_odd_ones_are_encoded() {
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
        fn docnos_are_words_and_tell_ids_apart(a in "\\PC{0,4}|[%20 <]{0,4}", b in "[%20 <]{0,6}") {
            let (x, y) = (docno(&a), docno(&b));
            prop_assert!(!x.contains(|c: char| c.is_whitespace() || "<>&".contains(c)));
            prop_assert_eq!(x == y, a == b);
        }
    }
}
