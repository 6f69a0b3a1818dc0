//! Languages by the names of the network's classes, their letters, and languages that letters alone identify.

use crate::script::Script;

/// Classes of the network that are not named by the language's code.
const CODES: &[(&str, &str)] = &[
    ("iw", "he"),
    ("fil", "tl"),
    ("bg-Latn", "bg"),
    ("el-Latn", "el"),
    ("hi-Latn", "hi"),
    ("ja-Latn", "ja"),
    ("ru-Latn", "ru"),
    ("zh-Latn", "zh"),
];

/// The ISO 639-1 code of a class's language, or 639-3 if there is none.
pub fn code(class: &str) -> &str {
    let other = CODES.iter().find(|(name, _)| *name == class);
    other.map_or(class, |(_, code)| code)
}

/// Scripts in which the network knows no language, each with its most common language.
const SCRIPTS: &[(Script, &str)] = &[
    (Script::THAANA, "dv"),
    (Script::ORIYA, "or"),
    (Script::TIBETAN, "bo"),
    (Script::CHEROKEE, "chr"),
    (Script::YI, "ii"),
    (Script::NKO, "nqo"),
    (Script::OL_CHIKI, "sat"),
    (Script::VAI, "vai"),
];

/// The language of a script in which the network knows none.
pub fn of_script(script: Script) -> Option<&'static str> {
    let found = SCRIPTS.iter().find(|(known, _)| *known == script);
    found.map(|&(_, code)| code)
}

/// Languages that the network takes for another one: the other language, letters that it does not have, and the
/// language.
const DISTINCTIVE: &[(&str, &str, &str)] = &[
    ("bn", "ৰৱ", "as"),
    ("am", "ቐቑቒቓቔቕቖቘቚቛቜቝኣኸኹኺኻኼኽኾ", "ti"),
    ("tg", "ў", "uz"),
];

/// A language of [`DISTINCTIVE`] is recognised if more than one in this many letters is one of its own.
const DISTINCTIVE_SHARE: usize = 200;

/// The language of a text that the network mistakes for the language `code`.
pub fn identified_by_letters(code: &'static str, words: &str, letters: usize) -> &'static str {
    let told = DISTINCTIVE.iter().find(|&&(taken, telling, _)| {
        let count = || words.chars().filter(|&c| telling.contains(c)).count();
        taken == code && count() * DISTINCTIVE_SHARE > letters
    });
    told.map_or(code, |&(_, _, told)| told)
}

/// The codes of languages that are identified by letters alone.
pub fn codes_by_letters() -> impl Iterator<Item = &'static str> {
    let scripts = SCRIPTS.iter().map(|&(_, code)| code);
    scripts.chain(DISTINCTIVE.iter().map(|&(_, _, code)| code))
}

/// The letters of a class's language, without those of [`is_common`]. `None` if letters add nothing to what the network
/// knows.
pub fn letters(class: &str) -> Option<&'static str> {
    let found = LETTERS.iter().find(|(name, _)| *name == class);
    found.map(|&(_, letters)| letters)
}

/// Whether most languages of its script have this character.
pub fn is_common(c: char) -> bool {
    c.is_ascii()
        || matches!(c, 'а'..='я' | '\u{621}'..='\u{652}' | '\u{1000}'..='\u{104f}')
        || matches!(c, '\u{300}'..='\u{36f}')
}

/// Whether this is a letter typical of Vietnamese. Vietnamese has one in every third word; other languages with its
/// tone marks do not have them.
pub fn is_vietnamese(c: char) -> bool {
    matches!(c, 'ă' | 'â' | 'đ' | 'ê' | 'ô' | 'ơ' | 'ư' | 'ấ'..='ặ' | 'ế'..='ệ' | 'ố'..='ợ' | 'ứ'..='ự')
}

