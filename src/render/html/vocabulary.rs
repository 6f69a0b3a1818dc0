//! The elements of cleaned HTML, and where a parser takes them as they are written.
//!
//! The rules are the standard's (§13.2.6): none of what is printed makes a parser close,
//! add or move an element, so it reads back the very tree that was printed.

use crate::html::Tag;

/// What cleaned HTML has in place of an element of the page; `None` for a `div` or `span`.
///
/// What carries meaning for readers stays. Forms, what is embedded, drawings, formulas,
/// mere looks and unknown names go; what they hold stays.
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

/// Tables and what may stand in them beside cells and captions.
pub(super) fn is_table_structure(tag: Tag) -> bool {
    use Tag::*;
    matches!(tag, Table | Colgroup | Thead | Tbody | Tfoot | Tr)
}

/// Whether a part of a table may stand in `outer` as it is.
pub(in super::super) fn is_part_of(part: Tag, outer: Tag) -> bool {
    use Tag::*;
    match outer {
        Table => matches!(part, Caption | Colgroup | Thead | Tbody | Tfoot),
        Thead | Tbody | Tfoot => part == Tr,
        Tr => matches!(part, Td | Th),
        _ => false,
    }
}

/// What an open element and those around it forbid inside.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Within {
    /// A paragraph, which whatever is no inline element would close.
    pub paragraph: bool,
    /// An item that the next one would close.
    item: bool,
    /// A term or description that the next one would close.
    definition: bool,
    /// Line ends are shown.
    pub pre: bool,
}

impl Within {
    /// The same inside an element of that tag.
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

    /// Whether a parser takes an element as it is as a child of one of tag `outer`, of
    /// which this is true.
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

/// Elements that a part of `ruby` closes.
fn ends_by_itself(tag: Tag) -> bool {
    use Tag::*;
    matches!(tag, Dd | Dt | Li | P | Rb | Rp | Rt | Rtc)
}
