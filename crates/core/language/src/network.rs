//! The network of Compact Language Detector 3: embeddings, a hidden layer, a score for each class.

use crate::script::Script;
use safetensors::tensor::{Dtype, SafeTensors};

/// Length of an n-gram's vector.
pub const DIM: usize = 16;
/// Length of a script's vector.
pub const SMALL: usize = 8;
/// Groups of letters that have a vector.
pub const GROUPS: usize = 12;
/// Numbers that the network reads: vectors of the n-grams of four lengths, of groups of letters and of a script.
pub const INPUTS: usize = 4 * DIM + 2 * SMALL;
/// Rows of the tables of n-grams of one to four characters.
const ROWS: [u32; 4] = [100, 1000, 5000, 5000];
/// Units of the hidden layer.
const HIDDEN: usize = 208;
/// Languages. Some have two classes: one in their own script and one in Latin letters.
pub const CLASSES: usize = 109;

/// The parameters.
#[derive(Debug)]
pub struct Network {
    /// Tables of n-grams of one to four characters, [`ROWS`] long.
    pub ngrams: [Vec<Row>; 4],
    /// A row for each group of letters.
    pub scripts: Vec<[f32; SMALL]>,
    /// A row for each script.
    pub script: Vec<[f32; SMALL]>,
    hidden: Vec<[f32; HIDDEN]>,
    hidden_bias: [f32; HIDDEN],
    softmax: Vec<[f32; CLASSES]>,
    softmax_bias: [f32; CLASSES],
    /// Names of the classes.
    pub classes: Vec<String>,
}

/// The vector of an n-gram as it is in the file. Unpacking it takes less time than fetching a longer one, because few
/// rows are in the processor's nearest cache.
#[derive(Clone, Copy, Debug, Default)]
pub struct Row {
    weights: [u8; DIM],
    scale: f32,
}

impl Row {
    /// The number in a byte of the file.
    #[inline]
    fn number(weight: u8, scale: f32) -> f32 {
        (f32::from(weight) - 128.0) * scale
    }

    /// Adds the vector `times` times.
    #[inline]
    pub fn add(&self, sum: &mut [f32; DIM], times: f32) {
        for (to, weight) in sum.iter_mut().zip(self.weights) {
            *to += Self::number(weight, self.scale) * times;
        }
    }
}

impl Network {
    /// Reads a model file. It holds `U8` tensors with a `BF16` scale per row, where a number is `(byte - 128) * scale`,
    /// and `F32` tensors. The metadata `languages` names the classes.
    ///
    /// # Errors
    /// What was found, and what was expected.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let broken = |e| format!("not a valid safetensors file: {e}");
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(broken)?;
        let names = metadata
            .metadata()
            .as_ref()
            .and_then(|m| m.get("languages"));
        let classes: Vec<_> = names
            .ok_or("the metadata has no `languages`")?
            .split(' ')
            .map(str::to_owned)
            .collect();
        if classes.len() != CLASSES {
            return Err(format!("{} languages; expected {CLASSES}", classes.len()));
        }
        let file = File(SafeTensors::deserialize(bytes).map_err(broken)?);
        Ok(Self {
            ngrams: [
                file.rows("unigrams", ROWS[0] as usize)?,
                file.rows("bigrams", ROWS[1] as usize)?,
                file.rows("trigrams", ROWS[2] as usize)?,
                file.rows("quadgrams", ROWS[3] as usize)?,
            ],
            scripts: file.embeddings("scripts", GROUPS)?,
            script: file.embeddings("script", Script::COUNT)?,
            hidden: file.matrix("hidden", INPUTS)?,
            hidden_bias: file.bias("hidden.bias")?,
            softmax: file.matrix("softmax", HIDDEN)?,
            softmax_bias: file.bias("softmax.bias")?,
            classes,
        })
    }

    /// The score of each class; [`softmax`] converts them to probabilities.
    pub fn scores(&self, input: &[f32; INPUTS]) -> [f32; CLASSES] {
        let mut hidden = self.hidden_bias;
        for (&x, row) in input.iter().zip(&self.hidden) {
            for (to, weight) in hidden.iter_mut().zip(row) {
                *to += weight * x;
            }
        }
        let mut scores = self.softmax_bias;
        for (&x, row) in hidden.iter().zip(&self.softmax) {
            if x > 0.0 {
                for (to, weight) in scores.iter_mut().zip(row) {
                    *to += weight * x;
                }
            }
        }
        scores
    }
}

/// The row of an n-gram of `n + 1` characters.
#[inline]
pub fn row_of(n: usize, hash: u32) -> u16 {
    // Constants, so that the compiler needs no division.
    let at = match n {
        0 => hash % ROWS[0],
        1 => hash % ROWS[1],
        2 => hash % ROWS[2],
        _ => hash % ROWS[3],
    };
    at as u16
}

