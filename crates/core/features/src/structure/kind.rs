//! The purpose of an element by its tag, as a number that decision trees can split on.

use warcsieve_html::Tag;

/// Ordered from elements that hold prose to those that hold controls. Models are trained on these
/// numbers: after a change they must be trained again.
pub(super) fn kind(tag: Tag) -> f32 {
    use Tag::*;
    let kind: u8 = match tag {
        P => 1,
        Blockquote | Q => 2,
        Pre | Code | Plaintext | Listing | Xmp => 3,
        H1 => 4,
        H2 => 5,
        H3 => 6,
        H4 | H5 | H6 => 7,
        Figcaption | Caption => 8,
        Dd => 9,
        Dt => 10,
        Li => 11,
        Td => 12,
        Th => 13,
        Tr | Tbody | Thead | Tfoot | Table => 14,
        Article => 15,
        Main => 16,
        Section => 17,
        Div => 18,
        Body | Html => 19,
        Center | Address | Details | Summary | Figure | Hgroup => 20,
        Ul | Ol | Dl | Menu | Dir => 21,
        Header => 22,
        Aside => 23,
        Nav => 24,
        Footer => 25,
        Form | Fieldset | Legend | Search => 26,
        Label => 27,
        Button => 28,
        Option | Select | Optgroup | Datalist | Textarea => 29,
        Noscript => 30,
        _ => 0,
    };
    f32::from(kind)
}

/// The kinds by their numbers, for the formula of features that are kinds.
pub(super) const KINDS: &str = "1 p, 2 quotes, 3 code, 4 to 7 headings, 8 captions, 9 dd, 10 dt, 11 li, 12 td, 13 th, 14 tables, 15 article, 16 main, 17 section, 18 div, 19 body, 20 address, figure and the like, 21 lists, 22 header, 23 aside, 24 nav, 25 footer, 26 forms, 27 label, 28 button, 29 option, 30 noscript, 0 others";
