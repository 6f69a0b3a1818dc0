//! Turns a page into a [`Document`].

use super::Segmentation;
use super::attributes::attribute;
use super::blocks::Blocks;
use super::builder::TreeBuilder;
use super::entities::decode;
#[cfg(feature = "lol-html")]
use super::lol;
use super::pieces::Pieces;
use super::starts::{StartTag, Starts};
use super::tags::Tag;
use super::token::{Context, TextKind, Token};
use super::tree::{Element, ElementTree};
use super::words::Words;
use super::written_tag::Start;
use super::{Tokenizer, scan};
use crate::document::Document;
use std::ops::Range;

/// How pages are segmented, and the limits of a page.
#[derive(Clone, Copy, Debug)]
pub struct SegmenterOptions {
    /// What separates blocks.
    pub segmentation: Segmentation,
    /// Which tokenizer reads the markup.
    pub tokenizer: Tokenizer,
    /// Maximum depth of an element; the root has depth 1. Deeper elements are attached at this
    /// depth.
    pub max_depth: usize,
    /// Maximum number of elements, and of blocks, of a page.
    pub max_elements: usize,
    /// Maximum size of a page in bytes. Values above 1 GiB count as 1 GiB.
    pub max_page_bytes: usize,
}

impl Default for SegmenterOptions {
    fn default() -> Self {
        Self {
            segmentation: Segmentation::Inline,
            tokenizer: Tokenizer::Builtin,
            max_depth: 512,
            max_elements: 1_000_000,
            max_page_bytes: 16 << 20,
        }
    }
}

/// Why a page has no document.
#[derive(Debug, thiserror::Error)]
pub enum SegmentError {
    /// The page is larger than `max_page_bytes`.
    #[error("page of {bytes} bytes, {limit} allowed")]
    TooLarge {
        /// Size of the page.
        bytes: usize,
        /// `max_page_bytes`.
        limit: usize,
    },
    /// The page has more than `max_elements` elements.
    #[error("page of more than {limit} elements")]
    TooManyElements {
        /// `max_elements`.
        limit: usize,
    },
    /// The page has more than `max_elements` blocks.
    #[error("page of more than {limit} blocks")]
    TooManyBlocks {
        /// `max_elements`.
        limit: usize,
    },
    /// The tokenizer failed.
    #[error("tokenizer: {0}")]
    Tokenizer(String),
}

/// Turns pages into documents, one at a time, with reused buffers.
///
/// A page that arrives in pieces is [written](Self::write) until its [end](Self::end).
///
/// Memory: apart from the document, none that grows with the page; a page in pieces is held until its
/// end, at most `max_page_bytes` of it. lol_html additionally takes at
/// most a copy of the page if a raw-text element is not closed, and a buffer for a tag that is cut
/// off by the end of the page. Both are freed afterwards.
#[derive(Debug)]
pub struct Segmenter {
    options: SegmenterOptions,
    separates: [bool; Tag::COUNT],
    builder: TreeBuilder,
    pieces: Pieces,
}

const MAX_PAGE_BYTES: usize = 1 << 30;
/// Maximum number of JSON-LD scripts of a page that are recorded.
const MAX_SCRIPTS: usize = 64;
const BYTE_ORDER_MARK: char = '\u{feff}';

impl Segmenter {
    /// A segmenter for pages within the limits of `options`.
    pub fn new(options: SegmenterOptions) -> Self {
        let options = SegmenterOptions {
            max_page_bytes: options.max_page_bytes.min(MAX_PAGE_BYTES),
            ..options
        };
        Self {
            separates: Tag::ALL.map(|tag| tag.separates(options.segmentation)),
            builder: TreeBuilder::new(
                options.segmentation,
                options.max_depth,
                options.max_elements,
            ),
            options,
            pieces: Pieces::default(),
        }
    }

