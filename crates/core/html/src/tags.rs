//! The tag table: one row per tag.
//!
//! `INLINE` follows the default style sheet of the HTML standard (§15.3): what
//! it displays as `inline`, `contents`, `ruby` or `none` does not separate
//! blocks, and unknown elements are inline. Form controls are `inline-block`
//! there and do separate; so does `label`, whose text belongs to a control and not
//! to the sentence around it. The other columns follow the tree construction
//! (§13.2.6); `JUSTEXT` is the list of paragraph tags in jusText's `core.py`.

use super::Segmentation;

/// Does not separate blocks of segmentation `inline`.
const INLINE: u32 = 1;
/// Has no content and no end tag.
pub(super) const VOID: u32 = 1 << 1;
/// Its text is not part of the page's text.
pub(super) const HIDDEN: u32 = 1 << 2;
/// One of jusText's paragraph tags.
pub(super) const JUSTEXT: u32 = 1 << 3;
/// "Special" in the standard: the end tag of an ordinary element closes nothing beyond it.
pub(super) const SPECIAL: u32 = 1 << 4;
/// Limits "in scope": end tags inside do not close elements outside.
pub(super) const SCOPE: u32 = 1 << 5;
/// Its start tag closes a `p` in button scope.
pub(super) const CLOSES_P: u32 = 1 << 6;
/// Its end tag closes it wherever it is in scope.
pub(super) const SCOPED_END: u32 = 1 << 7;
/// May appear before the body.
pub(super) const HEAD: u32 = 1 << 8;
/// Its start tag ends SVG and MathML around it.
pub(super) const BREAKOUT: u32 = 1 << 9;
/// Closed by the end tag of any element around it.
pub(super) const IMPLIED_END: u32 = 1 << 10;
/// Part of a table; ignored outside one.
pub(super) const TABLE_PART: u32 = 1 << 11;
/// `h1` to `h6`.
pub(super) const HEADING: u32 = 1 << 12;
/// Special and a limit of scopes as an element of SVG or MathML, but not as one of HTML.
pub(super) const FOREIGN_SCOPE: u32 = 1 << 13;

/// Browsers show line ends in it as written.
const PREFORMATTED: u32 = 1 << 15;

/// Its start tag may take the fast path, which checks the rules that it has (`plain_tag.rs`). Most tags of
/// a page have this flag.
pub(super) const PLAIN: u32 = 1 << 16;

/// Flag of an open element: its end tag was seen.
pub(super) const ENDED: u32 = 1 << 14;

/// An ordinary block element of the standard's lists.
const BLOCK: u32 = SPECIAL | CLOSES_P | SCOPED_END;

macro_rules! tags {
    ($($tag:ident $name:literal $flags:expr;)*) => {
        /// A tag name.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Tag {
            /// A name that is not in the table.
            #[default]
            Other,
            $(#[doc = concat!("`", $name, "`")] $tag,)*
        }

        const TAGS: [Tag; NAMES.len()] = [Tag::Other, $(Tag::$tag,)*];
        pub(super) const NAMES: &[&str] = &["other", $($name,)*];
        const OPENED: &[&str] = &["<other", $(concat!("<", $name),)*];
        const FLAGS: &[u32] = &[INLINE, $($flags,)*];
    };
}

