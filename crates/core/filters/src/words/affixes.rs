//! Where spaCy's rules for English split words: `lang/punctuation.py`, `lang/en/punctuation.py`,
//! 3.8.

use super::classes::{ALPHA, CURRENCY, ICONS, LOWER, MARKS, QUOTES, UNITS, UPPER};
use std::ops::Range;
use std::sync::LazyLock;

/// Number of bytes at the beginning of a text that are a word of their own; 0 if there are none.
pub(super) fn prefix(text: &str) -> usize {
    let mut chars = text.chars();
    let Some(first) = chars.next() else {
        return 0;
    };
    let is_mark = match first {
        '§' | '%' | '=' | '—' | '–' => true,
        '+' => !chars.next().is_some_and(|c| c.is_ascii_digit()),
        '.' => {
            let dots = text.bytes().take_while(|&b| b == b'.').count();
            return if dots > 1 { dots } else { 0 };
        }
        'U' | 'C' | 'A' => {
            let money = ["US$", "C$", "A$"].into_iter();
            return money.filter(|m| text.starts_with(m)).map(str::len).sum();
        }
        c if c.is_ascii_alphanumeric() => false,
        c => is_affix(c) || CURRENCY.has(c),
    };
    if is_mark { first.len_utf8() } else { 0 }
}

fn is_affix(c: char) -> bool {
    MARKS.has(c) || QUOTES.has(c) || ICONS.has(c)
}

/// Bytes of the longest unit.
static MAX_UNIT_BYTES: LazyLock<usize> =
    LazyLock::new(|| UNITS.iter().map(|unit| unit.len()).max().unwrap_or(0));

/// Number of bytes at the end of a text that are a word of their own, by the rule that takes most;
/// 0 if there are none.
pub(super) fn suffix(text: &str) -> usize {
    let Some(last) = text.chars().next_back() else {
        return 0;
    };
    let before = &text[..text.len() - last.len_utf8()];
    let after_digit = |text: &str| text.bytes().next_back().is_some_and(|b| b.is_ascii_digit());
    let mut most = 0;
    let mut take = |is_there: bool, bytes: usize| {
        if is_there {
            most = bytes.max(most);
        }
    };
    take(is_affix(last) || matches!(last, '—' | '–'), last.len_utf8());
    match last {
        '.' => {
            let dots = text.bytes().rev().take_while(|&b| b == b'.').count();
            take(dots > 1, dots);
            take(ends_sentence(before), 1);
        }
        '…' => take(before.ends_with('…'), 2 * last.len_utf8()),
        's' | 'S' => {
            take(before.ends_with('\''), 2);
            take(before.ends_with('’'), 1 + '’'.len_utf8());
        }
        '+' => take(after_digit(before), 1),
        _ => {}
    }
    take(after_digit(before) && CURRENCY.has(last), last.len_utf8());
    // Units have no digits, so only the part after the last digit can be one.
    let end = &text.as_bytes()[text.len().saturating_sub(*MAX_UNIT_BYTES + 1)..];
    let unit = end.iter().rev().position(u8::is_ascii_digit);
    if let Some(unit) = unit.map(|bytes| &text[text.len() - bytes..]) {
        let mut units = ["US$", "C$", "A$"].iter().chain(UNITS.iter());
        take(
            !unit.is_empty() && units.any(|known| *known == unit),
            unit.len(),
        );
    }
    most
}

/// Whether a full stop after this text is a word of its own.
fn ends_sentence(before: &str) -> bool {
    let mut chars = before.chars().rev();
    let (Some(last), second) = (chars.next(), chars.next()) else {
        return false;
    };
    let is_degree = matches!(last, 'F' | 'f' | 'C' | 'c' | 'K' | 'k') && second == Some('°');
    let is_mark = matches!(last, '%' | '²' | '-' | '+' | '|');
    let is_low = last.is_ascii_digit() || LOWER.has(last) || MARKS.has(last) || QUOTES.has(last);
    let are_upper = UPPER.has(last) && second.is_some_and(|c| UPPER.has(c));
    is_degree || is_mark || is_low || are_upper
}

/// Where a text is split in its middle: byte ranges of the pieces that are words of their own, in
/// order.
pub(super) fn infixes(text: &str) -> impl Iterator<Item = Range<usize>> {
    let (mut at, mut before) = (0, None);
    std::iter::from_fn(move || {
        while let Some(c) = text[at..].chars().next() {
            let start = at;
            let bytes = infix(before, c, &text[at..]);
            let step = bytes.unwrap_or(c.len_utf8());
            before = text[at..at + step].chars().next_back();
            at += step;
            if bytes.is_some() {
                return Some(start..at);
            }
        }
        None
    })
}

/// Bytes of the infix at the beginning of the text. Its first character is `c`, and `before` is the
/// character before it.
fn infix(before: Option<char>, c: char, text: &str) -> Option<usize> {
    if c.is_ascii_alphanumeric() {
        return None;
    }
    let next = |bytes: usize| text[bytes..].chars().next();
    let is_after = |class: &dyn Fn(char) -> bool| before.is_some_and(class);
    let is_before = |bytes: usize, class: &dyn Fn(char) -> bool| next(bytes).is_some_and(class);
    let alpha = |c: char| ALPHA.has(c);
    let alpha_or_digit = |c: char| c.is_ascii_digit() || ALPHA.has(c);
    if c == '.' {
        let dots = text.bytes().take_while(|&b| b == b'.').count();
        if dots > 1 {
            return Some(dots);
        }
        let cuts = is_after(&|c| LOWER.has(c) || QUOTES.has(c))
            && is_before(1, &|c| UPPER.has(c) || QUOTES.has(c));
        return cuts.then_some(1);
    }
    if c == '…' || ICONS.has(c) {
        return Some(c.len_utf8());
    }
    let is_sign = matches!(c, '+' | '-' | '*' | '^');
    if is_sign
        && is_after(&|c| c.is_ascii_digit())
        && is_before(1, &|c| c.is_ascii_digit() || c == '-')
    {
        return Some(1);
    }
    if c == ',' {
        return (is_after(&alpha) && is_before(1, &alpha)).then_some(1);
    }
    if !is_after(&alpha_or_digit) {
        return None;
    }
    if matches!(c, ':' | '<' | '>' | '=' | '/') {
        return is_before(1, &alpha).then_some(1);
    }
    let mut hyphens = ["-", "–", "—", "--", "---", "——", "~"].into_iter();
    let hyphen = hyphens.find(|h| text.starts_with(h) && is_before(h.len(), &alpha));
    hyphen.map(str::len)
}
