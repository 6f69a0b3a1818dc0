//! A cache of the meaning of recent names: the same names occur again and again, on a page and on the next one.

use super::super::path_weights::PathWeights;
use super::groups::{bit, group_of};
use super::sums::{NameSums, Waiting};
use super::tokens::{Pairs, tokens};

/// The meaning of a class, id or role.
#[derive(Clone, Copy, Debug, Default)]
pub struct Name {
    /// Its groups, one bit each.
    pub groups: u32,
    pub sums: NameSums,
}

impl Name {
    pub fn of(value: &str, weights: Option<&PathWeights>) -> Self {
        let mut name = Self::default();
        let (mut pairs, mut waiting) = (Pairs::default(), Waiting::default());
        tokens(value, |token, hash| {
            name.groups |= group_of(token, hash).map_or(0, bit);
            if let Some(weights) = weights {
                pairs.with(hash, |hash| waiting.push(hash, weights, &mut name.sums));
            }
        });
        if let Some(weights) = weights {
            waiting.add_to(&mut name.sums, weights);
        }
        name
    }
}

/// The names that were seen last.
///
/// On one page, names with equal hashes count as equal. On another page the text must be equal, too. So the first name
/// of a page that uses an entry has the same result as on the first page of all, and no page depends on the pages
/// before it.
///
/// Memory: 44 KiB.
#[derive(Clone, Debug)]
pub struct KnownNames {
    /// Direct-mapped, by the hash of a name.
    known: Box<[Known; KEPT]>,
    texts: Box<[Text; KEPT]>,
    page: u32,
}

/// The meaning of a name, and the last page that it was on.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    hash: u64,
    says: Name,
    page: u32,
}

/// The text of a name.
#[derive(Clone, Copy, Debug)]
struct Text {
    /// Its length. If the text is not stored here, a length that does not fit.
    length: u8,
    text: [u8; MAX_TEXT_BYTES],
}

/// How many names are kept.
const KEPT: usize = 512;

/// The maximum length of a name whose text is kept, in bytes.
const MAX_TEXT_BYTES: usize = 63;

impl Default for KnownNames {
    fn default() -> Self {
        // The empty text, which says nothing; it also stands for unused entries.
        Self {
            known: Box::new([Known::default(); KEPT]),
            texts: Box::new([Text::of(&[]); KEPT]),
            page: 0,
        }
    }
}

impl Text {
    fn of(text: &[u8]) -> Self {
        let mut own = Self {
            length: u8::MAX,
            text: [0; MAX_TEXT_BYTES],
        };
        if let Some(to) = own.text.get_mut(..text.len()) {
            to.copy_from_slice(text);
            own.length = text.len() as u8;
        }
        own
    }

    fn is(&self, text: &[u8]) -> bool {
        self.text.get(..usize::from(self.length)) == Some(text)
    }
}

impl KnownNames {
    /// Begins a page.
    pub fn begin(&mut self) {
        self.page = self.page.wrapping_add(1);
    }

    /// The meaning of the name `value`, which has this hash.
    pub fn name(&mut self, value: &str, hash: u64, weights: Option<&PathWeights>) -> Name {
        let (at, text) = (hash as usize % KEPT, value.as_bytes());
        let known = &mut self.known[at];
        if known.hash == hash && (known.page == self.page || self.texts[at].is(text)) {
            known.page = self.page;
            return known.says;
        }
        *known = Known {
            hash,
            says: Name::of(value, weights),
            page: self.page,
        };
        self.texts[at] = Text::of(text);
        known.says
    }
}

#[cfg(test)]
mod tests {
    use super::super::groups::Group;
    use super::*;

    #[test]
    fn cached_names_are_used_on_another_page_only_if_the_text_is_equal() {
        let mut names = KnownNames::default();
        names.begin();
        let groups = |names: &mut KnownNames, text: &str| names.name(text, 7, None).groups;
        assert_eq!(groups(&mut names, "nav"), bit(Group::Nav));
        names.begin();
        assert_eq!(groups(&mut names, "footer"), bit(Group::Footer));
        assert_eq!(groups(&mut names, "nav"), bit(Group::Footer));
        names.begin();
        assert_eq!(groups(&mut names, "nav"), bit(Group::Nav));
        let long = |name: &str| format!("{name} ").repeat(MAX_TEXT_BYTES);
        names.begin();
        assert_eq!(groups(&mut names, &long("nav")), bit(Group::Nav));
        names.begin();
        assert_eq!(groups(&mut names, &long("footer")), bit(Group::Footer));
    }
}
