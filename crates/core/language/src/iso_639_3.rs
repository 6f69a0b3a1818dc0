//! Codes of three letters.

/// The ISO 639-3 code of a language, by the code that [`Language`](crate::Language) has; that code itself if it has three
/// letters, or is not known.
pub fn iso_639_3(code: &str) -> &str {
    let found = CODES.binary_search_by_key(&code, |(two, _)| two);
    found.map_or(code, |at| CODES[at].1)
}

/// ISO 639-1 codes with those of ISO 639-3, in order. Languages that ISO 639-3 divides have the code of all of them
/// (`ara`, `zho`).
const CODES: &[(&str, &str)] = &[
    ("af", "afr"),
    ("am", "amh"),
    ("ar", "ara"),
    ("as", "asm"),
    ("az", "aze"),
    ("be", "bel"),
    ("bg", "bul"),
    ("bn", "ben"),
    ("bo", "bod"),
    ("bs", "bos"),
    ("ca", "cat"),
    ("co", "cos"),
    ("cs", "ces"),
    ("cy", "cym"),
    ("da", "dan"),
    ("de", "deu"),
    ("dv", "div"),
    ("el", "ell"),
    ("en", "eng"),
    ("eo", "epo"),
    ("es", "spa"),
    ("et", "est"),
    ("eu", "eus"),
    ("fa", "fas"),
    ("fi", "fin"),
    ("fr", "fra"),
    ("fy", "fry"),
    ("ga", "gle"),
    ("gd", "gla"),
    ("gl", "glg"),
    ("gu", "guj"),
    ("ha", "hau"),
    ("he", "heb"),
    ("hi", "hin"),
    ("hr", "hrv"),
    ("ht", "hat"),
    ("hu", "hun"),
    ("hy", "hye"),
    ("id", "ind"),
    ("ig", "ibo"),
    ("ii", "iii"),
    ("is", "isl"),
    ("it", "ita"),
    ("ja", "jpn"),
    ("jv", "jav"),
    ("ka", "kat"),
    ("kk", "kaz"),
    ("km", "khm"),
    ("kn", "kan"),
    ("ko", "kor"),
    ("ku", "kur"),
    ("ky", "kir"),
    ("la", "lat"),
    ("lb", "ltz"),
    ("lo", "lao"),
    ("lt", "lit"),
    ("lv", "lav"),
    ("mg", "mlg"),
    ("mi", "mri"),
    ("mk", "mkd"),
    ("ml", "mal"),
    ("mn", "mon"),
    ("mr", "mar"),
    ("ms", "msa"),
    ("mt", "mlt"),
    ("my", "mya"),
    ("ne", "nep"),
    ("nl", "nld"),
    ("no", "nor"),
    ("ny", "nya"),
    ("or", "ori"),
    ("pa", "pan"),
    ("pl", "pol"),
    ("ps", "pus"),
    ("pt", "por"),
    ("ro", "ron"),
    ("ru", "rus"),
    ("sd", "snd"),
    ("si", "sin"),
    ("sk", "slk"),
    ("sl", "slv"),
    ("sm", "smo"),
    ("sn", "sna"),
    ("so", "som"),
    ("sq", "sqi"),
    ("sr", "srp"),
    ("st", "sot"),
    ("su", "sun"),
    ("sv", "swe"),
    ("sw", "swa"),
    ("ta", "tam"),
    ("te", "tel"),
    ("tg", "tgk"),
    ("th", "tha"),
    ("ti", "tir"),
    ("tl", "tgl"),
    ("tr", "tur"),
    ("uk", "ukr"),
    ("ur", "urd"),
    ("uz", "uzb"),
    ("vi", "vie"),
    ("xh", "xho"),
    ("yi", "yid"),
    ("yo", "yor"),
    ("zh", "zho"),
    ("zu", "zul"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_a_code_of_three_letters() {
        assert!(CODES.is_sorted());
        for code in crate::codes() {
            assert_eq!(iso_639_3(code).len(), 3, "{code}");
        }
        assert_eq!(["en", "chr", "xx"].map(iso_639_3), ["eng", "chr", "xx"]);
    }
}
