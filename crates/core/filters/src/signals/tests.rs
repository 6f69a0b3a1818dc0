use super::*;
use proptest::prelude::*;

fn values(text: &str) -> Vec<(&'static str, Option<f64>)> {
    let all: Vec<_> = (0..signals().count()).collect();
    let mut measurer = Measurer::new(&all);
    // Nothing may be left of a text that was measured before.
    measurer.measure("Another text. Another text.\n\nAnother text.");
    measurer.measure(text);
    let names = signals().map(|(signal, ..)| signal.name);
    names
        .zip(all)
        .map(|(name, number)| (name, measurer.value(number)))
        .collect()
}

#[track_caller]
fn check(text: &str, expected: &[(&str, f64)]) {
    let values = values(text);
    for (name, expected) in expected {
        let (_, found) = values.iter().find(|(n, _)| n == name).expect(name);
        let found = found.expect("it is defined");
        assert!((found - expected).abs() < 1e-9, "{name}: {found}");
    }
}

#[test]
fn names_are_unique_and_have_variants_and_bounds_are_rules() {
    let mut names: Vec<_> = signals().map(|(s, ..)| s.name).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
    assert!(names.iter().all(|name| name.contains('@')));
    assert_eq!(chosen(["mc4@datatrove"]).unwrap().len(), 1);
    assert_eq!(chosen(["gopher@dolma"]).unwrap().len(), 18);
    let error = chosen(["gopher.wrods@dolma"]).unwrap_err();
    assert!(
        error.contains("did you mean `gopher.words@dolma`"),
        "{error}"
    );
}

/// Computed by hand: 8 words of spaCy, two of them full stops; 30 code points.
#[test]
fn a_short_text_is_measured_as_by_hand() {
    let text = "- The cat #1.\nThe cat sat...\nx";
    assert_eq!(text.chars().count(), 30);
    check(
        text,
        &[
            ("gopher.words@datatrove", 7.0),
            ("gopher.word_length@datatrove", 17.0 / 7.0),
            ("gopher.hash_ratio@datatrove", 1.0 / 11.0),
            ("gopher.bullet_line_frac@datatrove", 1.0 / 3.0),
            ("gopher.ellipsis_line_frac@datatrove", 1.0 / 3.0),
            ("gopher.stop_words@datatrove", 0.0),
            ("gopher.top_2_gram_char_frac@datatrove", 14.0 / 30.0),
            ("fineweb.line_punct_frac@datatrove", 2.0 / 3.0),
            ("fineweb.short_line_frac@datatrove", 1.0),
            ("c4.sentences@datatrove", 1.0),
            ("mc4.third_line_chars@datatrove", 1.0),
            ("gopher.words@dolma", 8.0),
            ("gopher.word_length@dolma", 3.0),
            ("gopher.top_2_gram_char_frac@dolma", 12.0 / 23.0),
        ],
    );
}

#[test]
fn dclm_counts_each_word_once_and_the_first_copy_too() {
    let text = "A b c d e f\nA b c d e f!\n\n● So The end . . .\n● So The end . . .";
    check(
        text,
        &[
            // Neither `●` nor `.` begins a word.
            ("gopher.words@dclm", 18.0),
            ("gopher.word_length@dclm", 37.0 / 26.0),
            ("gopher.symbol_ratio@dclm", 2.0 / 26.0),
            ("gopher.bullet_line_frac@dclm", 0.5),
            ("gopher.ellipsis_line_frac@dclm", 0.5),
            ("gopher.no_letter_word_frac@dclm", 8.0 / 26.0),
            ("gopher.stop_words@dclm", 2.0),
            ("gopher.dup_line_frac@dclm", 0.5),
            ("gopher.dup_para_frac@dclm", 0.0),
            ("gopher.dup_line_char_frac@dclm", 36.0 / 59.0),
            // `The end`, `So The`: six and five letters, each twice, of 28.
            ("gopher.top_2_gram_char_frac@dclm", 12.0 / 28.0),
            ("gopher.top_3_gram_char_frac@dclm", 16.0 / 28.0),
            ("gopher.top_4_gram_char_frac@dclm", 8.0 / 28.0),
            ("gopher.dup_5_gram_char_frac@dclm", 12.0 / 28.0),
            ("gopher.dup_7_gram_char_frac@dclm", 0.0),
        ],
    );
    check(
        "One two.",
        &[
            ("gopher.dup_line_frac@dclm", 0.0),
            ("gopher.top_2_gram_char_frac@dclm", 0.0),
        ],
    );
}

#[test]
fn repetition_is_counted_as_each_variant_does() {
    let text = "a b c d e a b c d e\n\nsame\nsame\n\nsame\nsame";
    check(
        text,
        &[
            ("gopher.dup_line_frac@datatrove", 3.0 / 5.0),
            ("gopher.dup_para_frac@datatrove", 1.0 / 3.0),
            ("gopher.dup_5_gram_char_frac@datatrove", 5.0 / 41.0),
            ("gopher.dup_line_frac@dolma", 6.0 / 7.0),
            ("gopher.dup_5_gram_char_frac@dolma", 10.0 / 80.0),
            ("fineweb.char_dup_frac@datatrove", 12.0 / 35.0),
        ],
    );
}

#[test]
fn a_text_without_words_has_no_means() {
    assert!(values("").iter().all(|(_, value)| value.is_none()));
    let blank = values(" \n ");
    let of = |name| blank.iter().find(|(n, _)| *n == name).unwrap().1;
    assert_eq!(of("gopher.words@datatrove"), Some(0.0));
    assert_eq!(of("gopher.word_length@datatrove"), None);
}

proptest! {
    #[test]
    fn shares_are_shares_and_no_text_is_too_strange(text in "(\\PC|\n){0,80}|([ab.#]|\n| ){0,80}") {
        for (name, value) in values(&text) {
            if let Some(value) = value {
                prop_assert!(value >= 0.0 && value.is_finite(), "{name} {value}");
                // For overlapping n-grams, and for lines whose white space does not count in the
                // total.
            let may_exceed = name.contains("top_") || name == "gopher.dup_line_char_frac@dolma";
            let is_share = name.contains("_frac@") && !may_exceed;
                prop_assert!(!is_share || value <= 1.0, "{name} {value}");
            }
        }
    }
}

#[test]
fn a_family_alone_says_what_it_says_among_all() {
    let text =
        "Some words, isn't it? Yes: they are {here} again.\n- They are here again…\n\nNo more. #1";
    let all: Vec<usize> = (0..signals().count()).collect();
    let mut of_all = Measurer::new(&all);
    of_all.measure(text);
    for family in FAMILIES {
        let own = chosen([family.name]).unwrap();
        let mut alone = Measurer::new(&own);
        for text in ["another, text", text] {
            alone.measure(text);
        }
        for number in own {
            assert_eq!(alone.value(number), of_all.value(number), "{}", family.name);
        }
    }
}
