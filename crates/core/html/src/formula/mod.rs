//! Finds formulas, and writes each one once, as TeX.
//!
//! Programs that typeset formulas write each formula several times into a page: as MathML, as TeX
//! in an `annotation`, an attribute or a script, and as a picture made of `span`s. An element with
//! all copies is a *region*. All text in a region is hidden and collected. At the end of the
//! region, one copy becomes the text of the page: `$…$`, or `$$…$$` if the formula stands on lines
//! of its own. The copy is chosen in this order:
//!
//! 1. TeX: of an `annotation`; of `data-latex`, `alttext` and similar attributes; of
//!    `<script type="math/tex">` in the region or right after the picture that MathJax drew; of the
//!    alternative text of a picture.
//! 2. MathML, written as TeX.
//! 3. The plain text. If it is TeX between `\(` and `\)`, it is used as TeX.
//!
//! There are three states: *nothing*, *open* (inside a region), and *held* (a region has ended, and
//! its text will be written before the next token). MathJax 2 writes the source after its picture,
//! so a held picture is dropped if such a script is the next element. A region in which a paragraph
//! begins does not count: it was not closed, and its text is written as ordinary text.
//!
//! The text of a formula is in the region's element. By this element it is recognised as a formula
//! later: [`Document::is_formula`](crate::document::Document::is_formula).

mod mathml;
mod region;
mod source;
mod symbols;
#[cfg(test)]
mod tests;
mod tex;

use super::attributes::decode_value;
use super::foreign::Namespace;
use super::tags::{CLOSES_P, Tag};
use super::tree::{ElementId, ElementTree};
use super::written_tag::Start;
use mathml::MathMl;
use memchr::memmem::Finder;
use region::{is_display, tex_of};
use std::ops::Range;
use std::sync::LazyLock;

pub(super) use region::{Region, region};

/// The formula that is being read, or was read last.
#[derive(Debug, Default)]
pub(super) struct Formulas {
    /// Whether the page may have formulas; `None` until this is asked. Most pages contain nothing
    /// similar to a formula.
    possible: Option<bool>,
    state: State,
    kind: Option<Region>,
    element: ElementId,
    source: Range<usize>,
    display: bool,
    /// The first TeX that was found in the region.
    tex: String,
    /// The TeX of a picture in the region.
    alternative: String,
    mathml: MathMl,
    /// All text except annotations, with white space as in the page.
    text: String,
    /// The open annotation, and whether it is TeX.
    annotation: Option<(ElementId, bool)>,
    /// The open script with TeX.
    script: Option<ElementId>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Nothing,
    Open,
    Held,
}

/// The text of a region.
pub(super) struct Found {
    /// The element to which the text belongs.
    pub element: ElementId,
    /// From the region's start tag to its last text, as a range in the page.
    pub source: Range<usize>,
    /// The formula between `$`, or plain text.
    pub text: String,
}

impl Formulas {
    /// Begins a page.
    pub fn begin(&mut self) {
        self.state = State::Nothing;
        self.possible = None;
    }

    /// Whether there are traces of formulas in the page.
    fn are_possible(&mut self, html: &str) -> bool {
        static TRACES: LazyLock<[Finder<'static>; 5]> =
            LazyLock::new(|| ["math", "Math", "MATH", "atex", "mjx-"].map(Finder::new));
        *self.possible.get_or_insert_with(|| {
            TRACES
                .iter()
                .any(|trace| trace.find(html.as_bytes()).is_some())
        })
    }

    /// Whether a formula is open or held, so that every token matters.
    #[inline]
    pub fn is_active(&self) -> bool {
        self.state != State::Nothing
    }

    /// Whether text belongs to a region.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.state == State::Open
    }

    /// The element of the region that is open or held.
    pub fn element_id(&self) -> ElementId {
        self.element
    }

    /// Whether a formula must be written before the next token.
    #[inline]
    pub fn is_held(&self) -> bool {
        self.state == State::Held
    }

    /// Handles an element that begins, if it is visible or in a region. Returns whether it opens a
    /// region.
    #[inline]
    pub fn element(
        &mut self,
        namespace: Namespace,
        tag: Tag,
        start: &Start<'_>,
        element: ElementId,
        closed: bool,
    ) -> bool {
        if self.is_open() {
            self.inside(namespace, tag, start, element, closed);
            return false;
        }
        let is_math = tag != Tag::Math || namespace == Namespace::MathMl;
        match region(tag, start.name, start.attrs, start.class()) {
            Some(kind) if is_math && self.are_possible(start.page) => {
                self.open(kind, tag, start, element, closed);
                true
            }
            _ => false,
        }
    }

    fn open(
        &mut self,
        kind: Region,
        tag: Tag,
        start: &Start<'_>,
        element: ElementId,
        closed: bool,
    ) {
        let Start { name, attrs, .. } = *start;
        self.clear();
        (self.kind, self.element) = (Some(kind), element);
        self.display = is_display(tag, attrs);
        self.state = State::Open;
        if tag == Tag::Math {
            self.mathml.open(name, element, closed);
        }
        if kind != Region::Script {
            self.found(tex_of(attrs), kind);
        }
        if closed {
            self.state = State::Held;
        }
    }

