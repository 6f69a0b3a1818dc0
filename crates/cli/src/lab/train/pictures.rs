//! `warcsieve train genre-pictures`: distinguishing articles from lists by pictures of pages.

use super::common::Common;
use super::learned::{finish, genre_figures, quoted, warn_of};
use crate::exit::Exit;
use crate::outputs::out_path;
use crate::pipelines::{PipelineName, pipeline};
use std::path::PathBuf;
use warcsieve_common::{Error, Result};
use warcsieve_train::picture::{Frozen, Params, SIDE, SIZE};
use warcsieve_train::{GenrePages, write_model, write_model_bytes};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    pub(super) common: Common,
    /// Pipeline file with screenshots = true, from a browser or from layouts that an earlier run
    /// kept.
    #[arg(long, value_name = "FILE", hide_possible_values = true, value_parser = PipelineName)]
    pipeline: String,
    /// Passes over the pages.
    #[arg(long, value_name = "N", default_value = "20", conflicts_with = "pretrained", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    epochs: u16,
    /// Weights of a pretrained ResNet or VGG, as safetensors. The model is then linear, on the
    /// outputs of the last convolution. Only for figures: `goce` cannot use it.
    #[arg(long, value_name = "FILE")]
    pretrained: Option<PathBuf>,
    /// File for the outputs of these weights for each picture, which take long to compute; later
    /// runs read it.
    #[arg(long, value_name = "FILE", requires = "pretrained", value_parser = out_path)]
    activations: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<Exit> {
    let common = &arguments.common;
    let pipeline = pipeline(&arguments.pipeline)?;
    let (inputs, gold) = common.open(&arguments.pipeline)?;
    let size = match arguments.pretrained {
        Some(_) => [SIDE, SIDE],
        None => SIZE,
    };
    let pages = GenrePages::collect_pictures(&inputs, &gold, &pipeline, size)?;
    warn_of(&pages.faults);
    let folds = common.folds_of(&pages);
    let pictured = pages.pictures.iter().flatten().count();
    let learned_from = pages.learned_from();
    let faults = pages.faults.clone();
    let said = |measured| {
        let figures = genre_figures(learned_from, folds, measured);
        format!("{pictured} pages with a picture; {figures}")
    };
    let figures = match &arguments.pretrained {
        Some(weights) => {
            let frozen = Frozen::open(weights)?;
            let cache = arguments.activations.clone();
            let cache = cache.unwrap_or_else(|| common.out.with_extension("activations"));
            let pages = pages.with_activations(&frozen, &cache)?;
            let (mut model, validation) = pages.train(folds, common.seed)?;
            let figures = said(validation.and_then(|v| v.measure(&pages.dataset)).as_ref());
            let learner = format!("linear SVM on activations, C 1, seed {}", common.seed);
            model.about = common.about(&pipeline, learner, &figures);
            write_model(&common.out, &model.to_text())?;
            figures
        }
        None => {
            let params = Params {
                epochs: usize::from(arguments.epochs),
                seed: common.seed,
                ..Params::default()
            };
            let each = |done: usize, all: usize| tracing::info!("{done} of {all} networks");
            let (mut network, validation) = pages.train_on_pictures(folds, &params, each)?;
            let figures = said(validation.and_then(|v| v.measure(&pages.dataset)).as_ref());
            let learner = format!("network, {} epochs, seed {}", params.epochs, params.seed);
            network.about = common.about(&pipeline, learner, &figures);
            let bytes = network.to_bytes().map_err(Error::Invalid)?;
            write_model_bytes(&common.out, &bytes)?;
            figures
        }
    };
    let step = match arguments.pretrained {
        Some(_) => String::new(),
        None => format!(
            "\nA pipeline file beside {} that has screenshots = true takes it by\n\n[[step]]\nmethod = \"goce\"\nmodel = {}\n",
            common.out.display(),
            quoted(&common.out)
        ),
    };
    finish(&format!("{figures}\n{step}"), &faults)
}
