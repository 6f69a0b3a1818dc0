//! Renders the text of one paragraph, heading or cell, with its links, emphasis and code.

use super::super::html;
use super::super::page::Page;
use super::containers::Containers;
use super::escape::{self, Place};
use super::formula;
use super::image::Image;
use super::link;
use std::ops::Range;
use warcsieve_html::ElementId;
use warcsieve_html::document::Document;

/// The style of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Style {
    pub strong: bool,
    pub emphasis: bool,
    /// The element that makes it code; 0 if none does.
    pub code: ElementId,
    pub script: Script,
    /// It is marked as deleted, but is shown.
    pub deleted: bool,
    /// The element that makes it a formula; 0 if none does.
    pub formula: ElementId,
    /// An image instead of text.
    pub image: Option<Image>,
    /// The link around it; 0 if there is none.
    pub link: ElementId,
    /// The link's address, as a range of [`Leaf::addresses`].
    pub address: Range<usize>,
    /// The button around it; 0 if there is none.
    pub button: ElementId,
}

/// Superscript or subscript. CommonMark has no syntax for them, so they become tags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Script {
    #[default]
    None,
    Sub,
    Sup,
}

impl Script {
    /// The start and end tag.
    fn tags(self) -> (&'static str, &'static str) {
        match self {
            Self::None => ("", ""),
            Self::Sub => ("<sub>", "</sub>"),
            Self::Sup => ("<sup>", "</sup>"),
        }
    }
}

/// A mark on both sides of a text. Emphasis is nested inside strong text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Strong,
    Emphasis,
}

impl Style {
    fn has(&self, mark: Mark) -> bool {
        match mark {
            Mark::Strong => self.strong,
            Mark::Emphasis => self.emphasis,
        }
    }

    fn drop(&mut self, mark: Mark) {
        match mark {
            Mark::Strong => self.strong = false,
            Mark::Emphasis => self.emphasis = false,
        }
    }
}

/// The separator before a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    Nothing,
    Space,
    Break,
}

/// Text with one style.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// Byte range in [`Document::text`].
    pub text: Range<usize>,
    before: Before,
    pub style: Style,
}

/// What the pieces are printed as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Paragraph,
    Heading,
    Cell,
}

/// Collects the pieces of a paragraph.
#[derive(Debug, Default)]
pub(super) struct Leaf {
    pub pieces: Vec<Piece>,
    /// Addresses of the page's links.
    pub addresses: String,
    /// The last printed link. A link around several paragraphs is printed only in one of them.
    linked: ElementId,
}

impl Leaf {
    /// Begins a page.
    pub fn clear(&mut self) {
        warcsieve_common::shrink(&mut self.pieces);
        self.pieces.clear();
        warcsieve_common::shrink_text(&mut self.addresses);
        self.addresses.clear();
        self.linked = 0;
    }

    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// From the first piece to the last, as a byte range of [`Document::text`].
    pub fn range(&self) -> Range<usize> {
        let first = self.pieces.first().map_or(0, |p| p.text.start);
        first..self.pieces.last().map_or(first, |p| p.text.end)
    }

    /// Appends text.
    pub fn push(&mut self, text: Range<usize>, before: Before, style: Style) {
        self.pieces.push(Piece {
            text,
            before,
            style,
        });
    }

    /// Marks the text as strong.
    pub fn make_strong(&mut self) {
        let texts = self.pieces.iter_mut().map(|piece| &mut piece.style);
        let texts = texts.filter(|style| style.code == 0 && style.image.is_none());
        texts.for_each(|style| style.strong = true);
    }

