//! The tokenizer that uses lol_html.
//!
//! lol_html finds where text is and whether it is raw. The gaps between its text
//! chunks contain the tags, which [`markup`] reads. This is cheaper
//! than element handlers, and it also finds stray end tags and unclosed elements.

use super::markup;
use super::tags::Tag;
use super::token::{Ending, TextKind, Token};
use super::unclosed::{early_end, starts_with_name};
use lol_html::html_content::{TextChunk, TextType};
use lol_html::{DocumentContentHandlers, HtmlRewriter, MemorySettings, Settings};
use memchr::memchr_iter;
use std::ops::Range;

/// Elements whose content lol_html reads as raw text. To prevent that, the last letter of their
/// name is overwritten in a copy of the page; see [`mask`].
pub(super) const RAW_TEXT: [Tag; 9] = [
    Tag::Noscript,
    Tag::Title,
    Tag::Textarea,
    Tag::Script,
    Tag::Style,
    Tag::Xmp,
    Tag::Iframe,
    Tag::Noembed,
    Tag::Noframes,
];
const NOSCRIPT: usize = 0;

/// lol_html failed because it reached its memory bound.
pub(super) type TokenizeError = lol_html::errors::RewritingError;

/// Hands the tokens of `html` to `sink`; time linear in its length.
///
/// The content of `<noscript>` is markup, which is tokenized on its own. A raw-text element that is
/// still open at the end of the input or of a `<noscript>` is ended early, by the rules of
/// [`unclosed`](super::unclosed), and the page continues after it.
///
/// # Errors
/// lol_html would need much more than `max_page_bytes` of memory.
pub(super) fn tokenize<'a>(
    html: &'a str,
    max_page_bytes: usize,
    mut sink: impl FnMut(Token<'a>),
) -> Result<Ending, TokenizeError> {
    let unclosed_raw_text = read(html, 0..html.len(), false, max_page_bytes, &mut sink)?;
    Ok(Ending { unclosed_raw_text })
}

/// Tokenizes a part of the page. Returns whether a raw-text element was not closed.
///
/// Each pass runs lol_html from `from` to the end of the part. If a raw-text element turns out not
/// to be closed, it is ended early and the next pass begins there, with this name masked. So there
/// is at most one more pass for each name of [`RAW_TEXT`].
fn read<'a>(
    html: &'a str,
    part: Range<usize>,
    in_noscript: bool,
    max_page_bytes: usize,
    sink: &mut impl FnMut(Token<'a>),
) -> Result<bool, TokenizeError> {
    let mut unknown = [false; RAW_TEXT.len()];
    // Inside, no `</noscript` can close another `noscript`.
    unknown[NOSCRIPT] = in_noscript;
    let mut masked = Vec::new();
    let mut unclosed = false;
    let mut from = part.start;
    loop {
        let source = &html.as_bytes()[from..part.end];
        let is_masked = mask(source, &unknown, &mut masked);
        let mut pass = Pass {
            html,
            base: from,
            end: part.end,
            run: from..from,
            kind: TextType::Data,
            last: ("", Tag::Other, from..from),
            open: None,
            in_noscript,
            unknown: if is_masked { &unknown } else { &[] },
            max_page_bytes,
            unclosed: false,
            error: None,
            sink: &mut *sink,
        };
        pass.run(if is_masked { &masked } else { source })?;
        let unclosed_at = pass.finish();
        unclosed |= pass.unclosed;
        if let Some(error) = pass.error {
            return Err(error);
        }
        match unclosed_at {
            // A script can hide its end tags in `<!-- <script>` more than once.
            Some((element, at)) if !unknown[element] => {
                unknown[element] = true;
                from = at;
            }
            _ => return Ok(unclosed),
        }
    }
}

/// One run of lol_html over the page from `base` to `end`.
struct Pass<'a, 's, F> {
    html: &'a str,
    base: usize,
    end: usize,
    /// The open text run; the source before it was handled.
    run: Range<usize>,
    kind: TextType,
    /// Name, tag and position of the last start tag.
    last: (&'a str, Tag, Range<usize>),
    /// The raw-text element whose start tag was the last tag.
    open: Option<(&'a str, Tag)>,
    in_noscript: bool,
    /// For each element of [`RAW_TEXT`], whether it is masked; empty if none is.
    unknown: &'s [bool],
    max_page_bytes: usize,
    unclosed: bool,
    error: Option<TokenizeError>,
    sink: &'s mut F,
}

impl<'a, F: FnMut(Token<'a>)> Pass<'a, '_, F> {
    fn run(&mut self, source: &[u8]) -> Result<(), TokenizeError> {
        let memory = MemorySettings::new()
            .with_max_allowed_memory_usage(self.max_page_bytes.saturating_add(1 << 20));
        let text = DocumentContentHandlers::default().text(|chunk: &mut TextChunk<'_>| {
            self.chunk(chunk.source_location().bytes(), chunk.text_type());
            Ok(())
        });
        let settings = Settings::new()
            .with_strict(false)
            .with_memory_settings(memory)
            .append_document_content_handler(text);
        let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
        rewriter.write(source)?;
        rewriter.end()
    }

