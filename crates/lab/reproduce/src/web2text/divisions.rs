//! The authors' divisions of CleanEval's pages. Numbers are CleanEval's, from 1 to 799. The page that is in both sets
//! belongs to the training set, as in their program.

use crate::{Result, data};
use std::collections::BTreeSet;

/// A division by CleanEval's numbers.
pub struct Division {
    pub title: &'static str,
    /// Its name in file names.
    pub name: &'static str,
    pub training: BTreeSet<u16>,
    pub validation: BTreeSet<u16>,
    pub test: BTreeSet<u16>,
}

/// CleanEval's numbers of the 737 pages, in order.
fn numbers() -> Vec<u16> {
    let missing =
        |n: &u16| matches!(n, 55 | 56 | 100..=103 | 248 | 423 | 432 | 511..=560 | 751 | 753 | 769);
    (1..=799).filter(|n| !missing(n)).collect()
}

/// The numbers at these places and ranges of places.
fn at(numbers: &[u16], places: &str) -> Result<BTreeSet<u16>> {
    let mut found = BTreeSet::new();
    for place in places.split(' ') {
        let numbers = match place.split_once("..") {
            Some((first, end)) => numbers.get(first.parse()?..end.parse()?),
            None => numbers.get(place.parse()?..).and_then(|rest| rest.get(..1)),
        };
        found.extend(numbers.ok_or_else(|| format!("no pages at {place}"))?);
    }
    Ok(found)
}

/// All of them.
pub fn divisions() -> Result<Vec<Division>> {
    let numbers = numbers();
    let rows = data!("web2text/divisions.tsv")?.rows()?.into_iter();
    let division = |[title, name, validation, test]: [&'static str; 4]| {
        let (validation, test) = (at(&numbers, validation)?, at(&numbers, test)?);
        let is_known = |n: &&u16| !validation.contains(n) && !test.contains(n);
        Ok(Division {
            title,
            name,
            training: numbers.iter().filter(is_known).copied().collect(),
            validation,
            test,
        })
    };
    rows.map(division).collect()
}

/// CleanEval's number in one of our ids.
pub fn number(id: &str) -> Option<u16> {
    id.rsplit('-').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_divisions_have_the_published_sizes() {
        let [drawn, test_set]: [Division; 2] = divisions().unwrap().try_into().ok().unwrap();
        let sizes = |d: &Division| [d.training.len(), d.validation.len(), d.test.len()];
        assert_eq!(sizes(&drawn), [531, 58, 148]);
        assert_eq!(sizes(&test_set), [56, 5, 676]);
        assert_eq!(test_set.test.first(), Some(&64));
        assert_eq!(test_set.validation.last(), Some(&63));
        for division in [drawn, test_set] {
            assert!(division.training.is_disjoint(&division.validation));
            assert!(division.training.is_disjoint(&division.test));
            assert!(division.validation.is_disjoint(&division.test));
        }
        assert_eq!(number("cleaneval-test-103"), Some(103));
        assert_eq!(number("other"), None);
    }
}
