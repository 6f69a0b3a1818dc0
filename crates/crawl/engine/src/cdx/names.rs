//! Finds files by name: a crawl's inputs are named by their paths below a folder, while indexes and
//! other lists name the same files by longer or shorter paths.

use std::collections::HashMap;

/// A list of names that can be looked up by longer or shorter names.
#[derive(Debug)]
pub struct Names<'n> {
    names: Vec<&'n str>,
    same: HashMap<&'n str, usize>,
    /// By last component.
    places: HashMap<&'n str, Vec<usize>>,
}

/// The result of looking up a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// None of the list.
    None,
    /// The one at this place.
    One(usize),
    /// It could be either of these, or others.
    Several(usize, usize),
}

impl<'n> Names<'n> {
    /// The list of these names; places are counted from 0 in their order.
    pub fn new(names: impl IntoIterator<Item = &'n str>) -> Self {
        let names: Vec<&str> = names.into_iter().collect();
        let same = names.iter().enumerate().map(|(i, name)| (*name, i));
        let same = same.collect();
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        for (i, name) in names.iter().enumerate() {
            places.entry(last(name)).or_default().push(i);
        }
        Self {
            names,
            same,
            places,
        }
    }

    /// Looks a name up. An equal name is found first. Otherwise it is the only name that ends with
    /// this one, or that this one ends with, in whole components. So `x/00.warc.gz` is found by
    /// `/crawl/x/00.warc.gz` and by `00.warc.gz`.
    pub fn find(&self, name: &str) -> Found {
        if let Some(&at) = self.same.get(name) {
            return Found::One(at);
        }
        let mut found = Found::None;
        for &at in self.places.get(last(name)).into_iter().flatten() {
            let other = self.names[at];
            if ends_in(name, other) || ends_in(other, name) {
                found = match found {
                    Found::None => Found::One(at),
                    Found::One(first) => Found::Several(first, at),
                    several @ Found::Several(..) => several,
                };
            }
        }
        found
    }
}

fn last(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

fn ends_in(name: &str, end: &str) -> bool {
    name.strip_suffix(end)
        .is_some_and(|before| before.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_by_their_suffixes() {
        let names = Names::new(["a/00.gz", "b/00.gz", "c/01.gz", "02.gz"]);
        assert_eq!(names.find("a/00.gz"), Found::One(0));
        assert_eq!(names.find("s3://x/b/00.gz"), Found::One(1));
        assert_eq!(names.find("00.gz"), Found::Several(0, 1));
        assert_eq!(names.find("01.gz"), Found::One(2));
        assert_eq!(names.find("z/02.gz"), Found::One(3));
        assert_eq!(names.find("z/01.gz"), Found::None);
        assert_eq!(names.find("1.gz"), Found::None);
        assert_eq!(names.find(""), Found::None);
    }

    #[test]
    fn an_equal_name_is_preferred() {
        let names = Names::new(["x/a/00.gz", "a/00.gz"]);
        assert_eq!(names.find("a/00.gz"), Found::One(1));
        assert_eq!(names.find("b/x/a/00.gz"), Found::Several(0, 1));
    }
}
