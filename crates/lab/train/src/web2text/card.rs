//! The model card of the networks, generated with them.

use super::fitted::Epoch;
use super::learn::{HELD_OUT, Learned, Trained};
use super::params::{Dropped, Goal, Params, Rate, Steps};
use super::target::{Target, Weighting};
use crate::provenance::Provenance;
use crate::sequences::Sequences;
use std::collections::BTreeMap;
use std::fmt::Write;
use warcsieve_classify::expected_f::Options;
use warcsieve_common::{markdown, markdown_code_block};
use warcsieve_eval::align::Alignment;
use warcsieve_eval::stats::mean;
use warcsieve_papers::web2text::decode::Decode;

/// The contents of a card except the measurements.
#[derive(Clone, Debug)]
pub struct Card {
    /// The origin of the model.
    pub from: Provenance,
    /// How gold texts were turned into labels.
    pub alignment: Alignment,
    /// How the networks were trained.
    pub params: Params,
    /// Number of folds; 0 for none.
    pub folds: usize,
}

impl Card {
    /// The metadata lines in the model file.
    pub fn about(&self, data: &Sequences, learned: &Learned) -> BTreeMap<String, String> {
        let figures = match self.folds {
            0 => format!("{}; not validated", pages(data)),
            folds => {
                let scores = Decode::ALL.map(|decode| f1(data, learned, decode, |_| true));
                format!(
                    "{}; out of fold, {folds} folds of whole {}: word F1 {:.4} by Viterbi, {:.4} unary, {:.4} by expected F1",
                    pages(data),
                    data.kept_together(folds),
                    scores[0],
                    scores[1],
                    scores[2]
                )
            }
        };
        let about = [
            ("alignment", self.alignment.as_str().to_owned()),
            ("learner", self.learner()),
            ("seed", self.params.seed.to_string()),
            ("folds", self.folds.to_string()),
            ("epochs", epochs(&learned.all)),
            ("figures", figures),
        ];
        self.from.about(&about)
    }

    fn learner(&self) -> String {
        let p = &self.params;
        format!(
            "{} convolutions of width 3, {} filters, the last {}; dropout {}{}; Adam, learning rate {}{}, {} a \
             step, at most {} epochs, patience {}{}; a block weighs {}",
            p.layers,
            p.filters,
            p.last_filters,
            p.dropout,
            match p.dropped {
                Dropped::Outputs => "",
                Dropped::Weights => " of weights",
            },
            p.learning_rate,
            match p.rate {
                Rate::Cosine => " falling along half a cosine",
                Rate::Constant => "",
            },
            match p.steps {
                Steps::Pages => format!("{} blocks", p.batch),
                Steps::Patches(of) => format!("{} patches of {} blocks", of.count, of.blocks),
            },
            p.epochs,
            p.patience,
            match p.goal {
                Goal::Loss => "",
                Goal::F1 => ", the best by F1",
            },
            match p.weighting {
                Weighting::Blocks => "as much as any other",
                Weighting::Tokens => "tokens / max(30, content + ¼ of all tokens of its page)",
            }
        )
    }

    /// The card, in Markdown.
    pub fn to_markdown(&self, data: &Sequences, learned: &Learned) -> String {
        let licence = self.from.terms();
        let mut text = format!(
            "# Model card: {}\n\nThis model is for `method = \"web2text\"`. It consists of two convolutional networks over the sequence of blocks of a page. \
             `warcsieve train web2text` writes this page together with the model. The command was:\n\n{}\n\n## Data\n\nThe model was learned \
             from {}. The pages are cut into blocks by segmentation `{}`. The labels come from the gold texts by the alignment `{}`. {licence}\n\n\
             There are {}.\n\n## How they were learned\n\nThe settings are: {}; seed {}. One page in ten, of whole {}, was held out to decide when to stop: \
             {}.\n\n{}",
            markdown(&self.from.name),
            markdown_code_block("", &self.from.command),
            self.from.files(),
            self.from.segmentation.as_str(),
            self.alignment.as_str(),
            pages(data),
            self.learner(),
            self.params.seed,
            data.kept_together(HELD_OUT),
            epochs(&learned.all),
            curves(&learned.all),
        );
        if self.folds > 0 {
            self.scores(data, learned, &mut text);
        }
        text + LIMITS
    }

