//! What a `[[step]]` table holds beside the method's name.

use super::Files;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::DeTable;

/// Parameters of one step, still to be read by its method.
pub struct StepParams<'i> {
    pub(super) table: Spanned<DeTable<'i>>,
    pub(super) files: &'i mut Files,
}

/// What is wrong with a pipeline file, and where.
#[derive(Debug)]
pub struct ParamError {
    pub(super) start: usize,
    pub(super) message: String,
}

impl From<toml::de::Error> for ParamError {
    fn from(error: toml::de::Error) -> Self {
        Self {
            start: error.span().map_or(0, |s| s.start),
            message: error.message().replace('\n', "; "),
        }
    }
}

impl ParamError {
    /// What is wrong with a value.
    pub fn at<T>(value: &Spanned<T>, message: String) -> Self {
        Self {
            start: value.span().start,
            message,
        }
    }
}

impl<'i> StepParams<'i> {
    /// Reads the parameters; keys that `P` does not know are errors.
    ///
    /// # Errors
    /// The first key or value that does not fit.
    pub fn read<P: DeserializeOwned>(self) -> Result<P, ParamError> {
        Ok(self.read_with_files()?.0)
    }

    /// As [`StepParams::read`], for steps whose parameters name files.
    ///
    /// # Errors
    /// The first key or value that does not fit.
    pub fn read_with_files<P: DeserializeOwned>(self) -> Result<(P, &'i mut Files), ParamError> {
        let params = P::deserialize(toml::Deserializer::from(self.table))?;
        Ok((params, self.files))
    }

    /// As [`Self::read`], and refuses values that make no sense together: `check`
    /// gives the keys concerned, of which the first that is written is named by its
    /// line, and why.
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
    /// A published default.
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

/// A whole-number parameter from 0 to `MOST`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "u32")]
pub struct AtMost<const MOST: u32>(u32);

impl<const MOST: u32> AtMost<MOST> {
    /// A default.
    pub const fn of(value: u32) -> Self {
        assert!(value <= MOST);
        Self(value)
    }

    /// The value.
    pub fn get(self) -> u32 {
        self.0
    }
}

impl<const MOST: u32> TryFrom<u32> for AtMost<MOST> {
    type Error = String;

    fn try_from(value: u32) -> Result<Self, String> {
        if value <= MOST {
            Ok(Self(value))
        } else {
            Err(format!("{value} is above {MOST}"))
        }
    }
}

/// The line, from 1, that a byte of the text is in.
pub(crate) fn line_of(text: &str, offset: usize) -> usize {
    1 + text.as_bytes()[..offset.min(text.len())]
        .iter()
        .filter(|&&b| b == b'\n')
        .count()
}
