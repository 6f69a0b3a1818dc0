//! White space, words and lines: text is collapsed and counted as it comes.
//!
//! White space is what Unicode calls so (`char::is_whitespace`), NO-BREAK SPACE
//! included; U+200B, U+00AD and the like are part of their word. Tokens also begin
//! where [`unspaced`](crate::unspaced) says; ASCII takes no notice of it unless a
//! letter of such a script stands before it.

use crate::unspaced::{Class, Ending};

/// Columns of a line (§3.4); every character takes one, wide ones too.
const COLUMNS: u32 = 80;

/// The counts of a block, as [`Block`](crate::document::Block) has them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub words: u32,
    pub linked_words: u32,
    pub tokens: u32,
    pub linked_tokens: u32,
    pub chars: u32,
    pub linked_chars: u32,
    pub lines: u32,
    pub wrapped_tokens: u32,
}

/// Appends text to a string, collapsed, and counts it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Words {
    counts: Counts,
    /// Characters of the token that goes on; 0 between tokens.
    token: u32,
    token_is_word: bool,
    token_is_linked: bool,
    /// No white space stands before the token.
    token_is_joined: bool,
    ending: Ending,
    /// Columns of the line taken by finished tokens.
    column: u32,
    /// White space was seen since the last token, and whether inside a link.
    space_is_linked: bool,
}

const SPACE: u8 = 1;
const WORD: u8 = 2;
const STOP: u8 = 4;

/// Classes of the bytes; `STOP` are NUL and what is not ASCII.
static CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        class[byte] = match b {
            b'\t'..=b'\r' | b' ' => SPACE,
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => WORD,
            0 | 128.. => STOP,
            _ => 0,
        };
        byte += 1;
    }
    class
};

impl Words {
    /// Appends `text`, which is inside a link or not, to the block at the end of
    /// `out`. Returns where in `text` its first and last character stand that
    /// are not white space: start of the one, end of the other.
    pub fn append(&mut self, text: &str, linked: bool, out: &mut String) -> Option<(usize, usize)> {
        let bytes = text.as_bytes();
        let mut first = None;
        // What is to be copied next: as long a stretch as is collapsed already.
        let mut run = 0..0;
        let mut at = 0;
        while at < bytes.len() {
            let start = at;
            let mut seen = 0;
            let mut class = 0;
            while at < bytes.len() {
                class = CLASS[bytes[at] as usize];
                if class & (SPACE | STOP) != 0 {
                    break;
                }
                seen |= class;
                at += 1;
                class = 0;
            }
            let mut chars = (at - start) as u32;
            let mut word = seen == WORD;
            let mut character = None;
            let mut space = class == SPACE;
            let mut next = at + usize::from(space);
            if class == STOP && chars == 0 {
                let c = text[at..].chars().next().unwrap_or('\0');
                next = at + c.len_utf8();
                space = c.is_whitespace();
                if !space && c != '\0' {
                    at = next;
                    chars = 1;
                    word = c.is_alphanumeric();
                    character = self.ending.heeds(c).then(|| Class::of(c));
                }
            }
            if chars > 0 {
                let joined = run.end == start;
                let spaced = run.end + 1 == start && bytes[run.end] == b' ' && !run.is_empty();
                let new = self.token == 0 && self.counts.chars > 0;
                if !(if new { spaced } else { joined }) {
                    out.push_str(&text[run]);
                    if new {
                        out.push(' ');
                    }
                    run = start..start;
                }
                run.end = at;
                first = first.or(Some(start));
                if let Some(class) = character {
                    self.begin(class);
                } else if self.ending != Ending::Spaced {
                    // Signs before the first letter belong to the token so far.
                    let piece = bytes[start..at].iter();
                    let signs = piece.take_while(|&&b| CLASS[b as usize] != WORD).count() as u32;
                    if signs > 0 {
                        self.begin(Class::Sign);
                        self.piece(signs, false, linked);
                    }
                    if word {
                        self.begin(Class::Spaced);
                    }
                    chars -= signs;
                }
                self.piece(chars, word, linked);
            }
            at = next.max(at);
            if space {
                self.space(linked);
                while bytes.get(at).is_some_and(|&b| CLASS[b as usize] == SPACE) {
                    at += 1;
                }
            }
        }
        let end = run.end;
        out.push_str(&text[run]);
        first.map(|first| (first, end))
    }

    /// White space is at the end of the block so far.
    pub fn space(&mut self, linked: bool) {
        if self.token > 0 {
            self.finish_token();
            self.ending = Ending::default();
            self.space_is_linked = linked;
        }
    }

    /// The counts of the block, which is over; the next one begins.
    pub fn finish(&mut self) -> Counts {
        self.finish_token();
        let counts = self.counts;
        *self = Self::default();
        counts
    }

    /// Characters of the block so far.
    pub fn chars(&self) -> u32 {
        self.counts.chars
    }

    /// Whether the block has no text so far.
    pub fn is_empty(&self) -> bool {
        self.counts.chars == 0
    }

    /// Begins a token without white space, if a character of that class does here.
    fn begin(&mut self, class: Class) {
        let word = self.token > 0 && self.token_is_word;
        if self.ending.next(class, word) {
            self.finish_token();
            self.token_is_joined = true;
        }
    }

