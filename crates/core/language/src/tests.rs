//! Whole texts: real excerpts, compared with the original program.

use super::*;
use proptest::prelude::*;

/// One line of the excerpts.
struct Excerpt {
    /// `None` for languages that are not known.
    code: Option<&'static str>,
    tag: &'static str,
    /// The result of the original program in C++, and its probability.
    class: &'static str,
    probability: f32,
    text: &'static str,
}

fn excerpts() -> Vec<Excerpt> {
    let file = include_str!("../../../../testdata/languages/udhr.tsv");
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    let excerpt = |line: &'static str| {
        let columns: Vec<_> = line.split('\t').collect();
        let [code, tag, _, class, probability, text] = columns[..] else {
            panic!("{line}");
        };
        Excerpt {
            code: (code != "-").then_some(code),
            tag,
            class,
            probability: probability.parse().unwrap(),
            text,
        }
    };
    lines.map(excerpt).collect()
}

fn identify(text: &str) -> Option<Language> {
    Identifier::default().identify(text)
}

#[test]
fn languages_are_found_and_unknown_ones_are_mostly_not_named() {
    let (mut wrong, mut none, mut named) = (Vec::new(), Vec::new(), Vec::new());
    let (mut known, mut unknown) = (0, 0);
    for excerpt in excerpts() {
        let found = identify(excerpt.text);
        match (excerpt.code, found) {
            (Some(code), Some(found)) if code != found.code => wrong.push((code, found)),
            (Some(code), None) => none.push(code),
            (None, Some(found)) => named.push((excerpt.tag, found)),
            _ => {}
        }
        known += usize::from(excerpt.code.is_some());
        unknown += usize::from(excerpt.code.is_none());
    }
    assert!(known > 105 && unknown > 35, "{known} {unknown}");
    assert!(wrong.len() + none.len() <= 3, "{wrong:?} {none:?}");
    assert!(named.len() * 4 < unknown, "{named:?}");
}

#[test]
fn the_network_agrees_with_the_original() {
    let mut identifier = Identifier::default();
    let mut different = Vec::new();
    for excerpt in excerpts().iter().filter(|e| e.code.is_some()) {
        identifier.sample.take(excerpt.text);
        if languages::of_script(identifier.sample.script).is_some() {
            continue;
        }
        let mut scores = identifier.scores();
        softmax(&mut scores);
        let class = best(&scores);
        let (name, probability) = (&MODEL.network.classes[class], scores[class]);
        if name != excerpt.class || (probability - excerpt.probability).abs() > 0.001 {
            different.push((
                excerpt.tag,
                name,
                probability,
                excerpt.class,
                excerpt.probability,
            ));
        }
    }
    assert!(different.is_empty(), "{different:?}");
}

#[test]
fn more_than_a_hundred_languages_are_known() {
    let codes = codes();
    assert!(codes.len() > 110, "{codes:?}");
    for code in codes {
        assert!(
            matches!(code.len(), 2 | 3) && code != UNDETERMINED,
            "{code}"
        );
        assert!(code.bytes().all(|b| b.is_ascii_lowercase()), "{code}");
    }
}

#[test]
fn texts_in_latin_letters_have_their_language() {
    let found =
        identify("Vse lyudi rozhdayutsya svobodnymi i ravnymi v svoem dostoinstve i pravakh")
            .unwrap();
    assert_eq!(found.code, "ru");
}

#[test]
fn short_texts_and_texts_without_letters_have_no_language() {
    for text in [
        "",
        "Hello",
        "1234 — 5678 … 90",
        "The cat sat on a",
        "道の終わりは誰",
    ] {
        assert_eq!(identify(text), None, "{text}");
    }
    assert_eq!(
        identify("道の終わりは誰にも分からない。").unwrap().code,
        "ja"
    );
    assert_eq!(
        identify("没有人知道路的尽头在哪里,也没有人去过。")
            .unwrap()
            .code,
        "zh"
    );
}

const ENGLISH: &str =
    "The committee met on Monday to discuss what should be done about the bridge. ";
const GERMAN: &str =
    "Der Ausschuss traf sich am Montag, um zu beraten, was mit der Brücke geschehen soll. ";

#[test]
fn names_and_dates_at_the_beginning_do_not_count() {
    let names = "Jean-Luc Dupont, Marie Lefèvre, 12 mai 2007 — Paris; Łukasz Żółć, Kraków. ";
    let found = identify(&format!("{names}{}", ENGLISH.repeat(20))).unwrap();
    assert_eq!(found.code, "en");
    assert!(found.score > 0.9, "{found:?}");
    let found = identify(&format!("{ENGLISH}{}", GERMAN.repeat(40))).unwrap();
    assert_eq!(found.code, "de");
}

#[test]
fn only_the_beginning_counts() {
    let text = ENGLISH.repeat(60);
    assert_eq!(
        identify(&text),
        identify(&(text.clone() + &GERMAN.repeat(1000)))
    );
}

#[test]
fn ukrainian_is_not_russian() {
    let found =
        identify("Комісія зустрілася в понеділок, щоб обговорити, що робити з мостом.").unwrap();
    assert_eq!(found.code, "uk");
    let found =
        identify("Комиссия собралась в понедельник, чтобы обсудить, что делать с мостом.").unwrap();
    assert_eq!(found.code, "ru");
}

#[test]
fn no_character_makes_identification_panic() {
    for c in ('\0'..=char::MAX).filter(|c| c.is_alphabetic()) {
        let run: String = std::iter::repeat_n(c, 40).collect();
        identify(&run);
    }
}

proptest! {
    #[test]
    fn any_text_has_a_score_in_range_or_none(text in "\\PC{0,900}") {
        if let Some(found) = identify(&text) {
            prop_assert!((MIN_SCORE..=1.0).contains(&found.score));
            prop_assert!(codes().contains(&found.code));
        }
    }

    #[test]
    fn buffers_keep_nothing(first in "\\PC{0,300}", second in "\\PC{0,300}") {
        let mut identifier = Identifier::default();
        identifier.identify(&first);
        prop_assert_eq!(identifier.identify(&second), identify(&second));
    }
}
