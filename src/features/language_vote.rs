//! The language of a text by a cheap vote, for the column every page has.

use super::language::head;
use whichlang::Lang;

/// A language and how sure of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Language {
    /// ISO 639-1 code.
    pub code: &'static str,
    /// Share of the text's windows in that language, 0 to 1.
    pub score: f32,
}

/// Windows that vote, and their size in bytes: together the first 2 KB, which cost
/// about 22 µs.
const WINDOWS: usize = 4;
const WINDOW_BYTES: usize = 512;

/// The language most of the first four windows of 512 bytes are in, the earliest
/// of equals. `None` for a text without a letter.
///
/// whichlang knows 16 languages and always names one of them; a score under 1
/// says that the windows disagree.
pub fn vote(text: &str) -> Option<Language> {
    let mut votes: [Option<(Lang, usize)>; WINDOWS] = [None; WINDOWS];
    let mut windows = 0;
    let mut rest = head(text, WINDOWS * WINDOW_BYTES);
    while windows < WINDOWS && !rest.is_empty() {
        let window = head(rest, WINDOW_BYTES);
        rest = &rest[window.len()..];
        if !window.chars().any(char::is_alphabetic) {
            continue;
        }
        // A short last window would have as much say as a full one.
        if windows > 0 && window.len() < WINDOW_BYTES / 4 {
            break;
        }
        let lang = whichlang::detect_language(window);
        windows += 1;
        for vote in &mut votes {
            match vote {
                Some((l, n)) if *l == lang => *n += 1,
                None => *vote = Some((lang, 1)),
                Some(_) => continue,
            }
            break;
        }
    }
    let (lang, n) = votes.into_iter().flatten().rev().max_by_key(|v| v.1)?;
    Some(Language {
        code: iso_639_1(lang),
        score: n as f32 / windows as f32,
    })
}

fn iso_639_1(lang: Lang) -> &'static str {
    match lang {
        Lang::Ara => "ar",
        Lang::Cmn => "zh",
        Lang::Deu => "de",
        Lang::Eng => "en",
        Lang::Fra => "fr",
        Lang::Hin => "hi",
        Lang::Ita => "it",
        Lang::Jpn => "ja",
        Lang::Kor => "ko",
        Lang::Nld => "nl",
        Lang::Por => "pt",
        Lang::Rus => "ru",
        Lang::Spa => "es",
        Lang::Swe => "sv",
        Lang::Tur => "tr",
        Lang::Vie => "vi",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENGLISH: &str =
        "The committee met on Monday to discuss what should be done about the bridge. ";
    const GERMAN: &str =
        "Der Ausschuss traf sich am Montag, um zu beraten, was mit der Brücke geschehen soll. ";

    #[test]
    fn names_the_language_of_most_windows() {
        let english = vote(&ENGLISH.repeat(40)).unwrap();
        assert_eq!((english.code, english.score), ("en", 1.0));
        assert_eq!(vote(ENGLISH).unwrap().code, "en");
        let mixed = format!("{}{}", ENGLISH.repeat(7), GERMAN.repeat(40));
        let mixed = vote(&mixed).unwrap();
        assert_eq!(mixed.code, "de");
        assert!(mixed.score < 1.0);
    }

    #[test]
    fn only_the_beginning_counts() {
        let text = ENGLISH.repeat(40);
        assert_eq!(vote(&text), vote(&(text.clone() + &GERMAN.repeat(1000))));
    }

    #[test]
    fn nothing_without_letters() {
        assert_eq!(vote(""), None);
        assert_eq!(vote("1234 — 5678 … 90"), None);
    }
}