    /// Prints the pieces and removes them.
    ///
    /// Marks are nested in a fixed order: emphasis inside strong text inside a link. Between two
    /// pieces, every mark that the second piece does not share is closed, from the inside outward.
    /// Then the marks of the second piece are opened, from the outside inward.
    ///
    /// Example: from a strong and emphasised piece to a strong one, only `*` is closed. From there
    /// to an emphasised piece that is not strong, `**` is closed and `*` opened.
    pub fn print(
        &mut self,
        doc: &Document,
        kind: Kind,
        containers: &Containers,
        out: &mut Page<'_>,
    ) {
        for piece in &mut self.pieces {
            // Those of headings are dropped before. From here on, they must not part pieces of the same style.
            piece.style.button = 0;
            if kind == Kind::Heading && piece.before == Before::Break {
                piece.before = Before::Space;
            }
        }
        if kind == Kind::Cell {
            self.drop_code(doc);
        }
        self.unlink();
        self.drop_definition(doc);
        self.join();
        self.drop_deleted(doc);
        self.join();
        self.drop_marks(doc, Mark::Strong);
        self.join();
        self.drop_marks(doc, Mark::Emphasis);
        self.join();
        let dollars = doc.text[self.range()].bytes().filter(|&b| b == b'$');
        let dollars = dollars.take(2).count() == 2;
        let mut open = Style::default();
        for (at, piece) in self.pieces.iter().enumerate() {
            if out.is_full() {
                break;
            }
            let style = &piece.style;
            let stays = style.link == open.link;
            if open.emphasis && !(stays && style.emphasis && style.strong == open.strong) {
                out.push('*');
                open.emphasis = false;
            }
            if open.strong && !(stays && style.strong) {
                out.push_str("**");
                open.strong = false;
            }
            if !stays && open.link != 0 {
                self.end_link(&open, kind, out);
            }
            match piece.before {
                _ if at == 0 => {}
                Before::Nothing => {}
                Before::Space => out.push(' '),
                Before::Break if kind == Kind::Cell => out.push_str("<br>"),
                Before::Break => {
                    out.push('\\');
                    containers.line(false, out);
                }
            }
            if !stays && style.link != 0 {
                out.push('[');
            }
            let (strong, emphasis) = (
                style.strong && !open.strong,
                style.emphasis && !open.emphasis,
            );
            out.push_str(if strong { "**" } else { "" });
            out.push_str(if emphasis { "*" } else { "" });
            let text = &doc.text[piece.text.clone()];
            let struck = style.deleted;
            let (begin, end) = style.script.tags();
            out.push_str(if struck { "~~" } else { "" });
            out.push_str(begin);
            if let Some(image) = &style.image {
                image.write(&self.addresses, kind == Kind::Cell, out);
            } else if style.formula != 0 {
                // Without a space, two adjacent formulas would be read as one.
                if at > 0 && piece.before == Before::Nothing && open.formula != 0 {
                    out.push(' ');
                }
                formula::write(text, kind == Kind::Cell, out);
            } else if style.code != 0 {
                escape::code(text, kind == Kind::Cell, out);
            } else {
                let next = self.pieces.get(at + 1);
                let links = |next: &Piece| next.style.link != 0 && next.style.link != style.link;
                let marked =
                    strong || emphasis || struck || !begin.is_empty() || !stays && style.link != 0;
                let starts = at == 0 || piece.before == Before::Break;
                let place = Place {
                    line_start: kind == Kind::Paragraph && starts && !marked,
                    heading_end: kind == Kind::Heading && next.is_none(),
                    before_link: next.is_some_and(|n| links(n) && n.before == Before::Nothing),
                    cell: kind == Kind::Cell,
                    linked: style.link != 0,
                    before_break: kind == Kind::Paragraph
                        && next.is_some_and(|n| n.before == Before::Break),
                    dollars,
                };
                escape::text(text, place, out);
            }
            out.push_str(end);
            out.push_str(if struck { "~~" } else { "" });
            open = style.clone();
        }
        out.push_str(if open.emphasis { "*" } else { "" });
        out.push_str(if open.strong { "**" } else { "" });
        if open.link != 0 {
            self.end_link(&open, kind, out);
        }
        self.pieces.clear();
    }

