//! The elements of cleaned HTML, and the places where a parser reads them unchanged.
//!
//! The rules are those of the HTML standard (§13.2.6). Nothing that is printed makes a parser
//! close, add or move an element, so a parser reads back exactly the printed tree.

use warcsieve_html::Tag;

/// The element of cleaned HTML for an element of the page; `None` means a `div` or `span`.
///
/// Elements with a meaning for readers are kept. Forms, embedded content, SVG, MathML, purely
/// visual elements and unknown names are replaced, but their content is kept.
pub(super) fn replacement(tag: Tag) -> Option<Tag> {
    use Tag::*;
    Some(match tag {
        Html | Body | Address | Article | Aside | Blockquote | Details | Div | Dl | Fieldset
        | Figcaption | Figure | Footer | Header | Main | Menu | Nav | Ol | P | Pre | Section
        | Summary | Ul | Li | Dd | Dt | H1 | H2 | H3 | H4 | H5 | H6 => tag,
        Table | Caption | Colgroup | Thead | Tbody | Tfoot | Tr | Td | Th => tag,
        A | Abbr | Acronym | B | Bdi | Bdo | Big | Cite | Code | Del | Dfn | Em | I | Ins | Kbd
        | Label | Legend | Mark | Q | Rb | Rp | Rt | Rtc | Ruby | S | Samp | Small | Span
        | Strike | Strong | Sub | Sup | Time | Tt | U | Var => tag,
        Br | Hr | Img => tag,
        Listing | Plaintext | Xmp => Pre,
        Dir => Ul,
        _ => return None,
    })
}

/// Void elements that are kept between content.
pub(super) fn is_kept_void(tag: Tag) -> bool {
    matches!(tag, Tag::Br | Tag::Hr | Tag::Img)
}

/// Tables, and their parts except cells and captions.
pub(super) fn is_table_structure(tag: Tag) -> bool {
    use Tag::*;
    matches!(tag, Table | Colgroup | Thead | Tbody | Tfoot | Tr)
}

/// Whether a part of a table may be a child of `outer`.
pub(crate) fn is_part_of(part: Tag, outer: Tag) -> bool {
    use Tag::*;
    match outer {
        Table => matches!(part, Caption | Colgroup | Thead | Tbody | Tfoot),
        Thead | Tbody | Tfoot => part == Tr,
        Tr => matches!(part, Td | Th),
        _ => false,
    }
}

/// What a parser would not accept inside an open element, because of it and the elements around it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Within {
    /// A paragraph is open. Any block element would close it.
    pub paragraph: bool,
    /// An item is open. Another item would close it.
    item: bool,
    /// A term or description is open. Another one would close it.
    definition: bool,
    /// Line ends are shown.
    pub pre: bool,
}

impl Within {
    /// The state inside an element with this tag.
    pub fn inside(mut self, tag: Tag) -> Self {
        use Tag::*;
        if matches!(tag, Table | Caption | Td | Th) {
            self.paragraph = false;
        }
        if tag.is_special() && !matches!(tag, Address | Div | P) {
            self.item = tag == Li;
            self.definition = matches!(tag, Dd | Dt);
        }
        self.paragraph |= tag == P;
        self.pre |= tag == Pre;
        self
    }

    /// Whether a parser reads an element with this tag unchanged as a child of an element with the
    /// tag `outer`. `self` is the state inside that element.
    pub fn admits(self, tag: Tag, outer: Tag) -> bool {
        use Tag::*;
        if self.paragraph && tag.closes_p() {
            return false;
        }
        match tag {
            Html => false,
            Body => outer == Html,
            Caption | Colgroup | Thead | Tbody | Tfoot | Tr | Td | Th => is_part_of(tag, outer),
            Li => !self.item,
            Dd | Dt => !self.definition,
            H1 | H2 | H3 | H4 | H5 | H6 => !outer.is_heading(),
            Rb | Rtc => !ends_by_itself(outer),
            Rp | Rt => !ends_by_itself(outer) || outer == Rtc,
            _ => true,
        }
    }
}

/// Whether a part of `ruby` implicitly closes this element.
fn ends_by_itself(tag: Tag) -> bool {
    use Tag::*;
    matches!(tag, Dd | Dt | Li | P | Rb | Rp | Rt | Rtc)
}