tags! {
    A "a" INLINE | PLAIN;
    Abbr "abbr" INLINE | PLAIN;
    Acronym "acronym" INLINE;
    Address "address" BLOCK | PLAIN;
    Applet "applet" INLINE | SPECIAL | SCOPE | SCOPED_END;
    Area "area" INLINE | VOID | SPECIAL;
    Article "article" BLOCK | PLAIN;
    Aside "aside" BLOCK | PLAIN;
    Audio "audio" INLINE;
    B "b" INLINE | BREAKOUT | PLAIN;
    Base "base" INLINE | VOID | SPECIAL | HEAD;
    Basefont "basefont" INLINE | VOID | SPECIAL | HEAD;
    Bdi "bdi" INLINE;
    Bdo "bdo" INLINE;
    Bgsound "bgsound" INLINE | VOID | SPECIAL | HEAD;
    Big "big" INLINE | BREAKOUT;
    Blink "blink" INLINE;
    Blockquote "blockquote" BLOCK | BREAKOUT | JUSTEXT | PLAIN;
    Body "body" SPECIAL | BREAKOUT | JUSTEXT;
    Br "br" VOID | SPECIAL | BREAKOUT;
    Button "button" SPECIAL | SCOPED_END;
    Canvas "canvas" INLINE;
    Caption "caption" SPECIAL | SCOPE | TABLE_PART | JUSTEXT;
    Center "center" BLOCK | BREAKOUT | JUSTEXT | PLAIN;
    Cite "cite" INLINE | PLAIN;
    Code "code" INLINE | BREAKOUT | PLAIN;
    Col "col" VOID | SPECIAL | TABLE_PART | JUSTEXT;
    Colgroup "colgroup" SPECIAL | TABLE_PART | JUSTEXT;
    Data "data" INLINE;
    Datalist "datalist" INLINE | HIDDEN;
    Dd "dd" SPECIAL | SCOPED_END | BREAKOUT | IMPLIED_END | CLOSES_P | JUSTEXT;
    Del "del" INLINE;
    Desc "desc" INLINE | SPECIAL | SCOPE | FOREIGN_SCOPE;
    Details "details" BLOCK;
    Dfn "dfn" INLINE;
    Dialog "dialog" CLOSES_P | SCOPED_END;
    Dir "dir" BLOCK;
    Div "div" BLOCK | BREAKOUT | JUSTEXT | PLAIN;
    Dl "dl" BLOCK | BREAKOUT | JUSTEXT;
    Dt "dt" SPECIAL | SCOPED_END | BREAKOUT | IMPLIED_END | CLOSES_P | JUSTEXT;
    Em "em" INLINE | BREAKOUT | PLAIN;
    Embed "embed" INLINE | VOID | SPECIAL | BREAKOUT;
    Fieldset "fieldset" BLOCK | JUSTEXT;
    Figcaption "figcaption" BLOCK | PLAIN;
    Figure "figure" BLOCK | PLAIN;
    Font "font" INLINE | PLAIN;
    Footer "footer" BLOCK | PLAIN;
    ForeignObject "foreignobject" INLINE | SPECIAL | SCOPE | FOREIGN_SCOPE;
    Form "form" SPECIAL | CLOSES_P | JUSTEXT;
    Frame "frame" VOID | SPECIAL;
    Frameset "frameset" SPECIAL;
    H1 "h1" BLOCK | BREAKOUT | HEADING | JUSTEXT | PLAIN;
    H2 "h2" BLOCK | BREAKOUT | HEADING | JUSTEXT | PLAIN;
    H3 "h3" BLOCK | BREAKOUT | HEADING | JUSTEXT | PLAIN;
    H4 "h4" BLOCK | BREAKOUT | HEADING | JUSTEXT | PLAIN;
    H5 "h5" BLOCK | BREAKOUT | HEADING | JUSTEXT | PLAIN;
    H6 "h6" BLOCK | BREAKOUT | HEADING | JUSTEXT | PLAIN;
    Head "head" SPECIAL | BREAKOUT | HEAD;
    Header "header" BLOCK | PLAIN;
    Hgroup "hgroup" BLOCK;
    Hr "hr" VOID | SPECIAL | CLOSES_P | BREAKOUT;
    Html "html" SPECIAL | SCOPE | HEAD;
    I "i" INLINE | BREAKOUT | PLAIN;
    Iframe "iframe" INLINE | HIDDEN | SPECIAL;
    Img "img" INLINE | VOID | SPECIAL | BREAKOUT;
    Input "input" VOID | SPECIAL;
    Ins "ins" INLINE;
    Kbd "kbd" INLINE;
    Keygen "keygen" VOID | SPECIAL;
    Label "label" 0;
    Legend "legend" JUSTEXT;
    Li "li" SPECIAL | SCOPED_END | BREAKOUT | IMPLIED_END | CLOSES_P | JUSTEXT | PLAIN;
    Link "link" INLINE | VOID | SPECIAL | HEAD;
    Listing "listing" BLOCK | BREAKOUT | PREFORMATTED;
    Main "main" BLOCK | PLAIN;
    Map "map" INLINE;
    Mark "mark" INLINE;
    Marquee "marquee" SPECIAL | SCOPE | SCOPED_END;
    Math "math" INLINE;
    Menu "menu" BLOCK | BREAKOUT;
    Meta "meta" INLINE | VOID | SPECIAL | HEAD | BREAKOUT;
    Meter "meter" 0;
    Mi "mi" INLINE | SPECIAL | SCOPE | FOREIGN_SCOPE;
    Mn "mn" INLINE | SPECIAL | SCOPE | FOREIGN_SCOPE;
    Mo "mo" INLINE | SPECIAL | SCOPE | FOREIGN_SCOPE;
    Ms "ms" INLINE | SPECIAL | SCOPE | FOREIGN_SCOPE;
    Mtext "mtext" INLINE | SPECIAL | SCOPE | FOREIGN_SCOPE;
    Nav "nav" BLOCK | PLAIN;
    Nobr "nobr" INLINE | BREAKOUT;
    Noembed "noembed" INLINE | HIDDEN | SPECIAL;
    Noframes "noframes" INLINE | HIDDEN | SPECIAL | HEAD;
    Noscript "noscript" INLINE | SPECIAL | HEAD;
    Object "object" INLINE | SPECIAL | SCOPE | SCOPED_END;
    Ol "ol" BLOCK | BREAKOUT | PLAIN;
    Optgroup "optgroup" IMPLIED_END | JUSTEXT;
    Option "option" IMPLIED_END | JUSTEXT;
    Output "output" INLINE;
    P "p" BLOCK | BREAKOUT | IMPLIED_END | JUSTEXT | PLAIN;
    Param "param" INLINE | VOID | SPECIAL;
    Picture "picture" INLINE;
    Plaintext "plaintext" SPECIAL | CLOSES_P | PREFORMATTED;
    Pre "pre" BLOCK | BREAKOUT | JUSTEXT | PREFORMATTED;
    Progress "progress" 0;
    Q "q" INLINE;
    Rb "rb" INLINE | IMPLIED_END;
    Rp "rp" INLINE | IMPLIED_END;
    Rt "rt" INLINE | IMPLIED_END;
    Rtc "rtc" INLINE | IMPLIED_END;
    Ruby "ruby" INLINE | BREAKOUT;
    S "s" INLINE | BREAKOUT | PLAIN;
    Samp "samp" INLINE;
    Script "script" INLINE | HIDDEN | SPECIAL | HEAD;
    Search "search" BLOCK;
    Section "section" BLOCK | PLAIN;
    Select "select" SPECIAL | SCOPE | SCOPED_END;
    Slot "slot" INLINE;
    Small "small" INLINE | BREAKOUT | PLAIN;
    Source "source" INLINE | VOID | SPECIAL;
    Span "span" INLINE | BREAKOUT | PLAIN;
    Strike "strike" INLINE | BREAKOUT;
    Strong "strong" INLINE | BREAKOUT | PLAIN;
    Style "style" INLINE | HIDDEN | SPECIAL | HEAD;
    Sub "sub" INLINE | BREAKOUT | PLAIN;
    Summary "summary" BLOCK;
    Sup "sup" INLINE | BREAKOUT | PLAIN;
    Svg "svg" INLINE | HIDDEN;
    Table "table" SPECIAL | SCOPE | CLOSES_P | BREAKOUT | JUSTEXT;
    Tbody "tbody" SPECIAL | TABLE_PART;
    Td "td" SPECIAL | SCOPE | TABLE_PART | JUSTEXT;
    Template "template" INLINE | HIDDEN | SPECIAL | SCOPE | HEAD;
    Textarea "textarea" SPECIAL | JUSTEXT | PREFORMATTED;
    Tfoot "tfoot" SPECIAL | TABLE_PART | JUSTEXT;
    Th "th" SPECIAL | SCOPE | TABLE_PART | JUSTEXT;
    Thead "thead" SPECIAL | TABLE_PART | JUSTEXT;
    Time "time" INLINE | PLAIN;
    Title "title" INLINE | HIDDEN | SPECIAL | HEAD;
    Tr "tr" SPECIAL | TABLE_PART | JUSTEXT;
    Track "track" INLINE | VOID | SPECIAL;
    Tt "tt" INLINE | BREAKOUT;
    U "u" INLINE | BREAKOUT | PLAIN;
    Ul "ul" BLOCK | BREAKOUT | JUSTEXT | PLAIN;
    Var "var" INLINE | BREAKOUT;
    Video "video" INLINE;
    Wbr "wbr" INLINE | VOID | SPECIAL;
    Xmp "xmp" SPECIAL | CLOSES_P | PREFORMATTED;
}

