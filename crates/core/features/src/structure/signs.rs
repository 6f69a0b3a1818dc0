//! The signs in a block's text.

/// Counts of a text, made in one scan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Text {
    /// Ends like a sentence, ignoring closing quotes and brackets.
    pub ended: bool,
    pub currency: bool,
    /// Characters that separate the items of a line.
    pub dividers: u32,
    pub commas: u32,
    pub digits: u32,
}

/// Counters of bytes, packed into the bytes of a `u64`. These constants say what a byte of each
/// class adds.
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
