//! `warcsieve train genre`: distinguishing articles from lists.

use super::common::Common;
use super::learned::{finish, genre_figures, step, warn_of};
use crate::exit::Exit;
use crate::pipelines::{PipelineName, pipeline};
use warcsieve_common::Result;
use warcsieve_train::{GenrePages, write_model};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    pub(super) common: Common,
    /// Pipeline file, or the name of one that ships: it decides which records are pages, and how
    /// they are segmented.
    #[arg(long, value_name = "FILE", default_value = "goce", hide_possible_values = true, value_parser = PipelineName)]
    pipeline: String,
}

pub fn run(arguments: &Arguments) -> Result<Exit> {
    let common = &arguments.common;
    let pipeline = pipeline(&arguments.pipeline)?;
    let (inputs, gold) = common.open(&arguments.pipeline)?;
    let pages = GenrePages::collect(&inputs, &gold, &pipeline)?;
    warn_of(&pages.faults);
    let folds = common.folds_of(&pages);
    let (mut model, validation) = pages.train(folds, common.seed)?;
    let measured = validation.and_then(|v| v.measure(&pages.dataset));
    let figures = genre_figures(pages.learned_from(), folds, measured.as_ref());
    let learner = format!("linear SVM on ln(1 + count), C 1, seed {}", common.seed);
    model.about = common.about(&pipeline, learner, &figures);
    let text = model.to_text();
    write_model(&common.out, &text)?;
    let text = format!("{text}\n{figures}\n{}", step("goce", &common.out));
    finish(&text, &pages.faults)
}