    /// Takes the next bytes of an HTML page in UTF-8, divided anywhere, also inside a character. They
    /// are held until [`end`](Self::end).
    ///
    /// ```
    /// use warcsieve_html::document::Document;
    /// use warcsieve_html::{Segmenter, SegmenterOptions};
    ///
    /// let (mut segmenter, mut doc) = (Segmenter::new(SegmenterOptions::default()), Document::default());
    /// for piece in [&b"<p>one<"[..], b"p>t", b"wo"] {
    ///     segmenter.write(piece)?;
    /// }
    /// segmenter.end(&mut doc)?;
    /// assert_eq!(doc.text, "one\ntwo\n");
    /// # Ok::<(), warcsieve_html::SegmentError>(())
    /// ```
    ///
    /// # Errors
    /// The page is larger than `max_page_bytes`. Nothing of it is held from then on, and `end` returns
    /// this error, too, so reading can stop here. Call `end` before the next page is written, also
    /// after an error or to give up a page: else its bytes count for the same page.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), SegmentError> {
        let limit = self.options.max_page_bytes;
        let written = self.pieces.write(bytes, limit);
        written.map_err(|bytes| SegmentError::TooLarge { bytes, limit })
    }

    /// Ends the page that was written: refills `doc` as [`segment_html`](Self::segment_html) does with
    /// the whole page. What is not UTF-8 is read as U+FFFD. The next page can be written after it, also
    /// after an error.
    ///
    /// # Errors
    /// As [`segment_html`](Self::segment_html).
    pub fn end(&mut self, doc: &mut Document) -> Result<(), SegmentError> {
        let mut pieces = std::mem::take(&mut self.pieces);
        let ended = self
            .fits(pieces.written())
            .and_then(|()| self.segment(&pieces.text(), doc, None));
        pieces.clear();
        self.pieces = pieces;
        ended
    }

    /// Refills `doc` with the blocks, the tree and the title of an HTML page, in
    /// time linear in its length.
    ///
    /// # Errors
    /// The page exceeds a limit, or the tokenizer failed; `doc` then must not be used.
    pub fn segment_html(&mut self, html: &str, doc: &mut Document) -> Result<(), SegmentError> {
        self.segment(html, doc, None)
    }

    /// The same, and also refills `starts` with the positions of the start tags, in document order.
    /// Some elements are left out: see [`StartTag`].
    ///
    /// # Errors
    /// As [`segment_html`](Self::segment_html).
    pub fn segment_html_with_starts(
        &mut self,
        html: &str,
        doc: &mut Document,
        starts: &mut Vec<StartTag>,
    ) -> Result<(), SegmentError> {
        starts.clear();
        self.segment(html, doc, Some(starts))
    }

    fn segment(
        &mut self,
        html: &str,
        doc: &mut Document,
        starts: Option<&mut Vec<StartTag>>,
    ) -> Result<(), SegmentError> {
        self.begin(html, doc)?;
        self.builder.begin(&mut doc.tree);
        self.builder.formulas.begin();
        let mut page = Reading {
            html,
            justext: self.options.segmentation == Segmentation::Justext,
            builder: &mut self.builder,
            blocks: Blocks::new(
                &mut doc.text,
                &mut doc.blocks,
                &mut doc.runs,
                &mut doc.preformatted,
                &self.separates,
                self.options.max_elements,
            ),
            tree: &mut doc.tree,
            title: &mut doc.title,
            json_ld: &mut doc.json_ld,
            titles: 0,
            br: false,
            starts: starts.map(Starts::new),
        };
        let ending = match self.options.tokenizer {
            Tokenizer::Builtin => scan::tokenize(html, |token| page.token(token)),
            #[cfg(feature = "lol-html")]
            Tokenizer::LolHtml => lol::tokenize(html, self.options.max_page_bytes, |token| {
                page.token(token);
            })
            .map_err(|e| SegmentError::Tokenizer(e.to_string()))?,
        };
        page.end_formula();
        page.builder.end(page.tree, &mut page.blocks);
        page.blocks.flush();
        let limit = self.options.max_elements;
        if page.blocks.too_many {
            return Err(SegmentError::TooManyBlocks { limit });
        }
        if self.builder.too_many {
            return Err(SegmentError::TooManyElements { limit });
        }
        doc.flaws.too_deep = self.builder.too_deep;
        doc.flaws.unclosed_raw_text = ending.unclosed_raw_text;
        Ok(())
    }

    /// Refills `doc` with the paragraphs of a plain text, which blank lines
    /// separate. All of them are in element 0, and there is no title.
    ///
    /// # Errors
    /// The text is larger than `max_page_bytes` or has more than `max_elements`
    /// paragraphs; `doc` then must not be used.
    pub fn segment_text(&mut self, text: &str, doc: &mut Document) -> Result<(), SegmentError> {
        self.begin(text, doc)?;
        doc.tree.elements.push(Element {
            tag: Tag::Html,
            end: 1,
            ..Element::default()
        });
        let limit = self.options.max_elements;
        let (out, blocks, runs) = (&mut doc.text, &mut doc.blocks, &mut doc.runs);
        let pre = &mut doc.preformatted;
        let mut blocks = Blocks::new(out, blocks, runs, pre, &self.separates, limit);
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            blocks.begin_run();
            if blocks.append(line, at..at + line.len(), true, false) {
                blocks.end_run(0, 1);
            } else {
                blocks.flush();
            }
            at += line.len();
            if blocks.too_many {
                break;
            }
        }
        blocks.flush();
        if blocks.too_many {
            return Err(SegmentError::TooManyBlocks { limit });
        }
        Ok(())
    }

    fn begin(&self, page: &str, doc: &mut Document) -> Result<(), SegmentError> {
        doc.clear();
        self.fits(page.len())
    }

    fn fits(&self, bytes: usize) -> Result<(), SegmentError> {
        let limit = self.options.max_page_bytes;
        match bytes > limit {
            true => Err(SegmentError::TooLarge { bytes, limit }),
            false => Ok(()),
        }
    }
}