    /// Prints the pieces as HTML and removes them. For cells of tables that are written as HTML.
    pub fn print_tagged(&mut self, doc: &Document, out: &mut Page<'_>) {
        let mut open = None;
        for (at, piece) in self.pieces.iter().enumerate() {
            let style = &piece.style;
            let is_linked = style.link != 0 && !style.address.is_empty();
            let link = is_linked.then_some(style.link);
            if open != link && open.take().is_some() {
                out.push_str("</a>");
            }
            match piece.before {
                _ if at == 0 => {}
                Before::Nothing => {}
                Before::Space => out.push(' '),
                Before::Break => out.push_str("<br>"),
            }
            if open != link {
                out.push_str("<a href=\"");
                html::escape_value(&self.addresses[style.address.clone()], out);
                out.push_str("\">");
                open = link;
            }
            if let Some(image) = &style.image {
                image.write_tagged(&self.addresses, out);
                continue;
            }
            let (begin, end) = style.script.tags();
            let tags = [
                (style.strong, "<strong>", "</strong>"),
                (style.emphasis, "<em>", "</em>"),
                (style.deleted, "<del>", "</del>"),
                (!begin.is_empty(), begin, end),
                (style.code != 0, "<code>", "</code>"),
            ];
            for (_, begin, _) in tags.iter().filter(|(is, ..)| *is) {
                out.push_str(begin);
            }
            html::escape(&doc.text[piece.text.clone()], out);
            for (_, _, end) in tags.iter().rev().filter(|(is, ..)| *is) {
                out.push_str(end);
            }
        }
        if open.is_some() {
            out.push_str("</a>");
        }
        self.pieces.clear();
    }

    fn end_link(&self, style: &Style, kind: Kind, out: &mut Page<'_>) {
        out.push(']');
        let address = &self.addresses[style.address.clone()];
        link::destination(address, kind == Kind::Cell, out);
    }

    /// Turns code into plain text if the line begins with a link and has `]:` in code. CommonMark
    /// would read the line as a link reference definition, and show nothing.
    fn drop_definition(&mut self, doc: &Document) {
        let is_code = |piece: &Piece| piece.style.code != 0;
        let begins = self
            .pieces
            .first()
            .is_some_and(|piece| piece.style.link != 0);
        if begins && self.pieces.iter().any(is_code) && doc.text[self.range()].contains("]:") {
            for piece in &mut self.pieces {
                piece.style.code = 0;
            }
        }
    }

    /// Turns code into plain text if a cell contains `\|`: renderers do not agree on how to write
    /// that in code.
    fn drop_code(&mut self, doc: &Document) {
        if doc.text[self.range()].contains("\\|") {
            for piece in &mut self.pieces {
                piece.style.code = 0;
            }
        }
    }

    /// Removes all links.
    pub fn unlink_all(&mut self) {
        self.unlink_where(|_| true);
    }

    /// Removes these links.
    pub fn unlink_where(&mut self, is: impl Fn(ElementId) -> bool) {
        for piece in self.pieces.iter_mut().filter(|p| p.style.link != 0) {
            if is(piece.style.link) {
                piece.style.link = 0;
                piece.style.address = 0..0;
            }
        }
    }

    /// Removes links that were printed before.
    fn unlink(&mut self) {
        let mut current = 0;
        for piece in &mut self.pieces {
            let link = &mut piece.style.link;
            if *link > self.linked {
                self.linked = *link;
                current = *link;
            } else if *link != current {
                current = 0;
                *link = 0;
            }
            if *link == 0 {
                piece.style.address = 0..0;
            }
        }
    }

    /// Joins adjacent pieces with the same style.
    fn join(&mut self) {
        self.pieces.dedup_by(|next, last| {
            let space = match next.before {
                Before::Nothing => 0,
                Before::Space => 1,
                Before::Break => return false,
            };
            // Two adjacent code spans would be read as one with a longer fence.
            if space == 0 && next.style.code != 0 && last.style.code != 0 {
                next.style.code = last.style.code;
            }
            let joins = last.text.end + space == next.text.start && last.style == next.style;
            if joins {
                last.text.end = next.text.end;
            }
            joins
        });
    }

    /// Shows deleted text as normal text if `~~` would not be read as markup.
    fn drop_deleted(&mut self, doc: &Document) {
        for at in 0..self.pieces.len() {
            let deleted = self.pieces[at].style.deleted && self.strikes(doc, at);
            self.pieces[at].style.deleted = deleted;
        }
    }

