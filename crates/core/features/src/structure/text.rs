//! Features of a block's text and of the texts next to it.

use super::columns::Cursor;
use super::feature::{LINES, OURS, Row, SHALLOW, StructureFeature, list};
use super::kind::kind;
use super::records::Records;
use crate::share::share;
use warcsieve_html::document::Document;

/// Of the block itself.
const OWN: &[Row] = &[
    ("words", "words", SHALLOW, "tokens with a letter or digit"),
    ("link_density", "share", SHALLOW, "linked tokens / tokens"),
    (
        "text_density",
        "tokens per line",
        LINES,
        "tokens per line of 80 columns; the last line is left out unless it is the only one",
    ),
    (
        "chars_a_word",
        "characters",
        OURS,
        "characters, with spaces / words",
    ),
    (
        "ended",
        "0 or 1",
        OURS,
        "1 if it ends with a character that ends sentences; closing quotes and brackets are ignored",
    ),
    (
        "dividers",
        "per word",
        OURS,
        "characters such as | > / • » / words",
    ),
    ("commas", "per word", OURS, "commas / words"),
    ("digits", "share", OURS, "digits / characters"),
];

/// Of a neighbour; 0 if there is none.
const NEIGHBOUR: &[Row] = &[
    ("words", "words", SHALLOW, "tokens with a letter or digit"),
    ("link_density", "share", SHALLOW, "linked tokens / tokens"),
    (
        "kind",
        "kind",
        OURS,
        "tag of the nearest element that is not inline, as in `kind`",
    ),
];

pub(super) fn features() -> Vec<StructureFeature> {
    [
        list("", "", OWN),
        list("prev.", "of the block before: ", NEIGHBOUR),
        list("next.", "of the block after: ", NEIGHBOUR),
    ]
    .concat()
}

/// Appends the features of a block.
pub(super) fn push(doc: &Document, records: &Records, block: usize, to: &mut Cursor<'_>) {
    let (b, text) = (&doc.blocks[block], &records.texts[block]);
    to.extend([
        b.words as f32,
        b.link_density(),
        b.text_density(),
        share(b.chars, b.words),
        f32::from(u8::from(text.ended)),
        share(text.dividers, b.words),
        share(text.commas, b.words),
        share(text.digits, b.chars),
    ]);
    for at in [block.checked_sub(1), Some(block + 1)] {
        let neighbour = at.and_then(|at| Some((at, doc.blocks.get(at)?)));
        to.extend(neighbour.map_or([0.0; 3], |(at, n)| {
            let container = records.place(at).1;
            [
                n.words as f32,
                n.link_density(),
                kind(records.elements()[container].tag),
            ]
        }));
    }
}