/// Converts scores to probabilities: they are positive and their sum is 1.
pub fn softmax(scores: &mut [f32; CLASSES]) {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for score in scores.iter_mut() {
        *score = libm::expf(*score - most);
    }
    let sum: f32 = scores.iter().sum();
    for score in scores.iter_mut() {
        *score /= sum;
    }
}

/// The class with the best score; of equal ones the first.
pub fn best(scores: &[f32; CLASSES]) -> usize {
    (0..CLASSES).fold(0, |best, i| match scores[i] > scores[best] {
        true => i,
        false => best,
    })
}

struct File<'b>(SafeTensors<'b>);

impl File<'_> {
    /// The bytes of a tensor.
    fn bytes(&self, name: &str, kind: Dtype, shape: &[usize]) -> Result<&[u8], String> {
        let tensor = self.0.tensor(name).map_err(|e| format!("`{name}`: {e}"))?;
        if tensor.shape() != shape || tensor.dtype() != kind {
            let (found, of) = (tensor.dtype(), tensor.shape());
            return Err(format!(
                "`{name}` is {found:?} {of:?}; expected {kind:?} {shape:?}"
            ));
        }
        Ok(tensor.data())
    }

    /// Bytes and their scale, row by row.
    fn quantized<const N: usize>(
        &self,
        name: &str,
        rows: usize,
    ) -> Result<impl Iterator<Item = ([u8; N], f32)>, String> {
        let weights = self.bytes(name, Dtype::U8, &[rows, N])?;
        let scales = self.bytes(&format!("{name}.scale"), Dtype::BF16, &[rows])?;
        let (weights, scales) = (weights.as_chunks::<N>().0, scales.as_chunks::<2>().0);
        let row = |(weights, scale): (&[u8; N], &[u8; 2])| {
            // The upper half of a number of 32 bits.
            let scale = f32::from_bits(u32::from(u16::from_le_bytes(*scale)) << 16);
            (*weights, scale)
        };
        Ok(weights.iter().zip(scales).map(row))
    }

    fn rows(&self, name: &str, rows: usize) -> Result<Vec<Row>, String> {
        let rows = self.quantized(name, rows)?;
        Ok(rows
            .map(|(weights, scale)| Row { weights, scale })
            .collect())
    }

    fn embeddings<const N: usize>(&self, name: &str, rows: usize) -> Result<Vec<[f32; N]>, String> {
        let rows = self.quantized(name, rows)?;
        Ok(rows
            .map(|(weights, scale)| weights.map(|w| Row::number(w, scale)))
            .collect())
    }

    fn matrix<const N: usize>(&self, name: &str, rows: usize) -> Result<Vec<[f32; N]>, String> {
        let bytes = self.bytes(name, Dtype::F32, &[rows, N])?;
        let numbers: Vec<_> = floats(bytes).collect();
        Ok(numbers.as_chunks::<N>().0.to_vec())
    }

    fn bias<const N: usize>(&self, name: &str) -> Result<[f32; N], String> {
        let bytes = self.bytes(name, Dtype::F32, &[N])?;
        let mut bias = [0.0; N];
        bias.iter_mut()
            .zip(floats(bytes))
            .for_each(|(to, n)| *to = n);
        Ok(bias)
    }
}

fn floats(bytes: &[u8]) -> impl Iterator<Item = f32> {
    bytes
        .as_chunks::<4>()
        .0
        .iter()
        .map(|&b| f32::from_le_bytes(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &[u8] = include_bytes!("../models/language.safetensors");

    #[test]
    fn the_file_that_ships_is_sound_and_others_are_refused() {
        assert_eq!(Network::from_bytes(FILE).unwrap().classes.len(), CLASSES);
        let cut = Network::from_bytes(&FILE[..FILE.len() - 1]).unwrap_err();
        assert!(cut.contains("not a valid safetensors file"), "{cut}");
        let changed = |from: &str, to: &str| {
            assert_eq!(from.len(), to.len());
            let at = FILE.windows(from.len()).position(|w| w == from.as_bytes());
            let mut bytes = FILE.to_vec();
            bytes[at.unwrap()..][..to.len()].copy_from_slice(to.as_bytes());
            Network::from_bytes(&bytes).unwrap_err()
        };
        for (from, to, says) in [
            (
                "[1000,16]",
                "[16,1000]",
                "`bigrams` is U8 [16, 1000]; expected",
            ),
            ("\"languages\"", "\"lumguages\"", "no `languages`"),
            (" pa ku\"", " pa-ku\"", "108 languages; expected 109"),
            ("\"softmax\"", "\"saftmax\"", "`softmax`"),
        ] {
            let error = changed(from, to);
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn probabilities_sum_to_one_and_equal_scores_share() {
        let mut scores = [1000.0; CLASSES];
        softmax(&mut scores);
        assert!(
            scores
                .iter()
                .all(|p| (p * CLASSES as f32 - 1.0).abs() < 1e-5)
        );
        assert_eq!(best(&scores), 0);
    }
}