    fn inside(
        &mut self,
        namespace: Namespace,
        tag: Tag,
        start: &Start<'_>,
        element: ElementId,
        closed: bool,
    ) {
        let Start { name, attrs, .. } = *start;
        let is_region = || region(tag, name, attrs, start.class()).is_some();
        let lower = || name.to_ascii_lowercase();
        match (namespace, tag) {
            (Namespace::MathMl, _) if self.annotation.is_none() => {
                if tag == Tag::Math {
                    self.display |= is_display(tag, attrs);
                    self.found(tex_of(attrs), Region::Math);
                }
                self.mathml.open(name, element, closed);
                let is_annotation =
                    tag == Tag::Other && matches!(&*lower(), "annotation" | "annotation-xml");
                if is_annotation && !closed {
                    let encoding =
                        super::attributes::attribute(attrs, "encoding").unwrap_or_default();
                    let is_tex =
                        self.tex.is_empty() && encoding.to_ascii_lowercase().ends_with("tex");
                    self.annotation = Some((element, is_tex));
                }
            }
            (_, Tag::Img) if self.alternative.is_empty() && is_region() => {
                self.alternative = decode_value(tex_of(attrs)).into_owned();
            }
            (_, Tag::Script) if self.tex.is_empty() && is_region() => {
                self.display |= is_display(tag, attrs);
                self.script = Some(element);
            }
            (_, Tag::Span | Tag::Div) if is_region() => {
                self.display |= is_display(tag, attrs);
            }
            (_, Tag::Other) if lower().starts_with("mjx-") => {
                self.found(tex_of(attrs), Region::Picture);
            }
            _ => {}
        }
    }

    /// Takes TeX from an attribute. An `alt` counts only if the element is a picture.
    fn found(&mut self, tex: &str, kind: Region) {
        if self.tex.is_empty() && matches!(kind, Region::Math | Region::Image | Region::Picture) {
            self.tex = decode_value(tex).into_owned();
        }
    }

    /// Handles text in a region.
    pub fn text(&mut self, text: &str, source: &Range<usize>) {
        self.source.end = source.end;
        let is_own_script = self.kind == Some(Region::Script);
        match self.annotation {
            Some((_, true)) => self.tex.push_str(text),
            Some((_, false)) => {}
            None if is_own_script || self.script.is_some() => self.tex.push_str(text),
            None => {
                self.text.push_str(text);
                self.mathml.text(text);
            }
        }
    }

    /// Where the region's start tag begins.
    pub fn begins_at(&mut self, source: Range<usize>) {
        self.source = source;
    }

    /// Handles an element that ends: the region or an element in it.
    pub fn end(&mut self, element: ElementId) {
        self.mathml.close(element);
        if self
            .annotation
            .is_some_and(|(annotation, _)| annotation == element)
        {
            self.annotation = None;
        }
        if self.script == Some(element) {
            self.script = None;
        }
        if element == self.element {
            self.state = State::Held;
        }
    }

    /// Whether a start tag shows that the region was not closed.
    pub fn is_broken_by(&self, tag: Tag) -> bool {
        self.is_open() && tag.has(CLOSES_P) && self.annotation.is_none()
    }

    /// Gives up the open region, which becomes an ordinary element. The text collected so far is
    /// held. Returns the element.
    pub fn give_up(&mut self) -> ElementId {
        self.state = State::Held;
        self.tex.clear();
        self.mathml.clear();
        self.element
    }

    /// Whether a held formula is replaced by what follows this start tag: a script with its source,
    /// or, for a preview, the formula itself.
    pub fn is_replaced_by(&self, tag: Tag, name: &str, attrs: &str, class: &str) -> bool {
        matches!(
            (self.kind, region(tag, name, attrs, class)),
            (Some(Region::Picture), Some(Region::Script)) | (Some(Region::Preview), Some(_))
        )
    }

    /// Whether the next element may replace the held formula, so that white space before it must
    /// not write the formula.
    pub fn waits(&self) -> bool {
        matches!(self.kind, Some(Region::Picture | Region::Preview))
    }

    /// Drops the held formula.
    pub fn drop_held(&mut self) {
        self.state = State::Nothing;
    }

    /// Returns the held formula. Nothing is held afterwards.
    pub fn take(&mut self, tree: &ElementTree) -> Found {
        self.state = State::Nothing;
        let tex = [&self.tex, &self.alternative]
            .into_iter()
            .find_map(|tex| source::bare(tex));
        let tex = tex
            .or_else(|| tex::write(&self.mathml, tree).map(|tex| (tex, false)))
            .or_else(|| source::delimited(&self.text));
        let text = match tex {
            Some((tex, display)) => {
                let sign = if display || self.display { "$$" } else { "$" };
                [sign, &tex, sign].concat()
            }
            None => std::mem::take(&mut self.text),
        };
        Found {
            element: self.element,
            source: self.source.clone(),
            text,
        }
    }

    fn clear(&mut self) {
        for text in [&mut self.tex, &mut self.alternative, &mut self.text] {
            warcsieve_common::shrink_text(text);
            text.clear();
        }
        self.mathml.clear();
        (self.annotation, self.script) = (None, None);
    }
}
