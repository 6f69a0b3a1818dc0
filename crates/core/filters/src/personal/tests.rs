use super::*;
use proptest::prelude::*;

fn found(text: &str) -> Vec<(&str, Kind)> {
    let mut finder = Finder::new(&Kind::ALL);
    finder.find("another@example.org 8.8.8.8");
    finder.find(text);
    let found = finder.found().iter();
    found
        .map(|(place, kind)| (&text[place.start as usize..place.end as usize], *kind))
        .collect()
}

#[test]
fn each_kind_is_found_where_its_pattern_says() {
    let text = "Mail jane.doe+x@mail.example.org. or éa@b.de\n(555) 123-4567 or 555-1234567, 8.8.8.8 and 10.0.0.1,\n\
                x@y x@y.z- 008.8.8.8 at+1 555 123 4567 me@[8.8.8.8] user@1.2.3.4";
    assert_eq!(
        found(text),
        [
            ("jane.doe+x@mail.example.org", Kind::Email),
            ("(555) 123-4567", Kind::Phone),
            ("555-1234567", Kind::Phone),
            ("8.8.8.8", Kind::Ip),
            ("x@y.z", Kind::Email),
            ("555 123 4567", Kind::Phone),
            ("me@[8.8.8.8]", Kind::Email),
            ("user@1.2.3.4", Kind::Email),
        ]
    );
}

#[test]
fn masks_are_not_found_again_and_belong_to_their_block() {
    let text = "a@b.de\n8.8.8.8 is it";
    let mut finder = Finder::new(&[Kind::Ip, Kind::Email, Kind::Ip]);
    let mut edits = Edits::default();
    edits.begin(text, &[0..6, 7..20]);
    finder.find(edits.text());
    assert!(finder.mask(&mut edits));
    let masked = "|||EMAIL_ADDRESS|||\n|||IP_ADDRESS||| is it";
    assert_eq!(edits.text(), masked);
    assert_eq!(edits.blocks(), [Ok(0..19), Ok(20..42)]);
    assert_eq!(finder.masked(text).as_deref(), Some(masked));
    assert_eq!(finder.masked(masked), None);
}

#[test]
fn time_is_linear_on_texts_made_to_be_slow() {
    for piece in [
        "a@", "a.", "@a.b", "a@b.c-", "1.1.1.", "(555", " 555-", " 555", "a@[1.", "- ", "é@a.b ",
    ] {
        let text = piece.repeat(2_000_000 / piece.len());
        let begun = std::time::Instant::now();
        found(&text);
        let seconds = begun.elapsed().as_secs_f64();
        assert!(seconds < 20.0, "{piece}: {seconds} s");
    }
}

proptest! {
    #[test]
    fn what_is_found_is_in_order_and_both_ways_to_mask_are_one(
        text in "([ab@. \n\u{e9}]|a@b\\.de|8\\.8\\.8\\.8|[ (]555[-.) ]{0,2}123-?4567){0,30}",
    ) {
        let mut finder = Finder::new(&Kind::ALL);
        finder.find(&text);
        let places = finder.found().to_vec();
        prop_assert!(places.windows(2).all(|w| w[0].0.end <= w[1].0.start));
        let mut edits = Edits::default();
        edits.begin(&text, &[]);
        finder.mask(&mut edits);
        let masked = finder.masked(&text);
        prop_assert_eq!(masked.as_deref().unwrap_or(&text), edits.text());
    }
}