/// Letters in lower case, including those of names and loanwords.
const LETTERS: &[(&str, &str)] = &[
    ("af", "áéèêëíîïóôöúûý"),
    ("az", "çəğıöşü"),
    ("bs", "čćđšž"),
    ("ca", "àçèéíïòóúüŀ"),
    ("ceb", "áàâéèíìñóòúù"),
    ("co", "àâèéìïòù"),
    ("cs", "áčďéěíňóřšťúůýž"),
    ("cy", "àáâäèéêëìíîïòóôöùúûüýŵŷẃẁẅỳ"),
    ("da", "åæøéáóü"),
    ("de", "äöüßéàè"),
    ("en", "éèêïöüñçáíóæœ"),
    ("eo", "ĉĝĥĵŝŭ"),
    ("es", "áéíñóúü"),
    ("et", "äõöüšž"),
    ("eu", "ñçü"),
    ("fi", "äöåšž"),
    ("fil", "áàâéèíìñóòúù"),
    ("fr", "àâæçéèêëîïôœùûüÿ"),
    ("fy", "àáâäéêëîïôöúûü"),
    ("ga", "áéíóú"),
    ("gd", "àèìòùáéó"),
    ("gl", "áéíïñóúü"),
    ("ha", "ɓɗƙƴàáâèéìíòóùú"),
    ("haw", "āēīōū"),
    ("hmn", ""),
    ("hr", "čćđšž"),
    ("ht", "àâèéêòóô"),
    ("hu", "áéíóöőúüű"),
    ("id", "é"),
    ("ig", "ịọụñṅàáèéìíòóùúǹńḿ"),
    ("is", "áðéíóúýþæö"),
    ("it", "àèéìíîòóùú"),
    ("jv", "áåâèéêìò"),
    ("ku", "çêîşû"),
    ("la", "āēīōūæœăĕĭŏŭë"),
    ("lb", "äëéöüàâçèêîïôû"),
    ("lt", "ąčęėįšųūž"),
    ("lv", "āčēģīķļņšūž"),
    ("mg", "àâéèêëìîïñôòöù"),
    ("mi", "āēīōūäëïöü"),
    ("ms", "é"),
    ("mt", "ċġħżàèìòùáéíóúî"),
    ("nl", "éëïöèüóáçêíúäà"),
    ("no", "æøåéèêòóôâäö"),
    ("ny", "ŵ"),
    ("pl", "ąćęłńóśźż"),
    ("pt", "áâãàçéêíóôõúü"),
    ("ro", "ăâîșțşţ"),
    ("sk", "áäčďéíĺľňóôŕšťúýž"),
    ("sl", "čšžćđ"),
    ("sm", "āēīōū"),
    ("sn", ""),
    ("so", ""),
    ("sq", "çë"),
    ("st", "š"),
    ("su", "éèê"),
    ("sv", "åäöéàü"),
    ("sw", ""),
    ("tr", "çğıöşüâîû"),
    ("uz", "öşçğñўқғҳё"),
    (
        "vi",
        "àáâãèéêìíòóôõùúýăđĩũơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ",
    ),
    ("xh", ""),
    ("yo", "ẹọṣàáèéìíòóùúńǹḿāēīōū"),
    ("zu", ""),
    ("be", "ёіў"),
    ("bg", "ѝ"),
    ("kk", "әғқңөұүһіё"),
    ("ky", "ңөүё"),
    ("mk", "ѓѕјљњќџѐѝ"),
    ("mn", "өүё"),
    ("ru", "ё"),
    ("sr", "јљњћђџčćđšž"),
    ("tg", "ғӣқӯҳҷё"),
    ("uk", "ґєіїё"),
    ("ar", "پچڤگکیٱ"),
    ("fa", "پچژگکیۀ"),
    ("ps", "پټچځڅډړژږښکګگڼیېۍے"),
    ("sd", "ٻٽٺٿپڄڃچڇڌڍڊڏڙڦڪکگڱڳڻھہی"),
    ("ur", "ٹڈڑںہھےۂۓپچژگکیۃ"),
    ("ru-Latn", "éáíóšžčëʹ"),
    ("bg-Latn", "âŭ"),
    ("el-Latn", "áéíóúēō"),
    ("hi-Latn", "āīūṛṅñṭḍṇśṣḥṃ"),
    ("ja-Latn", "āēīōūâêîôû"),
    ("zh-Latn", "āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜü"),
    ("my", ""),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_in_lower_case_and_not_common() {
        for (class, letters) in LETTERS {
            for c in letters.chars() {
                assert!(!is_common(c) && !c.is_uppercase(), "{class}: {c}");
            }
        }
    }

    #[test]
    fn letters_tell_languages_from_others() {
        let assamese = "কোনোবাই নাজানে বাটটো ক'ত শেষ হয়, ৰাতিও নহয়";
        assert_eq!(identified_by_letters("bn", assamese, 40), "as");
        assert_eq!(identified_by_letters("bn", "সমস্ত মানুষ স্বাধীনভাবে", 20), "bn");
        assert_eq!(identified_by_letters("am", "ኣብ ዓለም ዝነብሩ ሰባት", 14), "ti");
        assert_eq!(identified_by_letters("fr", assamese, 40), "fr");
    }
}
