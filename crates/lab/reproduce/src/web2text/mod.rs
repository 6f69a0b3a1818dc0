//! Vogels, Ganea, Eickhoff: Web2Text: Deep Structured Boilerplate Removal, 2018: `web2text.md`.

mod leaves;
mod speed;
mod splits;
mod table2;
mod wcxb;

pub use splits::write as write_splits;

use crate::Result;
use crate::job::Job;
use crate::plot::{Corner, Frame, Series, lines};
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
Trained on CleanEval's training set ({} pages, {} leaves), measured on its test set ({} pages, {} leaves); a page that is in both sets is left out of the former. The authors' own divisions are on [a page of their own](web2text-splits.md). All figures are \
over all leaves, each counting 1, as in the paper; the last column is a mean over pages.\n\n{}\n{MARKS}\n\n{}\n### Training curves\n
![Losses by epoch](web2text/cleaneval.svg)\n
### The same, learned from as many pages as there are\n
How many pages the authors trained on they do not say; they speak of about 1,000 that are labelled. Both sets together, 739 pages, in five folds of whole \
registered domains: networks and CRF label each page after learning from the other folds.\n\n{}\n
## WCXB, out of fold\n
Mean word F1 over pages. The networks are trained on WCXB's development set and the Readability pages, five folds of whole registered domains; \
a page is labelled by those that have not seen its domain. The networks that ship are trained on all of these pages{}. {WEIGHTING}\n\n{}\n
![Losses by epoch](web2text/wcxb.svg)\n
## Pages of other times\n
Mean word F1 of the pipelines that ship; the networks saw no page of these corpora.\n\n{elsewhere}\n
## What it takes\n
One thread, the pages of WCXB's development set: from the compressed record to the text, best of three runs; and the labels alone.\n\n{}\n
Nanoseconds a block for labels alone on pages of many blocks:\n\n{}\n{DEVIATIONS}",
        training.0,
        training.1,
        test.0,
        test.1,
        clean_eval.table,
        clean_eval.ablation,
        clean_eval.folds,
        match out_of_fold.is_shipped()? {
            true => ", and come out of this run to the last bit",
            false => "; this run made others, as another kind of machine may",
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
Written by `make reproduce-web2text` from the labelled corpora. All training is done by this program.\n
## What is compared with what\n
- All methods label the same blocks, the leaves of the Collapsed DOM. Of a method with blocks of its own a leaf is content where its first character stands \
in a block that the method keeps. How the authors brought others' texts to their leaves they do not say.\n\
- Gold texts become labels of leaves by divide and conquer (§4.1), in training as in the test, so no method sees another's labels.\n\
- BTE, default-ext, article-ext and largest-ext are the pipelines `bte`, `boilerpipe-default`, `boilerpipe-article-1-2` and `boilerpipe-largest`. CRF is `crf`, a linear \
chain on the features that the networks see, trained on the same pages; the paper's has features of its own. Unfluff is a program for Node.js that answers with a text. What is missing to run it is Node.js, or its output for these \
pages, and the authors' way from a text back to leaves.\n\
- The seven layers are as published. Optimizer, steps and batches are not printed; ours are in `crates/lab/train/src/web2text/mod.rs`. For 58 pages they are gone \
through up to 80 times, 300 blocks a step.\n";

const MARKS: &str = "\\* the greatest of its column, and greater than every other row's page by page: Wilcoxon signed-rank test, p < .05, where a page of which nothing is kept has \
precision 0. The paper's marks are its own.";

const WEIGHTING: &str = "Here a block weighs its share of the page's tokens, so that long pages count no more than short ones (`--weighting tokens`), and labels are by the alignment that \
all methods of this program are measured with.";

const DEVIATIONS: &str = "\n## Deviations\n
They are listed in `crates/core/features/src/cdom/mod.rs`, `crates/lab/train/src/web2text/mod.rs`, `crates/lab/eval/src/align/divide/mod.rs` and `crates/core/classify/src/methods/web2text/mod.rs`.

## The paper's other table, and its figures

Figure 1 shows the steps, Figure 2 the Collapsed DOM; the latter is an example in `crates/core/features/src/cdom/tests.rs`. \
Table 1 lists features: [cdom.md](../cdom.md). Table 3 is in [retrieval.md](retrieval.md).
";
