//! Reads one value: a price, a currency, a number that names a product.

/// The codes of currencies (ISO 4217).
const CURRENCIES: &str = "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF \
    CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD \
    HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL \
    LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR \
    PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP \
    TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG ZWL";

/// Signs that stand for one currency alone.
const SIGNS: [(char, &str); 7] = [
    ('€', "EUR"),
    ('£', "GBP"),
    ('₹', "INR"),
    ('₩', "KRW"),
    ('₽', "RUB"),
    ('₺', "TRY"),
    ('₪', "ILS"),
];

/// The currency in a text.
pub(super) fn currency(written: &str) -> Option<String> {
    let words = written.split(|c: char| !c.is_ascii_alphabetic());
    let is_code = |word: &&str| word.len() == 3 && CURRENCIES.split(' ').any(|code| code == *word);
    let code = words.into_iter().find(is_code);
    let sign = || {
        let found = |c| SIGNS.iter().find(|(sign, _)| *sign == c);
        written.chars().find_map(found).map(|(_, code)| *code)
    };
    // A code may be a word: `TOP 9,99 €`.
    sign().or(code).map(str::to_owned)
}

/// A price that is written for programs: a number with a point before its decimals, as schema.org asks. If it is
/// something else, it is read like a price for readers. A number below 0 is no price.
pub(super) fn exact_price(written: &str) -> Option<f64> {
    match written.trim().parse::<f64>() {
        Ok(price) => Some(price).filter(|price| price.is_finite() && *price >= 0.0),
        Err(_) => price(written),
    }
}

/// The first price in a text for readers, such as `1.299,00 €`.
///
/// Blanks and apostrophes divide thousands if three digits follow. Of `.` and `,`, the one that comes last is before the
/// decimals if the other one came before it. If only one of them is there, once, decimals follow, unless these are three
/// digits and the number does not begin with 0. Otherwise it divides thousands.
pub(super) fn price(written: &str) -> Option<f64> {
    let start = written.find(|c: char| c.is_ascii_digit())?;
    let mut rest = &written[start..];
    let mut digits = String::new();
    let mut marks: Vec<(char, usize)> = Vec::new();
    loop {
        let end = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        digits.push_str(&rest[..end]);
        rest = &rest[end..];
        let Some(mark) = rest.chars().next() else {
            break;
        };
        let after = &rest[mark.len_utf8()..];
        let next = after.bytes().take_while(u8::is_ascii_digit).count();
        let has_decimals = marks.len() > 1 && marks[marks.len() - 2].0 != marks[marks.len() - 1].0;
        let goes_on = match mark {
            '.' | ',' => next > 0 && !has_decimals,
            ' ' | '\u{a0}' | '\u{202f}' | '\'' | '’' | '´' => next == 3 && marks.is_empty(),
            _ => false,
        };
        if !goes_on {
            break;
        }
        if matches!(mark, '.' | ',') {
            marks.push((mark, digits.len()));
        }
        rest = after;
    }
    let decimals = match &marks[..] {
        [] => None,
        [(_, at)] => (digits.len() - at != 3 || digits.starts_with('0')).then_some(*at),
        [.., (before, _), (last, at)] => (before != last).then_some(*at),
    };
    if let Some(at) = decimals {
        digits.insert(at, '.');
    }
    digits.parse().ok().filter(|price: &f64| price.is_finite())
}

/// A GTIN whose last digit checks the others.
pub(super) fn gtin(written: &str) -> Option<String> {
    let digits = digits(written)?;
    (matches!(digits.len(), 8 | 12..=14) && is_checked(&digits)).then_some(digits)
}

/// An ISBN whose last digit checks the others.
pub(super) fn isbn(written: &str) -> Option<String> {
    // Such as `ISBN-13: 978-…`.
    let (_, number) = written.rsplit_once(':').unwrap_or(("", written));
    let digits = digits(number.trim_start_matches(|c: char| !c.is_ascii_digit()))?;
    let is_isbn = match digits.len() {
        10 => {
            let value = |digit: u8| {
                if digit == b'X' {
                    10
                } else {
                    u32::from(digit - b'0')
                }
            };
            let weighed = digits.bytes().zip((1..=10).rev());
            weighed
                .map(|(digit, weight)| value(digit) * weight)
                .sum::<u32>()
                % 11
                == 0
        }
        13 => (digits.starts_with("978") || digits.starts_with("979")) && is_checked(&digits),
        _ => false,
    };
    is_isbn.then_some(digits)
}

