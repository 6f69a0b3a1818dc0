//! Finds the tags in a part of the source that contains no text.
//!
//! The built-in tokenizer finds where a tag or a comment ends.

use super::scan::declaration;
use super::scan::tag::{TagEnd, name_end, tag_end};
use super::tags::Tag;
use super::token::Token;
use memchr::memchr;
use std::ops::Range;

/// Hands every tag of `gap` to `sink`. `gap` contains only tags, comments, declarations and the
/// brackets of CDATA sections. A tag that is incomplete at its end produces no token.
pub fn tags<'a>(html: &'a str, gap: Range<usize>, sink: &mut impl FnMut(Token<'a>)) {
    let bytes = &html.as_bytes()[..gap.end];
    let mut at = gap.start;
    while at < bytes.len() {
        let rest = &bytes[at..];
        at = match rest {
            [b'<', c, ..] if c.is_ascii_alphabetic() => {
                let name_end = name_end(bytes, at + 2);
                let Some(tag_end) = tag_end(bytes, name_end) else {
                    return;
                };
                let TagEnd {
                    end,
                    self_closing,
                    names,
                } = tag_end;
                let name = &html[at + 1..name_end];
                sink(Token::StartTag {
                    name,
                    tag: Tag::from_name(name),
                    attrs: name_end..end - 1 - usize::from(self_closing),
                    names,
                    self_closing,
                    range: at..end,
                });
                end
            }
            [b'<', b'/', c, ..] if c.is_ascii_alphabetic() => {
                let name_end = name_end(bytes, at + 3);
                let Some(TagEnd { end, .. }) = tag_end(bytes, name_end) else {
                    return;
                };
                let name = &html[at + 2..name_end];
                sink(Token::EndTag {
                    name,
                    tag: Tag::from_name(name),
                    range: at..end,
                });
                end
            }
            [
                b'<',
                b'!',
                b'[',
                b'C',
                b'D',
                b'A',
                b'T',
                b'A',
                b'[',
                b']',
                b']',
                b'>',
                ..,
            ] => at + 12,
            [b'<', ..] => declaration::end(bytes, at),
            _ => memchr(b'<', rest).map_or(bytes.len(), |n| at + n),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(html: &str) -> Vec<String> {
        let mut seen = Vec::new();
        tags(html, 0..html.len(), &mut |token| {
            seen.push(match token {
                Token::StartTag {
                    name,
                    attrs,
                    self_closing,
                    range,
                    ..
                } => {
                    assert!(html[range.clone()].starts_with('<') && html[range].ends_with('>'));
                    format!("{name}|{}|{}", &html[attrs], u8::from(self_closing))
                }
                Token::EndTag { name, .. } => format!("/{name}"),
                Token::Text { .. } => unreachable!("markup gives no text"),
            });
        });
        seen
    }

    #[test]
    fn quotes_count_only_around_values() {
        assert_eq!(seen("<a b='>' c=\">\"><b>"), ["a| b='>' c=\">\"|0", "b||0"]);
        assert_eq!(seen("<a b'c><b>"), ["a| b'c|0", "b||0"]);
        assert_eq!(seen("<a b=c'd><b>"), ["a| b=c'd|0", "b||0"]);
        assert_eq!(seen("<a b='c'd'><b>"), ["a| b='c'd'|0", "b||0"]);
        assert_eq!(seen("<a =b='><b>'>"), ["a| =b='><b>'|0"]);
        assert_eq!(seen("<a b = \n'>'><i>"), ["a| b = \n'>'|0", "i||0"]);
        assert_eq!(seen("<a b=><i>"), ["a| b=|0", "i||0"]);
    }

    #[test]
    fn self_closing_needs_the_slash_before_the_end() {
        assert_eq!(
            seen("<br/><br /><br x/><br x=y/><br / >"),
            ["br||1", "br| |1", "br| x|1", "br| x=y/|0", "br| / |0"]
        );
    }

    #[test]
    fn comments_and_declarations_give_no_token() {
        assert_eq!(seen("<!-- <a> -- > --><b>"), ["b||0"]);
        assert_eq!(
            seen("<!--><b><!---><i><!--x--!><u>"),
            ["b||0", "i||0", "u||0"]
        );
        assert_eq!(seen("<!----><b><!-- --!-- > <a> --><i>"), ["b||0", "i||0"]);
        assert_eq!(
            seen("<!doctype html \"'><b><?xml a='><i></ a='><u></><s>"),
            ["b||0", "i||0", "u||0", "s||0"]
        );
        assert_eq!(seen("<![CDATA[]]><b>]]><i>"), ["b||0", "i||0"]);
    }

    #[test]
    fn end_tags_may_have_attributes() {
        assert_eq!(seen("</a b='>'></I/><b>"), ["/a", "/I", "b||0"]);
    }

    #[test]
    fn a_tag_cut_off_by_the_end_gives_no_token() {
        for cut in [
            "<", "</", "<a", "<a ", "<a b", "<a b=", "<a b='", "<a b='>", "<a/", "</a", "<!--",
            "<!", "<!--x--",
        ] {
            assert_eq!(seen(&format!("<b>{cut}")), ["b||0"], "{cut}");
        }
    }
}
