//! Special cases: texts that no rule would split correctly, such as "don't".

use std::collections::HashMap;
use std::sync::LazyLock;

/// A special case; sizes are in bytes.
#[derive(Debug)]
pub(super) struct Special {
    /// Sizes of its words.
    pub(super) words: Vec<u8>,
    /// Sizes of the words that the rules alone would make, if the special case is searched for
    /// again after a piece was split.
    pub(super) sought: Vec<u8>,
}

/// Special cases by their text.
pub(super) struct Specials {
    cases: HashMap<&'static str, Special>,
    /// For each first, second and last byte, the lengths that occur with it. Most look-ups end
    /// here.
    lengths: [[u64; 256]; 3],
    /// Bytes of the longest one, less than 64.
    pub(super) longest: usize,
}

pub(super) static SPECIALS: LazyLock<Specials> =
    LazyLock::new(|| Specials::read(include_str!("specials.tsv")));

impl Specials {
    fn read(table: &'static str) -> Self {
        let sizes = |text: &str| text.split(' ').filter_map(|n| n.parse().ok()).collect();
        let mut specials = Self {
            cases: HashMap::new(),
            lengths: [[0; 256]; 3],
            longest: 0,
        };
        for line in table.lines() {
            let mut fields = line.split('\t');
            let text = fields.next().unwrap_or_default();
            let special = Special {
                words: sizes(fields.next().unwrap_or_default()),
                sought: sizes(fields.next().unwrap_or_default()),
            };
            if let Some(ends) = ends(text) {
                for (lengths, byte) in specials.lengths.iter_mut().zip(ends) {
                    lengths[usize::from(byte)] |= 1 << text.len();
                }
                specials.longest = specials.longest.max(text.len());
                specials.cases.insert(text, special);
            }
        }
        specials
    }

    /// The special case with this text.
    pub(super) fn of(&self, text: &str) -> Option<&Special> {
        let ends = ends(text)?;
        let lengths = self.lengths.iter().zip(ends);
        let lengths = lengths.fold(u64::MAX, |all, (own, byte)| all & own[usize::from(byte)]);
        let is_known = text.len() < 64 && lengths >> text.len() & 1 == 1;
        is_known.then(|| self.cases.get(text)).flatten()
    }
}

/// The first, second and last byte; the second of one is the first.
fn ends(text: &str) -> Option<[u8; 3]> {
    let bytes = text.as_bytes();
    let (first, last) = (*bytes.first()?, *bytes.last()?);
    Some([first, *bytes.get(1).unwrap_or(&first), last])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_texts() {
        assert!(SPECIALS.cases.len() > 1000 && SPECIALS.longest < 64);
        for (text, special) in &SPECIALS.cases {
            let sum = |sizes: &[u8]| sizes.iter().map(|&n| usize::from(n)).sum::<usize>();
            assert_eq!(sum(&special.words), text.len(), "{text}");
            assert!([0, text.len()].contains(&sum(&special.sought)), "{text}");
        }
        assert_eq!(SPECIALS.of("can't").unwrap().words, [2, 3]);
        assert!(SPECIALS.of("can").is_none() && SPECIALS.of("").is_none());
    }
}
