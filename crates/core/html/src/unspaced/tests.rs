//! Compares the tokens with a method that looks back from each letter, and with the standard's
//! words.

use super::*;
use proptest::prelude::*;
use unicode_properties::{GeneralCategory as Category, UnicodeGeneralCategory};
use unicode_segmentation::UnicodeSegmentation;

use warcsieve_fixture::tokens::{parts, words};

/// The tokens as [`Ending`] finds them.
fn scanned(run: &str) -> Vec<&str> {
    let (mut ending, mut word, mut start) = (Ending::default(), false, 0);
    let mut tokens = Vec::new();
    for (at, c) in run.char_indices() {
        if ending.next(Class::of(c), word) {
            tokens.push(&run[start..at]);
            (start, word) = (at, false);
        }
        word |= c.is_alphanumeric();
    }
    tokens.push(&run[start..]);
    tokens
}

#[test]
fn tokens_of_many_scripts() {
    for (text, expected) in [
        ("北京，上海。", "北|京，|上|海。"),
        ("「北京」", "「北|京」"),
        (
            "iPhone 15发布会在北京举行",
            "iPhone 15|发|布|会|在|北|京|举|行",
        ),
        ("don't-stop（永远）", "don't-stop（|永|远）"),
        ("东京(Tokyo),2024年", "东|京(|Tokyo),2024|年"),
        (
            "コーヒーを飲むジョン・スミス",
            "コーヒー|を|飲|む|ジョン・|スミス",
        ),
        ("ｶﾞｲﾄﾞ が\u{3099}", "ｶﾞｲﾄﾞ が\u{3099}"),
        ("人々は", "人|々|は"),
        ("한국어는 띄어쓰기", "한국어는 띄어쓰기"),
        // Four characters, including marks; no token begins with a mark.
        ("ภาษาไทยที่นี่", "ภาษา|ไทยที่|นี่"),
        ("ภาษา\u{200b}ไทย ๑๒กข", "ภาษา\u{200b}|ไทย ๑๒|กข"),
        ("អក្សរខ្មែរ។", "អក្ស|រខ្មែ|រ។"),
        ("မြန်မာစာ", "မြန်|မာစာ"),
        ("ພາສາລາວ", "ພາສາ|ລາວ"),
        ("「WHO」、EU。ok", "「WHO」、|EU。|ok"),
        ("— … ，", "— … ，"),
    ] {
        let found: Vec<_> = text.split(' ').map(|t| scanned(t).join("|")).collect();
        assert_eq!(found.join(" "), expected);
    }
}

#[test]
fn marks_of_the_scripts_are_those_of_unicode() {
    for range in [
        0xe00..0xf00,
        0x1000..0x10a0,
        0x1780..0x1800,
        0xa9e0..0xaa00,
        0xaa60..0xaa80,
    ] {
        for c in range.filter_map(char::from_u32) {
            let category = c.general_category();
            let mark = matches!(category, Category::NonspacingMark | Category::SpacingMark);
            assert_eq!(Class::of(c) == Class::Mark, mark, "{:x}", c as u32);
        }
    }
}

proptest! {
    #[test]
    fn one_scan_finds_the_same_tokens_as_looking_back(
        run in "[a-c5é.,。，「・ー北京あかアｶﾞ\u{3099}กขั่๑\u{200b}\u{200d}กခាမ한]{1,16}"
    ) {
        prop_assert_eq!(scanned(&run), parts(&run));
    }

    #[test]
    fn any_text_is_divided_in_the_same_way(run in "\\PC{1,40}") {
        prop_assert_eq!(scanned(&run), parts(&run));
    }

    /// Only letters, digits and signs for which the standard has no further rules to join or
    /// divide.
    #[test]
    fn words_are_those_of_the_standard(
        text in "([a-zA-Z0-9]{1,4}|[한국어]{1,3}|[北京上海的一丁龥𠀀あいうんをアイウンッー、。「」！？]|[ アｱｲ]){0,24}"
    ) {
        let standard: Vec<_> = text.unicode_words().collect();
        let sign = |c: char| !c.is_alphanumeric();
        let ours: Vec<_> = words(&text).into_iter().map(|w| w.trim_matches(sign)).collect();
        prop_assert_eq!(ours, standard);
    }
}
