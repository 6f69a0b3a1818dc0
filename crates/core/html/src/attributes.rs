//! Parses the attributes of a start tag like the tokenizer of the HTML standard (§13.2.5.32 to
//! §13.2.5.40).
//!
//! The source is the text between a tag's name and its `>`, without the slash of `/>`, as
//! [`Document::attributes`](crate::document::Document::attributes) returns it. Parsing takes time
//! linear in its length and allocates nothing.

use super::byte_search;
use super::scan::bytes::{EQUALS, SLASH, SPACE, skip, skip_all};
use std::borrow::Cow;
use std::ops::Range;

/// The attributes of a start tag in order: name and value as written, without quotes.
///
/// Names compare without regard to ASCII case. A name that appears again is returned again,
/// although only the first counts; [`attribute`] returns that one. An attribute without `=` has the
/// empty value. Character references in values are not decoded; [`decode_value`] does that.
pub fn attributes(text: &str) -> impl Iterator<Item = (&str, &str)> {
    spans(text).map(|span| (&text[span.name], &text[span.value]))
}

/// The value, as written, of the attribute `name`; `None` if the tag has no such attribute.
pub fn attribute<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let found = attributes(text).find(|(n, _)| n.eq_ignore_ascii_case(name));
    found.map(|(_, value)| value)
}

/// Whether there is an attribute `name`.
pub fn has_attribute(text: &str, name: &str) -> bool {
    attribute(text, name).is_some()
}

/// A value with its character references decoded by the standard's rules for attributes, by which
/// `&copy=1` is not a reference.
pub fn decode_value(value: &str) -> Cow<'_, str> {
    htmlize::unescape_attribute(value)
}

/// Position of an attribute in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Range of its name.
    pub name: Range<usize>,
    /// Range of its value, without quotes; empty and after the name if there is no `=`.
    pub value: Range<usize>,
    /// End of the attribute, after the value and its quote.
    pub end: usize,
}

/// Positions of the attributes, in order.
pub fn spans(text: &str) -> impl Iterator<Item = Span> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let span = span(bytes, at)?;
        at = span.end;
        Some(span)
    })
}

/// The first attribute at or after `at`.
#[inline]
fn span(bytes: &[u8], at: usize) -> Option<Span> {
    let start = skip_all(bytes, at, SPACE | SLASH);
    if start == bytes.len() {
        return None;
    }
    // The first character belongs to the name even if it is `=`.
    let name = start..skip(bytes, start + 1, SPACE | SLASH | EQUALS);
    let equals = skip_all(bytes, name.end, SPACE);
    if bytes.get(equals) != Some(&b'=') {
        let end = name.end;
        return Some(Span {
            name,
            value: end..end,
            end,
        });
    }
    let start = skip_all(bytes, equals + 1, SPACE);
    let (value, end) = match bytes.get(start) {
        Some(quote @ (b'"' | b'\'')) => {
            let start = start + 1;
            let end = byte_search::find(*quote, &bytes[start..]).map_or(bytes.len(), |n| start + n);
            (start..end, (end + 1).min(bytes.len()))
        }
        _ => {
            let end = skip(bytes, start, SPACE);
            (start..end, end)
        }
    };
    Some(Span { name, value, end })
}

#[cfg(test)]
mod tests {
    use super::super::{markup::tags, token};
    use super::*;
    use html5ever::tendril::StrTendril;
    use html5ever::tokenizer::{
        BufferQueue, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
    };
    use proptest::prelude::*;
    use std::cell::RefCell;

    fn read(text: &str) -> Vec<(&str, &str)> {
        attributes(text).collect()
    }

    #[test]
    fn names_and_values_are_returned_as_written() {
        assert_eq!(
            read(" class=\"a b\" ID='x' checked data-n=1/2 / é=ü"),
            [
                ("class", "a b"),
                ("ID", "x"),
                ("checked", ""),
                ("data-n", "1/2"),
                ("é", "ü")
            ]
        );
        assert_eq!(read(" \n/ "), []);
        assert_eq!(read("a=b"), [("a", "b")]);
    }

