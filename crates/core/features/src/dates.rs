//! Which tokens are a date or a time (Kohlschütter et al. 2010, §3.3).
//!
//! The paper does not define them. Here these tokens are dates, after trimming punctuation around
//! them:
//! clock times (`12:30`, `9:05:59`, `10pm`, `7.30am`), numeric dates of three
//! parts (`2008-01-02`, `1/2/08`, `2.1.2008`, `02-Jan-2008`, also with a time after
//! `T`), years 1900 to 2099 and ranges of them (`2005-2008`), English names of months
//! and weekdays and their abbreviations, if they begin with a capital, and `am`,
//! `pm`, `a.m.`, `p.m.` after a token that ends in a digit.

/// The maximum length of a date in bytes. Longer tokens are not dates.
const MAX_LENGTH: usize = 40;

const MONTHS: &[&str] = &[
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
    "Jan",
    "Feb",
    "Mar",
    "Apr",
    "Jun",
    "Jul",
    "Aug",
    "Sep",
    "Sept",
    "Oct",
    "Nov",
    "Dec",
];

const WEEKDAYS: &[&str] = &[
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
    "Mon",
    "Tue",
    "Tues",
    "Wed",
    "Weds",
    "Thu",
    "Thur",
    "Thurs",
    "Fri",
    "Sat",
    "Sun",
];

const HALVES: &[&str] = &["am", "pm", "a.m", "p.m"];

/// Whether a token is a date or time. `after_digit`: the token before it ends in a digit.
pub fn is_date_or_time(token: &str, after_digit: bool) -> bool {
    let token = token.trim_matches(|c: char| !c.is_alphanumeric());
    if token.len() > MAX_LENGTH {
        return false;
    }
    let has_digit = || token.bytes().any(|b| b.is_ascii_digit());
    match token.bytes().next() {
        Some(b'0'..=b'9') => {
            is_clock(token) || is_year(token) || is_range(token) || is_date(token) || {
                let stamp = token.split_once('T');
                stamp.is_some_and(|(date, time)| is_date(date) && starts_with_digit(time))
            }
        }
        Some(b'A' | b'a' | b'P' | b'p') if after_digit && is_one_of(token, HALVES) => true,
        Some(b'A'..=b'Z') => {
            is_one_of(token, MONTHS)
                || is_one_of(token, WEEKDAYS)
                || (has_digit() && is_date(token))
        }
        _ => false,
    }
}

fn is_one_of(token: &str, names: &[&str]) -> bool {
    names.iter().any(|name| name.eq_ignore_ascii_case(token))
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

/// Parses a number whose count of ASCII digits is within `digits`.
fn number(text: &str, digits: std::ops::RangeInclusive<usize>) -> Option<u32> {
    let fits = digits.contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    fits.then(|| text.parse().ok()).flatten()
}

/// `12:30`, `9:05:59`, and with am or pm also `10pm` and `7.30pm`.
fn is_clock(token: &str) -> bool {
    let (clock, half) = match token.find(|c: char| c.is_ascii_alphabetic()) {
        Some(at) if is_one_of(&token[at..], HALVES) => (&token[..at], true),
        _ => (token, false),
    };
    let mut parts = clock.split(|c| c == ':' || (half && c == '.'));
    let hour = parts.next().and_then(|h| number(h, 1..=2));
    let mut more = 0;
    let minutes_are_valid = parts.all(|p| {
        more += 1;
        number(p, 2..=2).is_some_and(|n| n < 60)
    });
    hour.is_some_and(|h| h <= if half { 12 } else { 24 })
        && minutes_are_valid
        && (more == 1 || more == 2 || (more == 0 && half))
}

fn is_year(token: &str) -> bool {
    number(token, 4..=4).is_some_and(|n| (1900..2100).contains(&n))
}

fn is_range(token: &str) -> bool {
    token
        .split_once(['-', '–', '/'])
        .is_some_and(|(a, b)| is_year(a) && is_year(b))
}

/// Three parts with the same separator between them.
fn is_date(token: &str) -> bool {
    let day = |part| number(part, 1..=2).is_some_and(|n| (1..=31).contains(&n));
    ['-', '/', '.'].iter().any(|&sign| {
        let mut parts = token.split(sign);
        let (Some(a), Some(b), Some(c), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return false;
        };
        // `1.2.08` may also be a version or a section.
        let last = is_year(c) || (sign != '.' && number(c, 2..=2).is_some());
        let month_is_named = (day(a) && is_one_of(b, MONTHS)) || (is_one_of(a, MONTHS) && day(b));
        (is_year(a) && day(b) && day(c)) || (day(a) && day(b) && last) || (month_is_named && last)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn dates_and_times_are_recognised() {
        for token in [
            "12:30",
            "(9:05:59)",
            "24:00",
            "10pm",
            "10:30PM,",
            "7.30a.m.",
            "2008-01-02",
            "1/2/08",
            "02.01.2008",
            "02-Jan-2008",
            "Jan-2-08",
            "2008-01-02T09:00:00Z",
            "1999",
            "2005-",
            "©2008",
            "2005-2008",
            "2005–2008,",
            "2007/2008",
            "January",
            "MAY",
            "Sept.",
            "Tues,",
            "Sun",
        ] {
            assert!(is_date_or_time(token, false), "{token}");
        }
        for token in ["am", "PM", "a.m.", "p.m.,"] {
            assert!(is_date_or_time(token, true), "{token}");
            assert!(!is_date_or_time(token, false), "{token}");
        }
    }

    #[test]
    fn other_tokens_are_not_dates() {
        for token in [
            "",
            "|",
            "12",
            "25:00",
            "12:60",
            "1:2",
            "12:30:00:00",
            "13pm",
            "1.2.3",
            "1.2.08",
            "32/1/2008",
            "0/1/2008",
            "1/2",
            "1800",
            "2100",
            "02008",
            "12:30x",
            "may",
            "march",
            "sun",
            "Sunny",
            "Marc",
            "jan/2/2008",
            "1/2/3/08",
            "I",
            "٢٠٠٨",
            "2008年",
            "1/2/2008T",
            "123:30",
        ] {
            assert!(!is_date_or_time(token, true), "{token}");
        }
        assert!(!is_date_or_time(&"1".repeat(1 << 20), false));
    }

    proptest! {
        #[test]
        fn no_token_panics(token in "\\PC{0,12}", after_digit: bool) {
            is_date_or_time(&token, after_digit);
        }

        #[test]
        fn every_day_of_a_year_is_a_date(y in 1900..2100u32, m in 1..=12u32, d in 1..=31u32) {
            for text in [format!("{y}-{m:02}-{d:02}"), format!("{d}.{m}.{y}"), format!("{m}/{d}/{:02}", y % 100)] {
                prop_assert!(is_date_or_time(&text, false), "{}", text);
            }
        }
    }
}
