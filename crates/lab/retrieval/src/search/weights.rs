//! The weight of a term, by the field it is in.
//!
//! Written as `title=2,0=0.5,0.1=1,0.5=2,0.9=3:0.6`: the title, and each band by its lower bound. `anchors` are the
//! texts of the links to the page. `body` is title and text as one field, without bands. The number after a colon is
//! the length normalisation in that field, for BM25.

use super::model::Model;
use crate::index::IndexSettings;
use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;
use warcsieve_common::{Error, Result};

/// The weight of a field.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FieldWeight {
    /// The weight of a term in this field, 0 or more.
    pub weight: f64,
    /// Length normalisation in this field for BM25, 0 to 1. `None` stands for that of the model.
    pub b: Option<f64>,
}

impl FieldWeight {
    /// A weight with the model's normalisation.
    pub const fn of(weight: f64) -> Self {
        Self { weight, b: None }
    }
}

/// The weights of the fields.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weights {
    /// The weight of the title.
    pub title: FieldWeight,
    /// The weight of title and text as one field.
    pub body: FieldWeight,
    /// The weight of the texts of links to the page.
    pub anchors: FieldWeight,
    /// By lower bound of a band, ascending.
    pub bands: Vec<(f32, FieldWeight)>,
}

impl Weights {
    /// The weights that ship for a model, for [`Bands::usual`](crate::index::Bands::usual). `docs/reproduction/judged.md`
    /// says how they were chosen.
    pub fn soft(model: Model) -> Self {
        let (title, bands) = match model {
            Model::Bm25 { .. } => SOFT_BM25,
            Model::QueryLikelihood { .. } | Model::TfIdf => SOFT_LIKELIHOOD,
        };
        let bands = bands.map(|(from, weight)| (from, FieldWeight::of(weight)));
        Self {
            title: FieldWeight::of(title),
            bands: bands.to_vec(),
            ..Self::default()
        }
    }

    /// The weight of the band that begins here; 0 if it has none.
    pub fn band(&self, from: f32) -> FieldWeight {
        let found = self.bands.iter().find(|(bound, _)| *bound == from);
        found.map(|(_, by)| *by).unwrap_or_default()
    }

    /// Rejects weights of fields that the index does not have, and weights by which nothing counts or something counts
    /// twice.
    ///
    /// # Errors
    /// [`Error::Invalid`].
    pub fn check(&self, settings: &IndexSettings) -> Result<()> {
        let bands = &settings.bands;
        let counts = |by: &FieldWeight| by.weight > 0.0;
        let refuse = |why: &str| Err(Error::Invalid(why.to_owned()));
        if bands.is_empty() && !self.bands.is_empty() {
            return refuse("the index has no bands to weigh; index with --bands");
        }
        if counts(&self.anchors) && settings.anchors.is_none() {
            return refuse("the index has no anchors to weigh; index with --anchors");
        }
        let any_band = self.bands.iter().any(|(_, by)| counts(by));
        if counts(&self.body) && (any_band || settings.title && counts(&self.title)) {
            return refuse(
                "`body` contains title and bands; give a weight to `body` or to these, not to both",
            );
        }
        if let Some((from, _)) = self.bands.iter().find(|(from, _)| !bands.0.contains(from)) {
            let bounds: Vec<_> = bands.0.iter().map(f32::to_string).collect();
            return Err(Error::Invalid(format!(
                "the index has no band from {from}; its bands begin at {}",
                bounds.join(", ")
            )));
        }
        let any = [&self.title, &self.body, &self.anchors]
            .into_iter()
            .any(counts)
            || any_band;
        match any {
            true => Ok(()),
            false => refuse("all weights are 0"),
        }
    }
}

/// The weights of a term in the title and in each band in the preset `soft`.
type Soft = (f64, [(f32, f64); 4]);
/// A mixture gives the title of a few terms as much as a long text, so its weight is small.
const SOFT_LIKELIHOOD: Soft = (0.1, [(0.0, 0.1), (0.1, 0.1), (0.5, 2.0), (0.9, 3.0)]);
const SOFT_BM25: Soft = (3.0, [(0.0, 0.0), (0.1, 0.5), (0.5, 1.0), (0.9, 1.0)]);

impl FromStr for Weights {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut weights = Self::default();
        let mut seen = HashSet::new();
        for part in text.split(',') {
            let (field, value) = part.split_once('=').ok_or_else(|| {
                format!(
                    "`{part}` is not like `title=2` or `0.5=1`; for the preset write only `soft`"
                )
            })?;
            let (weight, b) = match value.split_once(':') {
                Some((weight, b)) => (weight, Some(number(b, 1.0)?)),
                None => (value, None),
            };
            let by = FieldWeight {
                weight: number(weight, 1e6)?,
                b,
            };
            let named = match field {
                "title" => Some(&mut weights.title),
                "body" => Some(&mut weights.body),
                "anchors" => Some(&mut weights.anchors),
                _ => None,
            };
            if let Some(named) = named {
                if !seen.insert(field) {
                    return Err(format!("{field} is given twice"));
                }
                *named = by;
                continue;
            }
            let from: f32 = field.parse().map_err(|_| {
                format!("`{field}` is not title, body or anchors, and not the beginning of a band")
            })?;
            if weights.bands.iter().any(|(bound, _)| *bound == from) {
                return Err(format!("the band from {from} is given twice"));
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
        for (name, by) in [("body", &self.body), ("anchors", &self.anchors)] {
            if *by != FieldWeight::default() {
                write(&name, by, ",")?;
            }
        }
        (self.bands.iter()).try_for_each(|(from, by)| write(from, by, ","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Bands;

    fn with(bands: Bands) -> IndexSettings {
        IndexSettings {
            bands,
            ..IndexSettings::default()
        }
    }

    #[test]
    fn weights_are_read_as_they_are_written() {
        for text in [
            "title=2,0=0.5,0.9=3:0.6",
            "title=0,0.1=1",
            "title=0,body=1,anchors=0.5:0",
        ] {
            let weights: Weights = text.parse().unwrap();
            assert_eq!(weights.to_string(), text);
        }
        for model in [Model::BM25, Model::QUERY_LIKELIHOOD] {
            let soft = Weights::soft(model);
            soft.check(&with(Bands::usual())).unwrap();
            assert_eq!(soft.to_string().parse(), Ok(soft));
        }
    }

    #[test]
    fn errors_are_reported() {
        for (text, word) in [
            ("", "not like"),
            ("title", "not like"),
            ("text=1", "is not title"),
            ("0=-1", "not a number"),
            ("0=x", "not a number"),
            ("0=NaN", "not a number"),
            ("0=1:2", "from 0 to 1"),
            ("0=1,0.0=2", "twice"),
            ("title=1,title=2", "twice"),
            ("anchors=1,anchors=2", "twice"),
        ] {
            let error = text.parse::<Weights>().unwrap_err();
            assert!(error.contains(word), "{text}: {error}");
        }
        let of = |text: &str| text.parse::<Weights>().unwrap();
        let banded = with(Bands::usual());
        for wrong in ["0.2=1", "0=0,title=0", "anchors=1", "body=1,0=1"] {
            assert!(of(wrong).check(&banded).is_err(), "{wrong}");
        }
        assert!(of("0=1").check(&with(Bands::default())).is_err());
        of("title=1").check(&with(Bands::default())).unwrap();
    }
}
