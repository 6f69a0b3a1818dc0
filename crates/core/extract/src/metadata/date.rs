//! Parses dates as people and programs write them.
//!
//! The result is in ISO 8601: `2025-09-04`, or `2025-09-04T10:15:00+02:00` if time and zone are
//! written. The day is the written one, in its own zone.

use std::fmt::Write as _;
use std::ops::RangeInclusive;
use warcsieve_common::prefix;

/// Maximum length of a searched text in bytes.
const MAX_BYTES: usize = 200;
/// Range of years for dates that a page states explicitly. Papers can be old.
const STATED: RangeInclusive<u32> = 1400..=2100;
/// Range of years for dates found in texts and addresses, where other numbers occur as well.
const SHOWN: RangeInclusive<u32> = 1990..=2100;

/// Names of months in English, German, French, Spanish, Italian, Portuguese, Dutch, Scandinavian
/// languages, Polish, Turkish and Russian: full and abbreviated, in lower case.
const MONTHS: [&str; 12] = [
    "jan january januar januari janvier janv enero ene gennaio gen janeiro stycznia ocak января янв",
    "feb february februar februari février févr fevrier febrero febbraio fevereiro fev lutego şubat февраля фев",
    "mar march märz mär maerz mars marzo março marco maart mrt marts marca mart марта мар",
    "apr april avril avr abril abr aprile kwietnia nisan апреля апр",
    "may mai mayo maggio mag maio mei maj maja mayıs мая",
    "jun june juni juin junio giugno giu junho czerwca haziran июня июн",
    "jul july juli juillet juil julio luglio lug julho lipca temmuz июля июл",
    "aug august août aout agosto ago augustus augusti sierpnia ağustos августа авг",
    "sep sept september septembre septiembre settembre set setembro września eylül сентября сен",
    "oct october oktober okt octobre octubre ottobre ott outubro out października ekim октября окт",
    "nov november novembre noviembre novembro listopada kasım ноября ноя",
    "dec december dezember dez décembre déc decembre diciembre dic dicembre dezembro grudnia aralık декабря дек",
];

/// A date, or date and time, in ISO 8601. `None` if the text is not a date, or has no day.
/// `language` is the page's and decides whether `4/9/2025` is in April.
pub(super) fn normalized(written: &str, language: &str) -> Option<String> {
    let written = written.trim();
    if let Some((date, rest)) = iso(written) {
        let mut text = printed(date, &STATED)?;
        if let Some(time) = time(rest) {
            text += &time;
        }
        return Some(text);
    }
    found_in(written, language, &STATED)
}

/// The first date in a text. `language` is as in [`normalized`].
pub(super) fn found(text: &str, language: &str) -> Option<String> {
    found_in(text, language, &SHOWN)
}

/// The date in an address such as `https://a.example/2025/09/04/title`.
pub(super) fn of_address(url: &str) -> Option<String> {
    let (_, path) = url.split_once("://")?;
    let (_, path) = path.split_once('/')?;
    let path = path.split(['?', '#']).next()?;
    let tokens = tokens(path);
    (0..tokens.len()).find_map(|at| {
        let [y, m, d] = numbers(&tokens, at)?;
        let joined = |a: &Token<'_>, b: &Token<'_>| {
            let between = &path[a.end..b.start];
            between == "/" || between == "-"
        };
        let is_whole = y.text.len() == 4 && m.text.len() == 2 && d.text.len() == 2;
        let begins = y.start == 0 || matches!(path.as_bytes()[y.start - 1], b'/' | b'-' | b'_');
        (is_whole && begins && joined(y, m) && joined(m, d)).then_some(())?;
        printed([y.number?, m.number?, d.number?], &SHOWN)
    })
}

/// Byte offset of the first date in a text: that of its first number, or of the month before it.
pub(super) fn begins(text: &str) -> Option<usize> {
    let tokens = tokens(text);
    let at = (0..tokens.len()).find(|at| date_at(text, &tokens, *at, "").is_some())?;
    Some(tokens[at].start)
}

fn found_in(text: &str, language: &str, years: &RangeInclusive<u32>) -> Option<String> {
    let text = prefix(text, MAX_BYTES);
    if !text.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    let tokens = tokens(text);
    (0..tokens.len()).find_map(|at| printed(date_at(text, &tokens, at, language)?, years))
}

/// A sequence of letters, or of digits.
struct Token<'t> {
    text: &'t str,
    start: usize,
    end: usize,
    number: Option<u32>,
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        let is_number = c.is_ascii_digit();
        if !is_number && !c.is_alphabetic() {
            continue;
        }
        let mut end = start + c.len_utf8();
        while let Some((at, c)) = chars.next_if(|(_, c)| match is_number {
            true => c.is_ascii_digit(),
            false => c.is_alphabetic(),
        }) {
            end = at + c.len_utf8();
        }
        let text = &text[start..end];
        tokens.push(Token {
            text,
            start,
            end,
            number: is_number.then(|| text.parse().ok()).flatten(),
        });
    }
    tokens
}

