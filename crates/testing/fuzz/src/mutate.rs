//! A small mutator for the test of this crate. It makes the same inputs in every run.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Makes inputs from other inputs.
pub struct Mutator {
    random: Pcg64Mcg,
    words: Vec<Vec<u8>>,
    max_len: usize,
}

impl Mutator {
    /// A mutator that inserts `words` and makes inputs of at most `max_len` bytes.
    pub fn new(words: Vec<Vec<u8>>, max_len: usize) -> Self {
        Self {
            random: Pcg64Mcg::seed_from_u64(1),
            words,
            max_len,
        }
    }

    /// One of the inputs, changed in one to four places.
    pub fn next(&mut self, inputs: &[Vec<u8>]) -> Vec<u8> {
        let mut input = inputs.choose(&mut self.random).cloned().unwrap_or_default();
        for _ in 0..self.random.random_range(1..=4) {
            self.change(&mut input, inputs);
        }
        input.truncate(self.max_len);
        input
    }

    fn change(&mut self, input: &mut Vec<u8>, inputs: &[Vec<u8>]) {
        let at = self.random.random_range(0..=input.len());
        let end = (at + self.random.random_range(1..=32)).min(input.len());
        match self.random.random_range(0..7) {
            0 if at < input.len() => input[at] ^= 1 << self.random.random_range(0..8),
            1 if at < input.len() => input[at] = self.random.random(),
            2 => drop(input.drain(at..end)),
            3 => input.truncate(at),
            4 => {
                let again = input[at..end].repeat(self.random.random_range(1..=8));
                input.splice(at..at, again);
            }
            5 => {
                let other = inputs.choose(&mut self.random).map_or(&[][..], |i| i);
                let from = self.random.random_range(0..=other.len());
                input.splice(at.., other[from..].iter().copied());
            }
            _ => {
                let word = self.words.choose(&mut self.random).map_or(&[][..], |w| w);
                input.splice(at..at, word.iter().copied());
            }
        }
    }
}

/// The words of a dictionary in libFuzzer's format: one `"text"` per line, with `\xAB`, `\\` and
/// `\"`. A name and `=` may come before it, and lines that begin with `#` are comments.
///
/// # Errors
/// The invalid line.
pub fn dictionary(text: &str) -> Result<Vec<Vec<u8>>, String> {
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| word(line).ok_or_else(|| line.to_owned()))
        .collect()
}

fn word(line: &str) -> Option<Vec<u8>> {
    let quoted = &line[line.find('"')?..];
    let mut rest = quoted.strip_prefix('"')?.strip_suffix('"')?.as_bytes();
    let mut word = Vec::new();
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        word.push(match (byte, after) {
            (b'\\', [b'x', high, low, ..]) => {
                rest = &after[3..];
                let digits = [*high, *low];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            (b'\\', [escaped @ (b'\\' | b'"'), ..]) => {
                rest = &after[1..];
                *escaped
            }
            (b'\\' | b'"', _) => return None,
            _ => *byte,
        });
    }
    (!word.is_empty()).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_inputs_come_in_every_run() {
        let seeds = [b"one".to_vec(), b"two three".to_vec()];
        let run = || {
            let mut mutator = Mutator::new(vec![b"word".to_vec()], 20);
            (0..200).map(|_| mutator.next(&seeds)).collect::<Vec<_>>()
        };
        let first = run();
        assert_eq!(first, run());
        assert!(first.iter().all(|input| input.len() <= 20));
        let of_words = first.iter().filter(|i| i.windows(4).any(|w| w == b"word"));
        assert!(of_words.count() > 10);
    }

    #[test]
    fn dictionaries_are_libfuzzers() {
        let text = "# a note\nname=\"a\\x00\\\"\"\n\n\"\\\\b\"\n";
        assert_eq!(
            dictionary(text).unwrap(),
            [b"a\0\"".to_vec(), b"\\b".to_vec()]
        );
        for wrong in ["a", "\"a", "\"\\q\"", "\"\"", "\"a\"b\""] {
            assert_eq!(dictionary(wrong), Err(wrong.to_owned()));
        }
    }
}