/// Whether the last digit is the check digit of the others (GS1 General Specifications, §7.9).
fn is_checked(digits: &str) -> bool {
    let weighed = digits.bytes().rev().zip([1, 3].into_iter().cycle());
    let sum = weighed.map(|(digit, weight)| u32::from(digit.wrapping_sub(b'0')) * weight);
    !digits.ends_with('X') && sum.sum::<u32>() % 10 == 0
}

/// The digits of a number that may be divided by hyphens and blanks; the last one may be `X`.
fn digits(written: &str) -> Option<String> {
    let kept = written
        .trim()
        .chars()
        .filter(|c| !matches!(c, '-' | ' ' | '\u{2010}' | '\u{2011}'));
    let digits: String = kept.map(|c| c.to_ascii_uppercase()).collect();
    let rest = digits.strip_suffix('X').unwrap_or(&digits);
    let is_number = rest.bytes().all(|b| b.is_ascii_digit());
    // Shops write zeros where they have no number.
    (is_number && rest.bytes().any(|b| b != b'0')).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_read_as_people_write_them() {
        for (written, expected) in [
            ("1.299,00 €", Some(1299.0)),
            ("$1,299.00", Some(1299.0)),
            ("1,299", Some(1299.0)),
            ("1.299 €", Some(1299.0)),
            ("0.999 €", Some(0.999)),
            ("12,5", Some(12.5)),
            ("CHF 1’299.50", Some(1299.5)),
            ("1 299,50 kr", Some(1299.5)),
            ("1.234.567", Some(1_234_567.0)),
            ("24.99 20", Some(24.99)),
            ("25.00 15.00", Some(25.0)),
            ("From 9.99 to 12", Some(9.99)),
            ("1,299,00.5.5", Some(129_900.5)),
            ("free", None),
            ("", None),
        ] {
            assert_eq!(price(written), expected, "{written}");
        }
        assert_eq!(exact_price(" 1.299 "), Some(1.299));
        assert_eq!(exact_price("24,99"), Some(24.99));
        assert_eq!(exact_price("1e3"), Some(1000.0));
        for none in [".", "-5", "inf"] {
            assert_eq!(exact_price(none), None);
        }
    }

    #[test]
    fn only_codes_and_signs_of_currencies_are_currencies() {
        for (written, expected) in [
            ("1 299 SEK", Some("SEK")),
            ("1.299,00 €", Some("EUR")),
            ("£12.99 INC VAT", Some("GBP")),
            ("TOP 9,99 €", Some("EUR")),
            ("CALL FOR PRICE", None),
            ("$5", None),
        ] {
            assert_eq!(currency(written).as_deref(), expected, "{written}");
        }
        assert!(CURRENCIES.split(' ').is_sorted());
        assert!(CURRENCIES.split(' ').all(|code| code.len() == 3));
    }

    #[test]
    fn the_last_digit_of_a_number_checks_the_others() {
        assert_eq!(gtin("4006381333931").as_deref(), Some("4006381333931"));
        assert_eq!(gtin("4006381333932"), None);
        assert_eq!(gtin("40063813339X"), None);
        assert_eq!(gtin("96385074").as_deref(), Some("96385074"));
        assert_eq!(gtin(""), None);
        assert_eq!(gtin("0000000000000"), None);
        assert_eq!(
            isbn("ISBN-13: 978-3-16-148410-0").as_deref(),
            Some("9783161484100")
        );
        assert_eq!(isbn("0-8044-2957-x").as_deref(), Some("080442957X"));
        assert_eq!(isbn("1002003004"), None);
        assert_eq!(isbn("4006381333931"), None);
    }
}
