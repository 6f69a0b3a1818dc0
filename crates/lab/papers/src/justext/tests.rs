use crate::tests::{content, labels, reasons};
use warcsieve_classify::Steps;
use warcsieve_features::stop_words;
use warcsieve_fixture::{document, links};

const METHOD: &str = "method = 'justext'";

/// Running text: about half of its words are stop words.
const ENGLISH: &str =
    "It was the best of times and it was the worst of times for all of us who were there to see it";

fn long() -> String {
    format!("{ENGLISH} and {ENGLISH} and {ENGLISH}")
}

fn class_names(step: &str, blocks: &[&str]) -> Vec<String> {
    let doc = document(blocks);
    let (labels, names) = labels(step, &doc);
    labels
        .iter()
        .map(|l| names.classes[usize::from(l.class)].clone())
        .collect()
}

#[test]
fn classes_of_the_first_stage() {
    let many_linked = format!("{ENGLISH} {}", links(12));
    let few_linked = format!("{} {}", long(), links(1));
    let copyright = format!("{} ©", long());
    let names = "Xyzzy Plugh Foobar Quux Corge Grault Garply Waldo Fred Plover ".repeat(2);
    let blocks = [
        long().leak() as &str,
        ENGLISH,
        "Short one",
        "[Short link]",
        &many_linked,
        &few_linked,
        &copyright,
        &names,
    ];
    let expected = [
        "good",
        "near-good",
        "short",
        "bad",
        "bad",
        "good",
        "bad",
        "bad",
    ];
    assert_eq!(class_names(METHOD, &blocks), expected);
}

#[test]
fn length_thresholds_are_in_characters() {
    let step = "method = 'justext'\nlanguage = 'none'";
    let of = |chars: usize| "é".repeat(chars);
    let classes = class_names(step, &[&of(69), &of(70), &of(200), &of(201)]);
    assert_eq!(classes, ["short", "near-good", "near-good", "good"]);
}

#[test]
fn algorithm_1_counts_tokens_and_its_thresholds_must_be_passed() {
    let step = "method = 'justext'\ncount = 'tokens'\nlanguage = 'none'";
    let of = |words: usize| vec!["a"; words].join(" ");
    let linked = |linked: usize| format!("{} [{}]", of(50 - linked), of(linked));
    let blocks = [of(11), of(12), of(33), of(34), linked(10), linked(11)];
    let blocks: Vec<_> = blocks.iter().map(String::as_str).collect();
    let expected = ["short", "near-good", "near-good", "good", "good", "bad"];
    assert_eq!(class_names(step, &blocks), expected);

    let step = "method = 'justext'\ncount = 'tokens'\nlanguage = 'en'";
    let of = |stops: usize, step: &str| {
        let text = [vec!["the"; stops], vec!["plover"; 100 - stops]]
            .concat()
            .join(" ");
        class_names(step, &[&text])[0].clone()
    };
    assert_eq!(
        [30, 31, 32, 33].map(|n| of(n, step)),
        ["bad", "near-good", "near-good", "good"]
    );
    let characters = "method = 'justext'\nlanguage = 'en'";
    let expected = ["near-good", "near-good", "good", "good"];
    assert_eq!([30, 31, 32, 33].map(|n| of(n, characters)), expected);
}

#[test]
fn link_density_is_measured_in_characters() {
    let step = "method = 'justext'\nlanguage = 'none'";
    let at = |linked: usize| format!("{} [{}]", "a".repeat(299 - linked), "b".repeat(linked));
    assert_eq!(class_names(step, &[&at(60), &at(61)]), ["good", "bad"]);
}

#[test]
fn stop_words_decide_between_some_and_many() {
    let text = |stops: usize, others: usize| {
        [
            vec!["the"; stops].join(" "),
            vec!["plover"; others].join(" "),
        ]
        .join(" ")
    };
    let step = "method = 'justext'\nlanguage = 'en'";
    let blocks = [text(29, 71), text(30, 70), text(31, 69), text(32, 68)];
    let blocks: Vec<_> = blocks.iter().map(String::as_str).collect();
    assert_eq!(
        class_names(step, &blocks),
        ["bad", "near-good", "near-good", "good"]
    );
}

#[test]
fn context_decides_the_rest_and_the_reason_says_how() {
    let doc = document(&["Menu", &long(), "Yes.", &long(), "Imprint"]);
    assert_eq!(content(METHOD, &doc), [false, true, true, true, false]);
    let reasons = reasons(METHOD, &doc);
    assert_eq!(
        reasons[0],
        "chars < 70, none linked; nothing near-good towards the bad side"
    );
    assert_eq!(reasons[1], "chars > 200, stop words >= 0.32");
    assert_eq!(
        reasons[2],
        "chars < 70, none linked; good blocks on both sides"
    );
}

#[test]
fn the_language_is_identified_for_each_page() {
    let german = "Es war die beste Zeit und es war die schlimmste Zeit für alle von uns, die \
                  da waren, um es zu sehen, und wir wussten nicht, was noch kommen würde, denn \
                  niemand von uns hatte je so etwas gesehen oder auch nur davon gehört.";
    let doc = document(&[german]);
    assert_eq!(content(METHOD, &doc), [true]);
    assert_eq!(content("method = 'justext'\nlanguage = 'de'", &doc), [true]);
    assert_eq!(
        content("method = 'justext'\nlanguage = 'fr'", &doc),
        [false]
    );
}

