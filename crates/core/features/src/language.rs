//! The language of a text, for methods that depend on it.

use warcsieve_common::prefix;
use whatlang::Lang;

/// Bytes of text that [`identify`] reads.
pub const SAMPLE_BYTES: usize = 2048;

/// Texts with fewer letters are not identified, because the result would be random.
const MIN_LETTERS: usize = 20;

/// ISO 639-1 code of the language of the first [`SAMPLE_BYTES`] of `text`; `None` if it is not
/// clear or not in the table.
pub fn identify(text: &str) -> Option<&'static str> {
    let sample = prefix(text, SAMPLE_BYTES);
    if sample
        .chars()
        .filter(|c| c.is_alphabetic())
        .take(MIN_LETTERS)
        .count()
        < MIN_LETTERS
    {
        return None;
    }
    let found = whatlang::detect(sample).filter(whatlang::Info::is_reliable)?;
    CODES
        .iter()
        .find(|(lang, _)| *lang == found.lang())
        .map(|&(_, code)| code)
}

/// The codes that [`identify`] can return.
pub fn codes() -> impl Iterator<Item = &'static str> {
    CODES.iter().map(|&(_, code)| code)
}

/// The languages that can be identified, with their two-letter codes. Both written standards of
/// Norwegian have the code `no`.
const CODES: &[(Lang, &str)] = &[
    (Lang::Afr, "af"),
    (Lang::Aka, "ak"),
    (Lang::Amh, "am"),
    (Lang::Ara, "ar"),
    (Lang::Aze, "az"),
    (Lang::Bel, "be"),
    (Lang::Ben, "bn"),
    (Lang::Bul, "bg"),
    (Lang::Cat, "ca"),
    (Lang::Ces, "cs"),
    (Lang::Cmn, "zh"),
    (Lang::Cym, "cy"),
    (Lang::Dan, "da"),
    (Lang::Deu, "de"),
    (Lang::Ell, "el"),
    (Lang::Eng, "en"),
    (Lang::Epo, "eo"),
    (Lang::Est, "et"),
    (Lang::Fin, "fi"),
    (Lang::Fra, "fr"),
    (Lang::Guj, "gu"),
    (Lang::Heb, "he"),
    (Lang::Hin, "hi"),
    (Lang::Hrv, "hr"),
    (Lang::Hun, "hu"),
    (Lang::Hye, "hy"),
    (Lang::Ind, "id"),
    (Lang::Ita, "it"),
    (Lang::Jav, "jv"),
    (Lang::Jpn, "ja"),
    (Lang::Kan, "kn"),
    (Lang::Kat, "ka"),
    (Lang::Khm, "km"),
    (Lang::Kor, "ko"),
    (Lang::Lat, "la"),
    (Lang::Lav, "lv"),
    (Lang::Lit, "lt"),
    (Lang::Mal, "ml"),
    (Lang::Mar, "mr"),
    (Lang::Mkd, "mk"),
    (Lang::Mya, "my"),
    (Lang::Nep, "ne"),
    (Lang::Nld, "nl"),
    (Lang::Nob, "no"),
    (Lang::Ori, "or"),
    (Lang::Pan, "pa"),
    (Lang::Pes, "fa"),
    (Lang::Pol, "pl"),
    (Lang::Por, "pt"),
    (Lang::Ron, "ro"),
    (Lang::Rus, "ru"),
    (Lang::Sin, "si"),
    (Lang::Slk, "sk"),
    (Lang::Slv, "sl"),
    (Lang::Sna, "sn"),
    (Lang::Spa, "es"),
    (Lang::Srp, "sr"),
    (Lang::Swe, "sv"),
    (Lang::Tam, "ta"),
    (Lang::Tel, "te"),
    (Lang::Tgl, "tl"),
    (Lang::Tha, "th"),
    (Lang::Tuk, "tk"),
    (Lang::Tur, "tr"),
    (Lang::Ukr, "uk"),
    (Lang::Urd, "ur"),
    (Lang::Uzb, "uz"),
    (Lang::Vie, "vi"),
    (Lang::Yid, "yi"),
    (Lang::Zul, "zu"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn languages_are_identified() {
        let texts = [
            (
                "en",
                "The short answer is that nobody knows where the road will end, and those who \
                 say they know have never been there. We asked five of them what they had seen.",
            ),
            (
                "de",
                "Die kurze Antwort ist, dass niemand weiß, wo die Straße endet, und wer sagt, er \
                 wisse es, war nie dort. Wir haben fünf Leute gefragt, was sie gesehen haben.",
            ),
            (
                "ru",
                "Короткий ответ в том, что никто не знает, где кончается дорога, а те, кто \
                 говорит, что знает, никогда там не были. Мы спросили пятерых, что они видели.",
            ),
            (
                "ja",
                "簡単に言えば、道がどこで終わるのかは誰にも分からないということです。",
            ),
        ];
        for (code, text) in texts {
            assert_eq!(identify(text), Some(code), "{text}");
        }
    }

    #[test]
    fn texts_with_too_few_letters_are_not_identified() {
        for text in ["", "12 34 56 78", "ok", "× × × ÷ ÷ ª"] {
            assert_eq!(identify(text), None, "{text}");
        }
    }

    #[test]
    fn every_language_has_one_code_of_two_letters() {
        assert_eq!(CODES.len(), Lang::all().len());
        for (i, (lang, code)) in CODES.iter().enumerate() {
            assert_eq!(code.len(), 2);
            assert!(
                CODES[..i].iter().all(|(l, c)| l != lang && c != code),
                "{code}"
            );
        }
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
        fn no_text_makes_identification_panic(text in "\\PC{0,300}") {
            identify(&text);
        }
    }
}
