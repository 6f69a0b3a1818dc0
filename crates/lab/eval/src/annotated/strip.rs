//! Removes the annotation from a page.

use super::attributes::{self, Cleaned};
use super::{Annotated, Text, TextClass};
use std::collections::HashMap;
use std::ops::Range;
use warcsieve_html::token::{Context, TextKind, Token};
use warcsieve_html::{SegmentError, Tag, entities, markup, scan};

/// Removes the annotation of a page of at most `max_page_bytes`.
///
/// Spans that the annotation added are removed with their end tags. Other elements lose the classes
/// `x-nc-…` and the attributes `x-text-density` and `x-link-density`. An end tag belongs to the
/// last open start tag of its name, because the annotated page was serialized from a tree, in which
/// all elements are closed. Inside `<textarea>` a browser sees no tags; they are removed there,
/// too, and so are escaped ones: `&lt;span class="x-nc-sel2"&gt;`. `<style>` and `<script>` are not
/// changed. `x-nc-invisible` says nothing about the text.
///
/// # Errors
/// [`SegmentError::TooLarge`].
pub fn strip(html: &str, max_page_bytes: usize) -> Result<Annotated, SegmentError> {
    let (bytes, limit) = (html.len(), max_page_bytes.min(1 << 30));
    if bytes > limit {
        return Err(SegmentError::TooLarge { bytes, limit });
    }
    let mut stripper = Stripper {
        html,
        out: String::with_capacity(bytes),
        done: 0,
        open: HashMap::new(),
        classes: Vec::new(),
        in_textarea: false,
        texts: Vec::new(),
    };
    let mut foreign = Foreign::default();
    scan::tokenize(html, |token| {
        let context = foreign.after(&token);
        stripper.token(token);
        context
    });
    stripper.replace(bytes..bytes, "");
    Ok(Annotated {
        html: stripper.out,
        texts: stripper.texts,
    })
}

/// The open elements of SVG and MathML, innermost last, each with a flag that says whether its
/// content is HTML again. All elements of an annotated page are closed, so names alone show which
/// element an end tag closes.
#[derive(Default)]
struct Foreign(Vec<(String, bool)>);

impl Foreign {
    /// Elements of SVG and MathML whose content is HTML again.
    const INTEGRATION: [&str; 9] = [
        "foreignobject",
        "desc",
        "title",
        "mi",
        "mo",
        "mn",
        "ms",
        "mtext",
        "annotation-xml",
    ];

    /// The context after a token.
    fn after(&mut self, token: &Token<'_>) -> Context {
        match token {
            Token::StartTag {
                name, self_closing, ..
            } => {
                let name = name.to_ascii_lowercase();
                let begins = matches!(name.as_str(), "svg" | "math");
                let is_inside = self.0.last().is_some_and(|(_, integrates)| !integrates);
                if !self_closing && (begins || is_inside) {
                    let integrates = Self::INTEGRATION.contains(&name.as_str());
                    self.0.push((name, integrates));
                }
            }
            Token::EndTag { name, .. } => {
                let is_it = |(open, _): &(String, bool)| open.eq_ignore_ascii_case(name);
                if let Some(at) = self.0.iter().rposition(is_it) {
                    self.0.truncate(at);
                }
            }
            Token::Text { .. } => {}
        }
        match self.0.last() {
            None => Context::Html,
            Some((_, true)) => Context::Integration,
            Some((_, false)) => Context::Foreign,
        }
    }
}

struct Stripper<'a> {
    html: &'a str,
    out: String,
    /// Everything before this offset is either copied to `out` or removed.
    done: usize,
    /// Open elements of each name.
    open: HashMap<String, Vec<Open>>,
    /// Classes of open annotations; `None` for one that was closed before the annotations inside
    /// it.
    classes: Vec<Option<TextClass>>,
    in_textarea: bool,
    texts: Vec<Text>,
}

struct Open {
    /// Whether its tags are removed.
    added: bool,
    /// Its index in `classes`.
    class: Option<usize>,
}

