//! The pipeline file: TOML that names the steps and the choices around them.
//!
//! Top-level keys are the fields of [`Settings`]; each `[[step]]` table names a
//! method and its parameters. Unknown keys are errors with their line.

mod files;
mod params;
mod settings;

pub use files::{BUILT_IN_MODELS, Files};
pub(crate) use params::line_of;
pub use params::{AtMost, ParamError, Share, StepParams};
pub use settings::{BlockText, FeatureSet, PageRecord, Settings};

use crate::classify::{Chain, METHODS, Method, Names};
use crate::error::{Error, Result};
use crate::html::{Segmentation, Segmenter};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

macro_rules! shipped {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../pipelines/", $name, ".toml")))),*]
    };
}

/// Pipelines that ship with the program, by the name `--pipeline` takes.
pub const BUILT_IN: &[(&str, &str)] = shipped![
    "default" "default-comments" "density" "numwords" "density-rule"
    "density-largest" "density-main" "numwords-largest" "numwords-main"
    "bte" "boilerpipe-default" "boilerpipe-article" "boilerpipe-article-1-2" "boilerpipe-largest"
    "keep-all" "min-words" "justext" "cetd" "cectd" "cectd-s"
    "noise-tree" "noise-blocks" "lqf" "cetr" "ccb" "dsc" "crf"
    "goce" "goce-article" "goce-list" "web2text" "web2text-f1" "retrieval"
];

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
    /// sha256 of the files that steps name, in hex; `None` where none does.
    pub model_hash: Option<String>,
    text: String,
    files: Files,
}

impl Pipeline {
    /// Reads a pipeline, and the files its steps name, and builds it once, so that whatever
    /// can be wrong with it shows now. `name` is its path: names of files are relative to it.
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
        settings.check().map_err(|(key, message)| Error::Pipeline {
            file: name.to_owned(),
            line: line_of(text, offset_of(text, key)),
            message,
        })?;
        let folder = Path::new(name).parent().unwrap_or(Path::new(""));
        let mut pipeline = Self {
            name: name.to_owned(),
            segmentation: settings.segmentation.unwrap_or(first.segmentation),
            method: methods.iter().map(|m| m.name).collect::<Vec<_>>().join("+"),
            hash: data_encoding::HEXLOWER.encode(&Sha256::digest(text.as_bytes())),
            model_hash: None,
            settings,
            text: text.to_owned(),
            files: Files::default(),
        };
        let mut files = Files::below(folder);
        pipeline.try_build(&mut files).map_err(at)?;
        pipeline.model_hash = files.sha256();
        pipeline.files = files;
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
        self.try_build(&mut self.files.clone())
            .expect("parse() has built this very text before")
    }

    /// A segmenter for the pipeline's pages.
    pub fn segmenter(&self) -> Segmenter {
        self.settings.segmenter(self.segmentation)
    }

    fn try_build(&self, files: &mut Files) -> Result<(Chain, Names), ParamError> {
        let (_, steps) = split(&self.text)?;
        let mut names = Names::default();
        let mut chain = Chain::default();
        for step in steps {
            let Some(method) = find(step.name()) else {
                continue; // parse() refuses unknown names with their line
            };
            let params = StepParams {
                table: step.params,
                files,
            };
            chain.push((method.build)(params, &mut names)?);
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

/// Where a top-level key stands in the file.
fn offset_of(text: &str, key: &str) -> usize {
    DeTable::parse(text)
        .ok()
        .and_then(|t| Some(t.get_ref().get_key_value(key)?.0.span().start))
        .unwrap_or(0)
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
    fn the_tokenizer_can_be_chosen() {
        use crate::html::Tokenizer;
        let step = "[[step]]\nmethod = \"keep-all\"\n";
        let of = |text: &str| Pipeline::parse("p.toml", text).unwrap().settings.tokenizer;
        assert_eq!(of(step), Tokenizer::Builtin);
        let chosen = format!("tokenizer = \"lol_html\"\n{step}");
        assert_eq!(of(&chosen), Tokenizer::LolHtml);
        let e = error(&format!("tokenizer = \"lol\"\n{step}"));
        assert!(e.starts_with("p.toml:1:") && e.contains("builtin"), "{e}");
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
