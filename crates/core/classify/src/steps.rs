//! The steps of a pipeline file: its `[[step]]` tables, each a method and its parameters.

use crate::chain::Chain;
use crate::classifier::{Classifier, Sees};
use crate::method::{Method, Needs};
use crate::methods::Methods;
use crate::names::Names;
use crate::params::{Files, ParamError, StepParams, TableNeeds};
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use warcsieve_common::{Error, Result, did_you_mean, line_of};
use warcsieve_features::Frequencies;
use warcsieve_html::Segmentation;

/// The steps of a pipeline, read and checked.
#[derive(Clone, Debug)]
pub struct Steps {
    /// The segmentation of the first step's method, used if the pipeline sets none.
    pub segmentation: Segmentation,
    /// Names of the methods, in order, joined by `+`.
    pub method: String,
    /// The first method that needs attributes of elements, if any does.
    pub needs_attributes: Option<&'static str>,
    /// The first method that needs the positions of elements on a screen, if any does.
    pub needs_layout: Option<&'static str>,
    /// What the steps must see of a page because of their models.
    pub sees: Sees,
    /// sha256 of the files that steps name, in hex; `None` if no step names one.
    pub model_hash: Option<String>,
    methods: &'static Methods,
    text: String,
    files: Files,
}

impl Steps {
    /// Reads the steps of a pipeline file and the files they name, and builds them once, so that every error is found
    /// now. `methods` are those that the file may name. `file` is its path: file names are relative to its folder.
    ///
    /// # Errors
    /// [`Error::Pipeline`] with the line of the first fault.
    pub fn parse(methods: &'static Methods, file: &str, text: &str) -> Result<Self> {
        Self::named(methods, file, text)?.loaded(file)
    }

    /// The first half of [`Steps::parse`]: checks that there are steps and that their methods exist.
    ///
    /// # Errors
    /// [`Error::Pipeline`] with the line of the first error.
    pub fn named(known: &'static Methods, file: &str, text: &str) -> Result<Self> {
        let at = |e: ParamError| e.in_file(file, text);
        let (_, steps) = split(text).map_err(at)?;
        let methods = steps
            .iter()
            .map(|s| s.method(known, file, text))
            .collect::<Result<Vec<_>>>()?;
        let Some(first) = methods.first() else {
            return Err(Error::Pipeline {
                file: file.to_owned(),
                line: 1,
                message: "no [[step]]; a pipeline has at least one".to_owned(),
            });
        };
        if first.follows {
            return Err(Error::Pipeline {
                file: file.to_owned(),
                line: line_of(text, steps[0].start),
                message: format!(
                    "`{}` changes the labels of a step before it; it cannot be the first",
                    first.name
                ),
            });
        }
        let needs = |what| methods.iter().find(|m| m.needs == what).map(|m| m.name);
        Ok(Self {
            segmentation: first.segmentation,
            method: methods.iter().map(|m| m.name).collect::<Vec<_>>().join("+"),
            needs_attributes: needs(Needs::Attributes),
            needs_layout: needs(Needs::Layout),
            sees: Sees::Markup,
            model_hash: None,
            methods: known,
            text: text.to_owned(),
            files: Files::below(
                Path::new(file).parent().unwrap_or(Path::new("")),
                known.models,
            ),
        })
    }

    /// The second half: reads the parameters and the files they name, and builds the steps once.
    ///
    /// # Errors
    /// [`Error::Pipeline`] with the line of the first error.
    pub fn loaded(mut self, file: &str) -> Result<Self> {
        let mut names = Names::default();
        let built = build(self.methods, &self.text, &mut self.files, &mut names);
        let chain = built.map_err(|e| e.in_file(file, &self.text))?;
        self.sees = chain.sees();
        self.model_hash = self.files.sha256();
        Ok(self)
    }

    /// What a table of the whole crawl must have, if a step uses one and does not name it. `None` if there is no such
    /// step, or if a table was provided.
    pub fn lacks_table(&self) -> Option<TableNeeds> {
        self.files
            .requested()
            .filter(|_| !self.files.has_provided())
    }

    /// Provides the table of the crawl that steps use; `sha256` is that of its file, in hex.
    ///
    /// # Errors
    /// What the table lacks.
    pub fn give_table(&mut self, table: Frequencies, sha256: String) -> Result<(), String> {
        if let Some(what) = self.files.requested().and_then(|needs| needs.lack(&table)) {
            return Err(what);
        }
        self.files.provide(table, sha256);
        self.model_hash = self.files.sha256();
        Ok(())
    }

    /// Builds the steps for one worker, with the texts of their classes and reasons.
    pub fn build(&self) -> (Chain, Names) {
        let mut names = Names::default();
        (self.build_with(&mut names), names)
    }

    /// Builds the steps for one worker, and adds the texts of their classes and reasons to `names`.
    pub fn build_with(&self, names: &mut Names) -> Chain {
        build(self.methods, &self.text, &mut self.files.clone(), names)
            .expect("parse() has built the same text before")
    }
}

fn build(
    methods: &'static Methods,
    text: &str,
    files: &mut Files,
    names: &mut Names,
) -> Result<Chain, ParamError> {
    let (_, steps) = split(text)?;
    let mut chain = Chain::default();
    for step in steps {
        let Some(method) = methods.find(step.name()) else {
            continue; // parse() rejects unknown names and reports their line
        };
        let params = StepParams {
            table: step.params,
            files,
        };
        chain.push((method.build)(params, names)?);
    }
    Ok(chain)
}

/// One `[[step]]`.
struct Step<'i> {
    name: Option<(String, usize)>,
    start: usize,
    params: Spanned<DeTable<'i>>,
}

impl Step<'_> {
    fn name(&self) -> &str {
        self.name.as_ref().map_or("", |(n, _)| n)
    }

    fn method(&self, known: &Methods, file: &str, text: &str) -> Result<&'static Method> {
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
        known.find(name).ok_or_else(|| {
            let known: Vec<_> = known.methods.iter().map(|m| m.name).collect();
            error(
                *at,
                format!(
                    "unknown method `{name}`{}; there are {}",
                    did_you_mean(name, known.iter().copied()),
                    known.join(", ")
                ),
            )
        })
    }
}

/// The settings of a pipeline file: everything but its steps.
///
/// # Errors
/// The file is not TOML, or its steps are not tables in double brackets.
pub fn settings_of(text: &str) -> Result<Spanned<DeTable<'_>>, ParamError> {
    Ok(split(text)?.0)
}

/// Separates the settings of a file from its steps.
fn split(text: &str) -> Result<(Spanned<DeTable<'_>>, Vec<Step<'_>>), ParamError> {
    let mut table = DeTable::parse(text)?;
    let mut steps = Vec::new();
    if let Some(value) = table.get_mut().remove("step") {
        let span = value.span();
        let DeValue::Array(array) = value.into_inner() else {
            return Err(ParamError {
                start: span.start,
                message: "steps are written [[step]], in double brackets".to_owned(),
                system: None,
            });
        };
        for item in array {
            let span = item.span();
            let DeValue::Table(mut params) = item.into_inner() else {
                return Err(ParamError {
                    start: span.start,
                    message: "a step is a table, written [[step]]".to_owned(),
                    system: None,
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
    Ok((table, steps))
}
