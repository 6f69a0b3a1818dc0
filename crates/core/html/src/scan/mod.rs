//! The built-in tokenizer. It passes over the page once and copies nothing.
//!
//! It has only those states of the standard's tokenizer (§13.2.5) that decide where tokens begin
//! and end. They depend on the page, and on whether SVG or MathML is open. Only the tree knows the
//! latter, so the sink, which builds the tree, returns it for each token as a [`Context`].
//!
//! The main loop is `Scan::part`. Invariants at the top of it:
//!
//! - Everything before `text` was handed to the sink or produces no token.
//! - `text..from` is text whose token is not finished. `from` is where to look for the next `<`.
//! - `context` is what the sink returned for the last token.
//!
//! Example: in `a < b<i>c` the first `<` begins no tag, so `from` moves past it and `text` stays at
//! 0. The second `<` begins `<i>`. The text `a < b` and the start tag are handed to the sink, and
//! then `text` and `from` are both at `c`.
//!
//! Elements of raw text (`<script>`, `<title>`) are read at once with all of their content, because
//! no tag begins inside. One without an end tag would take the rest of the page, so it is ended
//! early. From then on `endless` contains its name, and all further elements of that name are
//! empty. So the page is searched at most once in vain for each end tag.

pub(super) mod bytes;
pub(super) mod declaration;
mod raw;
pub(super) mod tag;

use super::byte_search;
use super::names::NameSpans;
use super::tags::Tag;
use super::token::{Context, Ending, TextKind, Token};
use super::unclosed::early_end;
use std::ops::Range;
use tag::TagEnd;

/// Hands the tokens of `html` to `sink`. For each token, `sink` returns how the page continues
/// after it. Takes time linear in the length of `html` and allocates no memory.
///
/// `<noscript>` content is markup up to the first `</noscript`. Raw-text elements that are never
/// closed, in the page or in their `<noscript>`, end by the rules of the module `unclosed`.
pub fn tokenize<'a>(html: &'a str, sink: impl FnMut(Token<'a>) -> Context) -> Ending {
    let mut scan = Scan {
        html,
        context: Context::Html,
        unclosed: false,
        sink,
    };
    scan.part(0..html.len(), false);
    Ending {
        unclosed_raw_text: scan.unclosed,
    }
}

struct Scan<'a, F> {
    html: &'a str,
    context: Context,
    unclosed: bool,
    sink: F,
}

/// A complete tag.
struct Found<'a> {
    name: &'a str,
    tag: Tag,
    attrs: Range<usize>,
    names: NameSpans,
    self_closing: bool,
    end: usize,
}