/// A page that is being read.
struct Reading<'a, 's> {
    html: &'a str,
    justext: bool,
    builder: &'s mut TreeBuilder,
    blocks: Blocks<'s>,
    tree: &'s mut ElementTree,
    title: &'s mut String,
    json_ld: &'s mut Vec<Range<u32>>,
    titles: u32,
    /// The last start tag was `<br>`, and no text came since.
    br: bool,
    starts: Option<Starts<'s>>,
}

impl Reading<'_, '_> {
    /// Handles a token and returns how the page continues after it.
    fn token(&mut self, token: Token<'_>) -> Context {
        if self.builder.too_many || self.blocks.too_many {
            return Context::Html;
        }
        if self.builder.formulas.is_active() {
            self.before_token(&token);
        }
        match token {
            Token::Text { range, kind } => self.text(range, kind),
            Token::StartTag {
                name,
                tag,
                attrs,
                names,
                self_closing,
                range,
            } => {
                self.blocks.tag();
                let in_formula = self.builder.formulas.is_open();
                if self.justext {
                    self.justext_start(tag);
                }
                let start = Start {
                    name,
                    attrs: self.html[attrs.clone()].trim_ascii(),
                    names,
                    self_closing,
                    page: self.html,
                };
                let before = self.tree.elements.len();
                self.builder
                    .start_tag(tag, &start, self.tree, &mut self.blocks);
                if let Some(starts) = &mut self.starts {
                    starts.start_tag(tag, attrs.start, before, self.tree);
                }
                let formulas = &mut self.builder.formulas;
                if !in_formula && (formulas.is_open() || formulas.is_held()) {
                    formulas.begins_at(range);
                }
                if tag == Tag::Title && self.builder.in_title() {
                    self.titles += 1;
                }
            }
            Token::EndTag { name, tag, range } => {
                if !range.is_empty() {
                    self.blocks.tag();
                }
                if self.justext && tag == Tag::Br {
                    self.justext_start(tag);
                }
                if let Some(starts) = &mut self.starts {
                    starts.end_tag(tag);
                }
                self.builder.end_tag(name, tag, self.tree, &mut self.blocks);
            }
        }
        self.builder.context()
    }

    fn text(&mut self, range: Range<usize>, kind: TextKind) {
        let text = &self.html[range.clone()];
        let mark = if range.start == 0 && text.starts_with(BYTE_ORDER_MARK) {
            BYTE_ORDER_MARK.len_utf8()
        } else {
            0
        };
        let (text, range) = (&text[mark..], range.start + mark..range.end);
        if self.builder.is_hidden() {
            if self.titles == 1 && self.builder.in_title() {
                let mut words = Words::default();
                decode(text, |piece, _| {
                    words.append(piece, false, self.title);
                });
            } else if self.builder.formulas.is_open() {
                let formulas = &mut self.builder.formulas;
                match kind {
                    TextKind::Raw => formulas.text(text, &range),
                    TextKind::Data => decode(text, |piece, _| formulas.text(piece, &range)),
                }
            } else if self.builder.top().is(Tag::Script) {
                self.script(range);
            }
            return;
        }
        let linked = self.builder.is_linked();
        let first = leading_space(text.as_bytes());
        let first = (first < text.len()).then_some(first);
        self.blocks.verbatim.on = self.builder.keeps_space();
        if first != Some(0) {
            self.blocks.space(linked);
            let verbatim = &mut self.blocks.verbatim;
            // Rows and cells of code may be indented.
            match first {
                None if self.builder.code_table.is_between_lines() => verbatim.new_line(),
                _ => verbatim.append(&text[..first.unwrap_or(text.len())]),
            }
        }
        let Some(first) = first else {
            return;
        };
        let (text, range) = (&text[first..], range.start + first..range.end);
        self.builder.text(self.tree, &mut self.blocks);
        let mut found = false;
        self.blocks.begin_run();
        match kind {
            TextKind::Raw => found = self.blocks.append(text, range, true, linked),
            TextKind::Data => decode(text, |piece, at| {
                let exact = piece.len() == at.len();
                let source = range.start + at.start..range.start + at.end;
                found |= self.blocks.append(piece, source, exact, linked);
            }),
        }
        if found {
            self.blocks.locate(self.builder, self.tree.elements.len());
            self.br = false;
        }
    }

