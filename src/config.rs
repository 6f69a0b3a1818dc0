//! The pipeline file: TOML that names the steps and the choices around them.
//!
//! Top-level keys are the fields of [`Settings`]; each `[[step]]` table names a
//! method and its parameters. Unknown keys are errors with their line.

use crate::classify::{Chain, METHODS, Method, Names};
use crate::error::{Error, Result};
use crate::html::{Segmentation, Segmenter, SegmenterOptions};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Pipelines that ship with the program, by the name `--pipeline` takes.
pub const BUILT_IN: &[(&str, &str)] = &[
    ("default", include_str!("../pipelines/default.toml")),
    ("density", include_str!("../pipelines/density.toml")),
    ("numwords", include_str!("../pipelines/numwords.toml")),
    ("keep-all", include_str!("../pipelines/keep-all.toml")),
    ("min-words", include_str!("../pipelines/min-words.toml")),
    ("justext", include_str!("../pipelines/justext.toml")),
];

/// Everything a pipeline file sets beside its steps.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Overrides the segmentation of the first step's method.
    pub segmentation: Option<Segmentation>,
    /// Record types that can be pages.
    pub records: Vec<PageRecord>,
    /// Take pages of any HTTP status; by default 200 to 299 only.
    pub any_status: bool,
    /// Take payloads of any media type as HTML (plain text stays text); by default HTML, XHTML
    /// and plain text only.
    pub any_content_type: bool,
    /// Largest page in bytes, as stored, as decoded and in UTF-8; larger ones are skipped
    /// as `too_large`.
    pub max_page_bytes: usize,
    /// Most elements of a page, and most blocks; pages with more are skipped as `too_large`.
    pub max_elements: usize,
    /// Deepest element; deeper ones are attached to their ancestor at this depth.
    pub max_depth: usize,
    /// Which blocks' text the `blocks` shard holds.
    pub block_text: BlockText,
    /// Which feature columns the `blocks` shard holds.
    pub features: FeatureSet,
    /// Write the `blocks` shard at all.
    pub blocks: bool,
    /// zstd level of the Parquet pages, 1 to 22.
    pub zstd: i32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            segmentation: None,
            records: vec![PageRecord::Response, PageRecord::Resource],
            any_status: false,
            any_content_type: false,
            max_page_bytes: 16 << 20,
            max_elements: 1_000_000,
            max_depth: 512,
            block_text: BlockText::All,
            features: FeatureSet::Core,
            blocks: true,
            zstd: 1,
        }
    }
}

/// Record types that can hold a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageRecord {
    /// An HTTP response.
    Response,
    /// A payload without an HTTP header.
    Resource,
    /// A payload that was converted from another record's.
    Conversion,
}

/// Blocks whose text is written to the `blocks` shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockText {
    /// Every block.
    All,
    /// Blocks that `documents.text` does not hold.
    Boilerplate,
    /// No block; the column is null.
    None,
}

/// Feature columns of the `blocks` shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FeatureSet {
    /// No features.
    None,
    /// Counts of the block and the two densities.
    Core,
}

/// A pipeline file, read and checked.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// File name, or the name of a built-in pipeline.
    pub name: String,
    /// Everything beside the steps.
    pub settings: Settings,
    /// The one segmentation of all steps.
    pub segmentation: Segmentation,
    /// Names of the steps' methods, in order, joined by `+`.
    pub method: String,
    /// sha256 of the file's bytes, in hex.
    pub hash: String,
    text: String,
}

/// Parameters of one step, still to be read by its method.
pub struct StepParams<'i>(Spanned<DeTable<'i>>);

/// What is wrong with a pipeline file, and where.
#[derive(Debug)]
pub struct ParamError {
    start: usize,
    message: String,
}

impl From<toml::de::Error> for ParamError {
    fn from(error: toml::de::Error) -> Self {
        Self {
            start: error.span().map_or(0, |s| s.start),
            message: error.message().replace('\n', "; "),
        }
    }
}

