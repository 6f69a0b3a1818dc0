//! Published settings for shingles and bands, by name.

use warcsieve_common::did_you_mean;

/// What shingles are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shingle {
    /// This many words.
    Words(usize),
    /// This many code points.
    Chars(usize),
}

/// How near duplicates are searched for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scheme {
    /// What shingles are made of.
    pub shingle: Shingle,
    /// Bands of a signature.
    pub bands: usize,
    /// Rows of a band.
    pub rows: usize,
    /// The least Jaccard similarity at which candidates count as duplicates.
    pub jaccard: f64,
}

impl Scheme {
    const fn words(words: usize, bands: usize, rows: usize, jaccard: f64) -> Self {
        Self {
            shingle: Shingle::Words(words),
            bands,
            rows,
            jaccard,
        }
    }

    /// The scheme with this name, or of a text such as `14x8w5` or `20x13c24`: bands, rows, and
    /// words or code points per shingle.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn named(text: &str) -> Result<Self, String> {
        if let Some((_, scheme, _)) = SCHEMES.iter().find(|(name, ..)| *name == text) {
            return Ok(*scheme);
        }
        own(text).ok_or_else(|| {
            let names = SCHEMES.map(|(name, ..)| name);
            format!(
                "no scheme `{text}`{}; there are {}, or write your own, such as 14x8w5: bands, rows, words \
                 of a shingle (c for characters)",
                did_you_mean(text, names),
                names.join(", ")
            )
        })
    }

    /// The probability that two texts with this similarity become candidates.
    pub fn probability(&self, jaccard: f64) -> f64 {
        let power = |base: f64, n: usize| (0..n).fold(1.0, |product, _| product * base);
        1.0 - power(1.0 - power(jaccard, self.rows), self.bands)
    }
}

fn own(text: &str) -> Option<Scheme> {
    let (bands, rest) = text.split_once('x')?;
    let kind = rest.find(['w', 'c'])?;
    let (rows, size) = (&rest[..kind], &rest[kind + 1..]);
    let number = |text: &str, most| text.parse().ok().filter(|n| (1..=most).contains(n));
    let size = number(size, 100)?;
    Some(Scheme {
        shingle: match rest[kind..].starts_with('w') {
            true => Shingle::Words(size),
            false => Shingle::Chars(size),
        },
        bands: number(bands, 1000)?,
        rows: number(rows, 100)?,
        jaccard: 0.8,
    })
}

/// The schemes with names, and who published them. The least similarity is our choice, because none
/// of the sources verifies candidates.
pub const SCHEMES: [(&str, Scheme, &str); 4] = [
    (
        "fineweb",
        Scheme::words(5, 14, 8, 0.75),
        "Penedo et al. 2024; datatrove's default",
    ),
    (
        "refinedweb",
        Scheme::words(5, 450, 20, 0.8),
        "Penedo et al. 2023, appendix G.3.1",
    ),
    (
        "dclm",
        Scheme::words(5, 93, 15, 0.8),
        "Li et al. 2024, of its ablations",
    ),
    (
        "nemo",
        Scheme {
            shingle: Shingle::Chars(24),
            bands: 20,
            rows: 13,
            jaccard: 0.8,
        },
        "NeMo Curator's default",
    ),
];
