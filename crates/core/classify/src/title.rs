//! Finds the block that repeats the page's `<title>`.
//!
//! News sites put the headline into the title, together with the names of the site and the section.
//! The candidates are the whole title and the parts between the usual separators. They are chosen
//! as in the authors' program (boilerpipe, `DocumentTitleMatchClassifier`).

use warcsieve_common::prefix;

/// Sets of separators. A title is split by each set on its own; the longest part is a candidate.
const SEPARATORS: [&[char]; 5] = [
    &['|', '»', '-'],
    &['|', '»', ':'],
    &['|', '»', ':', '(', ')'],
    &['|', '»', ':', '(', ')', '-'],
    &['|', '»', ',', ':', '(', ')', '-'],
];

/// The minimum number of words of a part between ` | ` or ` - ` that is a candidate in addition to
/// the longest part.
const MIN_WORDS: usize = 4;

/// The maximum length of a title in bytes. Longer titles have no candidates, which bounds the
/// number of candidates.
const MAX_BYTES: usize = 1000;

/// A part that contains this is the name of a site, not a headline.
const SITE: &str = ".com";

/// What divides the title of a page from the name of its site.
const DIVIDERS: [&str; 8] = [" | ", " - ", " – ", " — ", " · ", " • ", " » ", " :: "];

/// A title without the name of its site that ends it; `None` if it does not end with that name.
pub fn without_site<'t>(title: &'t str, site: &str) -> Option<&'t str> {
    let title = title.trim();
    let ends = DIVIDERS.iter().filter_map(|divider| {
        let (own, end) = title.rsplit_once(divider)?;
        Some((own.trim(), end))
    });
    let mut ends =
        ends.filter(|(own, end)| own.contains(char::is_alphanumeric) && is_same_name(end, site));
    ends.next().map(|(own, _)| own)
}

/// Whether a heading names the site and not the page, on a page whose title says more: it is the name of the site, or
/// another heading is what the title says before it, in more words. A title that begins with it is that of the site's first page.
pub fn names_site(
    title: &str,
    heading: &str,
    is_site: impl Fn(&str) -> bool,
    is_heading: impl Fn(&str) -> bool,
) -> bool {
    let (title, heading) = (title.trim(), heading.trim());
    if title.is_empty() || lowered(prefix(title, MAX_BYTES)).starts_with(&lowered(heading)) {
        return false;
    }
    let words = |text: &str| text.split_whitespace().count();
    let own = || without_site(title, heading).filter(|own| words(own) > words(heading));
    is_site(heading) || own().is_some_and(is_heading)
}

/// Whether two names are the same but for their letters' cases.
pub fn is_same_name(a: &str, b: &str) -> bool {
    lower(a.trim(), &[]).eq(lower(b.trim(), &[]))
}

/// The candidates: a block repeats the title if its text is one of them. In lower case.
#[derive(Debug, Default)]
pub struct Titles {
    candidates: Vec<String>,
}

impl Titles {
    /// The candidates of a title; none if it is empty or longer than 1,000 bytes.
    pub fn of(title: &str) -> Self {
        let title = lowered(prefix(title, 4 * MAX_BYTES));
        let title = title.trim();
        let mut titles = Self::default();
        if title.is_empty() || title.len() > MAX_BYTES {
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

    /// Whether the text is a candidate, with or without its `? ! . - :`.
    pub fn matches(&self, text: &str) -> bool {
        const SIGNS: &[char] = &['?', '!', '.', '-', ':'];
        let bare =
            text.trim_matches(|c: char| c.is_whitespace() || c == '\'' || SIGNS.contains(&c));
        let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\'');
        self.candidates.iter().any(|candidate| {
            lower(text, &[]).eq(candidate.chars()) || lower(bare, SIGNS).eq(candidate.chars())
        })
    }

    /// Whether the text is the whole title.
    pub fn is(&self, text: &str) -> bool {
        let whole = self.candidates.first();
        whole.is_some_and(|title| lower(text.trim(), &[]).eq(title.chars()))
    }

    /// Whether the whole title contains the text.
    pub fn hold(&self, text: &str) -> bool {
        let whole = self.candidates.first();
        whole.is_some_and(|title| title.contains(&lowered(text.trim())))
    }

    fn add(&mut self, candidate: &str) {
        let candidate = candidate.trim();
        if !candidate.is_empty() && !self.candidates.iter().any(|c| c == candidate) {
            self.candidates.push(candidate.to_owned());
        }
    }

    /// Adds the longest part. One part counts as longer than another if it has more words or more
    /// characters, so the result may depend on their order.
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

/// The text in lower case, without apostrophes.
fn lowered(text: &str) -> String {
    if !text.is_ascii() {
        return lower(text, &[]).collect();
    }
    let mut text = text.replace('\'', "");
    text.make_ascii_lowercase();
    text
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
    fn the_site_name_may_be_the_first_or_the_last_part() {
        assert!(matches("BBC - On the sea: a story", "On the sea: a story"));
        assert!(matches("On the sea, today - x y z", "On the sea, today"));
        // It is unknown which of the two parts is the site's name.
        assert!(matches("On the sea - BBC", "BBC"));
    }

    #[test]
    fn the_name_of_the_site_may_end_a_title() {
        let own = |title| without_site(title, "My Forum");
        assert_eq!(own("A thread - My Forum"), Some("A thread"));
        assert_eq!(
            own("A thread - of two | my forum "),
            Some("A thread - of two")
        );
        assert_eq!(own("A thread - page 2 | News"), None);
        assert_eq!(own("My Forum"), None);
        assert_eq!(own(" - My Forum"), None);
        assert_eq!(without_site("a | b - c", "b - c"), Some("a"));
    }

    #[test]
    fn punctuation_of_the_block_does_not_matter() {
        assert!(matches("Storm hits coast", "Storm hits coast!"));
        assert!(matches("Storm hits coast", "- Storm hits coast: -"));
        assert!(matches("Storms end", "'Storm's end'"));
    }
}