impl StepParams<'_> {
    /// Reads the parameters; keys that `P` does not know are errors.
    ///
    /// # Errors
    /// The first key or value that does not fit.
    pub fn read<P: DeserializeOwned>(self) -> Result<P, ParamError> {
        Ok(P::deserialize(toml::Deserializer::from(self.0))?)
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

impl Pipeline {
    /// Reads a pipeline and builds it once, so that whatever can be wrong with it
    /// shows now.
    ///
    /// # Errors
    /// [`Error::Pipeline`] with the line of the first thing wrong.
    pub fn parse(name: &str, text: &str) -> Result<Self> {
        let at = |e: ParamError| Error::Pipeline {
            file: name.to_owned(),
            line: line_of(text, e.start),
            message: e.message,
        };
        let (settings, steps) = split(text).map_err(at)?;
        let methods = steps
            .iter()
            .map(|s| s.method(name, text))
            .collect::<Result<Vec<_>>>()?;
        let Some(first) = methods.first() else {
            return Err(Error::Pipeline {
                file: name.to_owned(),
                line: 1,
                message: "no [[step]]; a pipeline has at least one".to_owned(),
            });
        };
        if first.follows {
            return Err(Error::Pipeline {
                file: name.to_owned(),
                line: line_of(text, steps[0].start),
                message: format!(
                    "`{}` changes the labels of a step before it; it cannot be the first",
                    first.name
                ),
            });
        }
        check(&settings).map_err(|(key, message)| Error::Pipeline {
            file: name.to_owned(),
            line: line_of(text, offset_of(text, key)),
            message,
        })?;
        let pipeline = Self {
            name: name.to_owned(),
            segmentation: settings.segmentation.unwrap_or(first.segmentation),
            method: methods.iter().map(|m| m.name).collect::<Vec<_>>().join("+"),
            hash: data_encoding::HEXLOWER.encode(&Sha256::digest(text.as_bytes())),
            settings,
            text: text.to_owned(),
        };
        pipeline.try_build().map_err(at)?;
        Ok(pipeline)
    }

    /// The built-in pipeline of that name.
    ///
    /// # Errors
    /// [`Error::Usage`] listing the names there are.
    pub fn built_in(name: &str) -> Result<Self> {
        match BUILT_IN.iter().find(|(n, _)| *n == name) {
            Some((_, text)) => Self::parse(name, text),
            None => Err(Error::Usage(format!(
                "no built-in pipeline `{name}`; there are {}",
                BUILT_IN
                    .iter()
                    .map(|(n, _)| *n)
                    .collect::<Vec<_>>()
                    .join(", ")
            ))),
        }
    }

    /// Builds the steps anew, for one worker, with the texts of their classes and reasons.
    pub fn build(&self) -> (Chain, Names) {
        self.try_build()
            .expect("parse() has built this very text before")
    }

    /// A segmenter for the pipeline's pages.
    pub fn segmenter(&self) -> Segmenter {
        Segmenter::new(SegmenterOptions {
            segmentation: self.segmentation,
            max_depth: self.settings.max_depth,
            max_elements: self.settings.max_elements,
            max_page_bytes: self.settings.max_page_bytes,
        })
    }

    fn try_build(&self) -> Result<(Chain, Names), ParamError> {
        let (_, steps) = split(&self.text)?;
        let mut names = Names::default();
        let mut chain = Chain::default();
        for step in steps {
            let Some(method) = find(step.name()) else {
                continue; // parse() refuses unknown names with their line
            };
            chain.push((method.build)(StepParams(step.params), &mut names)?);
        }
        Ok((chain, names))
    }
}

struct Step<'i> {
    name: Option<(String, usize)>,
    start: usize,
    params: Spanned<DeTable<'i>>,
}

impl Step<'_> {
    fn name(&self) -> &str {
        self.name.as_ref().map_or("", |(n, _)| n)
    }

    fn method(&self, file: &str, text: &str) -> Result<&'static Method> {
        let error = |at, message| Error::Pipeline {
            file: file.to_owned(),
            line: line_of(text, at),
            message,
        };
        let Some((name, at)) = &self.name else {
            return Err(error(
                self.start,
                "a [[step]] needs `method = \"…\"`".to_owned(),
            ));
        };
        find(name).ok_or_else(|| {
            let known: Vec<_> = METHODS.iter().map(|m| m.name).collect();
            error(
                *at,
                format!("unknown method `{name}`; there are {}", known.join(", ")),
            )
        })
    }
}

fn find(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|m| m.name == name)
}

