//! How texts are separated. The tags between them decide.

use warcsieve_html::Tag;

/// The separation between two texts. Greater values separate more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    /// No tag that ends a line.
    #[default]
    None,
    /// A `br`.
    Break,
    /// The edge of an element that begins and ends lines, such as `div`.
    Line,
    /// An empty line.
    Empty,
}

impl Gap {
    /// Adds a `br`. A second line end makes an empty line.
    pub fn line_break(&mut self) {
        *self = match self {
            Self::None => Self::Break,
            _ => Self::Empty,
        };
    }

    /// Adds the beginning or end of an element with this tag.
    pub fn edge(&mut self, tag: Tag) {
        *self = (*self).max(around(tag));
    }
}

/// The gap between an element and the text around it, as in the default style sheet of the HTML
/// standard (§15.3). Sections and tables also get an empty line.
pub(super) fn around(tag: Tag) -> Gap {
    use Tag::*;
    match tag {
        Article | Aside | Blockquote | Caption | Dir | Dl | Fieldset | Figure | Footer | Form
        | H1 | H2 | H3 | H4 | H5 | H6 | Header | Hr | Listing | Main | Menu | Nav | Ol | P
        | Plaintext | Pre | Section | Table | Textarea | Ul | Xmp => Gap::Empty,
        tag if tag.is_inline() || tag == Br => Gap::None,
        _ => Gap::Line,
    }
}

/// Whether the tag is a list, which contains items.
pub(super) fn is_list(tag: Tag) -> bool {
    matches!(tag, Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_break_after_a_line_end_is_an_empty_line() {
        let after = |tags: &[Tag]| {
            let mut gap = Gap::default();
            for &tag in tags {
                match tag {
                    Tag::Br => gap.line_break(),
                    tag => gap.edge(tag),
                }
            }
            gap
        };
        use Tag::*;
        assert_eq!(after(&[B, Span]), Gap::None);
        assert_eq!(after(&[Br]), Gap::Break);
        assert_eq!(after(&[Br, Div, Div]), Gap::Line);
        assert_eq!(after(&[Br, Br]), Gap::Empty);
        assert_eq!(after(&[Div, Br]), Gap::Empty);
        assert_eq!(after(&[Div, P, Div]), Gap::Empty);
    }
}
