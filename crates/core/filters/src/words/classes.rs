//! Classes of characters, and units. `scripts/english_words.py` writes their table, `classes.tsv`.

use super::class::Class;
use std::sync::LazyLock;

/// A line for each class: its name, and sorted, inclusive ranges of code points in hexadecimal.
/// The last line has the units.
const TABLE: &str = include_str!("classes.tsv");

/// What the table says of a name.
fn entry(name: &str) -> impl Iterator<Item = &'static str> {
    let mut lines = TABLE.lines().filter_map(|line| line.split_once('\t'));
    let found = lines.find(|(own, _)| *own == name);
    found.map_or("", |(_, values)| values).split(' ')
}

fn class(name: &str) -> Class {
    let point = |hex: &str| u32::from_str_radix(hex, 16).ok();
    let range = |range: &str| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        Some((point(first)?, point(last)?))
    };
    Class(entry(name).filter_map(range).collect())
}

macro_rules! classes {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $(
            $(#[$doc])*
            pub(crate) static $name: LazyLock<Class> = LazyLock::new(|| class(stringify!($name)));
        )*

        #[cfg(test)]
        static ALL: &[(&str, &LazyLock<Class>)] = &[$((stringify!($name), &$name)),*];
    };
}

classes! {
    /// spaCy's `ALPHA`: letters of its scripts.
    ALPHA;
    /// spaCy's `ALPHA_LOWER`.
    LOWER;
    /// spaCy's `ALPHA_UPPER`.
    UPPER;
    /// spaCy's `LIST_PUNCT`, where it is one character.
    MARKS;
    /// spaCy's `LIST_CURRENCY`, where it is one character.
    CURRENCY;
    /// spaCy's `LIST_ICONS`.
    ICONS;
    /// spaCy's `LIST_QUOTES`.
    QUOTES;
    /// What spaCy's addresses end their hosts with.
    TOP_DOMAIN;
    /// What spaCy's addresses have in hosts.
    HOST;
    /// What ends sentences for spaCy's sentencizer.
    SENTENCE_END;
    /// datatrove's `PUNCTUATION_SET`.
    PUNCTUATION;
    /// What datatrove's `simplify_text` makes blanks of: its `PUNCTUATION`.
    BLANKS;
    /// datatrove's `TERMINAL_PUNCTUATION`.
    TERMINAL;
}

/// spaCy's `UNITS`.
pub(crate) static UNITS: LazyLock<Vec<&str>> = LazyLock::new(|| entry("UNITS").collect());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_read_whole() {
        let names = TABLE.lines().filter_map(|line| line.split('\t').next());
        let own = ALL.iter().map(|(name, _)| *name).chain(["UNITS"]);
        assert!(names.eq(own));
        for (name, class) in ALL {
            assert_eq!(class.0.len(), entry(name).count(), "{name}");
            assert!(class.0.iter().all(|(first, last)| first <= last), "{name}");
            assert!(
                class.0.windows(2).all(|pair| pair[0].1 < pair[1].0),
                "{name}"
            );
        }
        assert!(ALPHA.has('\u{e9}') && !UPPER.has('a') && UNITS.contains(&"km\u{b2}"));
    }
}
