//! The labelled corpora, and evaluations of pipelines on them.

use crate::Result;
use std::path::{Path, PathBuf};
use warcsieve_classify::Shipped;
use warcsieve_engine::{Input, Naming, list_inputs};
use warcsieve_eval::gold::{self, GoldOptions, GoldSet, Variant};
use warcsieve_eval::page_score::MEASURES;
use warcsieve_eval::pages::Gold;
use warcsieve_eval::report::left_out;
use warcsieve_eval::run::{Evaluation, evaluate};
use warcsieve_extract::Pipeline;
use warcsieve_store::Stores;
use warcsieve_train::forest::Pages;

/// The folder of the labelled corpora.
pub struct Corpora(PathBuf);

impl Corpora {
    pub fn new(folder: &str) -> Self {
        Self(folder.into())
    }

    /// The file of a corpus's pages.
    pub fn file(&self, corpus: &str) -> Result<PathBuf> {
        let path = self.0.join(format!("{corpus}.warc.gz"));
        match path.is_file() {
            true => Ok(path),
            false => Err(format!("no {}; set SHARED=folder", path.display()).into()),
        }
    }

    /// The pages of a corpus.
    pub fn inputs(&self, corpus: &str) -> Result<Vec<Input>> {
        let path = self.file(corpus)?;
        Ok(list_inputs(
            &[path.display().to_string()],
            &Naming::default(),
            &Stores::default(),
        )?)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// Its gold texts.
    pub fn gold(&self, corpus: &str) -> Result<GoldSet> {
        self.gold_of(corpus, Variant::default())
    }

    /// Its gold texts, with comments or without.
    pub fn gold_of(&self, corpus: &str, variant: Variant) -> Result<GoldSet> {
        let path = self.0.join(format!("{corpus}.gold.jsonl.gz"));
        let options = GoldOptions {
            variant,
            ..GoldOptions::default()
        };
        Ok(gold::read(&path, options)?)
    }

    /// The pages and the gold texts of some corpora, one after the other.
    pub fn several(&self, corpora: &[&str]) -> Result<(Vec<Input>, Gold)> {
        let mut inputs = Vec::new();
        let mut all: Option<GoldSet> = None;
        for corpus in corpora {
            inputs.extend(self.inputs(corpus)?);
            let gold = self.gold(corpus)?;
            match &mut all {
                Some(all) => all.append(gold)?,
                None => all = Some(gold),
            }
        }
        Ok((inputs, Gold::Texts(all.ok_or("no corpus")?)))
    }

    /// Their features and labels, with the settings of the default.
    pub fn rows(&self, corpora: &[&str]) -> Result<Pages> {
        let (inputs, gold) = self.several(corpora)?;
        Ok(Pages::collect(
            &inputs,
            &gold,
            &Pipeline::built_in(&warcsieve_papers::METHODS, "default")?,
        )?)
    }

    /// Evaluates built-in pipelines against its gold texts.
    pub fn evaluate(&self, corpus: &str, pipelines: &[&str]) -> Result<Evaluation> {
        self.evaluate_with(corpus, Variant::default(), pipelines)
    }

    /// As [`evaluate`](Self::evaluate), against one of its golds.
    pub fn evaluate_with(
        &self,
        corpus: &str,
        gold: Variant,
        pipelines: &[&str],
    ) -> Result<Evaluation> {
        let pipelines: Vec<_> = pipelines
            .iter()
            .map(|name| Pipeline::built_in(&warcsieve_papers::METHODS, name))
            .collect::<warcsieve_common::Result<_>>()?;
        let gold = Gold::Texts(self.gold_of(corpus, gold)?);
        evaluate_all(&self.inputs(corpus)?, &gold, &pipelines)
    }
}

/// Every pipeline that ships and can be measured page by page. This program starts no layout engine,
/// and `cehtd` would be measured as `cectd`; without a table of a crawl, `default-crawl` as `default`.
pub fn shipped() -> impl Iterator<Item = &'static Shipped> {
    let is_left_out = |text: &str| text.contains("layout = ") || text.contains("\"repeated\"");
    warcsieve_papers::METHODS
        .shipped()
        .filter(move |pipeline| !is_left_out(pipeline.text))
}

/// An evaluation that covers all the gold; an error lists what it leaves out.
pub fn evaluate_all(inputs: &[Input], gold: &Gold, pipelines: &[Pipeline]) -> Result<Evaluation> {
    let evaluation = evaluate(inputs, gold, pipelines)?;
    match left_out(&evaluation).first() {
        Some((what, lines)) => Err(format!("{what}: {}", lines.join("; ")).into()),
        None => Ok(evaluation),
    }
}

/// The mean of one of [`MEASURES`] over the pages of some types (an empty list for all pages), for
/// one pipeline of an evaluation. Pages without the measure are left out.
pub fn mean(
    evaluation: &Evaluation,
    pipeline: usize,
    measure: &str,
    types: &[&str],
) -> Result<f64> {
    let measure = MEASURES
        .iter()
        .find(|m| m.name == measure)
        .ok_or_else(|| format!("no measure {measure}"))?;
    let pages = evaluation
        .pages
        .iter()
        .filter(|p| types.is_empty() || types.contains(&p.page_type.as_str()));
    let values: Vec<f64> = pages
        .filter_map(|p| (measure.of)(&p.scores[pipeline]))
        .collect();
    warcsieve_eval::stats::mean(&values).ok_or_else(|| format!("no pages of {types:?}").into())
}
