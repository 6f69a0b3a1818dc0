//! The language of a text by a cheap vote, for the language column of every page.

use super::language::head;
use whichlang::Lang;

/// A language and the confidence in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Language {
    /// ISO 639-1 code.
    pub code: &'static str,
    /// Share of the text's windows in that language, 0 to 1.
    pub score: f32,
}

/// The number of windows that vote, and their size in bytes. With fewer or smaller ones, English
/// pages that begin with names and dates are detected as French.
const WINDOWS: usize = 4;
const WINDOW_BYTES: usize = 512;

/// The language of most of the first four windows of 512 bytes; of equal counts, the earliest.
/// `None` for a text without letters.
///
/// whichlang knows 16 languages and always returns one of them; a score below 1 means that the
/// windows disagree. If most letters are of a script that it does not know, such as Thai or Hebrew,
/// the result is the most common language of that script.
pub fn vote(text: &str) -> Option<Language> {
    let mut votes: [Option<(&str, usize)>; WINDOWS] = [None; WINDOWS];
    let mut windows = 0;
    let mut rest = head(text, WINDOWS * WINDOW_BYTES);
    while windows < WINDOWS && !rest.is_empty() {
        let window = head(rest, WINDOW_BYTES);
        rest = &rest[window.len()..];
        if !window.chars().any(char::is_alphabetic) {
            continue;
        }
        // A short last window would count as much as a full one.
        if windows > 0 && window.len() < WINDOW_BYTES / 4 {
            break;
        }
        let lang =
            by_script(window).unwrap_or_else(|| iso_639_1(whichlang::detect_language(window)));
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
        code: lang,
        score: n as f32 / windows as f32,
    })
}

/// The language of the script of most letters, if [`script`] knows it.
fn by_script(window: &str) -> Option<&'static str> {
    if window.is_ascii() {
        return None;
    }
    let letters = || window.chars().filter(|c| c.is_alphabetic());
    let code = letters().find_map(script)?;
    let own = letters().filter(|&c| script(c) == Some(code)).count();
    (own * 2 > letters().count()).then_some(code)
}

/// The most common language of a character's script, for scripts of which whichlang knows no
/// language.
fn script(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => "el",
        '\u{531}'..='\u{58f}' => "hy",
        '\u{590}'..='\u{5ff}' => "he",
        '\u{980}'..='\u{9ff}' => "bn",
        '\u{a00}'..='\u{a7f}' => "pa",
        '\u{a80}'..='\u{aff}' => "gu",
        '\u{b80}'..='\u{bff}' => "ta",
        '\u{c00}'..='\u{c7f}' => "te",
        '\u{c80}'..='\u{cff}' => "kn",
        '\u{d00}'..='\u{d7f}' => "ml",
        '\u{d80}'..='\u{dff}' => "si",
        '\u{e00}'..='\u{e7f}' => "th",
        '\u{e80}'..='\u{eff}' => "lo",
        '\u{1000}'..='\u{109f}' => "my",
        '\u{10a0}'..='\u{10ff}' => "ka",
        '\u{1200}'..='\u{137f}' => "am",
        '\u{1780}'..='\u{17ff}' => "km",
        _ => return None,
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
    fn the_language_of_most_windows_wins() {
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
    fn unknown_languages_are_detected_by_their_script() {
        for (text, code) in [
            ("ร้านนี้เปิดทุกวันตั้งแต่เช้ามืด PDF", "th"),
            ("השביל יוצא מתחנת הרכבת ויורד אל הוואדי", "he"),
            ("Το μονοπάτι ξεκινά από τον σταθμό", "el"),
            (&format!("{ENGLISH} Το ร้านนี้"), "en"),
        ] {
            assert_eq!(vote(text).unwrap().code, code, "{text}");
        }
    }

    #[test]
    fn texts_without_letters_have_no_language() {
        assert_eq!(vote(""), None);
        assert_eq!(vote("1234 — 5678 … 90"), None);
    }
}