/// Three consecutive number tokens from `at` on.
fn numbers<'a, 't>(tokens: &'a [Token<'t>], at: usize) -> Option<[&'a Token<'t>; 3]> {
    let [a, b, c] = tokens.get(at..at + 3)? else {
        return None;
    };
    [a, b, c]
        .iter()
        .all(|t| t.number.is_some())
        .then_some([a, b, c])
}

/// Year, month and day of the date that begins at token `at`.
fn date_at(text: &str, tokens: &[Token<'_>], at: usize, language: &str) -> Option<[u32; 3]> {
    let near = |a: &Token<'_>, b: &Token<'_>| b.start - a.end <= 3;
    if let Some([a, b, c]) = numbers(tokens, at) {
        let between = [&text[a.end..b.start], &text[b.end..c.start]];
        let is_joined = between[0] == between[1] && matches!(between[0], "-" | "/" | "." | ". ");
        if is_joined && a.text.len() == 4 {
            return Some([a.number?, b.number?, c.number?]);
        }
        if is_joined && c.text.len() == 4 {
            let (a, b) = (a.number?, b.number?);
            let month_first = between[0] == "/" && is_american(language);
            let (day, month) = match b > 12 || (month_first && a <= 12) {
                true => (b, a),
                false => (a, b),
            };
            return Some([c.number?, month, day]);
        }
    }
    let first = tokens.get(at)?;
    // 2025年9月4日
    if let Some([year, y, month, m, day]) = tokens.get(at..at + 5).and_then(|t| t.first_chunk())
        && y.text.starts_with(['年', '년'])
        && m.text.starts_with(['月', '월'])
    {
        return Some([year.number?, month.number?, day.number?]);
    }
    // Month, day, year.
    if first.number.is_none() {
        let day = tokens.get(at + 1).filter(|t| t.number.is_some())?;
        let month = month(first.text)?;
        let mut next = at + 2;
        if tokens
            .get(next)
            .is_some_and(|t| is_ordinal(t.text) && t.start == day.end)
        {
            next += 1;
        }
        let year = tokens.get(next)?;
        let whole = near(first, day) && year.start - day.end <= 5 && year.text.len() == 4;
        return whole.then_some([year.number?, month, day.number?]);
    }
    // Day, month, year.
    first.number.filter(|_| first.text.len() <= 2)?;
    let mut rest = tokens[at + 1..]
        .iter()
        .take(6)
        .filter(|t| !(is_ordinal(t.text) || matches!(t.text, "de" | "del" | "of" | "den")));
    let (name, year) = (rest.next()?, rest.next()?);
    let whole = name.start - first.end <= 6 && year.start - name.end <= 5 && year.text.len() == 4;
    whole.then_some([year.number?, month(name.text)?, first.number?])
}

/// Whether it is the ending of an ordinal, as in `4th`, `1er`, `2º`.
fn is_ordinal(text: &str) -> bool {
    matches!(
        text,
        "st" | "nd" | "rd" | "th" | "er" | "º" | "ª" | "e" | "ST" | "ND" | "RD" | "TH"
    )
}

/// Whether the month comes before the day: in American English, and if the language is not known.
fn is_american(language: &str) -> bool {
    let language = language.to_ascii_lowercase();
    matches!(language.as_str(), "" | "en" | "en-us" | "en_us")
}

fn month(name: &str) -> Option<u32> {
    let name = name.to_lowercase();
    let found = MONTHS
        .iter()
        .position(|names| names.split(' ').any(|n| n == name))?;
    Some(found as u32 + 1)
}

/// `YYYY-MM-DD` or `YYYYMMDD` at the beginning, and the rest.
fn iso(text: &str) -> Option<([u32; 3], &str)> {
    let (year, rest) = digits(text, 4..=4)?;
    let separator = rest.chars().next().filter(|c| "-/.".contains(*c));
    let Some(separator) = separator else {
        let (month, rest) = digits(rest, 2..=2)?;
        let (day, rest) = digits(rest, 2..=2)?;
        return (!rest.starts_with(|c: char| c.is_ascii_digit()))
            .then_some(([year, month, day], rest));
    };
    let (month, rest) = digits(rest.strip_prefix(separator)?, 1..=2)?;
    let (day, rest) = digits(rest.strip_prefix(separator)?, 1..=2)?;
    (!rest.starts_with(|c: char| c.is_ascii_digit())).then_some(([year, month, day], rest))
}

/// A number of `count` digits at the beginning, and the rest.
fn digits(text: &str, count: RangeInclusive<usize>) -> Option<(u32, &str)> {
    let most = *count.end();
    let length = text
        .bytes()
        .take(most)
        .take_while(u8::is_ascii_digit)
        .count();
    if !count.contains(&length) {
        return None;
    }
    Some((text[..length].parse().ok()?, &text[length..]))
}

/// The time `Thh:mm:ss` at the beginning of the rest after a date, with the zone if it is written.
fn time(rest: &str) -> Option<String> {
    let rest = rest.strip_prefix(['T', 't', ' '])?.trim_start();
    let (hour, rest) = digits(rest, 1..=2)?;
    let (minute, rest) = digits(rest.strip_prefix(':')?, 2..=2)?;
    let (second, rest) = match rest.strip_prefix(':').and_then(|rest| digits(rest, 2..=2)) {
        Some((second, rest)) => (second, rest),
        None => (0, rest),
    };
    let rest = match rest.strip_prefix(['.', ',']) {
        Some(rest) => rest.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => rest,
    };
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let zone = zone(rest.trim())?;
    Some(format!(
        "T{hour:02}:{minute:02}:{:02}{zone}",
        second.min(59)
    ))
}

fn zone(text: &str) -> Option<String> {
    match text {
        "" => return Some(String::new()),
        "Z" | "z" | "UTC" | "GMT" => return Some("Z".to_owned()),
        _ => {}
    }
    let sign = text.chars().next().filter(|c| "+-".contains(*c))?;
    let (hours, rest) = digits(&text[1..], 2..=2)?;
    let rest = rest.strip_prefix(':').unwrap_or(rest);
    let (minutes, rest) = if rest.is_empty() {
        (0, rest)
    } else {
        digits(rest, 2..=2)?
    };
    let exists = rest.is_empty() && hours <= 14 && minutes < 60;
    exists.then(|| match (hours, minutes) {
        (0, 0) => "Z".to_owned(),
        _ => format!("{sign}{hours:02}:{minutes:02}"),
    })
}

/// The date in ISO 8601, if it exists and its year is within `years`.
fn printed([year, month, day]: [u32; 3], years: &RangeInclusive<u32>) -> Option<String> {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    if !years.contains(&year) || !(1..=days).contains(&day) {
        return None;
    }
    let mut text = String::with_capacity(25);
    let _ = write!(text, "{year:04}-{month:02}-{day:02}");
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_keep_time_and_zone() {
        for (written, expected) in [
            ("2025-09-04", "2025-09-04"),
            ("2025-9-4", "2025-09-04"),
            ("20250904", "2025-09-04"),
            ("2025/09/04", "2025-09-04"),
            ("2025-09-04T10:15:30+02:00", "2025-09-04T10:15:30+02:00"),
            ("2025-09-04T10:15:30.123Z", "2025-09-04T10:15:30Z"),
            ("2025-09-04 10:15", "2025-09-04T10:15:00"),
            ("2025-09-04T10:15:30+0000", "2025-09-04T10:15:30Z"),
            ("2025-09-04T10:15:30 EST", "2025-09-04"),
            ("2025-09-04T25:00:00Z", "2025-09-04"),
            ("Thu, 04 Sep 2025 10:15:30 GMT", "2025-09-04"),
            ("September 4, 2025", "2025-09-04"),
            ("1887-01-02", "1887-01-02"),
        ] {
            assert_eq!(
                normalized(written, "").as_deref(),
                Some(expected),
                "{written}"
            );
        }
        for none in [
            "",
            "2025",
            "2025-09",
            "2025-13-01",
            "2025-02-30",
            "yesterday",
            "202509041",
            "0001-01-01",
        ] {
            assert_eq!(normalized(none, ""), None, "{none}");
        }
    }

    #[test]
    fn dates_of_texts_are_found() {
        for (text, language, expected) in [
            ("Posted on Sept. 4th, 2025 by Jane", "en", "2025-09-04"),
            ("4 September 2025", "en-GB", "2025-09-04"),
            ("4. September 2025, 10 Uhr", "de", "2025-09-04"),
            ("4 de septiembre de 2025", "es", "2025-09-04"),
            ("Publié le 1er août 2025", "fr", "2025-08-01"),
            ("4 września 2025", "pl", "2025-09-04"),
            ("4 сентября 2025 г.", "ru", "2025-09-04"),
            ("2025年9月4日", "ja", "2025-09-04"),
            ("9/4/2025", "en-US", "2025-09-04"),
            ("4/9/2025", "en-GB", "2025-09-04"),
            ("25/9/2025", "en-US", "2025-09-25"),
            ("4.9.2025", "de", "2025-09-04"),
            ("4. 9. 2025", "cs", "2025-09-04"),
        ] {
            assert_eq!(found(text, language).as_deref(), Some(expected), "{text}");
        }
        for none in [
            "1.2.3",
            "May 2025",
            "call 555-12-2025",
            "4 apples 2025",
            "12 May 1850",
            "2025-1-99",
        ] {
            assert_eq!(found(none, "en"), None, "{none}");
        }
    }

    #[test]
    fn addresses_have_whole_dates() {
        let of = |url| of_address(url).unwrap_or_default();
        assert_eq!(of("https://a.example/2025/09/04/title?x=1"), "2025-09-04");
        assert_eq!(of("https://a.example/news/2025-09-04-title"), "2025-09-04");
        for none in [
            "https://a.example/2025/09/title",
            "https://a.example/?d=2025-09-04",
            "https://2025-09-04.example/",
            "",
        ] {
            assert_eq!(of(none), "", "{none}");
        }
    }

    #[test]
    fn a_date_begins_at_its_first_part() {
        assert_eq!(begins("Jane Doe, May 3, 2025"), Some(10));
        assert_eq!(begins("Jane Doe 3 May 2025"), Some(9));
        assert_eq!(begins("May Smith"), None);
    }
}
