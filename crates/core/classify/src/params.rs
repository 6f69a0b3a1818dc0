//! The parameters of a step: what a `[[step]]` table holds besides the method's name.

mod files;

pub use files::{Files, Models, TableNeeds};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::DeTable;
use warcsieve_common::{Error, did_you_mean, line_of};

/// Parameters of one step, to be read by its method.
pub struct StepParams<'i> {
    pub(crate) table: Spanned<DeTable<'i>>,
    pub(crate) files: &'i mut Files,
}

/// What is wrong with a pipeline file, and where.
#[derive(Debug)]
pub struct ParamError {
    pub(crate) start: usize,
    pub(crate) message: String,
    /// The error of the system, where that keeps a file from being read.
    pub(crate) system: Option<Error>,
}

impl std::fmt::Display for ParamError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<toml::de::Error> for ParamError {
    fn from(error: toml::de::Error) -> Self {
        Self {
            start: error.span().map_or(0, |s| s.start),
            message: with_suggestion(&error.message().replace('\n', "; ")),
            system: None,
        }
    }
}

/// Adds to "unknown field `x`, expected one of `y`, `z`" which of them was probably meant.
fn with_suggestion(message: &str) -> String {
    let is_list = ["unknown field", "unknown variant"];
    let mut names = message.split('`').skip(1).step_by(2);
    let unknown = names
        .next()
        .filter(|_| is_list.iter().any(|l| message.starts_with(l)));
    let Some((unknown, (begin, rest))) = unknown.zip(message.split_once("`,")) else {
        return message.to_owned();
    };
    format!("{begin}`{},{rest}", did_you_mean(unknown, names))
}

impl ParamError {
    /// The error, with its line in the pipeline file `file` with this text.
    pub fn in_file(self, file: &str, text: &str) -> Error {
        self.system.unwrap_or_else(|| Error::Pipeline {
            file: file.to_owned(),
            line: line_of(text, self.start),
            message: self.message,
        })
    }

    /// An error at a value.
    pub fn at<T>(value: &Spanned<T>, message: String) -> Self {
        Self {
            start: value.span().start,
            message,
            system: None,
        }
    }
}

/// Declares the parameters of a step as `struct Params`, each with its default: `words: u32 = 10,`.
#[macro_export]
macro_rules! step_params {
    ($($parameters:tt)*) => {
        warcsieve_common::with_defaults! {
            #[derive(Clone, serde::Deserialize)]
            #[serde(deny_unknown_fields, default)]
            struct Params {
                $($parameters)*
            }
        }
    };
}

impl<'i> StepParams<'i> {
    /// For steps that have no parameters.
    ///
    /// # Errors
    /// There is a parameter.
    pub fn expect_none(self) -> Result<(), ParamError> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct None {}
        self.read().map(|None {}| ())
    }

    /// Reads the parameters; keys that `P` does not know are errors.
    ///
    /// # Errors
    /// The first key or value that does not fit.
    pub fn read<P: DeserializeOwned>(self) -> Result<P, ParamError> {
        Ok(self.read_with_files()?.0)
    }

    /// Like [`StepParams::read`], for steps whose parameters name files.
    ///
    /// # Errors
    /// The first key or value that does not fit.
    pub fn read_with_files<P: DeserializeOwned>(self) -> Result<(P, &'i mut Files), ParamError> {
        let params = P::deserialize(toml::Deserializer::from(self.table))?;
        Ok((params, self.files))
    }

    /// Like [`Self::read`], and rejects values that contradict each other: `check` returns the keys
    /// concerned and the fault. The error has the line of the first of these keys that is in the
    /// file.
    ///
    /// # Errors
    /// The first key or value that does not fit.
    pub fn read_checked<P: DeserializeOwned>(
        self,
        check: impl Fn(&P) -> Result<(), (&'static [&'static str], String)>,
    ) -> Result<P, ParamError> {
        let table = self.table.get_ref();
        let starts: Vec<_> = table
            .iter()
            .map(|(key, _)| (key.get_ref().to_string(), key.span().start))
            .collect();
        let params = self.read()?;
        check(&params).map_err(|(keys, message)| {
            let written = |key: &&str| starts.iter().find(|(k, _)| k == key);
            ParamError {
                start: keys.iter().find_map(written).map_or(0, |(_, start)| *start),
                message,
                system: None,
            }
        })?;
        Ok(params)
    }
}

/// A parameter from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "f64")]
pub struct Share(f64);

impl Share {
    /// A default.
    ///
    /// # Panics
    /// If `value` is not within 0 to 1.
    pub const fn of(value: f64) -> Self {
        assert!(value >= 0.0 && value <= 1.0);
        Self(value)
    }

    /// The value.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Share {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        if (0.0..=1.0).contains(&value) {
            Ok(Self(value))
        } else {
            Err(format!("{value} is not within 0 to 1"))
        }
    }
}

/// A whole-number parameter from 0 to `MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "u32")]
pub struct AtMost<const MAX: u32>(u32);

impl<const MAX: u32> AtMost<MAX> {
    /// A default.
    pub const fn of(value: u32) -> Self {
        assert!(value <= MAX);
        Self(value)
    }

    /// The value.
    pub fn get(self) -> u32 {
        self.0
    }
}

impl<const MAX: u32> TryFrom<u32> for AtMost<MAX> {
    type Error = String;

    fn try_from(value: u32) -> Result<Self, String> {
        if value <= MAX {
            Ok(Self(value))
        } else {
            Err(format!("{value} is above {MAX}"))
        }
    }
}
