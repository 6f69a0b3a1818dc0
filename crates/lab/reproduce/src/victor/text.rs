//! Victor's features of the text of a block.

use super::values::{power, share, step};

/// Kinds of tokens: of letters, of digits, of both, and all others but punctuation.
const KINDS: usize = 4;
/// Kinds of characters: letters, digits, punctuation, white space, others.
const CHARACTERS: usize = 5;
const PUNCTUATION: [char; 6] = [',', ':', ';', '.', '?', '!'];

/// The features of a text, and the numbers that the features of a page need.
#[derive(Debug, Default, PartialEq)]
pub struct Text {
    /// In the order of [`super::features::WINDOWS`].
    pub features: Vec<u16>,
    pub words: usize,
    pub sentences: usize,
}

/// A run of letters, digits and underscores, or a run of other characters that are not white space.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.split_whitespace().flat_map(move |part| {
        let mut rest = part;
        std::iter::from_fn(move || {
            let first = rest.chars().next()?;
            let end = rest.find(|c: char| is_word(c) != is_word(first));
            let (token, after) = rest.split_at(end.unwrap_or(rest.len()));
            rest = after;
            Some(token)
        })
    })
}

/// The kind of a token; `None` for punctuation.
fn kind(token: &str) -> Option<usize> {
    let all = |is: &dyn Fn(char) -> bool| token.chars().all(is);
    let kinds = [
        all(&char::is_alphabetic),
        all(&|c| c.is_ascii_digit()),
        all(&char::is_alphanumeric),
    ];
    match kinds.iter().position(|is| *is) {
        None if all(&|c| PUNCTUATION.contains(&c)) => None,
        None => Some(KINDS - 1),
        kind => kind,
    }
}

impl Text {
    pub fn of(text: &str) -> Self {
        let (mut counts, mut sentences, mut letters) = ([0; KINDS], 0, 0);
        let (mut runs, mut any) = (0, 0);
        let (mut first, mut last, mut last_end) = (None, None, None);
        for (at, token) in tokens(text).enumerate() {
            if token.ends_with(['.', '?', '!']) {
                sentences += 1;
                last_end = Some(at);
            }
            let Some(kind) = kind(token) else { continue };
            any += 1;
            counts[kind] += 1;
            if kind == 0 {
                runs += usize::from(last.is_none_or(|last| last + 1 != at));
                first = first.or(Some(token));
                last = Some(at);
                letters += token.chars().count();
            }
        }
        let rounded = |sum: usize, of: usize| (2 * sum + of).checked_div(2 * of).unwrap_or(0);
        let mut features = vec![power(sentences, 16)];
        for (kind, count) in counts.into_iter().enumerate() {
            features.push(power(count, if kind == 0 { 128 } else { 16 }));
            features.push(share(count, any, 10));
        }
        let is_begun = first.is_some_and(|first| first.starts_with(char::is_uppercase));
        features.push(u16::from(!is_begun));
        features.push(u16::from(last.is_none() || last_end < last));
        features.push(step(rounded(letters, counts[0]), &[1, 2, 4, 6, 8, 10]));
        let run = rounded(any, runs);
        features.push(step(run, &[1, 2, 3, 4, 6, 8, 12, 16, 32, 64]));
        let characters = characters(text);
        let total = characters.iter().sum();
        features.extend(characters.map(|count| share(count, total, 10)));
        features.push(bullet(text));
        features.extend([address(text), date(text), time(text)]);
        Self {
            features,
            words: counts[0],
            sentences,
        }
    }
}

fn characters(text: &str) -> [usize; CHARACTERS] {
    let mut counts = [0; CHARACTERS];
    for c in text.chars() {
        counts[match c {
            c if c.is_alphabetic() => 0,
            '0'..='9' => 1,
            c if PUNCTUATION.contains(&c) => 2,
            c if c.is_whitespace() => 3,
            _ => 4,
        }] += 1;
    }
    counts
}

/// Whether a text begins like an item of a list: 100 for digits, 200 for small letters, 300 for capitals, and 1 to 4 for
/// the sign after them; 0 if it does not.
fn bullet(text: &str) -> u16 {
    let text = text.trim_start();
    let kinds: [fn(&char) -> bool; 3] = [
        char::is_ascii_digit,
        char::is_ascii_lowercase,
        char::is_ascii_uppercase,
    ];
    for (kind, is) in [100, 200, 300].into_iter().zip(kinds) {
        let rest = text.trim_start_matches(|c: char| is(&c));
        let signs = [".", ")", "/", " -"];
        let sign = signs.iter().position(|sign| rest.starts_with(sign));
        if let Some(sign) = sign.filter(|_| rest.len() < text.len()) {
            return kind + 1 + sign as u16;
        }
    }
    0
}

