//! Fills in the placeholders of a command.
//!
//! * `{KEY}` is the value of an option, or one of the values of [`crate::values`].
//! * `{KEY:text}` is `text` where the option is not given. The text may have placeholders, too.
//! * `{KEY*}` is a list: each word of the value becomes a word of the command.
//! * `[…]` is left out where an option in it is not given.

/// The option that a command lacks.
#[derive(Debug, PartialEq, Eq)]
pub struct Missing(pub String);

/// The words of a command; `value` knows what is given.
pub fn words(text: &str, value: &dyn Fn(&str) -> Option<String>) -> Result<Vec<String>, Missing> {
    let mut words = Vec::new();
    for (text, is_optional) in parts(text) {
        let filled: Result<Vec<_>, _> = text
            .split_whitespace()
            .map(|word| filled(word, value))
            .collect();
        match filled {
            Ok(filled) => words.extend(filled.into_iter().flatten()),
            Err(_) if is_optional => {}
            Err(missing) => return Err(missing),
        }
    }
    Ok(words)
}

/// The text outside of brackets, and that in brackets, which is optional.
fn parts(text: &str) -> impl Iterator<Item = (&str, bool)> {
    text.split(['[', ']'])
        .enumerate()
        .map(|(n, part)| (part, n % 2 == 1))
}

/// A word, or the words of a list.
fn filled(word: &str, value: &dyn Fn(&str) -> Option<String>) -> Result<Vec<String>, Missing> {
    let list = word.strip_prefix('{').and_then(|w| w.strip_suffix("*}"));
    if let Some(name) = list {
        let given = value(name).ok_or_else(|| Missing(name.to_owned()))?;
        return Ok(given.split_whitespace().map(str::to_owned).collect());
    }
    let mut text = String::new();
    let mut rest = word;
    while let Some((before, name, default, after)) = placeholder(rest) {
        text += before;
        text += &match (value(name), default) {
            (Some(value), _) => value,
            (None, Some(default)) => filled(default, value)?.concat(),
            (None, None) => return Err(Missing(name.to_owned())),
        };
        rest = after;
    }
    text += rest;
    Ok(vec![text])
}

/// What is before the first placeholder, its name and default, and what is after it.
fn placeholder(text: &str) -> Option<(&str, &str, Option<&str>, &str)> {
    let start = text.find('{')?;
    let mut depth = 0;
    let end = text[start..].find(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth == 0
    })?;
    let (inside, after) = (&text[start + 1..start + end], &text[start + end + 1..]);
    let (name, default) = match inside.split_once(':') {
        Some((name, default)) => (name, Some(default)),
        None => (inside, None),
    };
    Some((&text[..start], name, default, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(text: &str) -> Result<Vec<String>, Missing> {
        let value = |name: &str| match name {
            "bin" => Some("target/release/warcsieve".to_owned()),
            "GB" => Some("3".to_owned()),
            "LIST" => Some("warc  http".to_owned()),
            "WARC" => Some("my crawl.warc.gz".to_owned()),
            _ => None,
        };
        words(text, &value)
    }

    #[test]
    fn what_is_given_is_filled_in() {
        assert_eq!(
            fill("sh x.sh {bin} {GB:2} {KILLS:50}").unwrap(),
            ["sh", "x.sh", "target/release/warcsieve", "3", "50"]
        );
        assert_eq!(fill("a/{GB}/{GB}b").unwrap(), ["a/3/3b"]);
    }

    #[test]
    fn a_value_stays_a_word_and_a_list_becomes_words() {
        assert_eq!(fill("x {WARC}").unwrap(), ["x", "my crawl.warc.gz"]);
        assert_eq!(fill("x {LIST*} y").unwrap(), ["x", "warc", "http", "y"]);
    }

    #[test]
    fn defaults_have_placeholders() {
        assert_eq!(
            fill("x {NONE:{bin}/{NO:two}.gz}").unwrap(),
            ["x", "target/release/warcsieve/two.gz"]
        );
        assert_eq!(fill("x {GB:{NONE}}").unwrap(), ["x", "3"]);
    }

    #[test]
    fn brackets_are_left_out_without_their_option() {
        assert_eq!(
            fill("[A={NONE}] x [--gb {GB}] y").unwrap(),
            ["x", "--gb", "3", "y"]
        );
        assert_eq!(fill("x [--none {NONE}] [{NONE*}]").unwrap(), ["x"]);
    }

    #[test]
    fn what_is_missing_is_named() {
        assert_eq!(fill("x {NONE}"), Err(Missing("NONE".to_owned())));
        assert_eq!(fill("x {NONE*}"), Err(Missing("NONE".to_owned())));
        assert_eq!(fill("x {NO:{NONE}}"), Err(Missing("NONE".to_owned())));
    }
}
