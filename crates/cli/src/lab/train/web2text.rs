//! `warcsieve train web2text`: networks for `method = "web2text"`.

use super::common::rate;
use super::learned::{finish, step, warn_of};
use super::texts::Texts;
use crate::exit::Exit;
use crate::pipelines::{PipelineName, pipeline};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Instant;
use tracing::info;
use warcsieve_common::{Error, Result};
use warcsieve_eval::align::Alignment;
use warcsieve_features::cdom::Of;
use warcsieve_train::sequences::Sequences;
use warcsieve_train::web2text::{
    Card, Checkpoints, Device, Params, Reached, Weighting, fingerprint, learn,
};
use warcsieve_train::{write_model, write_model_bytes};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    texts: Texts,
    /// Pipeline file, or the name of one that ships: it decides which records are pages, and how
    /// they are segmented.
    #[arg(long, value_name = "FILE", default_value = "web2text", hide_possible_values = true, value_parser = PipelineName)]
    pipeline: String,
    /// How gold texts become labels of blocks.
    #[arg(long, value_enum, default_value = "tokens")]
    alignment: Aligned,
    /// Weight of a block in the loss: `blocks`, equal for all; `tokens`, by its share of the page.
    #[arg(long, value_enum, default_value = "tokens")]
    weighting: Weighed,
    /// Features to leave out by what they describe, separated by commas: block, parent,
    /// grandparent, root, path, edge.
    #[arg(long, value_name = "OF", value_delimiter = ',', value_parser = Of::ALL.map(Of::as_str))]
    without: Vec<String>,
    /// Folds of the cross-validation; a registered domain is in one of them. 0 for none.
    #[arg(long, value_name = "N", default_value = "5", value_parser = folds)]
    folds: u8,
    /// Maximum number of epochs.
    #[arg(long, value_name = "N", default_value_t = Params::default().epochs as u16, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    epochs: u16,
    /// Training stops after this many epochs without a better loss on the held-out pages.
    #[arg(long, value_name = "N", default_value_t = Params::default().patience as u16)]
    patience: u16,
    /// Maximum step of Adam: above 0, at most 1.
    #[arg(long, value_name = "RATE", default_value_t = Params::default().learning_rate, value_parser = rate)]
    learning_rate: f64,
    /// Dropout: share of each convolution's outputs that is left out in a step, 0 to .9.
    #[arg(long, value_name = "SHARE", default_value_t = Params::default().dropout, value_parser = dropout)]
    dropout: f64,
    /// Blocks per step.
    #[arg(long, value_name = "N", default_value_t = Params::default().batch as u32, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    batch: u32,
    /// Seed of all random numbers.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Where networks are trained.
    #[arg(long, value_enum, default_value = "cpu")]
    device: On,
    /// Folder of the checkpoints, from which an interrupted training continues; by default next to
    /// the model, with the ending `.checkpoints`. They are removed at the end.
    #[arg(long, value_name = "FOLDER")]
    checkpoints: Option<PathBuf>,
    /// Threads to use; default: as many as there are cores.
    #[arg(long, value_name = "N", value_parser = crate::threads::parse)]
    pub(super) threads: Option<u16>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Aligned {
    /// By the alignment with the highest score, as in all other commands.
    Tokens,
    /// By divide and conquer on unique fragments, as published.
    Divide,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Weighed {
    Blocks,
    Tokens,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum On {
    /// The processor.
    Cpu,
    /// The first CUDA device, if the program was built with the feature `cuda`.
    Cuda,
}

impl Arguments {
    fn params(&self) -> Params {
        Params {
            epochs: usize::from(self.epochs),
            patience: usize::from(self.patience),
            learning_rate: self.learning_rate,
            dropout: self.dropout,
            batch: self.batch as usize,
            seed: self.seed,
            weighting: match self.weighting {
                Weighed::Blocks => Weighting::Blocks,
                Weighed::Tokens => Weighting::Tokens,
            },
            device: match self.device {
                On::Cpu => Device::Cpu,
                On::Cuda => Device::Cuda,
            },
            ..Params::default()
        }
    }

    /// The command line for a shell, with file names without folders.
    fn command(&self) -> String {
        let alignment = self.alignment().as_str();
        let mut text = format!(
            "warcsieve train web2text {} --folds {} --seed {} --epochs {} --patience {} --learning-rate {} --dropout {} --batch {} --weighting {} \
             --alignment {alignment}",
            self.texts.words(),
            self.folds,
            self.seed,
            self.epochs,
            self.patience,
            self.learning_rate,
            self.dropout,
            self.batch,
            match self.weighting {
                Weighed::Blocks => "blocks",
                Weighed::Tokens => "tokens",
            },
        );
        if !self.without.is_empty() {
            text += &format!(" --without {}", self.without.join(","));
        }
        text += &Texts::pipeline(&self.pipeline, "web2text");
        if matches!(self.device, On::Cuda) {
            text += " --device cuda";
        }
        text + &self.texts.ending()
    }

    fn alignment(&self) -> Alignment {
        match self.alignment {
            Aligned::Tokens => Alignment::Tokens,
            Aligned::Divide => Alignment::Divide,
        }
    }
}

pub fn run(arguments: &Arguments) -> Result<Exit> {
    let pipeline = pipeline(&arguments.pipeline)?;
    let (inputs, gold, card_file) = arguments.texts.open(&arguments.pipeline)?;
    let alignment = arguments.alignment();
    let mut data = Sequences::collect(&inputs, &gold, &pipeline, alignment)?;
    let left_out = |of: &str| arguments.without.iter().any(|w| w == of);
    data.without(|name| name.split_once('.').is_some_and(|(of, _)| left_out(of)));
    if data.names.is_empty() {
        return Err(Error::Invalid(
            "no feature is left to learn from".to_owned(),
        ));
    }
    warn_of(&data.faults);
    let params = arguments.params();
    let folds = usize::from(arguments.folds);
    let out = &arguments.texts.out;
    let folder = match &arguments.checkpoints {
        Some(folder) => folder.clone(),
        None => out.with_extension("checkpoints"),
    };
    if folder == *out || folder.is_file() {
        let why = format!("--checkpoints {}: a folder is needed", folder.display());
        return Err(Error::Invalid(why));
    }
    let checkpoints = Checkpoints::new(&folder, fingerprint(&data, &params, folds));
    let progress = Progress::new(folds, params.epochs);
    let mut learned = learn(&data, &params, folds, Some(&checkpoints), &|reached| {
        progress.show(reached);
    })?;
    let card = Card {
        from: arguments
            .texts
            .provenance(arguments.command(), pipeline.segmentation),
        alignment,
        params,
        folds,
    };
    learned.all.networks.about = card.about(&data, &learned);
    let bytes = learned.all.networks.to_bytes();
    let bytes =
        bytes.map_err(|e| Error::Invalid(format!("no usable networks were learned: {e}")))?;
    write_model_bytes(out, &bytes)?;
    let text = card.to_markdown(&data, &learned);
    write_model(&card_file, &text)?;
    checkpoints.remove()?;
    finish(&(text + &step("web2text", out)), &data.faults)
}

/// Logs the progress of the training after every epoch.
struct Progress {
    start: Instant,
    folds: usize,
    epochs: usize,
    reached: Mutex<Shown>,
}

/// What was logged so far.
#[derive(Default)]
struct Shown {
    /// Number of epochs in this run.
    epochs: usize,
    /// The fold that is being trained, and the epoch of each of its networks.
    fold: Option<usize>,
    networks: BTreeMap<&'static str, usize>,
}

impl Progress {
    fn new(folds: usize, epochs: usize) -> Self {
        Self {
            start: Instant::now(),
            folds,
            epochs,
            reached: Mutex::default(),
        }
    }

    fn show(&self, reached: Reached<'_>) {
        let Ok(mut shown) = self.reached.lock() else {
            return;
        };
        if shown.fold != reached.fold {
            shown.networks.clear();
        }
        shown.fold = reached.fold;
        shown.epochs += 1;
        let (network, number) = (reached.target.as_str(), reached.epoch.number);
        shown.networks.insert(network, number);
        // The folds come before the training on all pages.
        let later = self.folds - reached.fold.unwrap_or(self.folds);
        let done: usize = shown.networks.values().sum();
        let left = 2 * self.epochs * (later + 1) - done;
        let seconds = self.start.elapsed().as_secs_f64() / shown.epochs as f64 * left as f64;
        info!(
            fold = reached.fold.map_or("all".to_owned(), |fold| format!(
                "{}/{}",
                fold + 1,
                self.folds
            )),
            network,
            epoch = format!("{number}/{}", self.epochs),
            training = format!("{:.4}", reached.epoch.training),
            held_out = format!("{:.4}", reached.epoch.validation),
            eta = format!("at most {seconds:.0} s"),
            "epoch done"
        );
    }
}

fn folds(text: &str) -> std::result::Result<u8, String> {
    match text.parse() {
        Ok(1) | Err(_) => Err("not 0, and not 2 to 255".to_owned()),
        Ok(folds) => Ok(folds),
    }
}

fn dropout(text: &str) -> std::result::Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=0.9).contains(&share) => Ok(share),
        _ => Err("not a number from 0 to .9".to_owned()),
    }
}