/// 1 for an address with its scheme, 2 for one that begins with `www.`, 3 for the name of a domain.
fn address(text: &str) -> u16 {
    let text = text.to_ascii_lowercase();
    let is_domain = |part: &str| {
        let name = part.trim_end_matches(|c: char| !c.is_alphanumeric());
        [".com", ".net", ".org"].iter().any(|end| {
            let before = name.strip_suffix(end).unwrap_or_default();
            before.ends_with(|c: char| c.is_ascii_alphanumeric())
        })
    };
    if text.contains("http://") {
        1
    } else if text.contains("www.") {
        2
    } else {
        3 * u16::from(text.split([' ', '/']).any(is_domain))
    }
}

/// The numbers of digits of the numbers of a text that follow each other with one sign between them, such as `[2, 2, 4]`
/// for 31.12.2006.
fn chains(text: &str, is_between: impl Fn(&str) -> bool) -> Vec<Vec<usize>> {
    let mut chains: Vec<Vec<usize>> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let is_joined = is_between(&rest[..at]);
        rest = &rest[at..];
        let end = rest.find(|c: char| !c.is_ascii_digit());
        let end = end.unwrap_or(rest.len());
        match chains.last_mut().filter(|_| is_joined) {
            Some(chain) => chain.push(end),
            None => chains.push(vec![end]),
        }
        rest = &rest[end..];
    }
    chains
}

/// 1 for a date with a year of four digits, 2 with a year of two, 3 for a day and a month.
fn date(text: &str) -> u16 {
    let is_between =
        |sign: &str| matches!(sign.trim_end(), "." | "-" | "/" | "" | ",") && sign.len() < 3;
    let chains = chains(text, is_between);
    let has = |wanted: &[&[usize]]| {
        chains.iter().any(|chain| {
            chain.windows(wanted.len()).any(|part| {
                part.iter()
                    .zip(wanted)
                    .all(|(digits, of)| of.contains(digits))
            })
        })
    };
    let forms: [&[&[usize]]; 3] = [
        &[&[1, 2], &[1, 2], &[4]],
        &[&[1, 2], &[1, 2], &[2]],
        &[&[1, 2], &[1, 2]],
    ];
    forms
        .iter()
        .position(|form| has(form))
        .map_or(0, |at| at as u16 + 1)
}

/// 1 for an hour with minutes before or after noon, 2 for one without.
fn time(text: &str) -> u16 {
    let is_time = chains(text, |sign| sign == ":")
        .iter()
        .any(|chain| chain.len() > 1 && chain[0] < 3 && chain[1] == 2);
    let text = text.to_ascii_lowercase();
    let mut words = text.split_whitespace();
    let is_half =
        words.any(|word| matches!(word.trim_end_matches('.'), "am" | "pm" | "a.m" | "p.m"));
    match (is_time, is_half) {
        (true, true) => 1,
        (true, false) => 2,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_of_a_sentence_by_hand() {
        let text = Text::of("Call 555 now, or b2b: ok");
        // No sentence ends. Letters: Call, now, or, ok; digits: 555; both: b2b. The rest is punctuation.
        assert_eq!((text.words, text.sentences), (4, 0));
        let expected = [0, 4, 7, 1, 1, 1, 1, 0, 0, 0, 1, 2, 2];
        assert_eq!(text.features[..13], expected);
        // 24 characters: 13 letters, 4 digits, 2 punctuation, 5 spaces.
        assert_eq!(text.features[13..], [5, 1, 0, 2, 0, 0, 0, 0, 0]);
        let empty = Text::of("");
        assert_eq!(empty.features.len(), text.features.len());
    }

    #[test]
    fn signs_of_lists_addresses_and_dates() {
        assert_eq!(
            ["1. a", "a) b", "IV - c", "no", "-"].map(bullet),
            [101, 202, 304, 0, 0]
        );
        let of = ["http://a.b", "www.a.b", "at a.com.", "a.b"].map(address);
        assert_eq!(of, [1, 2, 3, 0]);
        let of = ["on 31.12.2006", "1/2/06", "3-4", "2006", "x 5"].map(date);
        assert_eq!(of, [1, 2, 3, 0, 0]);
        assert_eq!(["at 10:30 pm", "9:05", "9:5", "10"].map(time), [1, 2, 0, 0]);
    }
}
