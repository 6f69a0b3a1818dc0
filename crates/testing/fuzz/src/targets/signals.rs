//! Any text in the measures that filters use.
//!
//! No value is infinite. A measurer that is asked for one signal after the other says the same as
//! one that measures all at once, also after other texts. Shingles are sorted and distinct, and a
//! text is as similar to itself as can be.

use crate::Target;
use crate::digest::is_sampled;
use crate::seeds::pages;
use std::cell::RefCell;
use warcsieve_filters::near::{SCHEMES, Shingler, Signer, normalise, similarity};
use warcsieve_filters::signals::{Measurer, signals};

/// The target.
pub const TARGET: Target = Target {
    name: "signals",
    check,
    seeds,
    max_len: 2048,
    fair: 10_000.0,
};

thread_local! {
    static USED: RefCell<Measurer> = RefCell::new(every_signal());
    static SIGNERS: RefCell<Vec<Signer>> =
        RefCell::new(SCHEMES.iter().map(|(_, scheme, _)| Signer::new(scheme)).collect());
}

fn every_signal() -> Measurer {
    Measurer::new(&(0..signals().count()).collect::<Vec<_>>())
}

fn check(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    USED.with_borrow_mut(|measurer| {
        measurer.measure(&text);
        assert!(values(measurer).all(|value| value.is_none_or(f64::is_finite)));
        if is_sampled(input, 8) {
            let mut fresh = Measurer::new(&[]);
            fresh.begin();
            for (number, value) in values(measurer).enumerate() {
                assert_eq!(fresh.ask(number, &text), value, "signal {number}");
            }
        }
    });
    // A signature is thousands of hashes of each shingle.
    if is_sampled(input, 16) {
        check_shingles(&text);
    }
}

fn values(measurer: &Measurer) -> impl Iterator<Item = Option<f64>> {
    (0..signals().count()).map(|number| measurer.value(number))
}

fn check_shingles(text: &str) {
    let (mut form, mut again) = (String::new(), String::new());
    normalise(text, &mut form);
    assert!(!form.contains("  ") && !form.contains(char::is_control));
    normalise(&form, &mut again);
    let (mut shingles, mut keys) = (Vec::new(), Vec::new());
    SIGNERS.with_borrow_mut(|signers| {
        for ((_, scheme, _), signer) in SCHEMES.iter().zip(signers) {
            Shingler::default().shingles(text, scheme.shingle, &mut shingles);
            assert!(shingles.is_sorted_by(|a, b| a < b));
            signer.keys(&shingles, &mut keys);
            let has_some = !shingles.is_empty();
            assert_eq!(keys.len(), if has_some { scheme.bands } else { 0 });
            let same = similarity(&shingles, &shingles);
            assert_eq!(same.jaccard, f64::from(u8::from(has_some)));
            assert_eq!(same.containment, same.jaccard);
        }
    });
}

fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = pages();
    let texts = [
        "One sentence, and another one. \"A quote!\" she said.\nlorem ipsum {\n* item\n- item …\n\nRead more...",
        "the the the the the\nthe the the the the\n\n\tJavaScript is off. Terms of use. 3.14 1,000 #tag\n",
        "日本語のテキスト。ไทย ภาษา\u{200b} العربية\u{a0}\u{feff}e\u{301}\u{1f600}\r\n\u{2028}\u{85}İ ẞ ŉ",
    ];
    seeds.extend(texts.map(|text| text.into()));
    seeds.retain(|seed| seed.len() <= 2048);
    seeds
}
