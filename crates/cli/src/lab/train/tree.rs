//! `warcsieve train tree`: decision trees.

use super::common::Common;
use super::learned::{finish, quoted, warn_of};
use crate::exit::Exit;
use crate::inputs::pages;
use crate::outputs::check_output;
use crate::pipelines::{PipelineName, pipeline};
use std::path::PathBuf;
use std::sync::Arc;
use warcsieve_common::{Error, Result, counted};
use warcsieve_eval::blocks::Measured;
use warcsieve_eval::pages::View;
use warcsieve_extract::Pipeline;
use warcsieve_features::{Frequencies, SHALLOW};
use warcsieve_train::decision_tree::{self, Floor, Pruning};
use warcsieve_train::{Classes, Collected, Collection, Folds, Sorted, cross_validate, write_model};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    pub(super) common: Common,
    /// Features to learn from, separated by commas; default: all, frequencies only with a table.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    features: Vec<String>,
    /// A table of `warcsieve freq`, for the features that need one.
    #[arg(long, value_name = "FILE")]
    frequencies: Option<PathBuf>,
    /// Classes: 2 (content and boilerplate), or 4 (full text and comments, headline, supplemental,
    /// rest), which needs annotated pages.
    #[arg(long, value_name = "N", default_value = "2", value_parser = ["2", "4"])]
    classes: String,
    /// Minimum number of words in a leaf.
    #[arg(long, value_name = "WORDS", default_value = "1000")]
    min_leaf: u64,
    /// How the tree is pruned.
    #[arg(long, value_name = "HOW", value_enum, default_value = "reduced-error")]
    pruning: PruningKind,
    /// Pipeline file, or the name of one that ships: it decides which records are pages, and how
    /// they are segmented.
    #[arg(long, value_name = "FILE", default_value = "numwords", hide_possible_values = true, value_parser = PipelineName)]
    pipeline: String,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum PruningKind {
    None,
    Confidence,
    ReducedError,
}

pub fn run(arguments: &Arguments) -> Result<Exit> {
    let pipeline = pipeline(&arguments.pipeline)?;
    let collected = collect(arguments, &pipeline)?;
    warn_of(&collected.faults);
    let data = &collected.dataset;
    let learner = decision_tree::Params {
        min_leaf: arguments.min_leaf,
        floor: Floor::Weight,
        pruning: match arguments.pruning {
            PruningKind::None => Pruning::None,
            PruningKind::Confidence => Pruning::Confidence(0.25),
            PruningKind::ReducedError => Pruning::ReducedError {
                seed: arguments.common.seed,
            },
        },
    };
    let sorted = Sorted::new(data)?;
    let columns: Vec<usize> = (0..data.names.len()).collect();
    // A fold without a domain would measure nothing.
    let count = usize::from(arguments.common.folds).min(collected.domains);
    let folds = Folds::grouped(data, count.max(2));
    let validation = cross_validate(&sorted, &columns, &learner, &folds);
    let measured = validation.measure(data).filter(|_| count > 1);
    let mut tree = validation.model.tree;
    let said = figures(&collected, count, measured.as_ref());
    let segmentation = pipeline.segmentation.as_str();
    let learner = format!(
        "{}, leaves of at least {}, pruning {:?}, seed {}",
        counted(data.names.len(), "feature", "features"),
        counted(arguments.min_leaf, "word", "words"),
        arguments.pruning,
        arguments.common.seed
    );
    tree.about = arguments.common.about(&pipeline, learner, &said);
    write_model(&arguments.common.out, &tree.to_text())?;
    let text = format!(
        "{tree}\n{said}\n\nA pipeline file beside {} takes it by\n\n{}",
        arguments.common.out.display(),
        snippet(arguments, segmentation)
    );
    finish(&text, &collected.faults)
}

fn collect(arguments: &Arguments, pipeline: &Pipeline) -> Result<Collected> {
    let inputs = pages(&arguments.common.inputs)?;
    let table = arguments
        .frequencies
        .as_ref()
        .map(|p| p.display().to_string());
    let gold = arguments.common.gold.name();
    let others = [
        arguments.pipeline.as_str(),
        &gold,
        table.as_deref().unwrap_or_default(),
    ];
    check_output(&arguments.common.out, &inputs, &others)?;
    let frequencies = match &arguments.frequencies {
        Some(path) => Some(Arc::new(Frequencies::open(path)?)),
        None => None,
    };
    let with_frequencies = frequencies.is_some();
    let of_table = |name: &str| {
        let feature = SHALLOW.iter().find(|f| f.name == name);
        feature.is_some_and(|f| f.needs_frequencies())
    };
    let features: Vec<&str> = match &arguments.features[..] {
        [] => (SHALLOW.iter().map(|f| f.name))
            .filter(|name| with_frequencies || !of_table(name))
            .collect(),
        named => named.iter().map(|n| n.trim()).collect(),
    };
    if let Some(name) = features
        .iter()
        .find(|name| of_table(name) && !with_frequencies)
    {
        return Err(Error::Invalid(format!(
            "`{name}` needs --frequencies, a table made by `warcsieve freq`"
        )));
    }
    let collection = Collection {
        features: &features,
        classes: if arguments.classes == "4" {
            Classes::Four
        } else {
            Classes::Two
        },
        frequencies,
        without: &[],
    };
    let gold = arguments.common.gold.read()?;
    let view = View::new(pipeline, &gold);
    collection.collect(&inputs, &gold, view)
}

/// A pipeline that uses the model.
fn snippet(arguments: &Arguments, segmentation: &str) -> String {
    let mut text = format!(
        "segmentation = \"{segmentation}\"\n\n[[step]]\nmethod = \"tree\"\nmodel = {}\n",
        quoted(&arguments.common.out)
    );
    if let Some(table) = &arguments.frequencies {
        text += &format!("frequencies = {}\n", quoted(table));
    }
    text
}

/// The figures of the model, for the terminal and its file.
fn figures(collected: &Collected, folds: usize, measured: Option<&Measured>) -> String {
    let data = &collected.dataset;
    let words: u64 = data.weights.iter().map(|&w| u64::from(w)).sum();
    let (pages, blocks) = (collected.pages.len(), data.rows());
    let text = format!(
        "{}, {}, {}; ",
        counted(pages, "page", "pages"),
        counted(blocks, "block", "blocks"),
        counted(words, "word", "words")
    );
    let Some(m) = measured else {
        return text + "not cross-validated, because all pages are of one domain";
    };
    let a = &m.average;
    let area = a.roc_area.map_or("-".to_owned(), |a| format!("{a:.4}"));
    text + &format!(
        "{folds} folds by domain, by words: accuracy {:.4}, precision {:.4}, recall {:.4}, F1 {:.4}, AUC {area}",
        m.accuracy, a.precision, a.recall, a.f1
    )
}
