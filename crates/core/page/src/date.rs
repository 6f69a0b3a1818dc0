//! Converts `WARC-Date` to a number and back.

/// Converts a date to microseconds since 1970-01-01 UTC, in the proleptic Gregorian calendar.
///
/// Accepts the W3C profile of ISO 8601 in all its precisions (WARC 1.1 §5.4). A missing part counts
/// as its first instant, a missing zone as UTC; digits of the fraction after the sixth are dropped.
/// Also accepts the 14 digits of ARC (`YYYYMMDDhhmmss`). `None` for dates that do not exist.
pub fn parse(text: &[u8]) -> Option<i64> {
    let mut rest = text.trim_ascii();
    if rest.len() == 14
        && let Some(all) = number(rest)
    {
        let part = |unit: i64, range: i64| all / unit % range;
        return instant(
            [
                part(10_000_000_000, 10_000),
                part(100_000_000, 100),
                part(1_000_000, 100),
            ],
            [part(10_000, 100), part(100, 100), part(1, 100)],
        );
    }
    let mut date = [take(&mut rest, 4)?, 1, 1];
    for part in &mut date[1..] {
        if skip(&mut rest, b"-") {
            *part = take(&mut rest, 2)?;
        } else if rest.is_empty() {
            break;
        } else {
            return None;
        }
    }
    if rest.is_empty() {
        return instant(date, [0, 0, 0]);
    }
    if !skip(&mut rest, b"Tt ") {
        return None;
    }
    let mut time = [take(&mut rest, 2)?, 0, 0];
    let mut micros = 0;
    if skip(&mut rest, b":") {
        time[1] = take(&mut rest, 2)?;
        if skip(&mut rest, b":") {
            time[2] = take(&mut rest, 2)?;
            micros = fraction(&mut rest)?;
        }
    }
    Some(instant(date, time)? + micros - zone(rest)? * 60_000_000)
}

/// Formats microseconds since 1970 as in RFC 3339, such as `2024-02-29T12:00:00Z`. The fraction of
/// the second is written only if it is not 0, with three or six digits. Years before 0 and after
/// 9999 have a sign.
pub fn rfc3339(micros: i64) -> String {
    let (seconds, fraction) = (micros.div_euclid(1_000_000), micros.rem_euclid(1_000_000));
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Eras of 400 years that begin in March of a year 0, so that the leap day comes last.
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    let year = match era * 400 + year + next {
        year @ 0..=9999 => format!("{year:04}"),
        year => format!("{year:+05}"),
    };
    let fraction = match fraction {
        0 => String::new(),
        f if f % 1000 == 0 => format!(".{:03}", f / 1000),
        f => format!(".{f:06}"),
    };
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}Z")
}

/// A fraction of a second in microseconds, 0 if there is none.
fn fraction(rest: &mut &[u8]) -> Option<i64> {
    if !skip(rest, b".,") {
        return Some(0);
    }
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let (fraction, tail) = rest.split_at(digits);
    *rest = tail;
    let kept = &fraction[..digits.min(6)];
    let missing = 6 - u32::try_from(kept.len()).ok()?;
    Some(number(kept)? * 10_i64.pow(missing))
}

/// Minutes east of Greenwich: `Z`, `±hh`, `±hhmm`, `±hh:mm` or nothing.
fn zone(mut rest: &[u8]) -> Option<i64> {
    let sign = match rest {
        [] | [b'Z' | b'z'] => return Some(0),
        [b'+', ..] => 1,
        [b'-', ..] => -1,
        _ => return None,
    };
    skip(&mut rest, b"+-");
    let hours = take(&mut rest, 2)?;
    skip(&mut rest, b":");
    let minutes = if rest.is_empty() {
        0
    } else {
        take(&mut rest, 2)?
    };
    (rest.is_empty() && hours < 24 && minutes < 60).then_some(sign * (hours * 60 + minutes))
}

/// Microseconds since 1970 of a date and time; `None` if they do not exist. Second 60 is the first
/// of the next minute.
fn instant([year, month, day]: [i64; 3], [hour, minute, second]: [i64; 3]) -> Option<i64> {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days_in_month = match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let exists = (1..=12).contains(&month)
        && (1..=days_in_month).contains(&day)
        && hour < 24
        && minute < 60
        && second <= 60;
    // Years begin in March: the leap day comes last, and the months follow a fixed pattern.
    let (y, m) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let days =
        365 * y + y.div_euclid(4) - y.div_euclid(100) + y.div_euclid(400) + (153 * m + 2) / 5 + day
            - 1
            - 719_468;
    exists.then_some((days * 86_400 + hour * 3600 + minute * 60 + second) * 1_000_000)
}

