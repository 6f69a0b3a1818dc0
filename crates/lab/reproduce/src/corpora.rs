//! The labelled corpora, and evaluations of pipelines on them.

use crate::{Result, points};
use std::path::{Path, PathBuf};
use warcsieve_classify::Shipped;
use warcsieve_classify::expected_f::Comments;
use warcsieve_engine::{Input, Naming, list_inputs};
use warcsieve_eval::gold::{self, GoldOptions, GoldSet, Variant};
use warcsieve_eval::page_score::MEASURES;
use warcsieve_eval::pages::{Gold, GoldenPage, View, walk};
use warcsieve_eval::report::left_out;
use warcsieve_eval::run::{Evaluation, evaluate};
use warcsieve_extract::Pipeline;
use warcsieve_model::Forest;
use warcsieve_store::Stores;
use warcsieve_train::forest::Pages;
use warcsieve_warc::{Limits, Record, Source};

/// The types of the pages of wcxb-dev.
pub const TYPES: [&str; 7] = [
    "article",
    "collection",
    "documentation",
    "forum",
    "listing",
    "product",
    "service",
];

/// The training sets of the built-in forest, in this order.
pub const LEARNED_FROM: [&str; 4] = ["wcxb-dev", "readability", "harvest", "fundus"];

/// The training sets of the built-in networks and random field.
pub const NETWORKS_LEARNED_FROM: [&str; 2] = ["wcxb-dev", "readability"];

/// Sets from which the models were not learned, and whether their gold includes comments.
pub const OTHERS: [(&str, Comments); 3] = [
    ("cleaneval-test", Comments::Keep),
    ("l3s-gn1", Comments::Keep),
    ("dragnet-a", Comments::Drop),
];

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
        inputs(&self.file(corpus)?)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// The file of a corpus's gold texts.
    pub fn gold_file(&self, corpus: &str) -> PathBuf {
        self.0.join(format!("{corpus}.gold.jsonl.gz"))
    }

    /// Its gold texts.
    pub fn gold(&self, corpus: &str) -> Result<GoldSet> {
        self.gold_of(corpus, Variant::default())
    }

    /// Its gold texts, with comments or without.
    pub fn gold_of(&self, corpus: &str, variant: Variant) -> Result<GoldSet> {
        let options = GoldOptions {
            variant,
            ..GoldOptions::default()
        };
        Ok(gold::read(&self.gold_file(corpus), options)?)
    }

    /// The pages and the gold texts of some corpora, one after the other.
    pub fn several(&self, corpora: &[&str]) -> Result<(Vec<Input>, Gold)> {
        let inputs = corpora.iter().map(|corpus| self.inputs(corpus));
        let inputs = inputs.collect::<Result<Vec<_>>>()?;
        let mut gold = self.gold(corpora[0])?;
        for corpus in &corpora[1..] {
            gold.append(self.gold(corpus)?)?;
        }
        Ok((inputs.into_iter().flatten().collect(), Gold::Texts(gold)))
    }

    /// The features and labels of some corpora, with the settings of the default.
    pub fn rows(&self, corpora: &[&str]) -> Result<Pages> {
        let (inputs, gold) = self.several(corpora)?;
        let default = Pipeline::built_in(&warcsieve_papers::METHODS, "default")?;
        Ok(Pages::collect(&inputs, &gold, &default)?)
    }

    /// Evaluates pipelines against its gold texts.
    pub fn evaluate(&self, corpus: &str, pipelines: &[Pipeline]) -> Result<Evaluation> {
        let gold = Gold::Texts(self.gold(corpus)?);
        evaluate_all(&self.inputs(corpus)?, &gold, pipelines)
    }
}

/// The pages of a file or folder.
pub fn inputs(path: &Path) -> Result<Vec<Input>> {
    let paths = [path.display().to_string()];
    Ok(list_inputs(&paths, &Naming::default(), &Stores::default())?)
}

/// Calls `each` with the name of the input for every record.
pub fn each_record(inputs: &[Input], mut each: impl FnMut(&str, &Record) -> Result) -> Result {
    let mut record = Record::default();
    for input in inputs {
        let mut source = input.reader(Limits::default())?.1;
        while source.read_record(&mut record)? {
            each(&input.name, &record)?;
        }
    }
    Ok(())
}

