//! Vogels, Ganea, Eickhoff: Web2Text: Deep Structured Boilerplate Removal, 2018: `web2text.md`.

mod leaves;
mod speed;
mod splits;
mod table2;
mod wcxb;

pub use splits::write as write_splits;

use crate::Result;
use crate::job::Job;
use crate::old::{Corner, Frame, Series, lines};
use std::path::Path;
use warcsieve_train::web2text::{Epoch, Learned};

const FIGURES: &str = "web2text";

pub fn write(job: &Job) -> Result {
    let growth = speed::growth()?;
    job.say("growth");
    let clean_eval = table2::measure(job)?;
    let figures = job.figures(FIGURES)?;
    curves(
        &clean_eval.learned,
        "CleanEval's training set",
        &figures.join("cleaneval.svg"),
    )?;
    let [training, test] = clean_eval.sizes;
    let out_of_fold = wcxb::measure(job)?;
    curves(
        &out_of_fold.learned,
        "WCXB and Readability, all pages",
        &figures.join("wcxb.svg"),
    )?;
    let elsewhere = wcxb::elsewhere(job)?;
    job.say("other corpora");
    let text = format!(
        "{HEAD}\n## Table 2: CleanEval, leaf by leaf\n
The networks are trained on CleanEval's training set ({} pages, {} leaves) and measured on its test set ({} pages, {} leaves). A page that is in both sets is left out of the training set. The figures for the authors' own divisions are on [a page of their own](web2text-splits.md). All figures are \
over all leaves, each counting 1, as in the paper. The last column is a mean over pages.\n\n{}\n{MARKS}\n\n{}\n### Training curves\n
![Losses by epoch](web2text/cleaneval.svg)\n
### The same, trained on all labelled pages of CleanEval\n
The authors do not say how many pages they trained on; they mention about 1,000 labelled pages. This table uses both sets together, 739 pages, in five folds of whole \
registered domains. The networks and the CRF label each page after training on the other folds.\n\n{}\n
## WCXB, out of fold\n
The table has the mean word F1 over pages. The networks are trained on WCXB's development set and the Readability pages, in five folds of whole registered domains. \
Each page is labelled by networks that have not seen its domain. The networks that ship are trained on all of these pages{}. {WEIGHTING}\n\n{}\n
![Losses by epoch](web2text/wcxb.svg)\n
## Pages of other times\n
The table has the mean word F1 of the pipelines that ship. The networks saw no page of these corpora.\n\n{elsewhere}\n
## Speed\n
The pages are those of WCXB's development set, on one thread. The first column is for the whole way from the compressed record to the text, the best of three runs. The second is for the labels alone.\n\n{}\n
Nanoseconds per block for the labels alone, on pages with many blocks:\n\n{}\n{DEVIATIONS}",
        training.0,
        training.1,
        test.0,
        test.1,
        clean_eval.table,
        clean_eval.ablation,
        clean_eval.folds,
        match out_of_fold.is_shipped()? {
            true => "; this run made exactly the same networks",
            false => "; this run made different networks, which can happen on another kind of machine",
        },
        out_of_fold.scores(),
        speed::pages(job)?,
        growth,
    );
    job.page("web2text.md", &text)
}

/// Draws the losses of both networks.
fn curves(learned: &Learned, title: &str, path: &Path) -> Result {
    let [unary, pairwise] = &learned.all.epochs;
    let series = |name: &str, epochs: &[Epoch], of: fn(&Epoch) -> f64| Series {
        name: name.to_owned(),
        points: epochs.iter().map(|e| (e.number as f64, of(e))).collect(),
    };
    let series = [
        series("unary: training", unary, |e| e.training),
        series("unary: held out", unary, |e| e.validation),
        series("pairwise: training", pairwise, |e| e.training),
        series("pairwise: held out", pairwise, |e| e.validation),
    ];
    let frame = Frame {
        title,
        x: "epoch",
        y: "mean cross-entropy",
    };
    lines(path, &frame, Corner::UpperRight, &series)
}

const HEAD: &str = "# Web2Text: Deep Structured Boilerplate Removal (Vogels, Ganea, Eickhoff 2018)\n
This page puts the tables of the paper next to our figures for the same method, `web2text`. It is for readers who compare warcsieve with the paper, or who train such networks ([training](../training.md)).\n
Written by `cargo xtask reproduce web2text` from the labelled corpora: run this command to repeat the measurement. All training is done by this program.\n
## What is compared\n
- All methods label the same blocks, the leaves of the Collapsed DOM. If a method has blocks of its own, a leaf is content if its first character is \
in a block that the method keeps. The authors do not say how they mapped the texts of other methods to their leaves.\n\
- The labels of the leaves are computed from the gold texts by divide and conquer (§4.1), in training and in the test. So no method sees the labels of another one.\n\
- BTE, default-ext, article-ext and largest-ext are the pipelines `bte`, `boilerpipe-default`, `boilerpipe-article-1-2` and `boilerpipe-largest`. CRF is `crf`, a linear \
chain on the same features as the networks, trained on the same pages; the paper's CRF has its own features. Unfluff is a program for Node.js that returns a text. To run it, we would need Node.js or its output for these \
pages, and the authors' mapping from a text back to leaves.\n\
- The seven layers are as published. The paper does not print the optimizer, the number of steps and the size of batches; ours are in `crates/lab/train/src/web2text/mod.rs`. For 58 pages, training makes \
up to 80 passes over the pages, with 300 blocks per step.\n";

const MARKS: &str = "\\* means: the greatest of its column, and greater than every other row page by page (Wilcoxon signed-rank test, p < .05; a page of which nothing is kept has \
precision 0). The marks of the paper's columns are those that the paper prints.";

const WEIGHTING: &str = "Here the weight of a block is its share of the page's tokens, so long pages count no more than short ones (`--weighting tokens`). The labels come from the alignment that \
this program uses to measure all methods.";

const DEVIATIONS: &str = "\n## Deviations\n
The deviations are listed in `crates/core/features/src/cdom/mod.rs`, `crates/lab/train/src/web2text/mod.rs`, `crates/lab/eval/src/align/divide/mod.rs` and `crates/core/classify/src/methods/web2text/mod.rs`.

## The paper's other tables and figures

Figure 1 shows the steps. Figure 2 shows a Collapsed DOM, which is an example in `crates/core/features/src/cdom/tests.rs`. \
Table 1 lists features: [cdom.md](../cdom.md). Table 3 is in [retrieval.md](retrieval.md).
";
