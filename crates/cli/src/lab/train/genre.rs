//! `warcsieve train genre`: distinguishing articles from lists.

use super::{Common, Exit};
use crate as cli;
use warcsieve_common::Result;
use warcsieve_eval::blocks::Measured;
use warcsieve_train::{GenrePages, write_model};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    pub(super) common: Common,
    /// Pipeline file, or the name of one that ships: it says which records are pages, and how they
    /// are segmented.
    #[arg(long, value_name = "FILE", default_value = "goce", hide_possible_values = true, value_parser = crate::PipelineName)]
    pipeline: String,
}

pub fn run(arguments: &Arguments) -> Result<Exit> {
    let common = &arguments.common;
    let pipeline = cli::pipeline(Some(&arguments.pipeline))?;
    let inputs = cli::pages(&common.inputs)?;
    let others = [arguments.pipeline.as_str(), &common.gold.name()];
    cli::check_output(&common.out, &inputs, &others)?;
    let gold = common.gold.read()?;
    let pages = GenrePages::collect(&inputs, &gold, &pipeline)?;
    for fault in &pages.faults {
        tracing::warn!("{fault}");
    }
    let folds = common.folds_of(&pages);
    let (mut model, validation) = pages.train(folds, common.seed)?;
    let measured = validation.and_then(|v| v.measure(&pages.dataset));
    let figures = figures(pages.learned_from(), folds, measured.as_ref());
    let learner = format!("linear SVM on ln(1 + count), C 1, seed {}", common.seed);
    model.about = common.about(&pipeline, learner, &figures);
    let text = model.to_text();
    write_model(&common.out, &text)?;
    let text = format!(
        "{text}\n{figures}\n\nA pipeline file beside {} takes it by\n\n[[step]]\nmethod = \"goce\"\nmodel = {}\n",
        common.out.display(),
        super::quoted(&common.out)
    );
    super::finish(&text, &pages.faults)
}

/// The figures of the model, for the terminal and its file.
pub(super) fn figures(
    [articles, lists]: [usize; 2],
    folds: usize,
    measured: Option<&Measured>,
) -> String {
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