/// The results of `each` for the pages of a corpus that have gold, with their ids.
pub fn each_page<T: Send>(
    inputs: &[Input],
    gold: &Gold,
    pipeline: &Pipeline,
    each: impl Fn(&GoldenPage<'_>) -> T + Sync,
) -> Result<Vec<(String, T)>> {
    let views = [View::new(pipeline, gold)];
    let walked = walk(inputs, gold, &views, || (), |(), _, page| each(page))?;
    let pages = walked.complete()?.into_iter();
    Ok(pages.map(|(place, found)| (place.id, found)).collect())
}

/// Built-in pipelines.
pub fn built_in<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<Vec<Pipeline>> {
    let pipelines = names
        .into_iter()
        .map(|name| Ok(Pipeline::built_in(&warcsieve_papers::METHODS, name)?));
    pipelines.collect()
}

/// A pipeline that keeps all blocks of a segmentation.
pub fn keep_all(segmentation: &str) -> Result<Pipeline> {
    let text = format!("segmentation = '{segmentation}'\n[[step]]\nmethod = 'keep-all'\n");
    Ok(Pipeline::parse(
        &warcsieve_papers::METHODS,
        segmentation,
        &text,
    )?)
}

/// The text of the pipeline that ships under this name.
pub fn shipped_text(name: &str) -> Result<&'static str> {
    let mut all = warcsieve_papers::METHODS.shipped();
    let found = all.find(|pipeline| pipeline.name == name);
    Ok(found.ok_or_else(|| format!("no {name} ships"))?.text)
}

/// The text of a pipeline that ships, with `forest` instead of its own forest. The forest is written to a file in the
/// folder.
pub fn with_forest(folder: &Path, base: &str, file: &str, forest: &Forest) -> Result<String> {
    std::fs::write(folder.join(file), forest.to_text())?;
    // The method is in the last step of the file, which is a table of its own.
    Ok(format!("{}model = \"{file}\"\n", shipped_text(base)?))
}

/// Every pipeline that ships and can be measured page by page. This program starts no layout engine, so `cehtd` would
/// be measured as `cectd`. Without a table of a crawl, `default-crawl` would be measured as `default`.
pub fn shipped() -> impl Iterator<Item = &'static Shipped> {
    let is_left_out = |text: &str| text.contains("layout = ") || text.contains("\"repeated\"");
    warcsieve_papers::METHODS
        .shipped()
        .filter(move |pipeline| !is_left_out(pipeline.text))
}

/// An evaluation that covers all the gold. If it leaves anything out, the error lists it.
pub fn evaluate_all(inputs: &[Input], gold: &Gold, pipelines: &[Pipeline]) -> Result<Evaluation> {
    let evaluation = evaluate(inputs, gold, pipelines)?;
    match left_out(&evaluation).first() {
        Some((what, lines)) => Err(format!("{what}: {}", lines.join("; ")).into()),
        None => Ok(evaluation),
    }
}

/// The place of a pipeline in an evaluation.
pub fn index(evaluation: &Evaluation, name: &str) -> Result<usize> {
    let found = evaluation.pipelines.iter().position(|p| p.name == name);
    Ok(found.ok_or_else(|| format!("no pipeline {name}"))?)
}

/// The mean of one of [`MEASURES`] over the pages of some types (an empty list for all pages), for
/// one pipeline of an evaluation. Pages without the measure are left out.
pub fn mean(
    evaluation: &Evaluation,
    pipeline: usize,
    measure: &str,
    types: &[&str],
) -> Result<f64> {
    let found = MEASURES.iter().find(|m| m.name == measure);
    let measure = found.ok_or_else(|| format!("no measure {measure}"))?;
    let pages = evaluation.pages.iter();
    let pages = pages.filter(|p| types.is_empty() || types.contains(&p.page_type.as_str()));
    let values = pages.filter_map(|p| (measure.of)(&p.scores[pipeline]));
    let values: Vec<f64> = values.collect();
    warcsieve_eval::stats::mean(&values).ok_or_else(|| format!("no pages of {types:?}").into())
}

/// The means of some measures over all pages. Their names are separated by spaces in `measures`.
pub fn means(evaluation: &Evaluation, pipeline: usize, measures: &str) -> Result<Vec<String>> {
    let of = |measure| Ok(points(mean(evaluation, pipeline, measure, &[])?));
    measures.split(' ').map(of).collect()
}

/// The mean word F1 of each of [`TYPES`].
pub fn by_type(evaluation: &Evaluation, pipeline: usize) -> Result<Vec<String>> {
    let of = |page_type| Ok(points(mean(evaluation, pipeline, "f1", &[page_type])?));
    TYPES.into_iter().map(of).collect()
}