impl Tag {
    /// Number of tags, [`Tag::Other`] included.
    pub const COUNT: usize = NAMES.len();

    /// The name in lower case; `other` for [`Tag::Other`].
    #[inline]
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// The name as it is written after `<`.
    #[inline]
    pub(super) fn opened(self) -> &'static str {
        OPENED[self as usize]
    }

    /// Whether the text before and after the tag is in one block.
    #[inline]
    pub fn is_inline(self) -> bool {
        self.has(INLINE)
    }

    /// Whether it is one of `h1` to `h6`.
    #[inline]
    pub fn is_heading(self) -> bool {
        self.has(HEADING)
    }

    /// Whether the element has no content and no end tag.
    #[inline]
    pub fn is_void(self) -> bool {
        self.has(VOID)
    }

    /// Whether its text is not part of the page's text.
    #[inline]
    pub fn is_hidden(self) -> bool {
        self.has(HIDDEN)
    }

    /// The same for a segmentation, which may leave out more.
    pub(super) fn is_hidden_in(self, segmentation: Segmentation) -> bool {
        self.is_hidden()
            || segmentation == Segmentation::Web2text
                && matches!(
                    self,
                    Self::Select | Self::Textarea | Self::Noscript | Self::Video
                )
    }

    /// Whether browsers show line ends in it as written.
    #[inline]
    pub fn is_preformatted(self) -> bool {
        self.has(PREFORMATTED)
    }

    /// Whether white space in it is kept by a segmentation.
    #[inline]
    pub fn keeps_space_in(self, segmentation: Segmentation) -> bool {
        self.is_preformatted() && self.separates(segmentation)
    }

    /// "Special" in the standard: a new list item does not close an item outside of such an
    /// element.
    #[inline]
    pub fn is_special(self) -> bool {
        self.has(SPECIAL)
    }

    /// Whether its content is text without tags. `noscript` counts too, although its content is
    /// markup if scripts do not run.
    pub(super) fn is_raw_text(self) -> bool {
        matches!(
            self,
            Self::Noscript
                | Self::Title
                | Self::Textarea
                | Self::Script
                | Self::Style
                | Self::Xmp
                | Self::Iframe
                | Self::Noembed
                | Self::Noframes
        )
    }

    /// Whether its start tag closes a paragraph.
    #[inline]
    pub fn closes_p(self) -> bool {
        self.has(CLOSES_P)
    }

    /// Whether it separates blocks.
    #[inline]
    pub fn separates(self, segmentation: Segmentation) -> bool {
        match segmentation {
            Segmentation::Inline => !self.has(INLINE),
            Segmentation::Paper => self != Self::A,
            Segmentation::Leaves | Segmentation::Web2text => true,
            Segmentation::Justext => self.has(JUSTEXT),
        }
    }

    /// All tags, in the order of their numbers.
    pub(super) const ALL: [Self; Self::COUNT] = TAGS;

    #[inline]
    pub(super) fn flags(self) -> u32 {
        FLAGS[self as usize]
    }

    #[inline]
    pub(super) fn has(self, flags: u32) -> bool {
        self.flags() & flags != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_found_whatever_the_case() {
        for (at, name) in NAMES.iter().enumerate().skip(1) {
            assert_eq!(Tag::from_name(name) as usize, at, "{name}");
            assert_eq!(Tag::from_name(&name.to_uppercase()) as usize, at, "{name}");
        }
        assert!(NAMES[1..].is_sorted());
    }

    #[test]
    fn unknown_names_give_other() {
        for name in [
            "",
            "aa",
            "divv",
            "di",
            "other",
            "a-b",
            "é",
            "averyveryverylongcustom-name",
        ] {
            assert_eq!(Tag::from_name(name), Tag::Other, "{name}");
        }
        assert!(Tag::Other.is_inline());
    }

    #[test]
    fn void_elements_are_those_of_the_standard() {
        let void: Vec<_> = (0..Tag::COUNT)
            .filter(|&t| FLAGS[t] & VOID != 0)
            .map(|t| NAMES[t])
            .collect();
        let standard = "area base br col embed hr img input link meta param source track wbr";
        let obsolete = ["basefont", "bgsound", "frame", "keygen"];
        for name in standard.split(' ').chain(obsolete) {
            assert!(void.contains(&name), "{name}");
        }
        assert_eq!(void.len(), standard.split(' ').count() + obsolete.len());
    }
}
