//! The authors' divisions of CleanEval's pages. Numbers are CleanEval's, from 1 to 799; the page that is in both
//! sets is one of the training set, as in their program.

use crate::{Result, data};
use std::collections::BTreeSet;

/// The first pages of one division's validation and test, as places among the 737 pages.
const FIRST_OF_VALIDATION: usize = 56;
const FIRST_OF_TEST: usize = 61;

/// A division by CleanEval's numbers.
pub struct Division {
    pub title: &'static str,
    /// In names of files.
    pub name: &'static str,
    pub training: BTreeSet<u16>,
    pub validation: BTreeSet<u16>,
    pub test: BTreeSet<u16>,
}

/// CleanEval's numbers of the 737 pages, in order.
fn numbers() -> impl Iterator<Item = u16> {
    let missing =
        |n: &u16| matches!(n, 55 | 56 | 100..=103 | 248 | 423 | 432 | 511..=560 | 751 | 753 | 769);
    (1..=799).filter(move |n| !missing(n))
}

impl Division {
    fn new(
        title: &'static str,
        name: &'static str,
        is_validation: impl Fn(usize) -> bool,
        is_test: impl Fn(usize) -> bool,
    ) -> Self {
        let of = |is: &dyn Fn(usize) -> bool| {
            let places = numbers().enumerate().filter(|(place, _)| is(*place));
            places.map(|(_, number)| number).collect()
        };
        Self {
            title,
            name,
            training: of(&|place| !is_validation(place) && !is_test(place)),
            validation: of(&is_validation),
            test: of(&is_test),
        }
    }
}

/// Both of them.
pub fn divisions() -> Result<[Division; 2]> {
    let drawn: Vec<[&str; 2]> = data!("web2text/drawn.tsv")?.rows()?;
    let mut places = [BTreeSet::new(), BTreeSet::new()];
    for (places, [_, cell]) in places.iter_mut().zip(drawn) {
        for place in cell.split_whitespace() {
            places.insert(place.parse::<usize>()?);
        }
    }
    let [test, validation] = places;
    Ok([
        Division::new(
            "148 test pages drawn at random",
            "drawn",
            |place| validation.contains(&place),
            |place| test.contains(&place),
        ),
        Division::new(
            "CleanEval's test set, 676 pages",
            "test-set",
            |place| (FIRST_OF_VALIDATION..FIRST_OF_TEST).contains(&place),
            |place| place >= FIRST_OF_TEST,
        ),
    ])
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
        let [drawn, test_set] = divisions().unwrap();
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
