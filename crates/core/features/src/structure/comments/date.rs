//! Dates in any language, recognised only by their numbers.

use super::super::records::Records;
use warcsieve_html::Tag;
use warcsieve_html::document::{Block, Document};

/// The maximum number of words and characters of a block that is a date, including an author before it.
const WORDS: u32 = 12;
const CHARS: u32 = 200;

/// Whether a block is a date, perhaps with an author or a few words.
pub fn is_date(doc: &Document, records: &Records, block: usize) -> bool {
    let b: &Block = &doc.blocks[block];
    if b.words > WORDS || b.chars > CHARS {
        return false;
    }
    let is_time = records.elements()[records.place(block).0].tag == Tag::Time;
    if records.texts[block].digits == 0 {
        // "an hour ago"
        return is_time;
    }
    match When::of(doc.block_text(b)) {
        When::Date => true,
        When::Clock => false,
        When::Other => is_time,
    }
}

/// What the numbers in a text are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    /// A date: three numbers (`5.5.2010`, `2010-05-05`, `5/5/10`), or two of these: a day, a year, a time of day, in
    /// any words: `5 mai 2010`, `2010年5月5日`, `July 24, @01:20PM`.
    Date,
    /// Only a time of day, as in a programme, a transcript or a live report.
    Clock,
    Other,
}

impl When {
    fn of(text: &str) -> Self {
        let mut rest = text.as_bytes();
        let (mut day, mut year, mut clock) = (false, false, false);
        while let Some(start) = rest.iter().position(u8::is_ascii_digit) {
            let (number, after) = rest[start..].split_at(digits(&rest[start..]));
            rest = after;
            match (number.len(), after) {
                (1 | 2, [b':', minutes @ ..]) if digits(minutes) == 2 => {
                    clock = true;
                    rest = match &minutes[2..] {
                        [b':', seconds @ ..] if digits(seconds) == 2 => &seconds[2..],
                        after => after,
                    };
                    continue;
                }
                (1 | 2 | 4, [sign @ (b'.' | b'/' | b'-'), month @ ..]) => {
                    let (month, after) = month.split_at(digits(month));
                    if let (1 | 2, [next, after @ ..]) = (month.len(), after)
                        && next == sign
                        && digits(after) > 0
                    {
                        return Self::Date;
                    }
                }
                _ => {}
            }
            day |= number.len() <= 2;
            year |= number.len() == 4 && (number.starts_with(b"199") || number.starts_with(b"20"));
        }
        match (day, year, clock) {
            (true, true, _) | (true, _, true) | (_, true, true) => Self::Date,
            (_, _, true) => Self::Clock,
            _ => Self::Other,
        }
    }
}

/// How many digits a text begins with.
fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_numbers_in_any_language() {
        for text in [
            "May 5, 2010 at 10:42 am",
            "le 5 mai 2010",
            "2010年5月5日",
            "05.05.2010",
            "5/5/10, 9 p.m.",
            "2010-05-05",
            "Tuesday July 24, @01:20PM",
        ] {
            assert_eq!(When::of(text), When::Date, "{text}");
        }
        for text in ["10:42", "at 01:20PM", "00:12:59"] {
            assert_eq!(When::of(text), When::Clock, "{text}");
        }
        for text in [
            "",
            "1:2",
            "10:423",
            "May 2010",
            "5 of 12",
            "192.168.1.1",
            "1.5",
            "2010-0512",
            "1.2-3",
            "5 of 1812",
            "٥:٤٢",
        ] {
            assert_eq!(When::of(text), When::Other, "{text}");
        }
    }
}