    /// Handles a chunk of text from lol_html, which may continue the open run.
    fn chunk(&mut self, range: Range<usize>, kind: TextType) {
        let range = range.start + self.base..range.end + self.base;
        if range.start != self.run.end {
            self.flush();
            self.gap(self.run.end..range.start);
            self.run = range.clone();
        }
        self.run.end = range.end;
        self.kind = kind;
    }

    /// Hands on the open text run.
    fn flush(&mut self) {
        let range = self.run.clone();
        if range.is_empty() {
            return;
        }
        if self.kind == TextType::RawText && self.last.1 == Tag::Noscript {
            match read(self.html, range, true, self.max_page_bytes, self.sink) {
                Ok(unclosed) => self.unclosed |= unclosed,
                Err(error) => self.error = Some(error),
            }
            return;
        }
        let kind = if self.kind.allows_html_entities() {
            TextKind::Data
        } else {
            TextKind::Raw
        };
        (self.sink)(Token::Text { range, kind });
    }

    /// Hands on the tags between two text runs.
    fn gap(&mut self, gap: Range<usize>) {
        let Self {
            last,
            open,
            sink,
            unknown,
            ..
        } = self;
        markup::tags(self.html, gap, &mut |token| {
            let mut ended = None;
            *open = None;
            if let Token::StartTag {
                name, tag, range, ..
            } = &token
            {
                *last = (*name, *tag, range.clone());
                ended = ends_at_once(*tag, unknown).then_some(Token::EndTag {
                    name,
                    tag: *tag,
                    range: range.end..range.end,
                });
                *open = (RAW_TEXT.contains(tag) && ended.is_none()).then_some((*name, *tag));
            }
            sink(token);
            ended.map(&mut **sink);
        });
    }

    /// Ends the pass. Returns the element that must not be read as raw text any more, and the
    /// position from which this holds.
    fn finish(&mut self) -> Option<(usize, usize)> {
        let gap = self.run.end..self.end;
        let (name, tag, place) = self.last.clone();
        let element = RAW_TEXT.iter().position(|raw| *raw == tag);
        let mut closed = matches!(
            self.kind,
            TextType::Data | TextType::CDataSection | TextType::PlainText
        );
        if !closed {
            markup::tags(self.html, gap.clone(), &mut |_| closed = true);
        }
        let Some(element) = element.filter(|&e| !closed && e != NOSCRIPT) else {
            self.flush();
            self.gap(gap);
            // An element that a `<noscript>` leaves open and empty must not extend beyond it.
            if let Some((name, tag)) = self.open.filter(|_| self.in_noscript) {
                self.unclosed = true;
                let range = self.end..self.end;
                (self.sink)(Token::EndTag { name, tag, range });
            }
            return None;
        };
        self.unclosed = true;
        self.run.end = gap.end;
        let at = early_end(self.html, &self.run, tag, &place).unwrap_or(self.end);
        self.run.end = at;
        self.flush();
        (self.sink)(Token::EndTag {
            name,
            tag,
            range: at..at,
        });
        Some((element, at))
    }
}

/// Whether the element is never closed in the rest of the page, so that it is ended at once.
fn ends_at_once(tag: Tag, unknown: &[bool]) -> bool {
    unknown
        .iter()
        .zip(RAW_TEXT)
        .skip(NOSCRIPT + 1)
        .any(|(&unknown, raw)| unknown && tag == raw)
}

/// Copies `source` and replaces the start tags of the `unknown` elements by unknown ones of
/// the same length. `false` if there are none; then nothing is copied.
///
/// Example: `<style a>` becomes `<styl- a>`, so that all positions stay the same.
fn mask(source: &[u8], unknown: &[bool; RAW_TEXT.len()], copy: &mut Vec<u8>) -> bool {
    copy.clear();
    if !unknown.contains(&true) {
        return false;
    }
    for at in memchr_iter(b'<', source) {
        for (name, _) in RAW_TEXT
            .iter()
            .zip(unknown)
            .filter(|(_, unknown)| **unknown)
        {
            let name = name.name().as_bytes();
            if starts_with_name(&source[at + 1..], name) {
                if copy.is_empty() {
                    copy.extend_from_slice(source);
                }
                copy[at + name.len()] = b'-';
            }
        }
    }
    !copy.is_empty()
}