    fn scores(&self, data: &Sequences, learned: &Learned, text: &mut String) {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "## Scores out of fold\n\nThe figures are word F1 by bags of words, means over pages, with {} folds of whole {}.\n\n| pages | n |",
            self.folds,
            data.kept_together(self.folds)
        );
        for decode in Decode::ALL {
            let _ = write!(text, " {} |", decode.about());
        }
        *text += "\n|---|---|---|---|---|\n";
        let mut kinds: Vec<&str> = data
            .pages
            .iter()
            .map(|p| p.text.page_type.as_str())
            .collect();
        kinds.sort_unstable();
        kinds.dedup();
        for kind in std::iter::once(None).chain(kinds.into_iter().map(Some)) {
            let of_kind =
                |page: usize| kind.is_none_or(|kind| data.pages[page].text.page_type == kind);
            let name = match kind {
                None => "all",
                Some("") => "of no type",
                Some(kind) => kind,
            };
            let n = (0..data.pages.len()).filter(|page| of_kind(*page)).count();
            let _ = write!(text, "| {} | {n} |", markdown(name));
            for decode in Decode::ALL {
                let _ = write!(text, " {:.3} |", f1(data, learned, decode, of_kind));
            }
            text.push('\n');
        }
        text.push('\n');
    }
}

fn pages(data: &Sequences) -> String {
    format!(
        "{} pages, {} blocks, of which {} are content",
        data.pages.len(),
        data.labels.len(),
        data.labels.iter().filter(|label| **label != 0).count()
    )
}

fn epochs(trained: &Trained) -> String {
    let both = Target::ALL.iter().zip(&trained.epochs);
    let both = both.map(|(target, epochs)| {
        let best = Epoch::best(epochs);
        format!(
            "{}: epoch {} of {}",
            target.as_str(),
            best.map_or(0, |e| e.number),
            epochs.len()
        )
    });
    both.collect::<Vec<_>>().join(", ")
}

/// The losses of all epochs.
fn curves(trained: &Trained) -> String {
    let [unary, pairwise] = &trained.epochs;
    let mut text = "The table has the mean cross-entropy per epoch. In training it is computed with dropout, on the pages held out without.\n\n\
                    | epoch | unary: training | held out | pairwise: training | held out |\n|---|---|---|---|---|\n"
        .to_owned();
    for number in 0..unary.len().max(pairwise.len()) {
        let losses = [unary, pairwise].map(|epochs| match epochs.get(number) {
            Some(e) => format!("{:.4} | {:.4}", e.training, e.validation),
            None => "– | –".to_owned(),
        });
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| {} | {} |", number + 1, losses.join(" | "));
    }
    text + "\n"
}

/// The mean out-of-fold word F1 of some pages.
fn f1(data: &Sequences, learned: &Learned, decode: Decode, which: impl Fn(usize) -> bool) -> f64 {
    let content = data.decode(&learned.potentials, decode, Options::keeping_comments());
    let scores = data.scores(&content);
    let taken = scores.iter().enumerate().filter(|(page, _)| which(*page));
    let taken: Vec<f64> = taken.map(|(_, scores)| scores.f1).collect();
    mean(&taken).unwrap_or_default()
}

const LIMITS: &str = "## Limits\n\n\
- The features of stop words and capital letters are made for English. On pages in other languages they tell the networks less.\n\
- The gold decides what content is, for example whether prices, grids, teasers and comments are content.\n\
- The figures are for pages like those that the model was learned from. Pages in other languages and from other decades have to be measured.\n";
