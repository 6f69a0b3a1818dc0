//! Codes of scripts.

use crate::Identifier;
use crate::script::Script;

/// The code of a text without letters, or with those of a script that is not known.
const UNDETERMINED: &str = "Zyyy";

impl Identifier {
    /// The ISO 15924 code of a text's script: the one that most letters have in the part of the text that
    /// [`identify`](Self::identify) reads. `language` is the text's language: several scripts together are Japanese
    /// (`Jpan`). Han characters are `Hani`, whether simplified or traditional. `Zyyy` if the text has no letters.
    pub fn script(&mut self, text: &str, language: &str) -> &'static str {
        self.sample.take(text);
        match self.sample.script {
            _ if self.sample.all == 0 => UNDETERMINED,
            Script::HAN if language == "ja" => "Jpan",
            script => {
                let found = CODES.iter().find(|(known, _)| *known == script);
                found.map_or(UNDETERMINED, |(_, code)| code)
            }
        }
    }
}

const CODES: &[(Script, &str)] = &[
    (Script(1), "Latn"),
    (Script(2), "Grek"),
    (Script(3), "Cyrl"),
    (Script(4), "Armn"),
    (Script(5), "Hebr"),
    (Script(6), "Arab"),
    (Script(7), "Syrc"),
    (Script::THAANA, "Thaa"),
    (Script(9), "Deva"),
    (Script(10), "Beng"),
    (Script(11), "Guru"),
    (Script(12), "Gujr"),
    (Script::ORIYA, "Orya"),
    (Script(14), "Taml"),
    (Script(15), "Telu"),
    (Script(16), "Knda"),
    (Script(17), "Mlym"),
    (Script(18), "Sinh"),
    (Script(19), "Thai"),
    (Script(20), "Laoo"),
    (Script::TIBETAN, "Tibt"),
    (Script(22), "Mymr"),
    (Script(23), "Geor"),
    (Script::HAN, "Hani"),
    (Script(25), "Ethi"),
    (Script::CHEROKEE, "Cher"),
    (Script(27), "Cans"),
    (Script(30), "Khmr"),
    (Script(31), "Mong"),
    (Script::YI, "Yiii"),
    (Script::NKO, "Nkoo"),
    (Script::OL_CHIKI, "Olck"),
    (Script::VAI, "Vaii"),
    (Script::HANGUL, "Hang"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script;

    #[test]
    fn every_script_of_letters_has_a_code() {
        let scripts = ('\0'..=char::MAX).map(script::of);
        let mut scripts: Vec<u8> = scripts.map(|script| script.0).collect();
        scripts.sort_unstable();
        scripts.dedup();
        for script in scripts.into_iter().map(Script) {
            let is_known = CODES.iter().any(|(known, _)| *known == script);
            let is_none = script == Script::NONE || script == Script::INHERITED;
            assert_eq!(is_known, !is_none, "{script:?}");
        }
    }

    #[test]
    fn texts_have_the_script_of_most_letters() {
        let mut identifier = Identifier::default();
        for (text, language, code) in [
            ("The cat (кот) sat.", "en", "Latn"),
            ("Мачка је спавала (Wi-Fi)", "sr", "Cyrl"),
            ("Mačka je spavala", "sr", "Latn"),
            ("吾輩は猫である", "ja", "Jpan"),
            ("名前はまだ無い", "zh", "Hani"),
            ("고양이", "ko", "Hang"),
            ("ꦱꦧꦼꦤ꧀", "jv", "Zyyy"),
            ("12. 5.", "en", "Zyyy"),
            ("", "und", "Zyyy"),
        ] {
            assert_eq!(identifier.script(text, language), code, "{text}");
        }
    }
}
