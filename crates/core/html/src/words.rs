//! Collapses white space and counts words, tokens and lines, in one pass over text that arrives in
//! pieces.
//!
//! White space is what Unicode calls so (`char::is_whitespace`), NO-BREAK SPACE
//! included; U+200B, U+00AD and the like are part of their word. Controls that are no white space
//! are dropped: no reader sees them, and a terminal would obey them. Tokens also begin
//! where [`unspaced`](crate::unspaced) says; for ASCII this matters only after a letter of such a
//! script.
//!
//! Invariant: the counts and the collapsed text of a block do not depend on how its text is split
//! into pieces, except for the linked counts, which depend on the `linked` flag of each piece. All
//! that must survive from one piece to the next is therefore in [`Words`]: the unfinished token,
//! and how the token before it ended.
//!
//! Example: the pieces `"iPho"` (not linked), `"ne 15 "` (linked) and `" now"` (not linked) give
//! the text `iPhone 15 now`. `iPhone` is one token of six characters. It is not linked, because it
//! begins outside of the link, but two of its characters are. `15` is linked, and so is the space
//! after it, because it was seen inside the link.

use crate::unspaced::{Class, Ending};

/// Columns of a line (§3.4). Every character takes one column, wide ones too.
const COLUMNS: u32 = 80;

/// The counts of a block; see [`Block`](crate::document::Block).
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

/// Appends text to a string with white space collapsed, and counts it.
///
/// Between calls `token` is 0 exactly if the text so far is empty or ends with white space. `chars`
/// of `counts` includes the open token; `tokens`, `words` and `lines` do not.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Words {
    counts: Counts,
    /// Characters of the open token; 0 between tokens.
    token: u32,
    /// The open token has a letter or digit.
    token_is_word: bool,
    /// The open token begins inside a link.
    token_is_linked: bool,
    /// The open token follows the one before it without white space.
    token_is_joined: bool,
    /// How the text so far continues in scripts without spaces.
    ending: Ending,
    /// Columns of the line taken by finished tokens.
    column: u32,
    /// The white space after the last token was inside a link.
    space_is_linked: bool,
}

const SPACE: u8 = 1;
const WORD: u8 = 2;
const STOP: u8 = 4;

/// Class of each byte; `STOP` is controls that are no white space, and everything that is not ASCII.
static CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        class[byte] = match b {
            b'\t'..=b'\r' | b' ' => SPACE,
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => WORD,
            0..32 | 127.. => STOP,
            _ => 0,
        };
        byte += 1;
    }
    class
};

fn is_word(byte: &u8) -> bool {
    CLASS[*byte as usize] == WORD
}

/// How many bytes at the beginning of `bytes` are neither `SPACE` nor `STOP`.
///
/// Eight at a time: a byte's upper bit is set in `stops` if it is less than `!`, DEL or not ASCII. Subtracting borrows
/// from the bytes above one that is less, and adding carries into those above one that is not ASCII, so bits above the
/// first are not to be trusted.
fn piece(bytes: &[u8]) -> usize {
    const UPPER: u64 = 0x8080_8080_8080_8080;
    const PRINTED: u64 = u64::from_le_bytes([b'!'; 8]);
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    let mut at = 0;
    while let Some(eight) = bytes[at..].first_chunk() {
        let eight = u64::from_le_bytes(*eight);
        let less = eight.wrapping_sub(PRINTED) & !eight;
        let stops = (less | eight.wrapping_add(ONES) | eight) & UPPER;
        if stops == 0 {
            at += 8;
            continue;
        }
        return at + stops.trailing_zeros() as usize / 8;
    }
    let is_stop = |byte: u8| CLASS[byte as usize] & (SPACE | STOP) != 0;
    let rest = bytes[at..].iter().position(|b| is_stop(*b));
    rest.map_or(bytes.len(), |rest| at + rest)
}

