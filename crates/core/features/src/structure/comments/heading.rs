//! The heading of readers' comments: a short block that says only *comments* and how many there are, in many languages,
//! or a phrase of blog programs in English. "12 comments", "Kommentare (3)", "Leave a reply" and "5 responses to “A
//! title”" are such blocks. "Comment" alone and "Comments by the minister" are not.
//!
//! The words are those of the translations of WordPress for `Comments` (translate.wordpress.org), and in English those
//! of its templates and of Movable Type's.

use std::sync::LazyLock;

/// The maximum number of words and characters of such a block, including the title of the article.
pub const WORDS: u32 = 16;
pub const CHARS: u32 = 200;

/// *Comments*: English, Romance, Germanic, Slavic and Baltic, other languages.
const PLURAL: &str = "comments trackback trackbacks pingbacks \
    comentaris comentarios comentários comentarii commentaires commenti \
    kommentare kommentarer reacties \
    komentarze komentarzy komentáře komentářů komentáre komentárov komentari komentara komentarji \
    комментарии комментариев коментарі коментарів коментари komentarai komentāri \
    kommentaarid kommentit hozzászólások yorumlar σχόλια σχολια תגובות تعليقات التعليقات نظرات \
    评论 評論 留言 コメント 댓글";

/// *Comment*, which counts only with a number or another word.
const SINGULAR: &str = "comment pingback comentari comentario comentário comentariu commentaire commento \
    kommentar reactie komentarz komentář komentár komentar комментарий комментария коментар \
    komentaras komentārs kommentaar kommentti kommenttia hozzászólás yorum σχόλιο תגובה تعليق";

/// Words that may be next to these.
const FILLER: &str = "a add all and are article be closed entry far first for leave make no off on our post reader \
    readers s so story the this to user view visitor write yet your";

/// What comments may be called after a number, if "to" or "on" and the article's title follow.
const COUNTED: [&str; 6] = [
    "comment",
    "comments",
    "response",
    "responses",
    "thought",
    "thoughts",
];

/// The meaning of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Number,
    Plural,
    Singular,
    Beside,
}

/// How many letters the longest known ASCII word has.
const MAX_ASCII_LETTERS: usize = 12;

/// The known words, sorted.
static KNOWN: LazyLock<Vec<(&str, Word)>> = LazyLock::new(|| {
    let lists = [
        (PLURAL, Word::Plural),
        (SINGULAR, Word::Singular),
        (FILLER, Word::Beside),
        ("one", Word::Number),
    ];
    let words = lists
        .iter()
        .flat_map(|&(list, word)| list.split(' ').map(move |own| (own, word)));
    let mut words: Vec<_> = words.filter(|(word, _)| !word.is_empty()).collect();
    words.sort_unstable_by_key(|(word, _)| *word);
    words
});

impl Word {
    /// `None` for an unknown word. Case is ignored.
    fn of(word: &str) -> Option<Self> {
        if word.is_ascii() {
            return Self::of_ascii(word.as_bytes());
        }
        if word.chars().all(char::is_numeric) {
            return Some(Self::Number);
        }
        let lower = || word.chars().flat_map(char::to_lowercase);
        let found = KNOWN.binary_search_by(|(known, _)| known.chars().cmp(lower()));
        found.ok().map(|at| KNOWN[at].1)
    }

    /// The same for an ASCII word, which is the most frequent case.
    fn of_ascii(word: &[u8]) -> Option<Self> {
        if word.iter().all(u8::is_ascii_digit) {
            return Some(Self::Number);
        }
        let mut lower = [0; MAX_ASCII_LETTERS];
        let lower = lower.get_mut(..word.len())?;
        lower.copy_from_slice(word);
        lower.make_ascii_lowercase();
        let found = KNOWN.binary_search_by(|(known, _)| known.as_bytes().cmp(lower));
        found.ok().map(|at| KNOWN[at].1)
    }
}

/// What a heading of comments says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heading {
    /// How many there are.
    Number,
    Words,
}

/// What a text says if it is the heading of comments; `None` if it is not.
pub fn heading(text: &str) -> Option<Heading> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    let first = words.clone().next().and_then(Word::of)?;
    let (mut plural, mut singular, mut number, mut count) = (false, false, false, 0);
    for word in words.clone() {
        match Word::of(word) {
            Some(Word::Plural) => plural = true,
            Some(Word::Singular) => singular = true,
            Some(Word::Number) => number = true,
            Some(Word::Beside) => {}
            // "Reply" and "responses" are not among the known words.
            None => return phrase(words, first),
        }
        count += 1;
    }
    let denies = || words.clone().any(|word| word.eq_ignore_ascii_case("no"));
    let says = plural || singular && count > 1 && !denies();
    says.then_some(match number {
        true => Heading::Number,
        false => Heading::Words,
    })
}

/// Recognises "leave a reply", alone or to somebody, and "5 responses to" with a title.
fn phrase<'a>(words: impl Iterator<Item = &'a str>, first: Word) -> Option<Heading> {
    let mut four = [""; 4];
    four.iter_mut().zip(words).for_each(|(to, word)| *to = word);
    let is = |at: usize, word: &str| four[at].eq_ignore_ascii_case(word);
    let is_counted = first == Word::Number && COUNTED.iter().any(|counted| is(1, counted));
    if is_counted && (is(2, "to") || is(2, "on")) && !four[3].is_empty() {
        return Some(Heading::Number);
    }
    let is_reply = is(0, "leave") && is(1, "a") && is(2, "reply");
    let ends = is(3, "") || is(3, "to") || is(3, "cancel");
    (is_reply && ends).then_some(Heading::Words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_known_once() {
        let once = KNOWN.windows(2).all(|words| words[0].0 < words[1].0);
        assert!(once);
        let ascii = KNOWN
            .iter()
            .map(|(word, _)| word)
            .filter(|word| word.is_ascii());
        assert_eq!(ascii.map(|word| word.len()).max(), Some(MAX_ASCII_LETTERS));
        for (word, says) in KNOWN.iter() {
            assert_eq!(Word::of(&word.to_uppercase()), Some(*says), "{word}");
        }
    }

    #[test]
    fn headings_say_nothing_but_comments() {
        for text in [
            "Comments",
            "COMMENTS (3)",
            "12 comments:",
            "1 Comment »",
            "No comments yet",
            "Reader’s comments",
            "Post a comment",
            "Leave a Reply",
            "Leave a Reply to Ann",
            "1 comment to this story",
            "Kommentare",
            "3 Kommentare",
            "Комментарии (5)",
            "评论(12)",
            "5 Responses to “A title of some words”",
            "One thought on “A title”",
            "TrackBack",
        ] {
            assert!(heading(text).is_some(), "{text}");
        }
        for text in [
            "",
            "Comment",
            "Kommentar",
            "12",
            "Post",
            "Comments by the minister",
            "No comment.",
            "No comment from the police",
            "Leave a reply slip with the clerk",
            "Responses to the crisis",
            "Leave the house",
            "Commentary",
            "5 responses",
            "All to the post",
        ] {
            assert!(heading(text).is_none(), "{text}");
        }
    }
}