impl<'a, F: FnMut(Token<'a>) -> Context> Scan<'a, F> {
    /// Tokenizes the page, or the content of a `<noscript>`.
    fn part(&mut self, part: Range<usize>, in_noscript: bool) {
        let bytes = &self.html.as_bytes()[..part.end];
        // Raw-text elements that have no end tag after this position.
        let mut endless = [false; Tag::COUNT];
        // The raw-text element whose start tag was the last tag.
        let mut open = None;
        let mut text = part.start;
        let mut from = part.start;
        while let Some(n) = byte_search::find(b'<', &bytes[from..]) {
            let at = from + n;
            let is_end_tag = bytes.get(at + 1) == Some(&b'/');
            let first = at + 1 + usize::from(is_end_tag);
            if bytes.get(first).is_some_and(u8::is_ascii_alphabetic) {
                self.text(text..at, TextKind::Data);
                text = part.end;
                let Some(found) = self.tag(bytes, first) else {
                    break;
                };
                let Found { name, tag, end, .. } = found;
                open = None;
                from = end;
                if is_end_tag {
                    self.end_tag(name, tag, at..end);
                } else if tag.is_raw_text() {
                    let is_open;
                    (from, is_open) = self.raw_text(bytes, at, found, in_noscript, &mut endless);
                    open = is_open.then_some((name, tag));
                } else {
                    let is_html = self.context != Context::Foreign;
                    self.start_tag(at, found);
                    if tag == Tag::Plaintext && is_html {
                        self.text(end..part.end, TextKind::Raw);
                        break;
                    }
                }
                text = from;
                continue;
            }
            match bytes.get(first) {
                Some(b'!')
                    if self.context != Context::Html
                        && bytes[at..].starts_with(declaration::CDATA) =>
                {
                    self.text(text..at, TextKind::Data);
                    let start = at + declaration::CDATA.len();
                    let length = memchr::memmem::find(&bytes[start..], b"]]>");
                    let end = length.map_or(part.end, |n| start + n);
                    self.text(start..end, TextKind::Raw);
                    from = (end + 3).min(part.end);
                }
                Some(b) if is_end_tag || matches!(b, b'!' | b'?') => {
                    self.text(text..at, TextKind::Data);
                    from = declaration::end(bytes, at);
                }
                _ => {
                    from = at + 1;
                    continue;
                }
            }
            text = from;
        }
        self.text(text..part.end, TextKind::Data);
        // An element that a `<noscript>` leaves open and empty must not extend beyond it.
        if let Some((name, tag)) = open.filter(|_| in_noscript) {
            self.unclosed = true;
            self.end_tag(name, tag, part.end..part.end);
        }
    }

    /// Reads an element of raw text whose start tag is at `at`. Returns where the page continues,
    /// and whether the element is still open there.
    ///
    /// The cases in order: an element that is known to have no end tag is empty. In SVG or MathML,
    /// and for a `<noscript>` in a `<noscript>`, there is no raw text, so only the start tag is
    /// read. The content of a `<noscript>` is tokenized as markup. Any other content is one text
    /// token, up to its end tag if that is complete, else up to where [`early_end`] says. An
    /// element that has no content and ends with the input stays open.
    fn raw_text(
        &mut self,
        bytes: &[u8],
        at: usize,
        found: Found<'a>,
        in_noscript: bool,
        endless: &mut [bool; Tag::COUNT],
    ) -> (usize, bool) {
        let Found { name, tag, end, .. } = found;
        let foreign = self.context == Context::Foreign;
        self.start_tag(at, found);
        if endless[tag as usize] {
            self.end_tag(name, tag, end..end);
            return (end, false);
        }
        if foreign || tag == Tag::Noscript && in_noscript {
            return (end, true);
        }
        let close = match tag {
            Tag::Script => raw::script_end_tag(bytes, end),
            _ => raw::end_tag(bytes, end, tag.name()),
        };
        if tag == Tag::Noscript {
            let content_end = close.unwrap_or(bytes.len());
            self.part(end..content_end, true);
            return (content_end, false);
        }
        let kind = match tag {
            Tag::Title | Tag::Textarea => TextKind::Data,
            _ => TextKind::Raw,
        };
        if let Some(close) = close
            && tag::tag_end(bytes, close + 2 + name.len()).is_some()
        {
            self.text(end..close, kind);
            return (close, false);
        }
        if close.unwrap_or(bytes.len()) == end {
            return (bytes.len(), true);
        }
        self.unclosed = true;
        endless[tag as usize] = true;
        let content = end..bytes.len();
        let cut = early_end(self.html, &content, tag, &(at..end)).unwrap_or(content.end);
        self.text(end..cut, kind);
        self.end_tag(name, tag, cut..cut);
        (cut, false)
    }

    /// The tag whose name begins at `first`; `None` if the input ends inside the tag.
    #[inline]
    fn tag(&self, bytes: &[u8], first: usize) -> Option<Found<'a>> {
        let name_end = tag::name_end(bytes, first + 1);
        let TagEnd {
            end,
            self_closing,
            names,
        } = tag::tag_end(bytes, name_end)?;
        let name = &self.html[first..name_end];
        Some(Found {
            name,
            tag: Tag::from_name(name),
            attrs: name_end..end - 1 - usize::from(self_closing),
            names,
            self_closing,
            end,
        })
    }

    fn start_tag(&mut self, at: usize, found: Found<'a>) {
        self.context = (self.sink)(Token::StartTag {
            name: found.name,
            tag: found.tag,
            attrs: found.attrs,
            names: found.names,
            self_closing: found.self_closing,
            range: at..found.end,
        });
    }

    fn end_tag(&mut self, name: &'a str, tag: Tag, range: Range<usize>) {
        self.context = (self.sink)(Token::EndTag { name, tag, range });
    }

    fn text(&mut self, range: Range<usize>, kind: TextKind) {
        if !range.is_empty() {
            self.context = (self.sink)(Token::Text { range, kind });
        }
    }
}

#[cfg(test)]
mod tests;
