use super::*;

fn form(text: &str) -> String {
    let mut form = String::new();
    normalise(text, &mut form);
    form
}

fn shingles(text: &str, shingle: Shingle) -> Vec<u64> {
    let mut shingles = Vec::new();
    Shingler::default().shingles(text, shingle, &mut shingles);
    shingles
}

/// The result of datatrove's `simplify_text`.
#[test]
fn the_form_is_that_of_datatrove() {
    for (text, expected) in [
        ("Hello,  World!", "hello world"),
        ("In 1,234.5 and 12:30", "in 0 0 and 0 0"),
        ("Café naïve ÅB", "cafe naive ab"),
        ("  a\n\tb ", "a b"),
        ("3.14x 2.", "0x 0"),
        ("...", ""),
    ] {
        assert_eq!(form(text), expected, "{text}");
    }
}

#[test]
fn shingles_are_windows_and_short_texts_have_none() {
    let of = |text| shingles(text, Shingle::Words(2)).len();
    assert_eq!((of("a"), of("a b"), of("a b a b"), of("")), (0, 1, 2, 0));
    let same = shingles("A, b c!", Shingle::Words(3)) == shingles("a b\nC", Shingle::Words(3));
    assert!(same);
    let last = shingles("x a b", Shingle::Words(2));
    assert!(last.contains(&shingles("a b", Shingle::Words(2))[0]));
    assert_eq!(shingles("abcd", Shingle::Chars(3)).len(), 2);
}

#[test]
fn similarity_is_of_sets() {
    let overlap = similarity(&[1, 2, 3, 4], &[3, 4, 5]);
    assert_eq!(overlap.jaccard, 2.0 / 5.0);
    assert_eq!(overlap.containment, 2.0 / 3.0);
    assert_eq!(similarity(&[], &[1]).jaccard, 0.0);
}

/// The probabilities for the parameters in the papers.
#[test]
fn probabilities_are_those_of_the_formula() {
    for (name, at, expected) in [
        ("fineweb", 0.8, 0.92),
        ("fineweb", 0.6, 0.21),
        ("refinedweb", 0.8, 0.995),
        ("dclm", 0.7, 0.36),
        ("nemo", 0.9, 0.997),
    ] {
        let found = Scheme::named(name).unwrap().probability(at);
        assert!((found - expected).abs() < 0.006, "{name} {at}: {found}");
    }
    assert_eq!(Scheme::named("9x13w5").unwrap().rows, 13);
    for wrong in ["9x13", "0x1w5", "9x13w0", "x", "9x13w5000"] {
        assert!(Scheme::named(wrong).is_err(), "{wrong}");
    }
    let error = Scheme::named("finewed").unwrap_err();
    assert!(error.contains("did you mean `fineweb`"), "{error}");
}

/// Planted pairs become candidates as often as the formula says. There are 2,000 pairs of sets per
/// similarity, so the standard deviation of a share is at most 1.1 points.
#[test]
fn candidates_are_found_as_often_as_the_formula_says() {
    let scheme = Scheme::named("fineweb").unwrap();
    let mut signer = Signer::new(&scheme);
    let set = |seed: u64, range: std::ops::Range<u64>| {
        let mut set: Vec<_> = range
            .map(|n| XxHash3_64::oneshot_with_seed(seed, &n.to_le_bytes()))
            .collect();
        set.sort_unstable();
        set
    };
    for (shared, similarity_is) in [(75, 0.6), (82, 0.695), (89, 0.802), (95, 0.905)] {
        let (mut found, pairs) = (0, 2000);
        for seed in 0..pairs {
            let a = set(seed, 0..100);
            let b = set(seed, 100 - shared..200 - shared);
            let jaccard = similarity(&a, &b).jaccard;
            assert!((jaccard - similarity_is).abs() < 0.001, "{jaccard}");
            let (mut one, mut other) = (Vec::new(), Vec::new());
            signer.keys(&a, &mut one);
            signer.keys(&b, &mut other);
            found += usize::from(one.iter().zip(&other).any(|(x, y)| x == y));
        }
        let share = found as f64 / pairs as f64;
        let expected = scheme.probability(similarity_is);
        assert!(
            (share - expected).abs() < 0.035,
            "{similarity_is}: {share}, {expected}"
        );
    }
}
