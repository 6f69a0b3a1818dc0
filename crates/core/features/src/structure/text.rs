//! Features of a block's text and of the texts next to it.

use super::columns::Cursor;
use super::kind::kind;
use super::records::Records;
use super::share;
use super::table::{LINES, OURS, Row, SHALLOW, StructureFeature, list};
use warcsieve_html::document::Document;

/// Counts of a text, made in one scan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Text {
    /// Ends like a sentence, ignoring closing quotes and brackets.
    pub ended: bool,
    pub currency: bool,
    /// Characters that separate the items of a line.
    dividers: u32,
    pub commas: u32,
    pub digits: u32,
}

/// Counters of bytes, packed into the bytes of a `u64`: what a byte of each class adds.
const DIGIT: u64 = 1;
const COMMA: u64 = 1 << 8;
const DIVIDER: u64 = 1 << 16;
const CURRENCY: u64 = 1 << 24;
const WIDE: u64 = 1 << 32;

static COUNTED: [u64; 256] = {
    let mut counted = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        counted[byte] = match byte as u8 {
            b'0'..=b'9' => DIGIT,
            b',' => COMMA,
            b'|' | b'>' | b'/' => DIVIDER,
            b'$' => CURRENCY,
            128.. => WIDE,
            _ => 0,
        };
        byte += 1;
    }
    counted
};

impl Text {
    pub fn of(text: &str) -> Self {
        let mut found = Self::default();
        let mut is_wide = false;
        // At most 255 bytes at a time, so that no counter overflows.
        for bytes in text.as_bytes().chunks(usize::from(u8::MAX)) {
            let add = |sum, byte: &u8| sum + COUNTED[usize::from(*byte)];
            let counts = bytes.iter().fold(0, add);
            let count = |of: u64| (counts / of) & 0xff;
            found.digits += count(DIGIT) as u32;
            found.commas += count(COMMA) as u32;
            found.dividers += count(DIVIDER) as u32;
            found.currency |= count(CURRENCY) > 0;
            is_wide |= count(WIDE) > 0;
        }
        if is_wide {
            let wide = text.chars().filter(|c| !c.is_ascii());
            wide.for_each(|c| found.add(c));
        }
        let end = text.trim_end_matches(is_closing).chars().next_back();
        found.ended = end.is_some_and(ends_sentence);
        found
    }

    fn add(&mut self, c: char) {
        match c {
            '，' | '、' | '،' => self.commas += 1,
            '•' | '·' | '»' | '«' | '→' | '←' | '›' | '‹' | '｜' => {
                self.dividers += 1
            }
            '€' | '£' | '¥' | '₹' | '₽' | '₩' | '￥' | '₺' | '₴' => {
                self.currency = true
            }
            c if c.is_numeric() => self.digits += 1,
            _ => {}
        }
    }
}

fn is_closing(c: char) -> bool {
    matches!(
        c,
        '"' | '\'' | ')' | ']' | '”' | '’' | '»' | '」' | '』' | '）' | ' '
    )
}

fn ends_sentence(c: char) -> bool {
    matches!(
        c,
        '.' | '!' | '?' | '…' | '。' | '！' | '？' | '．' | '｡' | '।' | '؟' | '۔' | '።'
    )
}

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

/// Of a neighbour; 0 where there is none.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_counted_in_any_script() {
        let text = Text::of("a, B、 3٣ | • £5?");
        assert_eq!((text.commas, text.digits, text.dividers), (2, 3, 2));
        assert!(text.currency && text.ended);
        assert!(!Text::of("").ended);
        let text = Text::of(&"1,/".repeat(1000));
        assert_eq!(
            (text.commas, text.digits, text.dividers),
            (1000, 1000, 1000)
        );
        assert!(!text.currency);
    }

    #[test]
    fn closing_quotes_after_a_sentence_are_ignored() {
        for text in ["Yes.", "“Yes.”", "(Yes!)", "是的。」", "لماذا؟", "अंत।"]
        {
            assert!(Text::of(text).ended, "{text}");
        }
        for text in ["Yes", "Yes:", "v1.0", "”"] {
            assert!(!Text::of(text).ended, "{text}");
        }
    }
}