    /// Writes a formula that has ended, unless this token replaces it. Ends a formula that was not
    /// closed.
    fn before_token(&mut self, token: &Token<'_>) {
        let formulas = &mut self.builder.formulas;
        if let Token::StartTag { tag, .. } = token
            && formulas.is_broken_by(*tag)
        {
            self.builder.give_up_formula();
        }
        let formulas = &mut self.builder.formulas;
        if !formulas.is_held() {
            return;
        }
        match token {
            Token::StartTag {
                name,
                tag,
                attrs,
                names,
                ..
            } => {
                let attrs = self.html[attrs.clone()].trim_ascii();
                match formulas.is_replaced_by(*tag, name, attrs, names.class(attrs)) {
                    true => formulas.drop_held(),
                    false => self.formula(),
                }
            }
            Token::Text { range, .. }
                if formulas.waits() && self.html[range.clone()].trim().is_empty() => {}
            _ => self.formula(),
        }
    }

    /// Ends and writes the formula that is open or held at the end of the page.
    fn end_formula(&mut self) {
        if self.builder.formulas.is_open() {
            self.builder.end_formula(self.tree, &mut self.blocks);
        }
        if self.builder.formulas.is_held() {
            self.formula();
        }
    }

    fn formula(&mut self) {
        let found = self.builder.formulas.take(self.tree);
        let linked = self.builder.is_linked();
        if self.builder.is_hidden() || found.text.trim().is_empty() {
            return;
        }
        self.blocks.verbatim.on = self.builder.keeps_space();
        self.builder.text(self.tree, &mut self.blocks);
        self.blocks.begin_run();
        if self.blocks.append(&found.text, found.source, false, linked) {
            let elements = &self.tree.elements;
            // The tag that ends the formula may itself begin an element.
            match elements[found.element as usize].end as usize == elements.len() {
                true => (self.blocks).locate_in_ended(found.element, self.builder, self.tree),
                false => self.blocks.locate(self.builder, elements.len()),
            }
            self.br = false;
        }
        // Elements that have ended since then came before its text: the formula itself, and
        // elements that an end tag closed with it.
        let open = self.builder.top().id;
        let mut id = found.element;
        let mut apart = self.blocks.separates[self.tree.elements[id as usize].tag as usize];
        while !apart && id > open {
            id = self.tree.elements[id as usize].parent;
            apart =
                id > open && self.blocks.separates[self.tree.elements[id as usize].tag as usize];
        }
        if apart {
            self.blocks.flush();
        }
    }

    /// Records the text of a script, or a part of it, if it is JSON-LD.
    fn script(&mut self, range: Range<usize>) {
        let script = &self.tree.elements[self.builder.top().id as usize];
        let written = attribute(self.tree.attributes(script), "type").unwrap_or_default();
        let media_type = written.split(';').next().unwrap_or_default();
        if !media_type
            .trim()
            .eq_ignore_ascii_case("application/ld+json")
        {
            return;
        }
        let range = range.start as u32..range.end as u32;
        let is_full = self.json_ld.len() >= MAX_SCRIPTS;
        match self.json_ld.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ if is_full => {}
            _ => self.json_ld.push(range),
        }
    }

    /// Handles a start tag for segmentation `justext`: two consecutive `<br>` separate blocks, a
    /// single one is a space.
    fn justext_start(&mut self, tag: Tag) {
        if tag == Tag::Br {
            if self.br {
                self.blocks.flush();
            }
            self.blocks.space(self.builder.is_linked());
            self.blocks.verbatim.line_end();
            self.br = true;
        } else if !tag.separates(Segmentation::Justext) {
            self.br = false;
        }
    }
}

/// Number of bytes of white space at the beginning of text. Most of it is long indentation of
/// lines.
#[inline]
fn leading_space(bytes: &[u8]) -> usize {
    let mut at = 0;
    loop {
        while bytes[at..].starts_with(&[b' '; 8]) {
            at += 8;
        }
        if !bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
            return at;
        }
        at += 1;
    }
}
