//! What a block's text looks like, and the texts next to it.

use super::kind::kind;
use super::records::{Records, elements, index};
use super::share;
use super::table::{LINES, OURS, Row, SHALLOW, StructureFeature, list};
use crate::document::Document;

/// Counts of a text, made in one scan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Text {
    /// Ends in a sign that ends sentences, closing quotes and brackets aside.
    pub ended: bool,
    /// Ends in a colon.
    colon: bool,
    /// Its first letter or digit is a lower-case letter.
    starts_lower: bool,
    question: bool,
    pub currency: bool,
    rights: bool,
    /// Signs that part the items of a line.
    dividers: u32,
    pub commas: u32,
    pub digits: u32,
    upper: u32,
    lower: u32,
}

const UPPER: u8 = 1;
const LOWER: u8 = 2;
const DIGIT: u8 = 3;
const COMMA: u8 = 4;
const DIVIDER: u8 = 5;
const CURRENCY: u8 = 6;
const QUESTION: u8 = 7;
const WIDE: u8 = 8;

static CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        class[byte] = match byte as u8 {
            b'A'..=b'Z' => UPPER,
            b'a'..=b'z' => LOWER,
            b'0'..=b'9' => DIGIT,
            b',' => COMMA,
            b'|' | b'>' | b'/' => DIVIDER,
            b'$' => CURRENCY,
            b'?' => QUESTION,
            128.. => WIDE,
            _ => 0,
        };
        byte += 1;
    }
    class
};

impl Text {
    pub fn of(text: &str) -> Self {
        let mut counts = [0u32; WIDE as usize + 1];
        for byte in text.bytes() {
            counts[usize::from(CLASS[usize::from(byte)])] += 1;
        }
        let count = |class: u8| counts[usize::from(class)];
        let mut found = Self {
            question: count(QUESTION) > 0,
            currency: count(CURRENCY) > 0,
            dividers: count(DIVIDER),
            commas: count(COMMA),
            digits: count(DIGIT),
            upper: count(UPPER),
            lower: count(LOWER),
            ..Self::default()
        };
        if count(WIDE) > 0 {
            text.chars()
                .filter(|c| !c.is_ascii())
                .for_each(|c| found.add(c));
        }
        let first = text.chars().find(|c| c.is_alphanumeric());
        found.starts_lower = first.is_some_and(char::is_lowercase);
        let end = text.trim_end_matches(is_closing).chars().next_back();
        found.ended = end.is_some_and(ends_sentence);
        found.colon = matches!(end, Some(':' | '：'));
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
            '©' | '®' => self.rights = true,
            '？' | '؟' => self.question = true,
            c if c.is_uppercase() => self.upper += 1,
            c if c.is_lowercase() => self.lower += 1,
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
        "tokens a line",
        LINES,
        "tokens a line of 80 columns, the last line left out unless it is the only one",
    ),
    (
        "chars_a_word",
        "characters",
        OURS,
        "characters, spaces included / words",
    ),
    (
        "ended",
        "0 or 1",
        OURS,
        "ends in a sign that ends sentences, closing quotes and brackets aside",
    ),
    ("colon", "0 or 1", OURS, "ends in a colon"),
    (
        "starts_lower",
        "0 or 1",
        OURS,
        "its first letter or digit is a lower-case letter",
    ),
    ("question", "0 or 1", OURS, "has a question mark"),
    ("currency", "0 or 1", OURS, "has the sign of a currency"),
    ("rights", "0 or 1", OURS, "has © or ®"),
    (
        "dividers",
        "a word",
        OURS,
        "signs such as | > / • » / words",
    ),
    ("commas", "a word", OURS, "commas / words"),
    ("digits", "share", OURS, "digits / characters"),
    (
        "capitals",
        "share",
        OURS,
        "upper-case letters / letters that have a case",
    ),
    (
        "tags_before",
        "tags",
        OURS,
        "start and end tags between the text of the block before and its own",
    ),
    (
        "tags_inside",
        "tags",
        OURS,
        "start and end tags inside the block",
    ),
];

/// Of a neighbour; 0 where there is none.
const NEIGHBOUR: &[Row] = &[
    ("words", "words", SHALLOW, "tokens with a letter or digit"),
    ("link_density", "share", SHALLOW, "linked tokens / tokens"),
    (
        "ended",
        "0 or 1",
        OURS,
        "ends in a sign that ends sentences",
    ),
    (
        "kind",
        "kind",
        OURS,
        "of the nearest element that is not inline, as `kind`",
    ),
    (
        "same_kind",
        "0 or 1",
        OURS,
        "its container has the tag and class that this block's has",
    ),
    ("tags_before", "tags", OURS, "tags before it"),
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
pub(super) fn push(doc: &Document, records: &Records, block: usize, row: &mut Vec<f32>) {
    let (b, text) = (&doc.blocks[block], &records.texts[block]);
    row.extend([
        b.words as f32,
        b.link_density(),
        b.text_density(),
        share(b.chars, b.words),
        flag(text.ended),
        flag(text.colon),
        flag(text.starts_lower),
        flag(text.question),
        flag(text.currency),
        flag(text.rights),
        share(text.dividers, b.words),
        share(text.commas, b.words),
        share(text.digits, b.chars),
        share(text.upper, text.upper + text.lower),
        b.tags_before as f32,
        b.tags_inside as f32,
    ]);
    let own = records.kinds[index(doc, b.container)];
    for at in [block.checked_sub(1), Some(block + 1)] {
        let Some((at, n)) = at.and_then(|at| Some((at, doc.blocks.get(at)?))) else {
            row.extend([0.0; 6]);
            continue;
        };
        let container = index(doc, n.container);
        row.extend([
            n.words as f32,
            n.link_density(),
            flag(records.texts[at].ended),
            kind(elements(doc)[container].tag),
            flag(records.kinds[container] == own),
            n.tags_before as f32,
        ]);
    }
}

fn flag(is: bool) -> f32 {
    f32::from(u8::from(is))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_counted_in_any_script() {
        let text = Text::of("a, B、 3٣ | • £5?");
        let counts = (
            text.commas,
            text.digits,
            text.dividers,
            text.upper,
            text.lower,
        );
        assert_eq!(counts, (2, 3, 2, 1, 1));
        assert!(text.currency && text.question && text.starts_lower && text.ended);
        assert!(!Text::of("").ended);
    }

    #[test]
    fn sentences_end_before_closing_quotes() {
        for text in ["Yes.", "“Yes.”", "(Yes!)", "是的。」", "لماذا؟", "अंत।"]
        {
            assert!(Text::of(text).ended, "{text}");
        }
        for text in ["Yes", "Yes:", "v1.0", "”"] {
            assert!(!Text::of(text).ended, "{text}");
        }
        assert!(Text::of("as follows:").colon);
    }
}