    /// Counts characters that are not white space.
    fn piece(&mut self, chars: u32, word: bool, linked: bool) {
        if self.token == 0 {
            if self.counts.chars > 0 && !self.token_is_joined {
                self.counts.chars += 1;
                self.counts.linked_chars += u32::from(self.space_is_linked);
            }
            self.token_is_linked = linked;
            self.token_is_word = false;
        }
        self.token += chars;
        self.token_is_word |= word;
        self.counts.chars += chars;
        self.counts.linked_chars += if linked { chars } else { 0 };
    }

    fn finish_token(&mut self) {
        let width = std::mem::take(&mut self.token);
        if width == 0 {
            return;
        }
        let space = u32::from(!std::mem::take(&mut self.token_is_joined));
        let counts = &mut self.counts;
        let (word, linked) = (
            u32::from(self.token_is_word),
            u32::from(self.token_is_linked),
        );
        if counts.lines == 0 {
            counts.lines = 1;
            self.column = width;
        } else if self.column + space + width <= COLUMNS {
            self.column += space + width;
        } else {
            counts.lines += 1;
            counts.wrapped_tokens = counts.tokens;
            self.column = width;
        }
        counts.tokens += 1;
        counts.linked_tokens += linked;
        counts.words += word;
        counts.linked_words += word & linked;
        if counts.lines == 1 {
            counts.wrapped_tokens = counts.tokens;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unspaced::tests::{tokens, words};
    use proptest::prelude::*;

    /// The counts of pieces of a text, each linked or not.
    fn count(pieces: &[(&str, bool)]) -> (Counts, String) {
        let (mut words, mut out) = (Words::default(), String::new());
        for &(piece, linked) in pieces {
            words.append(piece, linked, &mut out);
        }
        (words.finish(), out)
    }

    /// Counts that know of no pieces: tokens, words, and lines with the tokens on each.
    fn slow(text: &str) -> (u32, u32, Vec<u32>) {
        let (mut lines, mut column) = (vec![0], 0);
        for run in text.split(' ') {
            for (i, token) in tokens(run).into_iter().enumerate() {
                let width = token.chars().count();
                let space = usize::from(column > 0 && i == 0);
                if column > 0 && column + space + width > 80 {
                    lines.push(0);
                    column = width;
                } else {
                    column += space + width;
                }
                *lines.last_mut().unwrap() += 1;
            }
        }
        (tokens(text).len() as u32, words(text).len() as u32, lines)
    }

    #[test]
    fn tokens_go_on_over_pieces_and_are_linked_where_they_begin() {
        let (counts, out) = count(&[
            ("iPho", false),
            ("ne 15发", true),
            ("布)x、", false),
            ("y", true),
        ]);
        assert_eq!(out, "iPhone 15发布)x、y");
        let expected = Counts {
            words: 6,
            linked_words: 3,
            tokens: 6,
            linked_tokens: 3,
            chars: 15,
            linked_chars: 7,
            lines: 1,
            wrapped_tokens: 6,
        };
        assert_eq!(counts, expected);
    }

    #[test]
    fn lines_break_between_characters_of_one_column() {
        let (counts, _) = count(&[(&"字".repeat(200), false)]);
        assert_eq!((counts.lines, counts.wrapped_tokens), (3, 160));
        assert_eq!((counts.tokens, counts.words, counts.chars), (200, 200, 200));
    }

    proptest! {
        #[test]
        fn pieces_do_not_show(
            text in "([a-c5é.,。「」・ー北京あかアｶﾞ\u{3099}กขั่๑\u{200b}한\0]{0,12}|[ \n\u{3000}]|a{30,90}){0,40}",
            cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 0..12),
        ) {
            let mut at: Vec<_> = cuts.iter().map(|(cut, linked)| (cut.index(text.len() + 1), *linked)).collect();
            at.retain(|(cut, _)| text.is_char_boundary(*cut));
            at.push((text.len(), false));
            at.sort_unstable();
            let mut start = 0;
            let pieces: Vec<_> = at
                .into_iter()
                .map(|(end, linked)| (&text[std::mem::replace(&mut start, end)..end], linked))
                .collect();
            let (counts, out) = count(&pieces);
            let (whole, expected) = count(&[(&text, false)]);
            prop_assert_eq!(&out, &expected);
            let linked = (counts.linked_words, counts.linked_tokens, counts.linked_chars);
            prop_assert!(linked.0 <= counts.words && linked.1 <= counts.tokens && linked.2 <= counts.chars);
            prop_assert!(linked.0 <= linked.1 && counts.words <= counts.tokens);
            let unlinked = Counts { linked_words: 0, linked_tokens: 0, linked_chars: 0, ..counts };
            prop_assert_eq!(unlinked, whole);
            let (tokens, words, lines) = slow(&out);
            prop_assert_eq!((whole.tokens, whole.words), (tokens, words));
            prop_assert_eq!(whole.chars as usize, out.chars().count());
            if !out.is_empty() {
                let wrapped = lines[..lines.len().saturating_sub(1).max(1)].iter().sum::<u32>();
                prop_assert_eq!((whole.lines, whole.wrapped_tokens), (lines.len() as u32, wrapped));
            }
        }
    }
}