    #[test]
    fn unusual_characters_are_read_as_in_browsers() {
        assert_eq!(read(" =a=b"), [("=a", "b")]);
        assert_eq!(read(" a = 'b'c"), [("a", "b"), ("c", "")]);
        assert_eq!(read(" a /=b"), [("a", ""), ("=b", "")]);
        assert_eq!(read(" a\"=b'c"), [("a\"", "b'c")]);
        assert_eq!(read(" a= "), [("a", "")]);
        assert_eq!(
            read(" title='class=x' class=y"),
            [("title", "class=x"), ("class", "y")]
        );
    }

    #[test]
    fn the_first_attribute_of_a_name_counts() {
        let text = " CLASS=a title='id=1' class=b";
        assert_eq!(attribute(text, "class"), Some("a"));
        assert_eq!(attribute(text, "id"), None);
        assert!(has_attribute(text, "Title") && !has_attribute(text, "lass"));
    }

    #[test]
    fn references_are_decoded_as_in_attributes() {
        assert_eq!(
            decode_value("?a=1&copy=2&amp;b&lt;&notit;"),
            "?a=1&copy=2&b<&notit;"
        );
    }

    /// The attributes of the first start tag that html5ever's tokenizer finds.
    #[derive(Default)]
    struct First(RefCell<Option<Vec<(String, String)>>>);

    impl TokenSink for First {
        type Handle = ();

        fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
            if let Token::TagToken(tag) = token {
                let attrs = tag.attrs.iter();
                let attrs = attrs.map(|a| (a.name.local.to_string(), a.value.to_string()));
                self.0.borrow_mut().get_or_insert(attrs.collect());
            }
            TokenSinkResult::Continue
        }
    }

    fn by_html5ever(html: &str) -> Option<Vec<(String, String)>> {
        let tokenizer = Tokenizer::new(First::default(), TokenizerOpts::default());
        let input = BufferQueue::default();
        input.push_back(StrTendril::from(html));
        let _ = tokenizer.feed(&input);
        tokenizer.end();
        tokenizer.sink.0.take()
    }

    /// As the standard's tokenizer returns them: names in lower case, each once.
    fn standard(text: &str) -> Vec<(String, String)> {
        let mut found: Vec<(String, String)> = Vec::new();
        let lines = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n");
        for (name, value) in attributes(text) {
            let name = lines(name).replace('\0', "\u{fffd}").to_ascii_lowercase();
            if found.iter().all(|(n, _)| *n != name) {
                let value = lines(value).replace('\0', "\u{fffd}");
                found.push((name, decode_value(&value).into_owned()));
            }
        }
        found
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn html5ever_reads_the_same(text in "(class|ID|[ab=/'\"é\0 \n\r\t\u{c}]|=\"|='|&amp;|&not|&#65;){0,20}") {
            let html = format!("<a {text}>");
            let mut found = None;
            tags(&html, 0..html.len(), &mut |token| {
                if let token::Token::StartTag { attrs, .. } = token {
                    found.get_or_insert(standard(&html[attrs]));
                }
            });
            prop_assert_eq!(found, by_html5ever(&html), "{:?}", html);
        }

        #[test]
        fn any_text_is_parsed_to_its_end(text in any::<String>()) {
            let mut at = 0;
            for span in spans(&text) {
                prop_assert!(span.name.start >= at && !span.name.is_empty());
                prop_assert!(span.name.end <= span.value.start && span.value.end <= span.end);
                prop_assert!(text.get(span.name).is_some() && text.get(span.value).is_some());
                at = span.end;
            }
            let rest = text.as_bytes()[at..].iter();
            prop_assert!(rest.into_iter().all(|b| b.is_ascii_whitespace() || *b == b'/'));
        }
    }
}
