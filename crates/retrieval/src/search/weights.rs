//! How much a term counts by where it stands.
//!
//! Written as `title=2,0=0.5,0.1=1,0.5=2,0.9=3:0.6`: the title, and each band by its lower bound; after a colon is the
//! normalisation of length in that field, for BM25.

use crate::index::Bands;
use std::fmt;
use std::str::FromStr;
use warcsieve_base::{Error, Result};

/// The weight of a field.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FieldWeight {
    /// What a term here counts, 0 or more.
    pub weight: f64,
    /// Length normalisation in this field for BM25, 0 to 1; `None` is that of the model.
    pub b: Option<f64>,
}

impl FieldWeight {
    /// A weight with the model's normalisation.
    pub const fn of(weight: f64) -> Self {
        Self { weight, b: None }
    }
}

/// The weights of the title and of each band.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weights {
    /// Of the title.
    pub title: FieldWeight,
    /// By lower bound of a band, ascending.
    pub bands: Vec<(f32, FieldWeight)>,
}

impl Weights {
    /// The weights that ship, for [`Bands::usual`]. `docs/reproduction/soft.md` says how they were chosen.
    pub fn soft() -> Self {
        let bands = SOFT.map(|(from, weight)| (from, FieldWeight::of(weight)));
        Self {
            title: FieldWeight::of(SOFT_TITLE),
            bands: bands.to_vec(),
        }
    }

    /// The weight of the band that begins here; 0 if it has none.
    pub fn band(&self, from: f32) -> FieldWeight {
        let found = self.bands.iter().find(|(bound, _)| *bound == from);
        found.map(|(_, by)| *by).unwrap_or_default()
    }

    /// Refuses weights of bands that an index has not, and those by which nothing counts.
    ///
    /// # Errors
    /// [`Error::Usage`].
    pub fn check(&self, bands: &Bands) -> Result<()> {
        if bands.is_empty() {
            let why = "the index has no bands to weigh; index with --bands";
            return Err(Error::Usage(why.to_owned()));
        }
        if let Some((from, _)) = self.bands.iter().find(|(from, _)| !bands.0.contains(from)) {
            let bounds: Vec<_> = bands.0.iter().map(f32::to_string).collect();
            return Err(Error::Usage(format!(
                "the index has no band from {from}; its bands begin at {}",
                bounds.join(", ")
            )));
        }
        let counts = |by: &FieldWeight| by.weight > 0.0;
        match counts(&self.title) || self.bands.iter().any(|(_, by)| counts(by)) {
            true => Ok(()),
            false => Err(Error::Usage("all weights are 0".to_owned())),
        }
    }
}

/// What a term counts in the title and in each band by the preset `soft`. That of the title is not learned: titles are
/// what the experiment asks for.
const SOFT_TITLE: f64 = 1.0;
const SOFT: [(f32, f64); 4] = [(0.0, 0.25), (0.1, 0.25), (0.5, 0.5), (0.9, 1.5)];

impl FromStr for Weights {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "soft" {
            return Ok(Self::soft());
        }
        let mut weights = Self::default();
        let mut has_title = false;
        for part in text.split(',') {
            let (field, value) = part.split_once('=').ok_or_else(|| {
                format!("`{part}` is not like `title=2` or `0.5=1`; or write `soft` alone")
            })?;
            let (weight, b) = match value.split_once(':') {
                Some((weight, b)) => (weight, Some(number(b, 1.0)?)),
                None => (value, None),
            };
            let by = FieldWeight {
                weight: number(weight, 1e6)?,
                b,
            };
            if field == "title" {
                if std::mem::replace(&mut has_title, true) {
                    return Err("title is there twice".to_owned());
                }
                weights.title = by;
                continue;
            }
            let from: f32 = field
                .parse()
                .map_err(|_| format!("`{field}` is neither title nor where a band begins"))?;
            if weights.bands.iter().any(|(bound, _)| *bound == from) {
                return Err(format!("the band from {from} is there twice"));
            }
            weights.bands.push((from, by));
        }
        weights.bands.sort_by(|a, b| a.0.total_cmp(&b.0));
        Ok(weights)
    }
}

fn number(text: &str, most: f64) -> Result<f64, String> {
    let number = text.parse().ok().filter(|n| (0.0..=most).contains(n));
    number.ok_or_else(|| format!("`{text}` is not a number from 0 to {most}"))
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut write = |name: &dyn fmt::Display, by: &FieldWeight, last: &str| {
            write!(f, "{last}{name}={}", by.weight)?;
            match by.b {
                Some(b) => write!(f, ":{b}"),
                None => Ok(()),
            }
        };
        write(&"title", &self.title, "")?;
        (self.bands.iter()).try_for_each(|(from, by)| write(from, by, ","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_read_as_they_are_written() {
        for text in ["title=2,0=0.5,0.9=3:0.6", "title=0,0.1=1"] {
            let weights: Weights = text.parse().unwrap();
            assert_eq!(weights.to_string(), text);
        }
        let soft: Weights = "soft".parse().unwrap();
        soft.check(&Bands::usual()).unwrap();
        assert_eq!(soft.to_string().parse(), Ok(soft));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, word) in [
            ("", "not like"),
            ("title", "not like"),
            ("body=1", "neither title"),
            ("0=-1", "not a number"),
            ("0=x", "not a number"),
            ("0=NaN", "not a number"),
            ("0=1:2", "from 0 to 1"),
            ("0=1,0.0=2", "twice"),
            ("title=1,title=2", "twice"),
        ] {
            let error = text.parse::<Weights>().unwrap_err();
            assert!(error.contains(word), "{text}: {error}");
        }
        let of = |text: &str| text.parse::<Weights>().unwrap();
        let bands = Bands::usual();
        assert!(of("0.2=1").check(&bands).is_err());
        assert!(of("0=0,title=0").check(&bands).is_err());
        assert!(of("title=1").check(&Bands::default()).is_err());
    }
}
