//! White space, words and lines: text is collapsed and counted as it comes.
//!
//! White space is what Unicode calls so (`char::is_whitespace`), NO-BREAK SPACE
//! included; U+200B, U+00AD and the like are part of their word.

/// Columns of a line (§3.4).
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

    /// Counts characters that are not white space.
    fn piece(&mut self, chars: u32, word: bool, linked: bool) {
        if self.token == 0 {
            if self.counts.chars > 0 {
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
        let counts = &mut self.counts;
        let (word, linked) = (
            u32::from(self.token_is_word),
            u32::from(self.token_is_linked),
        );
        if counts.lines == 0 {
            counts.lines = 1;
            self.column = width;
        } else if self.column + 1 + width <= COLUMNS {
            self.column += 1 + width;
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
