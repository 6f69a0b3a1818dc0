//! `warcsieve train crf`: a linear-chain conditional random field for `method = "crf"`.

use super::learned::{file_name, finish, step, warn_of};
use super::texts::Texts;
use crate::exit::Exit;
use crate::pipelines::{PipelineName, pipeline};
use warcsieve_common::{Result, counted};
use warcsieve_eval::align::Alignment;
use warcsieve_eval::score::Scores;
use warcsieve_extract::Pipeline;
use warcsieve_train::crf::{Learned, Params, learn};
use warcsieve_train::sequences::Sequences;
use warcsieve_train::write_model;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    texts: Texts,
    /// Pipeline file, or the name of one that ships: it decides which records are pages, and how
    /// they are segmented.
    #[arg(long, value_name = "FILE", default_value = "crf", hide_possible_values = true, value_parser = PipelineName)]
    pipeline: String,
    /// How gold texts become labels of blocks: `tokens`, by the alignment with the highest score,
    /// as in all other commands; `divide`, by unique fragments, as published for Web2Text.
    #[arg(long, value_name = "HOW", default_value = "tokens", value_parser = ["tokens", "divide"])]
    alignment: String,
    /// Folds of the cross-validation; a registered domain is in one of them.
    #[arg(long, value_name = "N", default_value = "5", value_parser = clap::value_parser!(u8).range(2..))]
    folds: u8,
    /// Weight of half the sum of squared weights, relative to a weight of 1 per block.
    #[arg(long, value_name = "WEIGHT", default_value = "1", value_parser = l2)]
    l2: f64,
    /// Threads to use; default: as many as there are cores. The model does not depend on it.
    #[arg(long, value_name = "N", value_parser = crate::threads::parse)]
    pub(super) threads: Option<u16>,
}

impl Arguments {
    fn alignment(&self) -> Alignment {
        match self.alignment.as_str() {
            "divide" => Alignment::Divide,
            _ => Alignment::Tokens,
        }
    }

    /// The command line for a shell, with file names without folders.
    fn command(&self) -> String {
        let mut text = format!(
            "warcsieve train crf {} --alignment {} --folds {} --l2 {}",
            self.texts.words(),
            self.alignment,
            self.folds,
            self.l2
        );
        text += &Texts::pipeline(&self.pipeline, "crf");
        text + &self.texts.ending()
    }
}

pub fn run(arguments: &Arguments) -> Result<Exit> {
    let pipeline = pipeline(&arguments.pipeline)?;
    let (inputs, gold, card_file) = arguments.texts.open(&arguments.pipeline)?;
    let data = Sequences::collect(&inputs, &gold, &pipeline, arguments.alignment())?;
    warn_of(&data.faults);
    let params = Params {
        l2: arguments.l2,
        ..Params::default()
    };
    let mut learned = learn(&data, &params, usize::from(arguments.folds))?;
    let facts = facts(arguments, &pipeline, &data, &learned);
    let about = facts.iter().map(|(k, v)| ((*k).to_owned(), v.clone()));
    learned.model.about = about.collect();
    let out = &arguments.texts.out;
    write_model(out, &learned.model.to_text())?;
    let lines = facts.iter().map(|(k, v)| format!("| {k} | {v} |\n"));
    let card = format!(
        "# {}\n\nThis model is for `method = \"crf\"`. It is a linear-chain conditional random field. `warcsieve train crf` writes this page together with the model.\n\n| | |\n| --- | --- |\n{}\n```sh\n{}\n```\n",
        file_name(out),
        lines.collect::<String>(),
        arguments.command()
    );
    write_model(&card_file, &card)?;
    finish(&(card + &step("crf", out)), &data.faults)
}

/// The description of the model, for its file and its card.
fn facts(
    arguments: &Arguments,
    pipeline: &Pipeline,
    data: &Sequences,
    learned: &Learned,
) -> Vec<(&'static str, String)> {
    let blocks = learned.blocks.as_ref();
    let found = blocks.and_then(|b| b.classes.get(1)).copied();
    let found = found.unwrap_or_default();
    let words = |of: fn(&Scores) -> f64| {
        let sum: f64 = learned.scores.iter().map(of).sum();
        sum / learned.scores.len().max(1) as f64
    };
    let mut facts = vec![
        ("trained_on", arguments.texts.data().join(", ")),
        (
            "size",
            format!(
                "{}, {}, {} of them content",
                counted(data.pages.len(), "page", "pages"),
                counted(data.labels.len(), "block", "blocks"),
                data.labels.iter().filter(|l| **l == 1).count()
            ),
        ),
        ("segmentation", pipeline.segmentation.as_str().to_owned()),
        ("alignment", arguments.alignment.clone()),
        ("learner", format!("L-BFGS, L2 {}", arguments.l2)),
        ("folds", {
            let folds = arguments.folds;
            format!(
                "{folds} of whole {}",
                data.kept_together(usize::from(folds))
            )
        }),
        (
            "blocks_out_of_fold",
            format!(
                "accuracy {:.4}, precision {:.4}, recall {:.4}, F1 {:.4}",
                blocks.map_or(0.0, |b| b.accuracy),
                found.precision,
                found.recall,
                found.f1
            ),
        ),
        (
            "words_out_of_fold",
            format!(
                "mean F1 {:.4}, precision {:.4}, recall {:.4}",
                words(|s| s.f1),
                words(|s| s.precision),
                words(|s| s.recall)
            ),
        ),
    ];
    if !arguments.texts.licence.is_empty() {
        facts.push(("licence", arguments.texts.licence.clone()));
    }
    facts
}

fn l2(text: &str) -> std::result::Result<f64, String> {
    match text.parse() {
        Ok(weight) if weight > 0.0 && weight <= 1e9 => Ok(weight),
        _ => Err("not a number above 0 and at most a thousand million".to_owned()),
    }
}
