//! Parses names of authors.

use super::plain::plain;
use std::collections::BTreeSet;

/// Maximum length of a list of names in bytes.
const MAX_BYTES: usize = 400;
/// Limits for a name in a byline: bytes and words.
const MAX_BYLINE: usize = 80;
const MAX_WORDS: usize = 8;

/// Words that may come before a name, in lower case.
const BEFORE: &[&str] = &[
    "written by",
    "posted by",
    "published by",
    "article by",
    "story by",
    "words by",
    "reviewed by",
    "by",
    "author:",
    "authors:",
    "author",
    "autor:",
    "von",
    "par",
    "por",
    "door",
    "di",
    "av",
    "af",
    "автор:",
];

/// What programs write if there is no name.
const NOBODY: &[&str] = &[
    "null",
    "undefined",
    "none",
    "n/a",
    "unknown",
    "author",
    "false",
    "true",
    "[object object]",
    "admin",
    "administrator",
    "webmaster",
    "anonymous",
    "guest",
    "topic author",
    "the author",
    "reset-author",
    "written by",
];

/// First words of buttons and labels that are in the place of a name.
const NO_NAMES: &[&str] = &[
    "view",
    "visit",
    "read",
    "get",
    "click",
    "see",
    "more",
    "follow",
    "about",
    "updated",
    "update",
    "published",
    "posted",
    "subscribe",
    "share",
    "are",
    "billed",
    "all",
    "contact",
    "last",
    "log",
    "sign",
    "show",
];

/// Whether a text stands for a missing name, or is not a name.
fn is_nobody(name: &str) -> bool {
    let lower = name.to_lowercase();
    let first = lower.split(' ').next().unwrap_or_default();
    NOBODY.contains(&lower.as_str())
        || NO_NAMES.contains(&first)
        || name.contains(['$', '?', '!', '®', '™', '='])
        // The number of a user.
        || name.len() > 4 && name.bytes().all(|b| b.is_ascii_digit())
}

/// Author names, cleaned and joined by `; `. `None` if none is left: addresses are not names.
pub(super) fn person(written: &str) -> Option<String> {
    let mut names = String::new();
    let mut folded = BTreeSet::new();
    for name in written.split("; ").filter_map(one) {
        if !folded.insert(name.to_lowercase()) {
            continue;
        }
        if !names.is_empty() {
            names.push_str("; ");
        }
        names.push_str(&name);
        if names.len() > MAX_BYTES {
            return None;
        }
    }
    (!names.is_empty()).then_some(names)
}

fn one(written: &str) -> Option<String> {
    let name = plain(written)?;
    let name = name.trim_matches(|c: char| c.is_whitespace() || ",;:|-–—·•".contains(c));
    let name = ["by", "written by", "posted by", "author:"]
        .iter()
        .find_map(|word| without(name, word))
        .unwrap_or(name);
    let name = name.strip_prefix('@').unwrap_or(name);
    let is_address = name.contains("://")
        || name.contains("www.")
        || (name.contains('@') && !name.contains(' '))
        || name.contains(['<', '>', '{', '}']);
    let is_name = !is_address && name.chars().any(char::is_alphanumeric) && !is_nobody(name);
    is_name.then(|| name.to_owned())
}

/// The name in a line such as `By Jane Doe | 3 May 2025`. `None` if there is no name, or more text
/// than a name.
pub(super) fn byline(line: &str) -> Option<String> {
    let line = plain(line)?;
    let mut name = line.as_str();
    while let Some(rest) = BEFORE.iter().find_map(|word| without(name, word)) {
        name = rest;
    }
    let end = name
        .find(['|', '•', '·', '–', '—', '\u{2009}', '(', '/'])
        .unwrap_or(name.len());
    name = name[..end].trim();
    for word in [" on ", " updated", " published", " posted", " in "] {
        if let Some(at) = name.to_ascii_lowercase().find(word) {
            name = &name[..at];
        }
    }
    // Cut a date, which begins with a number or a month. A name that is also a month is cut only if
    // a number follows.
    if let Some(at) = super::date::begins(name) {
        name = &name[..at];
    }
    // Cut the rest of "Jane Doe 7 min read" and "Jane Doe Last updated".
    let number = name.find(|c: char| c.is_ascii_digit());
    let is_time = |at: &usize| {
        let after = name[*at..].trim_start_matches(|c: char| c.is_ascii_digit());
        name[..*at].ends_with(' ') && after.trim_start_matches([' ', '-']).starts_with("min")
    };
    if let Some(at) = number.filter(is_time) {
        name = &name[..at];
    }
    for word in [" Last", " Written By"] {
        name = name.trim_end().strip_suffix(word).unwrap_or(name);
    }
    let name = name.trim_matches(|c: char| c.is_whitespace() || ",;:|-".contains(c));
    let words = name.split(' ').count();
    let is_label = BEFORE.contains(&name.to_lowercase().as_str());
    let fits = !is_label
        && !is_nobody(name)
        && !name.is_empty()
        && name.len() <= MAX_BYLINE
        && words <= MAX_WORDS;
    let is_name =
        fits && name.chars().any(char::is_alphabetic) && !name.ends_with(['.', '?', '!', '…']);
    is_name.then(|| name.to_owned())
}

/// The text after a word at the beginning.
fn without<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let begin = text
        .get(..word.len())
        .filter(|b| b.to_lowercase() == *word)?;
    let rest = &text[begin.len()..];
    let rest = match word.ends_with(':') {
        true => rest,
        false => rest.strip_prefix([' ', ':'])?,
    };
    Some(rest.trim_start()).filter(|rest| !rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_around_a_name_is_left_out() {
        for (line, name) in [
            ("By Jane Doe", Some("Jane Doe")),
            ("Written by: Jane  Doe | 3 May 2025", Some("Jane Doe")),
            ("by Jane Doe on May 3, 2025", Some("Jane Doe")),
            ("Jane Doe, May 3, 2025", Some("Jane Doe")),
            ("Von Hans Meier", Some("Hans Meier")),
            ("Byron Smith", Some("Byron Smith")),
            ("Brian Becker 7 min read", Some("Brian Becker")),
            (
                "Cazzy Magennis Last updated May 3, 2025",
                Some("Cazzy Magennis"),
            ),
            ("View more posts", None),
            ("Visit the Apple Store", None),
            ("billed annually, or $50", None),
            ("Are you a course creator? Click Here", None),
            ("Updated", None),
            ("The Author", None),
            (
                "Jane Doe is a writer who lives with two cats in the north",
                None,
            ),
            ("She writes.", None),
            ("3 May 2025", None),
            ("Written By", None),
            ("", None),
        ] {
            assert_eq!(byline(line).as_deref(), name, "{line}");
        }
    }

    #[test]
    fn addresses_and_placeholders_are_no_names() {
        for (written, name) in [
            ("Jane Doe", Some("Jane Doe")),
            (" by Jane Doe, ", Some("Jane Doe")),
            ("Jane Doe; jane doe; John Roe", Some("Jane Doe; John Roe")),
            ("@jane", Some("jane")),
            ("https://a.example/jane", None),
            ("jane@a.example", None),
            ("undefined", None),
            ("Admin", None),
            ("262588213843476", None),
            ("—", None),
        ] {
            assert_eq!(person(written).as_deref(), name, "{written}");
        }
        assert_eq!(person(&"a; ".repeat(10)).as_deref(), Some("a"));
        assert_eq!(person(&"x".repeat(500)), None);
    }
}
