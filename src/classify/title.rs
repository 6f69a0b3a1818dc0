//! Which block repeats the page's `<title>`.
//!
//! News sites put the headline into the title together with the names of the
//! site and the section. The candidates are the whole title and the parts that
//! the usual separators leave, chosen as the authors' program (boilerpipe,
//! `DocumentTitleMatchClassifier`) chooses them.

/// Separators of a title, each set tried by itself; the longest part is a candidate.
const SEPARATORS: [&[char]; 5] = [
    &['|', '»', '-'],
    &['|', '»', ':'],
    &['|', '»', ':', '(', ')'],
    &['|', '»', ':', '(', ')', '-'],
    &['|', '»', ',', ':', '(', ')', '-'],
];

/// Least words of a part between ` | ` or ` - ` that is a candidate beside the longest.
const MIN_WORDS: usize = 4;

/// Longest title, in bytes, that is taken for one: it bounds the candidates.
const LONGEST: usize = 1000;

/// Not part of a headline's name.
const SITE: &str = ".com";

/// What a block that repeats the title may say, in lower case.
#[derive(Debug, Default)]
pub struct Titles {
    candidates: Vec<String>,
}

impl Titles {
    /// The candidates of a title; none of an empty one or one over 1,000 bytes.
    pub fn of(title: &str) -> Self {
        let title: String = lower(title, &[]).take(LONGEST + 1).collect();
        let title = title.trim();
        let mut titles = Self::default();
        if title.is_empty() || title.len() > LONGEST {
            return titles;
        }
        titles.add(title);
        for set in SEPARATORS {
            titles.add_longest(title, set);
        }
        for separator in [" | ", " - "] {
            if title.contains(separator) {
                for part in title.split(separator).map(str::trim) {
                    if !part.contains(SITE) && part.split(' ').count() >= MIN_WORDS {
                        titles.add(part);
                    }
                }
            }
        }
        if let Some((head, tail)) = title.rsplit_once(" - ")
            && !tail.contains('-')
        {
            titles.add(head);
        }
        if let Some((head, tail)) = title.split_once(" - ")
            && !head.contains('-')
        {
            titles.add(tail);
        }
        titles
    }

    /// Whether the text is a candidate, be it without its `? ! . - :`.
    pub fn matches(&self, text: &str) -> bool {
        const SIGNS: &[char] = &['?', '!', '.', '-', ':'];
        let bare =
            text.trim_matches(|c: char| c.is_whitespace() || c == '\'' || SIGNS.contains(&c));
        let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\'');
        self.candidates.iter().any(|candidate| {
            lower(text, &[]).eq(candidate.chars()) || lower(bare, SIGNS).eq(candidate.chars())
        })
    }

    fn add(&mut self, candidate: &str) {
        let candidate = candidate.trim();
        if !candidate.is_empty() && !self.candidates.iter().any(|c| c == candidate) {
            self.candidates.push(candidate.to_owned());
        }
    }

    /// A part takes the lead with more words, or more characters, than the one that has it.
    fn add_longest(&mut self, title: &str, separators: &[char]) {
        if !title.contains(separators) {
            return;
        }
        let mut longest = "";
        for part in title.split(separators).map(str::trim) {
            let words = part.split(' ').count();
            let longer = part.chars().count() > longest.chars().count();
            let wordier = !part.is_empty() && words > longest.split(' ').count();
            if !part.contains(SITE) && (longer || wordier) {
                longest = part;
            }
        }
        self.add(longest);
    }
}

/// The characters in lower case, without apostrophes and `signs`.
fn lower(text: &str, signs: &[char]) -> impl Iterator<Item = char> {
    text.chars()
        .filter(move |c| *c != '\'' && !signs.contains(c))
        .flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(title: &str, block: &str) -> bool {
        Titles::of(title).matches(block)
    }

    #[test]
    fn a_block_is_the_title_or_its_longest_part() {
        let title = "Rain in Spain's plain - The Daily News";
        assert!(matches(title, "Rain in Spain's plain - The Daily News"));
        assert!(matches(title, "RAIN in Spains plain"));
        assert!(matches("Is it so? | News", "Is it so?"));
        assert!(!matches("Rain in the plain | Daily News", "Daily News"));
        assert!(!matches(title, "Rain in Spain's plain falls"));
        assert!(!matches("", "") && !matches("", "Home"));
        assert!(!matches(&"a".repeat(2000), &"a".repeat(2000)));
    }

    #[test]
    fn every_longer_part_between_spaced_separators_counts() {
        let title = "One two three four | Five six seven eight nine | Ten";
        assert!(matches(title, "One two three four"));
        assert!(matches(title, "Five six seven eight nine"));
        assert!(!matches(title, "Ten"));
        assert!(!matches(
            "One two three news.com | a, b",
            "One two three news.com"
        ));
    }

    #[test]
    fn the_first_or_the_last_part_may_be_the_sites() {
        assert!(matches("BBC - On the sea: a story", "On the sea: a story"));
        assert!(matches("On the sea, today - x y z", "On the sea, today"));
        // Which of two is the site's cannot be seen.
        assert!(matches("On the sea - BBC", "BBC"));
    }

    #[test]
    fn signs_of_the_block_do_not_matter() {
        assert!(matches("Storm hits coast", "Storm hits coast!"));
        assert!(matches("Storm hits coast", "- Storm hits coast: -"));
        assert!(matches("Storms end", "'Storm's end'"));
    }
}
