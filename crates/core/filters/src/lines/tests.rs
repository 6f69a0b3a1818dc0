use super::*;
use proptest::prelude::*;

fn left(rules: &str, text: &str) -> String {
    edited(rules, text).0.text().to_owned()
}

fn edited(rules: &str, text: &str) -> (Edits, Option<f64>) {
    let mut edits = Edits::default();
    edits.begin(text, std::slice::from_ref(&(0..text.len() as u32)));
    let share = LineRules::named(rules).unwrap().apply(&mut edits);
    (edits, share)
}

#[test]
fn c4_leaves_lines_of_sentences_and_counts_the_others() {
    let text = "Home\n\n  A line[1] that ends.  \r\nOur privacy policy is here.\n- So be it!\n\nNo end here";
    let (edits, share) = edited("c4", text);
    assert_eq!(edits.text(), "A line that ends.\n- So be it!");
    assert_eq!(share, None);
    assert_eq!(
        edits.counts(),
        [
            ("c4: no terminal punctuation", 2),
            ("c4: citation", 1),
            ("c4: policy", 1)
        ]
    );
    assert_eq!(
        left("c4-any-end", text),
        "A line that ends.\n- So be it!\nNo end here"
    );
    assert_eq!(left("c4", "[1] A b c.[2]"), "A b c.");
    assert_eq!(left("c4", "nothing"), "");
}

#[test]
fn refinedweb_drops_counters_and_cuts_phrases() {
    let text = "SIGN UP NOW\n2024\n«1.2K  Likes»\nalone\nSign-in to see more\n3 Items in cart\nItems in cart\n\
                A text of eleven words of which there is more. Read more...\nIt stays as it is, 12 likes or not";
    let (edits, share) = edited("refinedweb", text);
    let expected = "to see more\n3\nA text of eleven words of which there is more. Read more...\n\
                    It stays as it is, 12 likes or not";
    assert_eq!(edits.text(), expected);
    assert!(
        share.is_some_and(|share| share > 0.3 && share < 0.6),
        "{share:?}"
    );
    assert_eq!(left("refinedweb", "It is here Read More..."), "It is here");
    for (line, goes) in [
        ("12 likes", true),
        ("12k followers!", true),
        ("12 kk likes", false),
        ("12likes here", false),
        ("likes 12", false),
        ("1,000 of likes", false),
    ] {
        let text = format!("{line}\nand more text");
        let is_gone = left("refinedweb", &text) == "and more text";
        assert_eq!(is_gone, goes, "{line}");
    }
    assert!(edited("refinedweb", "").1.is_some_and(f64::is_nan));
}

#[test]
fn unknown_rules_are_refused_with_what_is_meant() {
    let error = LineRules::named("refindweb").unwrap_err();
    assert!(error.contains("did you mean `refinedweb`"), "{error}");
}

proptest! {
    /// The remaining text consists of pieces of the original in order. A second run removes no
    /// line.
    #[test]
    fn what_is_left_was_there(text in "(([a-cA{0-9.\\[\\]\u{e9} ]|javascript|likes|sign-in|\n|\r\n|\u{2028}){0,60})") {
        for rules in LINE_RULES {
            let left = left(rules.name, &text);
            let mut rest = text.chars();
            for c in left.chars().filter(|c| *c != '\n') {
                prop_assert!(rest.any(|r| r == c), "{}: {:?}", rules.name, left);
            }
            if rules.name == "c4-any-end" {
                prop_assert!(left.lines().all(|line| !line.trim().is_empty()));
            }
        }
    }
}