#[test]
fn pages_without_word_spaces_are_judged_without_stop_words() {
    let japanese = "簡単に言えば、道がどこで終わるのかは誰にも分からないということです。".repeat(8);
    let doc = document(&[japanese]);
    assert_eq!(content(METHOD, &doc), [true]);
}

#[test]
fn wrong_parameters_are_named_with_their_line() {
    let error = |params: &str| {
        let text = format!("[[step]]\nmethod = 'justext'\n{params}\n");
        Steps::parse(&crate::METHODS, "p.toml", &text)
            .unwrap_err()
            .to_string()
    };
    let e = error("language = 'ja'");
    assert!(
        e.starts_with("p.toml:3:") && e.contains("`ja`") && e.contains("auto, none"),
        "{e}"
    );
    for wrong in ["1.5", "-0.1", "nan", "'a'"] {
        let e = error(&format!("length_low = 1\nstopwords_low = {wrong}"));
        assert!(e.starts_with("p.toml:4:"), "{e}");
    }
    assert!(error("length_low = -1").starts_with("p.toml:3:"));
    let e = error("length_high = 50");
    assert!(
        e.starts_with("p.toml:3:") && e.contains("above length_high = 50"),
        "{e}"
    );
    let e = error("stopwords_high = 0.5\nstopwords_low = 0.6");
    assert!(
        e.starts_with("p.toml:4:") && e.contains("stopwords_low = 0.6"),
        "{e}"
    );
}

#[test]
fn explanations_show_the_values() {
    let (mut chain, _) = Steps::parse(&crate::METHODS, "p", "[[step]]\nmethod = 'justext'")
        .unwrap()
        .build();
    let doc = document(&[&long(), "[Menu]"]);
    let mut labels = vec![warcsieve_classify::Label::default(); 2];
    use warcsieve_classify::Classifier;
    chain.classify(&doc, &mut labels);
    let text = chain.explain(&doc, &labels, 0);
    assert!(
        text.contains("good by itself") && text.contains("`en`"),
        "{text}"
    );
    assert!(
        chain
            .explain(&doc, &labels, 1)
            .contains("4 chars, 4 of them linked")
    );
}

#[test]
fn a_heading_stays_with_the_text_below_it() {
    use warcsieve_html::{Element, Tag};
    let mut doc = document(&["[Menu]", "What we saw", &long()]);
    for tag in [Tag::Body, Tag::H2, Tag::Select] {
        doc.tree.elements.push(Element {
            tag,
            ..Element::default()
        });
    }
    assert_eq!(content(METHOD, &doc), [false, false, true]);
    doc.blocks[1].element = 1;
    assert_eq!(content(METHOD, &doc), [false, true, true]);
    assert!(reasons(METHOD, &doc)[1].ends_with("; good block on a side"));
    let no_headings = "method = 'justext'\nno_headings = true";
    assert_eq!(content(no_headings, &doc), [false, false, true]);
    doc.blocks[2].element = 2;
    assert_eq!(content(METHOD, &doc), [false; 3]);
    assert_eq!(reasons(METHOD, &doc)[2], "inside select");
}

#[test]
fn related_languages_are_not_taken_for_each_other() {
    // The vote includes only Swedish and Spanish.
    for (code, text) in [
        (
            "da",
            "Det korte svar er, at ingen ved, hvor vejen ender, og de, som siger, at de ved det, har aldrig \
             været der. Vi spurgte fem af dem, hvad de havde set, og ingen af dem ville fortælle os noget.",
        ),
        (
            "nb",
            "Det korte svaret er at ingen vet hvor veien slutter, og de som sier at de vet det, har aldri \
             vært der. Vi spurte fem av dem hva de hadde sett, og ingen av dem ville fortelle oss noe.",
        ),
        (
            "ca",
            "La resposta curta és que ningú no sap on acaba el camí, i els qui diuen que ho saben no hi han \
             estat mai. Vam preguntar a cinc d'ells què havien vist, i cap no ens ho va voler explicar.",
        ),
    ] {
        let (mut chain, _) = Steps::parse(&crate::METHODS, "p", "[[step]]\nmethod = 'justext'")
            .unwrap()
            .build();
        let doc = document(&[text, text]);
        let mut labels = vec![warcsieve_classify::Label::default(); 2];
        use warcsieve_classify::Classifier;
        chain.classify(&doc, &mut labels);
        let said = chain.explain(&doc, &labels, 0);
        let others = ["`sv`", "`es`", "`en`", "`fr`", "`de`"];
        assert!(!others.iter().any(|o| said.contains(o)), "{code}: {said}");
    }
}

#[test]
fn at_least_thirty_languages_are_detected_and_have_a_list() {
    let detected = warcsieve_language::codes();
    let usable = stop_words::languages().filter(|code| detected.contains(code));
    assert!(usable.count() >= 30);
}