/// Skips one byte if it is one of `any_of`.
fn skip(rest: &mut &[u8], any_of: &[u8]) -> bool {
    match rest.split_first() {
        Some((b, tail)) if any_of.contains(b) => {
            *rest = tail;
            true
        }
        _ => false,
    }
}

/// Reads exactly `n` digits.
fn take(rest: &mut &[u8], n: usize) -> Option<i64> {
    let (digits, tail) = rest.split_at_checked(n)?;
    *rest = tail;
    number(digits)
}

/// The number that consists of these digits, at most 18 of them.
fn number(digits: &[u8]) -> Option<i64> {
    let all = (1..=18).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    all.then(|| digits.iter().fold(0, |n, b| n * 10 + i64::from(b - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(text: &str) -> Option<i64> {
        parse(text.as_bytes()).map(|micros| {
            assert_eq!(micros % 1_000_000, 0);
            micros / 1_000_000
        })
    }

    #[test]
    fn dates_that_exist_are_parsed() {
        assert_eq!(seconds("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(seconds("2012-02-29T21:46:45Z"), Some(1_330_552_005));
        assert_eq!(seconds("2000-03-01"), Some(951_868_800));
        assert_eq!(seconds("1969-12-31T23:59:59Z"), Some(-1));
        assert_eq!(seconds("0001-01-01"), Some(-62_135_596_800));
        assert_eq!(seconds("9999-12-31T23:59:59Z"), Some(253_402_300_799));
        assert_eq!(seconds("2016"), seconds("2016-01-01T00:00Z"));
        assert_eq!(seconds("2016-12-31T23:59:60Z"), seconds("2017-01-01"));
        assert_eq!(seconds("20120229214645"), Some(1_330_552_005));
        assert_eq!(
            seconds("2009-01-28T09:05:56-0800"),
            seconds("2009-01-28T17:05:56Z")
        );
        assert_eq!(
            seconds("2009-01-28T18:35:56+01:30"),
            seconds(" 2009-01-28 17:05:56 ")
        );
    }

    #[test]
    fn fractions_of_a_second_are_parsed() {
        let micros = |t: &str| parse(t.as_bytes()).unwrap();
        assert_eq!(micros("1970-01-01T00:00:01.5Z"), 1_500_000);
        assert_eq!(micros("1970-01-01T00:00:00.123456789Z"), 123_456);
        assert_eq!(micros("1969-12-31T23:59:59.999999Z"), -1);
    }

    #[test]
    fn written_dates_are_read_back() {
        let micros = |t: &str| parse(t.as_bytes()).unwrap();
        for text in [
            "2024-02-29T12:00:00Z",
            "1970-01-01T00:00:00.123456Z",
            "1969-12-31T23:59:59.500Z",
            "0000-03-01T00:00:00Z",
            "9999-12-31T23:59:59.000001Z",
        ] {
            assert_eq!(rfc3339(micros(text)), text);
        }
        for day in (-719_468..2_000_000).step_by(13) {
            let instant = day * 86_400_000_000;
            assert_eq!(micros(&rfc3339(instant)), instant);
        }
        assert_eq!(
            rfc3339(micros("0000-01-01") - 1),
            "-0001-12-31T23:59:59.999999Z"
        );
        assert!(rfc3339(i64::MIN) < rfc3339(i64::MAX).replace('+', "-"));
    }

    #[test]
    fn dates_that_do_not_exist_are_refused() {
        for text in [
            "",
            "2008-10-294T05:21:46-0700",
            "2009-03-65T08:43:19-0800",
            "2011-02-29",
            "1900-02-29",
            "2009-13-01",
            "2009-00-01",
            "2009-01-00",
            "2009-01-01T24:00:00Z",
            "2009-01-01T00:60:00Z",
            "2009-01-01T00:00:61Z",
            "2009-01-01T00:00:00.Z",
            "2009-01-01T00:00:00+",
            "20090132000000",
            "2009-01-01T00:00:00Zjunk",
            "Wed, 28 Jan 2009 17:05:56 GMT",
            "99999999999999",
            "-009-01-01",
        ] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn every_day_follows_the_one_before() {
        let mut last = seconds("1899-12-31").unwrap();
        for year in 1900..2101 {
            for month in 1..13 {
                for day in 1..32 {
                    if let Some(now) = seconds(&format!("{year}-{month:02}-{day:02}")) {
                        assert_eq!(now - last, 86_400, "{year}-{month}-{day}");
                        last = now;
                    }
                }
            }
        }
        assert_eq!(last, seconds("2100-12-31").unwrap());
    }
}
