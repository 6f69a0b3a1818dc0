//! Counts of a block's text.

use crate::stop_words::{self, StopList};
use std::sync::LazyLock;
use warcsieve_html::document::{Block, Document};

/// Counts of one text or several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub chars: u32,
    /// Characters inside links.
    pub linked: u32,
    pub words: u32,
    pub tokens: u32,
    /// Characters except spaces.
    pub non_spaces: u32,
    /// Tags inside it, and between the block before and it.
    pub tags: u32,
    /// Tokens that end like a sentence.
    pub sentences: u32,
    pub punctuation: u32,
    pub dashes: u32,
    pub periods: u32,
    /// Words that begin with a capital letter.
    pub capitals: u32,
    /// Words on the stop list.
    pub stops: u32,
}

static ENGLISH: LazyLock<Option<&StopList>> = LazyLock::new(|| stop_words::list("en"));

macro_rules! each_count {
    ($a:expr, $b:expr, $op:ident) => {
        Counts {
            chars: $a.chars.$op($b.chars),
            linked: $a.linked.$op($b.linked),
            words: $a.words.$op($b.words),
            tokens: $a.tokens.$op($b.tokens),
            non_spaces: $a.non_spaces.$op($b.non_spaces),
            tags: $a.tags.$op($b.tags),
            sentences: $a.sentences.$op($b.sentences),
            punctuation: $a.punctuation.$op($b.punctuation),
            dashes: $a.dashes.$op($b.dashes),
            periods: $a.periods.$op($b.periods),
            capitals: $a.capitals.$op($b.capitals),
            stops: $a.stops.$op($b.stops),
        }
    };
}

impl Counts {
    /// The counts of a block. `lower` is scratch.
    pub fn of(doc: &Document, block: &Block, lower: &mut String) -> Self {
        let mut counts = Self {
            chars: block.chars,
            linked: block.linked_chars,
            words: block.words,
            tokens: block.tokens,
            tags: block.tags_before.saturating_add(block.tags_inside),
            ..Self::default()
        };
        for token in doc.block_text(block).split(char::is_whitespace) {
            counts.token(token, lower);
        }
        counts
    }

    fn token(&mut self, token: &str, lower: &mut String) {
        for c in token.chars() {
            self.non_spaces += 1;
            match c {
                'a'..='z' | 'A'..='Z' | '0'..='9' => {}
                '-' | '_' | '/' | '\\' => self.dashes += 1,
                c if is_period(c) => self.periods += 1,
                c if is_punctuation(c) => self.punctuation += 1,
                _ => {}
            }
        }
        self.sentences += u32::from(is_ended(token));
        let word = token.trim_matches(|c: char| !c.is_alphanumeric());
        if word.is_empty() {
            return;
        }
        self.capitals += u32::from(word.starts_with(char::is_uppercase));
        self.stops += u32::from(ENGLISH.is_some_and(|list| list.holds(word, lower)));
    }

    /// Adds the counts of another text.
    pub fn add(&mut self, other: &Self) {
        *self = each_count!(self, other, wrapping_add);
    }

    /// Subtracts the counts of a text that was added before.
    pub fn minus(&self, other: &Self) -> Self {
        each_count!(self, other, wrapping_sub)
    }
}

/// The characters of `rPunctuation`, and their equivalents in other scripts.
fn is_punctuation(c: char) -> bool {
    matches!(
        c,
        ',' | '?' | ';' | ':' | '!' | '，' | '、' | '؟' | '？' | '；' | '：' | '！' | '،' | '؛'
    )
}

fn is_period(c: char) -> bool {
    matches!(c, '.' | '。' | '．' | '।' | '۔')
}

/// For `endsWithPunctuation`.
pub(super) fn is_punctuation_or_period(c: char) -> bool {
    is_punctuation(c) || is_period(c)
}

/// For `endsWithQuestionMark`.
pub(super) fn is_question_mark(c: char) -> bool {
    matches!(c, '?' | '？' | '؟')
}

fn ends_sentence(c: char) -> bool {
    is_period(c) || is_question_mark(c) || matches!(c, '!' | '！' | '…')
}

/// Whether the text ends like a sentence, ignoring closing quotes and brackets.
pub(super) fn is_ended(text: &str) -> bool {
    let end = text.trim_end_matches(is_closing).chars().next_back();
    end.is_some_and(ends_sentence)
}

/// What may follow the end of a sentence.
fn is_closing(c: char) -> bool {
    matches!(c, '"' | '\'' | ')' | ']' | '”' | '’' | '»' | '」' | '）')
}
