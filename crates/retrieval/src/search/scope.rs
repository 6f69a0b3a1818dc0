//! Which fields of an index are searched: one, those of a sliding threshold from a step on, or weighted bands.

use super::weights::{FieldWeight, Weights};
use crate::index::IndexSettings;
use crate::index::fields::{Fields, TextField};
use crate::index::parts::Part;
use warcsieve_base::{Error, Result};

/// The searched part of pages.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Scope {
    /// Title and text.
    #[default]
    Body,
    /// Only the title.
    Title,
    /// Blocks of at least this many words.
    MinWords {
        /// The words.
        words: u32,
        /// The title, too.
        title: bool,
    },
    /// Blocks of at least this text density.
    MinDensity {
        /// The density.
        density: f32,
        /// The title, too.
        title: bool,
    },
    /// Title and bands of score, each with its weight.
    Weighted(Weights),
}

/// The fields that a scope searches.
#[derive(Clone, Debug)]
pub(super) struct ScopeFields {
    pub fields: Vec<TextField>,
    /// Of each field; empty if they are searched as one text.
    pub weights: Vec<FieldWeight>,
    /// A field that has each term as often as all of these together, if there is one.
    pub whole: Option<TextField>,
}

impl Scope {
    /// The fields that are searched.
    ///
    /// # Errors
    /// [`Error::Usage`] if the index has no such threshold or bands.
    pub(super) fn fields(&self, fields: &Fields, settings: &IndexSettings) -> Result<ScopeFields> {
        let sliding = &settings.sliding;
        let (found, title) = match self {
            Self::Body => (std::slice::from_ref(&fields.body), false),
            Self::Title => (std::slice::from_ref(&fields.title), false),
            Self::MinWords { words, title } => (
                from_step(&sliding.words, words, &fields.words, "words")?,
                *title,
            ),
            Self::MinDensity { density, title } => (
                from_step(&sliding.density, density, &fields.density, "text density")?,
                *title,
            ),
            Self::Weighted(weights) => return weighted(weights, fields, settings),
        };
        let title = title.then_some(&fields.title);
        Ok(ScopeFields {
            fields: title.into_iter().chain(found).cloned().collect(),
            weights: Vec::new(),
            whole: match found {
                [only] if title.is_none() => Some(only.clone()),
                _ => None,
            },
        })
    }

    /// How much a term of a block counts.
    pub(super) fn weight_of(&self, part: &Part, settings: &IndexSettings) -> f64 {
        let is = |is: bool| f64::from(u8::from(is));
        match self {
            Self::Body => 1.0,
            Self::Title => 0.0,
            Self::MinWords { words, .. } => is(part.words >= *words),
            Self::MinDensity { density, .. } => is(part.density >= *density),
            Self::Weighted(weights) => {
                let band = settings.bands.of(part.score);
                band.map_or(0.0, |band| weights.band(settings.bands.0[band]).weight)
            }
        }
    }

    /// How much a term of the title counts.
    pub(super) fn weight_of_title(&self, settings: &IndexSettings) -> f64 {
        let counts = match self {
            Self::Body => settings.title,
            Self::Title => true,
            Self::MinWords { title, .. } | Self::MinDensity { title, .. } => *title,
            Self::Weighted(weights) => return weights.title.weight,
        };
        f64::from(u8::from(counts))
    }
}

/// Fields that do not count are left out.
fn weighted(weights: &Weights, fields: &Fields, settings: &IndexSettings) -> Result<ScopeFields> {
    weights.check(&settings.bands)?;
    let bands = fields.bands.iter().zip(&settings.bands.0);
    let bands = bands.map(|(field, &from)| (field, weights.band(from)));
    let all: Vec<_> = std::iter::once((&fields.title, weights.title))
        .chain(bands)
        .collect();
    let has_all_bands = all[1..].iter().all(|(_, by)| by.weight > 0.0);
    let has_title = all[0].1.weight > 0.0;
    let (fields_used, weights) = (all.into_iter())
        .filter(|(_, by)| by.weight > 0.0)
        .map(|(field, by)| (field.clone(), by))
        .unzip();
    Ok(ScopeFields {
        fields: fields_used,
        weights,
        whole: (has_all_bands && has_title == settings.title).then(|| fields.body.clone()),
    })
}

fn from_step<'f, T: PartialEq + std::fmt::Display>(
    steps: &[T],
    step: &T,
    fields: &'f [TextField],
    what: &str,
) -> Result<&'f [TextField]> {
    if let Some(i) = steps.iter().position(|s| s == step) {
        return Ok(&fields[i..]);
    }
    let steps: Vec<String> = steps.iter().map(T::to_string).collect();
    Err(Error::Usage(match &steps[..] {
        [] => format!("the index has no sliding threshold of {what}; index with --sliding"),
        steps => format!(
            "the index has no step at {what} {step}; its steps are {}",
            steps.join(", ")
        ),
    }))
}