/// Takes the steps out of the file; what remains are the settings.
fn split(text: &str) -> Result<(Settings, Vec<Step<'_>>), ParamError> {
    let mut table = DeTable::parse(text)?;
    let mut steps = Vec::new();
    if let Some(value) = table.get_mut().remove("step") {
        let span = value.span();
        let DeValue::Array(array) = value.into_inner() else {
            return Err(ParamError {
                start: span.start,
                message: "steps are written [[step]], in double brackets".to_owned(),
            });
        };
        for item in array {
            let span = item.span();
            let DeValue::Table(mut params) = item.into_inner() else {
                return Err(ParamError {
                    start: span.start,
                    message: "a step is a table, written [[step]]".to_owned(),
                });
            };
            let name = params
                .remove("method")
                .and_then(|v| Some((v.get_ref().as_str()?.to_owned(), v.span().start)));
            steps.push(Step {
                name,
                start: span.start,
                params: Spanned::new(span, params),
            });
        }
    }
    let settings = Settings::deserialize(toml::Deserializer::from(table))?;
    Ok((settings, steps))
}

/// Values that are of the right type and still make no sense: the key, and why.
fn check(s: &Settings) -> Result<(), (&'static str, String)> {
    let within = |key: &'static str, value: usize, low: usize, high: usize| {
        if (low..=high).contains(&value) {
            Ok(())
        } else {
            Err((
                key,
                format!("{key} = {value} is not within {low} to {high}"),
            ))
        }
    };
    within("max_page_bytes", s.max_page_bytes, 1 << 10, 1 << 30)?;
    within("max_elements", s.max_elements, 1, 100_000_000)?;
    within("max_depth", s.max_depth, 8, 4096)?;
    within("zstd", usize::try_from(s.zstd).unwrap_or(0), 1, 22)?;
    if s.records.is_empty() {
        return Err((
            "records",
            "records is empty: no record would be a page".to_owned(),
        ));
    }
    Ok(())
}

/// Where a top-level key stands in the file.
fn offset_of(text: &str, key: &str) -> usize {
    DeTable::parse(text)
        .ok()
        .and_then(|t| Some(t.get_ref().get_key_value(key)?.0.span().start))
        .unwrap_or(0)
}

fn line_of(text: &str, offset: usize) -> usize {
    1 + text.as_bytes()[..offset.min(text.len())]
        .iter()
        .filter(|&&b| b == b'\n')
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        Pipeline::parse("p.toml", text).unwrap_err().to_string()
    }

    #[test]
    fn built_in_pipelines_parse_and_say_what_they_reproduce() {
        for (name, text) in BUILT_IN {
            Pipeline::built_in(name).unwrap();
            assert!(text.starts_with("# "), "{name} has no first comment line");
        }
        assert!(
            Pipeline::built_in("nope")
                .unwrap_err()
                .to_string()
                .contains("numwords")
        );
    }

    #[test]
    fn unknown_keys_are_named_with_their_line() {
        let e = error("block_text = \"all\"\nblok = 1\n[[step]]\nmethod = \"keep-all\"\n");
        assert!(e.starts_with("p.toml:2:") && e.contains("blok"), "{e}");
        let e = error("[[step]]\nmethod = \"min-words\"\n\nwrods = 3\n");
        assert!(e.starts_with("p.toml:4:") && e.contains("wrods"), "{e}");
    }

    #[test]
    fn wrong_values_are_named_with_their_line() {
        let e = error("\n\nmax_depth = 1\n[[step]]\nmethod = \"keep-all\"\n");
        assert!(e.starts_with("p.toml:3:") && e.contains("max_depth"), "{e}");
        let e = error("[[step]]\nmethod = \"kep-all\"\n");
        assert!(e.starts_with("p.toml:2:") && e.contains("keep-all"), "{e}");
        let e = error("\n[[step]]\n");
        assert!(e.starts_with("p.toml:2:") && e.contains("method"), "{e}");
        let e = error("zstd = 1\n");
        assert!(e.contains("[[step]]"), "{e}");
        let e = error("\n[[step]]\nmethod = \"smoothing\"\n");
        assert!(e.starts_with("p.toml:2:") && e.contains("first"), "{e}");
        let e = error("# max_depth = 9\nmax_depth = 1\n[[step]]\nmethod = \"keep-all\"\n");
        assert!(e.starts_with("p.toml:2:"), "{e}");
        let e = error("step = 3\n");
        assert!(e.starts_with("p.toml:1:") && e.contains("[[step]]"), "{e}");
        let e = error("zstd = 1\n[step]\nmethod = \"keep-all\"\n");
        assert!(e.contains("[[step]]"), "{e}");
    }
}