impl Words {
    /// Appends `text` to the block at the end of `out`; `linked` says whether it is inside a link.
    /// Returns the start of the first and the end of the last character of `text` that is not white
    /// space, or `None` if there is none.
    ///
    /// Each round of the loop handles one stretch of ASCII characters, or one other character, and
    /// the white space after it. Text is not copied character by character: `run` is the range of
    /// `text` that is to be copied next, and it grows as long as the source is already collapsed,
    /// that is, as long as exactly one space separates its tokens. For `"a b c"` the runs are
    /// `"a b"` and `"c"`, and the space between them is pushed separately.
    pub fn append(&mut self, text: &str, linked: bool, out: &mut String) -> Option<(usize, usize)> {
        let bytes = text.as_bytes();
        let mut first = None;
        // The range of `text` to copy next.
        let mut run = 0..0;
        let mut at = 0;
        while at < bytes.len() {
            let is_spaced = run.end + 1 == at && bytes[run.end] == b' ' && !run.is_empty();
            if is_spaced && self.token == 0 {
                at = self.plain_tokens(bytes, at, linked);
                run.end = at - 1;
            }
            let start = at;
            at += piece(&bytes[start..]);
            let class = bytes.get(at).map_or(0, |b| CLASS[*b as usize]);
            let mut chars = (at - start) as u32;
            let mut word = bytes[start..at].iter().any(is_word);
            let mut character = None;
            let mut space = class == SPACE;
            let mut next = at + usize::from(space);
            if class == STOP && chars == 0 {
                let c = text[at..].chars().next().unwrap_or('\0');
                next = at + c.len_utf8();
                space = c.is_whitespace();
                if !space && !c.is_control() {
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
                    // Signs before the first letter or digit belong to the token before them.
                    let piece = bytes[start..at].iter();
                    let signs = piece.take_while(|b| !is_word(b)).count() as u32;
                    if signs > 0 {
                        self.begin(Class::Sign);
                        self.add_chars(signs, false, linked);
                    }
                    if word {
                        self.begin(Class::Spaced);
                    }
                    chars -= signs;
                }
                self.add_chars(chars, word, linked);
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

    /// Appends the tokens from `at` on that are of ASCII and end before a space, as most do, and returns where the rest
    /// begins. They follow a token and a space, so each adds its characters and one. It is what [`append`](Self::append)
    /// and [`finish_token`](Self::finish_token) do, with what is the same for all of them left out of the loop.
    fn plain_tokens(&mut self, bytes: &[u8], mut at: usize, linked: bool) -> usize {
        let before = self.counts;
        let mut counts = before;
        let mut column = self.column;
        loop {
            let width = piece(&bytes[at..]);
            if width == 0 || bytes.get(at + width) != Some(&b' ') {
                break;
            }
            let is_word = bytes[at..at + width].iter().any(is_word);
            at += width + 1;
            let width = width as u32;
            counts.chars += 1 + width;
            counts.words += u32::from(is_word);
            column += 1 + width;
            if column > COLUMNS {
                counts.lines += 1;
                counts.wrapped_tokens = counts.tokens;
                column = width;
            }
            counts.tokens += 1;
        }
        if counts.lines == 1 {
            counts.wrapped_tokens = counts.tokens;
        }
        let tokens = counts.tokens - before.tokens;
        if tokens > 0 {
            if linked {
                counts.linked_tokens += tokens;
                counts.linked_words += counts.words - before.words;
                // The first token has the space before it, which may not be linked.
                counts.linked_chars += counts.chars - before.chars - 1;
            }
            counts.linked_chars += u32::from(self.space_is_linked);
            self.space_is_linked = linked;
        }
        (self.counts, self.column) = (counts, column);
        at
    }

    /// Notes white space at the end of the block so far.
    #[inline]
    pub fn space(&mut self, linked: bool) {
        if self.token > 0 {
            self.finish_token();
            self.ending = Ending::default();
            self.space_is_linked = linked;
        }
    }

    /// Ends the block and returns its counts; the next block begins.
    pub fn finish(&mut self) -> Counts {
        self.finish_token();
        let counts = self.counts;
        *self = Self::default();
        counts
    }

    /// Number of characters of the block so far.
    pub fn chars(&self) -> u32 {
        self.counts.chars
    }

    /// Whether the block has no text so far.
    pub fn is_empty(&self) -> bool {
        self.counts.chars == 0
    }

    /// Begins a token without white space before it, if a character of this class begins one here.
    fn begin(&mut self, class: Class) {
        let word = self.token > 0 && self.token_is_word;
        if self.ending.next(class, word) {
            self.finish_token();
            self.token_is_joined = true;
        }
    }

    /// Counts `chars` characters, none of them white space, as part of the open token. The first
    /// characters of a token also count the space before it: a space counts only once something
    /// follows it.
    #[inline]
    fn add_chars(&mut self, chars: u32, word: bool, linked: bool) {
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

    /// Ends the open token, if there is one, and places it on a line.
    #[inline]
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
            // All tokens so far are on lines before the new last one.
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
    use proptest::prelude::*;
    use warcsieve_fixture::tokens::{tokens, words};

    /// The counts of pieces of a text, each linked or not.
    fn count(pieces: &[(&str, bool)]) -> (Counts, String) {
        let (mut words, mut out) = (Words::default(), String::new());
        for &(piece, linked) in pieces {
            words.append(piece, linked, &mut out);
        }
        (words.finish(), out)
    }

    /// The counts of a whole text by a simple method: tokens, words, and the tokens on each line.
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
    fn tokens_continue_over_pieces_and_are_linked_if_they_begin_in_a_link() {
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

    proptest! {
        #[test]
        fn a_piece_ends_at_the_first_byte_that_stops_it(bytes in prop::collection::vec(
            prop_oneof![8 => 33u8..127, 1 => any::<u8>(), 1 => 0u8..33],
            0..60,
        )) {
            let stops = |b: &u8| matches!(b, 0..=b' ' | 127..);
            let first = bytes.iter().position(stops);
            prop_assert_eq!(piece(&bytes), first.unwrap_or(bytes.len()));
        }
    }

    #[test]
    fn lines_break_between_tokens_without_a_space() {
        let (counts, _) = count(&[(&"字".repeat(200), false)]);
        assert_eq!((counts.lines, counts.wrapped_tokens), (3, 160));
        assert_eq!((counts.tokens, counts.words, counts.chars), (200, 200, 200));
    }

    proptest! {
        #[test]
        fn the_counts_do_not_depend_on_the_pieces(
            text in "([a-c5é.,。「」・ー北京あかアｶﾞ\u{3099}กขั่๑\u{200b}한\0\x1b\x7f\u{9b}\u{85}]{0,12}|[ \n\u{3000}]|a{30,90}|([a-c.]{1,9} ){1,9}){0,40}",
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
            // One by one no characters make more than a token, so none is counted together with others.
            let one_by_one = pieces.iter().flat_map(|&(piece, linked)| {
                piece.char_indices().map(move |(at, c)| (&piece[at..at + c.len_utf8()], linked))
            });
            prop_assert_eq!(&count(&one_by_one.collect::<Vec<_>>()), &(counts, out.clone()));
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
