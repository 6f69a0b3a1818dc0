//! Plots of training.

use crate::plot::{Corner, frame, lines, series};
use crate::{Job, Result};
use warcsieve_train::web2text::{Epoch, Learned};

/// Draws the losses of both networks.
pub fn curves(job: &Job, learned: &Learned, title: &str, file: &str) -> Result {
    let [unary, pairwise] = &learned.all.epochs;
    let line = |name, epochs: &[Epoch], of: fn(&Epoch) -> f64| {
        series(name, epochs.iter().map(|e| (e.number as f64, of(e))))
    };
    let all = [
        line("unary: training", unary, |e| e.training),
        line("unary: held out", unary, |e| e.validation),
        line("pairwise: training", pairwise, |e| e.training),
        line("pairwise: held out", pairwise, |e| e.validation),
    ];
    let frame = frame(title, "epoch", "mean cross-entropy");
    let plot = lines(&frame, Corner::UpperRight, &all);
    job.plot(&format!("web2text/{file}.svg"), &plot)
}
