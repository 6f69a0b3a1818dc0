//! Personal data in texts: e-mail addresses, public IP addresses, phone numbers.
//!
//! The patterns are published ones: those of datatrove's `PIIFormatter` for e-mail and IP, and
//! those of Dolma's tagger for phone numbers, which are North American. They are regular
//! expressions without lookbehind, so a search takes time linear in any text.

mod ip;
#[cfg(test)]
mod tests;

use crate::edits::{Edits, Reason};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// A kind of personal data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// An e-mail address.
    Email,
    /// A public IPv4 address.
    Ip,
    /// A phone number.
    Phone,
}

impl Kind {
    /// All kinds. If two findings overlap, the first kind in this order counts.
    pub const ALL: [Self; 3] = [Self::Email, Self::Ip, Self::Phone];

    /// Its name in pipeline files and in the ledger.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Ip => "ip",
            Self::Phone => "phone",
        }
    }

    /// The text that replaces it. It is the one that Dolma writes.
    pub fn mask(self) -> &'static str {
        match self {
            Self::Email => "|||EMAIL_ADDRESS|||",
            Self::Ip => "|||IP_ADDRESS|||",
            Self::Phone => "|||PHONE_NUMBER|||",
        }
    }

    /// The reason for removing a block that is covered by a mask of the block before it, as the
    /// second half of a number that has a `br` in a cell.
    pub fn why(self) -> Reason {
        match self {
            Self::Email => "masked: email",
            Self::Ip => "masked: ip",
            Self::Phone => "masked: phone",
        }
    }

    fn pattern(self) -> &'static Regex {
        match self {
            Self::Email => &EMAIL,
            Self::Ip => &IP,
            Self::Phone => &PHONE,
        }
    }

    /// Whether a line may contain one at all. This saves most searches.
    fn may_be_in(self, line: &str) -> bool {
        match self {
            Self::Email => line.contains('@'),
            Self::Ip | Self::Phone => line.bytes().any(|b| b.is_ascii_digit()),
        }
    }
}

static EMAIL: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = concat!(
        r"\b[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@",
        r"(?:(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?",
        r"|\[(?:(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)\.){3}",
        r"(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?|[A-Za-z0-9-]*[A-Za-z0-9]:)\])",
    );
    Regex::new(pattern).expect("a test compiles it")
});

static IP: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?:(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)\.){3}(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)";
    Regex::new(pattern).expect("a test compiles it")
});

/// Dolma's pattern requires white space before the number. Here the beginning of a line is accepted
/// too, and the white space is not part of the match.
static PHONE: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?:^|\s)(\(?\d{3}\)?[-. ]*\d{3}[-. ]?\d{4})";
    Regex::new(pattern).expect("a test compiles it")
});

/// Finds personal data. It reuses its buffers. Memory: 12 bytes per finding.
///
/// ```
/// use warcsieve_filters::personal::{Finder, Kind};
///
/// let mut finder = Finder::new(&[Kind::Email, Kind::Ip]);
/// finder.find("Write to me@example.org, not to 10.0.0.1.");
/// assert_eq!(finder.found(), [(9..23, Kind::Email)]);
/// assert_eq!(finder.count(Kind::Ip), 0);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Finder {
    kinds: Vec<Kind>,
    found: Vec<(Range<u32>, Kind)>,
}

impl Finder {
    /// A finder for these kinds.
    pub fn new(kinds: &[Kind]) -> Self {
        let mut kinds = kinds.to_vec();
        kinds.sort_unstable();
        kinds.dedup();
        Self {
            kinds,
            found: Vec::new(),
        }
    }

    /// The kinds, in their order.
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// Searches a text line by line.
    pub fn find(&mut self, text: &str) {
        warcsieve_common::shrink(&mut self.found);
        self.found.clear();
        let mut start = 0;
        for line in text.split('\n') {
            let first = self.found.len();
            for &kind in self.kinds.iter().filter(|kind| kind.may_be_in(line)) {
                // Number of findings before this line.
                let before = self.found.len();
                let mut known = first;
                for found in kind.pattern().captures_iter(line) {
                    let Some(place) = found.get(1).or(found.get(0)) else {
                        continue;
                    };
                    if kind == Kind::Ip && !ip::is_public(place.as_str()) {
                        continue;
                    }
                    // A text is shorter than 4 GiB.
                    let place = (start + place.start()) as u32..(start + place.end()) as u32;
                    while known < before && self.found[known].0.end <= place.start {
                        known += 1;
                    }
                    let is_free = known == before || self.found[known].0.start >= place.end;
                    if is_free {
                        self.found.push((place, kind));
                    }
                }
                self.found[first..].sort_unstable_by_key(|(place, _)| place.start);
            }
            start += line.len() + 1;
        }
    }

    /// The findings of the last search, in order.
    pub fn found(&self) -> &[(Range<u32>, Kind)] {
        &self.found
    }

    /// The findings as ranges of the text.
    fn places(&self) -> impl Iterator<Item = (Range<usize>, Kind)> {
        let found = self.found.iter();
        found.map(|(place, kind)| (place.start as usize..place.end as usize, *kind))
    }

    /// How many findings of a kind the last search had.
    pub fn count(&self, kind: Kind) -> u64 {
        self.found.iter().filter(|(_, k)| *k == kind).count() as u64
    }

    /// Replaces the findings of the last search in this text by masks. Returns whether the text has
    /// changed.
    pub fn mask(&self, edits: &mut Edits) -> bool {
        edits.pass(|_, cuts| {
            for (place, kind) in self.places() {
                cuts.replace(place, kind.mask(), kind.why());
            }
        })
    }

    /// The text with masks, if it has personal data.
    pub fn masked(&mut self, text: &str) -> Option<String> {
        self.find(text);
        let (mut masked, mut from) = (String::new(), 0);
        for (place, kind) in self.places() {
            masked.push_str(&text[from..place.start]);
            masked.push_str(kind.mask());
            from = place.end;
        }
        masked.push_str(&text[from..]);
        (from > 0).then_some(masked)
    }
}
