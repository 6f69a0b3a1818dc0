//! Which fields of an index are searched: one, or those of a sliding threshold from a step on.

use crate::index::IndexSettings;
use crate::index::fields::{Fields, TextField};
use warcsieve_base::{Error, Result};

/// The searched part of pages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Scope {
    /// Title and text.
    #[default]
    Body,
    /// Only the title.
    Title,
    /// Blocks of at least this many words.
    MinWords(u32),
    /// Blocks of at least this text density.
    MinDensity(f32),
}

impl Scope {
    /// The fields that are searched as one text.
    ///
    /// # Errors
    /// [`Error::Usage`] if the index has no such threshold.
    pub fn fields<'f>(
        self,
        fields: &'f Fields,
        settings: &IndexSettings,
    ) -> Result<&'f [TextField]> {
        let sliding = &settings.sliding;
        match self {
            Self::Body => Ok(std::slice::from_ref(&fields.body)),
            Self::Title => Ok(std::slice::from_ref(&fields.title)),
            Self::MinWords(n) => from_step(&sliding.words, &n, &fields.words, "words"),
            Self::MinDensity(d) => from_step(&sliding.density, &d, &fields.density, "text density"),
        }
    }
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
