//! `warcsieve train`: models from labelled pages.

mod crf;
mod forest;
mod genre;
mod pictures;
mod texts;
mod tree;
mod web2text;

use crate::eval::GoldReading;
use crate::exit::Exit;
use crate::print;
use crate::threads;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use warcsieve_common::Result;
use warcsieve_eval::pages::Gold;
use warcsieve_extract::Pipeline;
use warcsieve_train::GenrePages;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    learner: Learners,
}

#[derive(Debug, clap::Subcommand)]
enum Learners {
    /// Learn a decision tree (C4.5) for `method = "tree"`.
    Tree(tree::Arguments),
    /// Learn to distinguish articles from lists (linear SVM) for `method = "goce"`. The gold is
    /// texts whose `page_type` gives genres: `article`; `collection` and `listing`; others are not
    /// used.
    Genre(genre::Arguments),
    /// The same by pictures of pages: a small convolutional network for `method = "goce"`, or the last
    /// layer of one that others trained.
    GenrePictures(pictures::Arguments),
    /// Learn boosted trees for `method = "forest"`, the default. The gold is texts.
    Forest(forest::Arguments),
    /// Train two convolutional networks for `method = "web2text"`. The gold is texts.
    Web2text(web2text::Arguments),
    /// Learn a linear-chain conditional random field for `method = "crf"`. The gold is texts.
    Crf(crf::Arguments),
}

pub fn run(arguments: &Arguments) -> Result<Exit> {
    match &arguments.learner {
        Learners::Tree(arguments) => {
            threads::pool(arguments.common.threads)?.install(|| tree::run(arguments))
        }
        Learners::Genre(arguments) => {
            threads::pool(arguments.common.threads)?.install(|| genre::run(arguments))
        }
        Learners::GenrePictures(arguments) => {
            threads::pool(arguments.common.threads)?.install(|| pictures::run(arguments))
        }
        Learners::Forest(arguments) => {
            threads::pool(arguments.threads)?.install(|| forest::run(arguments))
        }
        Learners::Web2text(arguments) => {
            threads::pool(arguments.threads)?.install(|| web2text::run(arguments))
        }
        Learners::Crf(arguments) => {
            threads::pool(arguments.threads)?.install(|| crf::run(arguments))
        }
    }
}

/// Where gold comes from.
#[derive(Debug, clap::Args)]
pub struct GoldArguments {
    /// JSON Lines of gold texts (may be .gz), or `annotations`: classes written into the pages.
    #[arg(long, value_name = "FILE")]
    pub gold: PathBuf,
    #[command(flatten)]
    pub reading: GoldReading,
}

impl GoldArguments {
    /// Reads the gold.
    pub fn read(&self) -> Result<Gold> {
        self.reading.read(std::slice::from_ref(&self.gold))
    }

    /// The name of the gold in reports.
    pub fn name(&self) -> String {
        self.gold.display().to_string()
    }
}

/// Arguments that several learners share.
#[derive(Debug, clap::Args)]
struct Common {
    /// WARC or ARC files, folders, quoted patterns, @LIST files.
    #[arg(required = true, value_name = "PAGES")]
    inputs: Vec<String>,
    #[command(flatten)]
    gold: GoldArguments,
    /// File for the model.
    #[arg(long, value_name = "FILE", value_parser = crate::out_path)]
    out: PathBuf,
    /// Folds of the cross-validation; a registered domain is in one of them.
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u8).range(2..))]
    folds: u8,
    /// Seed of the learner's shuffles.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Threads to use; default: as many as there are cores.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Common {
    /// How many folds there are: no more than domains.
    fn folds_of(&self, pages: &GenrePages) -> usize {
        let domains: BTreeSet<u32> = pages.dataset.groups.iter().copied().collect();
        usize::from(self.folds).min(domains.len())
    }

    /// What a model file says about its training.
    fn about(
        &self,
        pipeline: &Pipeline,
        learner: String,
        figures: &str,
    ) -> BTreeMap<String, String> {
        // The folders of the files do not matter to the model.
        let inputs = self.inputs.iter().map(|i| file_name(Path::new(i)));
        let gold = file_name(Path::new(&self.gold.name()));
        let inputs = inputs.collect::<Vec<_>>().join(", ");
        [
            ("trained_on", format!("{inputs}, gold {gold}")),
            ("segmentation", pipeline.segmentation.as_str().to_owned()),
            ("learner", learner),
            ("figures", figures.to_owned()),
        ]
        .map(|(key, value)| (key.to_owned(), value))
        .into()
    }
}

/// A learning rate.
fn rate(text: &str) -> std::result::Result<f64, String> {
    match text.parse() {
        Ok(rate) if rate > 0.0 && rate <= 1.0 => Ok(rate),
        _ => Err("not a number above 0 and at most 1".to_owned()),
    }
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// A file's name as a TOML string; JSON strings are valid TOML.
fn quoted(path: &Path) -> String {
    serde_json::Value::String(file_name(path)).to_string()
}

/// Prints what was learned; the exit code says whether some data could not be used.
fn finish(text: &str, faults: &[String]) -> Result<Exit> {
    let exit = if faults.is_empty() {
        Exit::Done
    } else {
        Exit::Faulty
    };
    Ok(print::table(text, exit))
}