    /// Whether `~~` on both sides of a piece are read as markup. Without white space to its
    /// neighbour, two conditions hold: the neighbour is not deleted text, and the piece has a
    /// letter or digit on that side.
    fn strikes(&self, doc: &Document, at: usize) -> bool {
        let piece = &self.pieces[at];
        let before = at.checked_sub(1).map(|last| &self.pieces[last]);
        let before = before.filter(|_| piece.before == Before::Nothing);
        let next = self.pieces.get(at + 1);
        let next = next.filter(|next| next.before == Before::Nothing);
        let text = &doc.text[piece.text.clone()];
        let may_touch = |beside: &Piece, is_word: bool| {
            let style = &piece.style;
            let is_plain = !piece.is_marked() && !piece.has_sign();
            is_plain && is_word && !beside.style.deleted && beside.style.link == style.link
        };
        before.is_none_or(|b| may_touch(b, begins_with_word(text)))
            && next.is_none_or(|n| may_touch(n, ends_with_word(text)))
    }

    /// Removes a mark if CommonMark would not read it as emphasis, because of the characters next
    /// to it.
    fn drop_marks(&mut self, doc: &Document, mark: Mark) {
        let mut at = 0;
        while at < self.pieces.len() {
            let first = &self.pieces[at].style;
            if !first.has(mark) {
                at += 1;
                continue;
            }
            let same = |p: &Piece| {
                p.style.has(mark)
                    && p.style.link == first.link
                    && (mark == Mark::Strong || p.style.strong == first.strong)
            };
            let len = self.pieces[at..].iter().take_while(|p| same(p)).count();
            let end = at + len;
            if !(self.opens(doc, at) && self.closes(doc, end - 1)) {
                for piece in &mut self.pieces[at..end] {
                    piece.style.drop(mark);
                }
            }
            at = end;
        }
    }

    /// Whether a mark before the piece would open emphasis.
    fn opens(&self, doc: &Document, at: usize) -> bool {
        let piece = &self.pieces[at];
        let before = at.checked_sub(1).map(|last| &self.pieces[last]);
        let Some(before) = before.filter(|_| piece.before == Before::Nothing) else {
            return true;
        };
        let is_word = piece.begins_with_text() && begins_with_word(&doc.text[piece.text.clone()]);
        before.style.link != piece.style.link
            || !before.is_marked() && (is_word || before.ends_with_sign(doc))
    }

    /// Whether a mark after the piece would close emphasis.
    fn closes(&self, doc: &Document, at: usize) -> bool {
        let piece = &self.pieces[at];
        let next = self.pieces.get(at + 1);
        let Some(next) = next.filter(|next| next.before == Before::Nothing) else {
            return true;
        };
        let is_word = piece.begins_with_text() && ends_with_word(&doc.text[piece.text.clone()]);
        let sign = !next.begins_with_text()
            || doc.text[next.text.clone()].starts_with(|c: char| c.is_ascii_punctuation());
        next.style.link != piece.style.link || !next.is_marked() && (is_word || sign)
    }
}

impl Piece {
    /// Whether marks between it and an adjacent piece may be taken for its own: emphasis marks
    /// inside strong text can both open and close between two letters.
    fn is_marked(&self) -> bool {
        self.style.strong || self.style.emphasis
    }

    fn ends_with_sign(&self, doc: &Document) -> bool {
        let text = &doc.text[self.text.clone()];
        !self.begins_with_text() || text.ends_with(|c: char| c.is_ascii_punctuation())
    }

    /// Whether its text is printed without a tag or a sign directly around it.
    fn begins_with_text(&self) -> bool {
        !self.style.deleted && !self.has_sign()
    }

    /// Whether it is printed between signs or tags other than those of emphasis and deletion.
    fn has_sign(&self) -> bool {
        let style = &self.style;
        let is_text = style.code == 0 && style.formula == 0 && style.image.is_none();
        !is_text || style.script != Script::None
    }
}

/// Whether a letter or digit is printed first. An address may get a `<` before it.
fn begins_with_word(text: &str) -> bool {
    text.starts_with(char::is_alphanumeric) && !text.starts_with("http")
}

/// Whether a letter or digit is printed last. An address may get a `>` after it.
fn ends_with_word(text: &str) -> bool {
    let last = text.rsplit(char::is_whitespace).next().unwrap_or_default();
    text.ends_with(char::is_alphanumeric) && !last.contains("://")
}