impl<'a> Stripper<'a> {
    fn token(&mut self, token: Token<'a>) {
        let in_textarea = std::mem::take(&mut self.in_textarea);
        match token {
            Token::Text { range, kind } => match kind {
                TextKind::Data if in_textarea => self.textarea(range),
                TextKind::Data => self.text(range),
                TextKind::Raw => {}
            },
            Token::StartTag {
                name,
                tag,
                attrs,
                range,
                ..
            } => {
                self.in_textarea = tag == Tag::Textarea;
                self.start_tag(name, tag, attrs, range);
            }
            Token::EndTag { name, range, .. } => self.end_tag(name, range),
        }
    }

    fn start_tag(&mut self, name: &str, tag: Tag, attrs: Range<usize>, range: Range<usize>) {
        let mut open = Open {
            added: false,
            class: None,
        };
        if let Some(Cleaned {
            attrs: left,
            class,
            added,
        }) = attributes::clean(&self.html[attrs.clone()])
        {
            open.added = added && tag == Tag::Span;
            if open.added {
                self.replace(range, "");
            } else {
                self.replace(attrs, &left);
            }
            if class.is_some() && !tag.is_void() {
                open.class = Some(self.classes.len());
                self.classes.push(class);
            }
        }
        if !tag.is_void() {
            self.open
                .entry(name.to_ascii_lowercase())
                .or_default()
                .push(open);
        }
    }

    fn end_tag(&mut self, name: &str, range: Range<usize>) {
        let open = self.open.get_mut(&name.to_ascii_lowercase());
        let Some(open) = open.and_then(Vec::pop) else {
            return;
        };
        if open.added {
            self.replace(range, "");
        }
        if let Some(class) = open.class {
            self.classes[class] = None;
            while let Some(None) = self.classes.last() {
                self.classes.pop();
            }
        }
    }

    fn textarea(&mut self, range: Range<usize>) {
        let html = self.html;
        let mut from = range.start;
        markup::tags(html, range.clone(), &mut |token: Token<'a>| {
            let (Token::StartTag { range: tag, .. } | Token::EndTag { range: tag, .. }) = &token
            else {
                return;
            };
            let text = std::mem::replace(&mut from, tag.end)..tag.start;
            self.text(text);
            self.token(token);
        });
        self.text(from..range.end);
    }

    fn text(&mut self, range: Range<usize>) {
        let class = self.classes.last().copied().flatten().unwrap_or_default();
        let mut from = range.start;
        for tag in escaped(&self.html[range.clone()]) {
            let tag = range.start + tag.start..range.start + tag.end;
            self.piece(from..tag.start, class);
            from = tag.end;
            self.replace(tag, "");
        }
        self.piece(from..range.end, class);
    }

    fn piece(&mut self, range: Range<usize>, class: TextClass) {
        let tokens = tokens(&self.html[range.clone()]);
        if tokens > 0 {
            let start = self.out.len() + range.start - self.done;
            self.texts.push(Text {
                range: start as u32..(start + range.len()) as u32,
                tokens,
                class,
            });
        }
    }

    /// Replaces this range of the page by `text`. The range must not start before `done`.
    fn replace(&mut self, range: Range<usize>, text: &str) {
        self.out.push_str(&self.html[self.done..range.start]);
        self.out.push_str(text);
        self.done = range.end;
    }
}

/// Runs of characters that are not white space.
fn tokens(text: &str) -> u32 {
    let (mut tokens, mut inside) = (0, false);
    entities::decode(text, |piece, _| {
        for c in piece.chars() {
            let was = std::mem::replace(&mut inside, !c.is_whitespace());
            tokens += u32::from(inside && !was);
        }
    });
    tokens
}

const START: &str = "&lt;span class=\"x-nc-";
const END: &str = "&lt;/span&gt;";
const CLOSE: &str = "&gt;";

/// Ranges of annotation tags in a text whose `<` and `>` are escaped.
fn escaped(text: &str) -> Vec<Range<usize>> {
    let mut tags = Vec::new();
    let mut open = 0;
    for (at, _) in text.match_indices("&lt;") {
        let starts = |with: &str| {
            let head = text.as_bytes().get(at..at + with.len());
            head.is_some_and(|head| head.eq_ignore_ascii_case(with.as_bytes()))
        };
        if starts(START) {
            let rest = &text[at + START.len()..];
            if let Some(n) = rest.find(CLOSE) {
                tags.push(at..at + START.len() + n + CLOSE.len());
                open += 1;
            }
        } else if open > 0 && starts(END) {
            tags.push(at..at + END.len());
            open -= 1;
        }
    }
    tags
}
