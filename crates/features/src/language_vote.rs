//! The language of a text by a cheap vote, for the language column of every page.

use super::function_words;
use super::language::head;
use whichlang::Lang;

/// A language and the confidence in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Language {
    /// ISO 639-1 code.
    pub code: &'static str,
    /// Share of the text's windows in that language, times how well these support it; over 0, at
    /// most 1.
    pub score: f32,
}

/// The number of windows that vote, and their size in bytes. With fewer or smaller ones, English
/// pages that begin with names and dates are detected as French.
const WINDOWS: usize = 4;
const WINDOW_BYTES: usize = 512;

/// The language of most of the first four windows of 512 bytes; of equal counts, the earliest.
/// `None` for a text without letters, and if the windows do not support that language.
///
/// whichlang knows 16 languages and always returns one of them. So its answer is a claim that
/// something else must support: function words, which texts of other languages do
/// not have, or for Chinese, Japanese and Korean the scripts. If most letters are of a script that
/// whichlang does not know, such as Thai or Hebrew, the claim is the most common language of that
/// script; letters that this language does not use refute it.
pub fn vote(text: &str) -> Option<Language> {
    let mut windows: [(&str, &str); WINDOWS] = [("", ""); WINDOWS];
    let mut count = 0;
    let mut rest = head(text, WINDOWS * WINDOW_BYTES);
    while count < WINDOWS && !rest.is_empty() {
        let window = head(rest, WINDOW_BYTES);
        rest = &rest[window.len()..];
        if !window.chars().any(char::is_alphabetic) {
            continue;
        }
        // A short last window would count as much as a full one.
        if count > 0 && window.len() < WINDOW_BYTES / 4 {
            break;
        }
        let claim =
            by_script(window).unwrap_or_else(|| iso_639_1(whichlang::detect_language(window)));
        windows[count] = (claim, window);
        count += 1;
    }
    let windows = &windows[..count];
    let votes = |code| windows.iter().filter(|w| w.0 == code).count();
    // Of equal counts `max_by_key` takes the last.
    let code = windows.iter().rev().max_by_key(|w| votes(w.0))?.0;
    let texts = windows.iter().filter(|w| w.0 == code).map(|w| w.1);
    let support = if function_words::has(code) {
        function_words::support(code, texts)?
    } else {
        support_by_script(code, texts)?
    };
    Some(Language {
        code,
        score: votes(code) as f32 / count as f32 * support,
    })
}

/// Share of the letters that must be of the language's script.
const LEAST_LETTERS: f32 = 0.5;

/// Japanese text has more kana than this among its kana and Han characters, Chinese fewer.
const KANA: f32 = 0.1;

/// One in this many letters may be foreign to the language: names, quotations.
const FOREIGN: usize = 100;

/// The share of letters that are of the language's script. `None` if they are fewer than half, or
/// some are foreign to the language.
fn support_by_script<'t>(code: &str, texts: impl Iterator<Item = &'t str>) -> Option<f32> {
    let (mut letters, mut own, mut kana, mut strange) = (0, 0, 0, 0);
    for c in texts.flat_map(str::chars) {
        strange += usize::from(is_foreign(code, c));
        if !c.is_alphabetic() {
            continue;
        }
        letters += 1;
        let is_kana = matches!(c, '\u{3040}'..='\u{30ff}');
        kana += usize::from(is_kana);
        own += usize::from(match code {
            "zh" | "ja" => is_han(c) || is_kana,
            "ko" => matches!(c, '\u{ac00}'..='\u{d7a3}'),
            _ => script(c) == Some(code),
        });
    }
    let share = |part: usize, whole: usize| part as f32 / whole.max(1) as f32;
    let support = share(own, letters);
    let is_japanese = share(kana, own) > KANA;
    let fits = match code {
        "zh" => !is_japanese,
        "ja" => is_japanese,
        _ => strange * FOREIGN <= letters,
    };
    (support >= LEAST_LETTERS && fits).then_some(support)
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{20000}'..='\u{323af}')
}

/// Whether other languages use the character, and the most common one of its script does not:
/// Yiddish, Assamese, Tigrinya, and those of Burma's minorities.
fn is_foreign(code: &str, c: char) -> bool {
    match code {
        "he" => matches!(c, '\u{5b7}' | '\u{5b8}' | '\u{5f0}'..='\u{5f2}'),
        "bn" => matches!(c, '\u{9f0}' | '\u{9f1}'),
        "am" => matches!(c, '\u{1250}'..='\u{125d}' | '\u{12a3}'),
        "my" => matches!(c, '\u{1050}'..='\u{109f}'),
        _ => false,
    }
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
        assert_eq!(vote("Hello"), None);
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

    /// Article 1 of the Universal Declaration of Human Rights: a language and the text in a line,
    /// with `-` before languages that [`vote`] does not know.
    const DECLARATION: &str = include_str!("../../../testdata/languages/udhr-1.tsv");

    #[test]
    fn known_languages_are_named_and_others_are_not() {
        let (mut known, mut unknown) = (0, 0);
        let (mut missed, mut wrong) = (Vec::new(), Vec::new());
        for line in DECLARATION.lines().filter(|line| !line.starts_with('#')) {
            let (code, text) = line.split_once('\t').unwrap();
            let found = vote(text);
            if code.starts_with('-') {
                wrong.extend(found.map(|found| (code, found)));
                unknown += 1;
            } else {
                let right = found.filter(|found| found.code == code && found.score > 0.9);
                if right.is_none() {
                    missed.push((code, found));
                }
                known += 1;
            }
        }
        assert!(
            missed.is_empty() && wrong.is_empty(),
            "{missed:?} {wrong:?}"
        );
        assert!(known >= 20 && unknown >= 45, "{known} and {unknown}");
    }

    #[test]
    fn the_score_falls_where_running_text_gives_way_to_names() {
        let names = "Oak table and pine shelf and elm bench; Bosch drill, Makita saw, Stihl axe. ";
        let list = vote(&names.repeat(20)).unwrap();
        assert_eq!(list.code, "en");
        assert!(list.score < 0.5, "{}", list.score);
        let bare = names.replace(" and", ",").repeat(20);
        assert_eq!(vote(&bare), None);
    }

    #[test]
    fn scripts_of_several_languages_are_told_apart() {
        for (text, code) in [
            ("道の終わりは誰にも分からない。", Some("ja")),
            ("没有人知道路的尽头在哪里。", Some("zh")),
            ("길이 어디서 끝나는지는 아무도 모른다.", Some("ko")),
            ("קיינער װייסט ניט װוּ דער װעג ענדיקט זיך", None),
            ("ኣብ ዓለም ዝነብሩ ሰባት ብሰላም ክነብሩ ኣለዎም", None),
            ("কোনোবাই নাজানে বাটটো ক'ত শেষ হয়, ৰাতিও নহয়", None),
        ] {
            assert_eq!(vote(text).map(|l| l.code), code, "{text}");
        }
    }

    #[test]
    fn texts_without_letters_have_no_language() {
        assert_eq!(vote(""), None);
        assert_eq!(vote("1234 — 5678 … 90"), None);
    }
}
