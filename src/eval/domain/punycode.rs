//! International labels in ASCII (RFC 3492).

const BASE: u32 = 36;
const T_MIN: u32 = 1;
const T_MAX: u32 = 26;
const SKEW: u32 = 38;
const DAMP: u32 = 700;
const FIRST_BIAS: u32 = 72;
const FIRST: u32 = 128;
/// Longer labels cannot be registered; they stay as they are.
const LONGEST: usize = 63;

/// The ASCII form of a lower-case label: itself, or `xn--` and its Punycode.
pub(super) fn to_ascii(label: &str) -> String {
    if label.is_ascii() || label.chars().count() > LONGEST {
        return label.to_owned();
    }
    let mut out: String = label.chars().filter(char::is_ascii).collect();
    let basic = out.len() as u32;
    if basic > 0 {
        out.push('-');
    }
    let (mut n, mut delta, mut bias, mut done) = (FIRST, 0, FIRST_BIAS, basic);
    let points = || label.chars().map(u32::from);
    // At most 63 characters: no sum comes near the end of u32.
    while let Some(next) = points().filter(|c| *c >= n).min() {
        delta += (next - n) * (done + 1);
        n = next;
        for c in points() {
            delta += u32::from(c < n);
            if c == n {
                write(delta, bias, &mut out);
                bias = adapt(delta, done + 1, done == basic);
                delta = 0;
                done += 1;
            }
        }
        delta += 1;
        n += 1;
    }
    format!("xn--{out}")
}

/// Writes a number in digits of a base that varies.
fn write(mut number: u32, bias: u32, out: &mut String) {
    for k in (BASE..).step_by(BASE as usize) {
        let threshold = k.saturating_sub(bias).clamp(T_MIN, T_MAX);
        if number < threshold {
            break;
        }
        let (rest, base) = (number - threshold, BASE - threshold);
        out.push(digit(threshold + rest % base));
        number = rest / base;
    }
    out.push(digit(number));
}

fn digit(number: u32) -> char {
    let first = if number < 26 { b'a' } else { b'0' - 26 };
    char::from(first + number as u8)
}

fn adapt(delta: u32, points: u32, first: bool) -> u32 {
    let mut delta = if first { delta / DAMP } else { delta / 2 };
    delta += delta / points;
    let mut k = 0;
    while delta > (BASE - T_MIN) * T_MAX / 2 {
        delta /= BASE - T_MIN;
        k += BASE;
    }
    k + (BASE - T_MIN + 1) * delta / (delta + SKEW)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Section 7.1 and well-known names.
    #[test]
    fn labels_are_encoded_as_the_rfc_says() {
        for (label, ascii) in [
            ("example", "example"),
            ("bücher", "xn--bcher-kva"),
            ("münchen", "xn--mnchen-3ya"),
            ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"),
            (
                "почемужеонинеговорятпорусски",
                "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l",
            ),
            ("3年b組金八先生", "xn--3b-ww4c5e180e575a65lsy2b"),
            ("☃", "xn--n3h"),
        ] {
            assert_eq!(to_ascii(label), ascii);
        }
    }

    #[test]
    fn the_largest_label_does_not_overflow() {
        let far = "\u{10ffff}".repeat(62) + "\u{80}";
        assert!(to_ascii(&far).starts_with("xn--"));
        let long = "é".repeat(64);
        assert_eq!(to_ascii(&long), long);
    }
}
