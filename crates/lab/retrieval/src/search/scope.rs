//! Which fields of an index are searched: one field, those of a sliding threshold from a step on, or weighted bands.

use super::weights::{FieldWeight, Weights};
use crate::index::IndexSettings;
use crate::index::fields::{Fields, TextField};
use crate::index::parts::Part;
use warcsieve_common::{Error, Result};

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
        /// Whether the title is searched, too.
        title: bool,
    },
    /// Blocks of at least this text density.
    MinDensity {
        /// The density.
        density: f32,
        /// Whether the title is searched, too.
        title: bool,
    },
    /// Title, text (or its bands of score), and anchors, each with its weight.
    Weighted(Weights),
}

/// The fields that a scope searches.
#[derive(Clone, Debug)]
pub(super) struct ScopeFields {
    pub fields: Vec<TextField>,
    /// One weight per field; empty if they are searched as one text.
    pub weights: Vec<FieldWeight>,
    /// A field that contains each term as often as all of these together, if there is one.
    pub whole: Option<TextField>,
}

impl Scope {
    /// The fields that are searched.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the index has no such threshold or bands.
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

    /// The weight of a term of the text, if it is the same everywhere.
    pub(super) fn weight_of_text(&self) -> Option<f64> {
        match self {
            Self::Body => Some(1.0),
            Self::Weighted(weights) if weights.body.weight > 0.0 => Some(weights.body.weight),
            _ => None,
        }
    }

    /// The weight of a term of a block.
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

    /// The weight of a term of the title.
    pub(super) fn weight_of_title(&self, settings: &IndexSettings) -> f64 {
        let counts = match self {
            Self::Body => settings.title,
            Self::Title => true,
            Self::MinWords { title, .. } | Self::MinDensity { title, .. } => *title,
            Self::Weighted(weights) => {
                let in_body = if settings.title {
                    weights.body.weight
                } else {
                    0.0
                };
                return weights.title.weight + in_body;
            }
        };
        f64::from(u8::from(counts))
    }
}

/// Fields with weight 0 are left out.
fn weighted(weights: &Weights, fields: &Fields, settings: &IndexSettings) -> Result<ScopeFields> {
    weights.check(settings)?;
    let bands = fields.bands.iter().zip(&settings.bands.0);
    let bands: Vec<_> = bands
        .map(|(field, &from)| (field, weights.band(from)))
        .collect();
    let counts = |by: &FieldWeight| by.weight > 0.0;
    let has_all = !bands.is_empty() && bands.iter().all(|(_, by)| counts(by));
    let is_body = counts(&weights.body) || has_all && counts(&weights.title) == settings.title;
    let anchors = fields
        .anchors
        .as_ref()
        .map(|(field, _)| (field, weights.anchors));
    let named = [(&fields.title, weights.title), (&fields.body, weights.body)];
    let all = named.into_iter().chain(anchors).chain(bands);
    let (fields_used, weights_used) = all
        .filter(|(_, by)| counts(by))
        .map(|(field, by)| (field.clone(), by))
        .unzip();
    Ok(ScopeFields {
        fields: fields_used,
        weights: weights_used,
        whole: (is_body && !counts(&weights.anchors)).then(|| fields.body.clone()),
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
    Err(Error::Invalid(match &steps[..] {
        [] => format!("the index has no sliding threshold of {what}; index with --sliding"),
        steps => format!(
            "the index has no step at {what} {step}; its steps are {}",
            steps.join(", ")
        ),
    }))
}
