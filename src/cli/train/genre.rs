//! `warcsieve train genre`: telling articles from lists.

use super::Exit;
use super::GoldArguments;
use crate::cli;
use std::collections::BTreeSet;
use std::path::PathBuf;
use warcsieve::error::Result;
use warcsieve::eval::blocks::Measured;
use warcsieve::train::{GenrePages, write_model};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// WARC or ARC files, folders, quoted patterns, @LIST files.
    #[arg(required = true, value_name = "PAGES")]
    inputs: Vec<String>,
    #[command(flatten)]
    gold: GoldArguments,
    /// File for the model.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Pipeline file, or the name of one that ships: it says which records are pages, and how they
    /// are segmented.
    #[arg(long, value_name = "FILE", default_value = "goce")]
    pipeline: String,
    /// Folds of the cross-validation; a registered domain is in one of them.
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u8).range(2..))]
    folds: u8,
    /// Seed of the learner's shuffles.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Threads to use; default: as many as there are cores.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

pub fn run(arguments: &Arguments) -> Result<Exit> {
    let pipeline = cli::pipeline(Some(&arguments.pipeline))?;
    let inputs = cli::pages(&arguments.inputs)?;
    let others = [arguments.pipeline.as_str(), &arguments.gold.name()];
    cli::check_output(&arguments.out, &inputs, &others)?;
    let gold = arguments.gold.read()?;
    let pages = GenrePages::collect(&inputs, &gold, &pipeline)?;
    for fault in &pages.faults {
        tracing::warn!("{fault}");
    }
    let domains: BTreeSet<u32> = pages.dataset.groups.iter().copied().collect();
    let folds = usize::from(arguments.folds).min(domains.len());
    let (mut model, validation) = pages.train(folds, arguments.seed)?;
    let measured = validation.and_then(|v| v.measure(&pages.dataset));
    let figures = figures(pages.learned_from(), folds, measured.as_ref());
    for (key, value) in [
        (
            "trained_on",
            super::trained_on(&arguments.inputs, &arguments.gold),
        ),
        ("segmentation", pipeline.segmentation.as_str().to_owned()),
        (
            "learner",
            format!("linear SVM on ln(1 + count), C 1, seed {}", arguments.seed),
        ),
        ("figures", figures.clone()),
    ] {
        model.about.insert(key.to_owned(), value);
    }
    let text = model.to_text();
    write_model(&arguments.out, &text)?;
    let text = format!(
        "{text}\n{figures}\n\nA pipeline file beside {} takes it by\n\n[[step]]\nmethod = \"goce\"\nmodel = {}\n",
        arguments.out.display(),
        super::quoted(&arguments.out)
    );
    super::finish(&text, &pages.faults)
}

/// What is said of the model, here and in its file.
fn figures([articles, lists]: [usize; 2], folds: usize, measured: Option<&Measured>) -> String {
    let text = format!("{articles} articles, {lists} list views; ");
    let Some(measured) = measured else {
        return text + "not cross-validated, because the domains of one genre are too few to part";
    };
    text + &format!(
        "{folds} folds by domain: accuracy {:.4}, balanced accuracy {:.4}, majority {:.4}",
        measured.accuracy,
        measured.balanced_accuracy(),
        articles.max(lists) as f64 / (articles + lists) as f64
    )
}
