//! `warcsieve tune`: learns weights for fields from topics with judgements.

use super::ranking::Ranking;
use crate::exit::Exit;
use crate::{print, threads};
use std::path::PathBuf;
use warcsieve_common::Result;
use warcsieve_retrieval::measures::{Measure, Test};
use warcsieve_retrieval::qrels::Qrels;
use warcsieve_retrieval::search::SearchIndex;
use warcsieve_retrieval::topics;
use warcsieve_retrieval::tune::{Tuned, Tuning};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The index, built with --bands.
    index: PathBuf,
    /// Topics: SGML or XML of TREC, or lines of a number, a tab and a text; may be .gz.
    #[arg(long, value_name = "FILE")]
    topics: PathBuf,
    /// Judgements: lines of `qid iter docno rel`; may be .gz.
    #[arg(long, value_name = "FILE")]
    qrels: PathBuf,
    /// Number of folds. Topics are assigned to folds in turn, in the order of the judgements; the
    /// weights for each fold are chosen on the other folds.
    #[arg(long, value_name = "N", default_value = "5", value_parser = clap::value_parser!(u16).range(2..=100))]
    folds: u16,
    /// The measure to maximize.
    #[arg(long, value_name = "NAME", default_value = "MAP")]
    measure: Measure,
    /// Results per topic.
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    hits: u32,
    /// Leave titles out.
    #[arg(long)]
    no_title: bool,
    #[command(flatten)]
    ranking: Ranking,
    /// Threads to use; default: as many as there are cores.
    #[arg(long, value_name = "N", value_parser = crate::threads::parse)]
    threads: Option<u16>,
}

pub fn run(arguments: &Arguments) -> Result<Exit> {
    let index = SearchIndex::open(&arguments.index)?;
    let topics = topics::read(&arguments.topics)?;
    let qrels = Qrels::read(&arguments.qrels)?;
    let tuning = Tuning {
        index: &index,
        topics: &topics,
        qrels: &qrels,
        method: arguments.ranking.method(),
        measure: arguments.measure,
        hits: arguments.hits as usize,
        title: !arguments.no_title,
    };
    let folds = usize::from(arguments.folds);
    let places: std::collections::HashMap<&str, usize> = (qrels.topics.iter().enumerate())
        .map(|(at, (topic, _))| (topic.as_str(), at % folds))
        .collect();
    let pool = threads::pool(arguments.threads)?;
    let learn = || tuning.learn(folds, |topic| places.get(topic).copied().unwrap_or(0));
    let tuned = pool.install(learn)?;
    print::text(&shown(&tuned, &arguments.measure))?;
    Ok(Exit::Done)
}

/// The folds, the means over all topics, and the weights to use.
fn shown(tuned: &Tuned, measure: &Measure) -> String {
    let mut text =
        format!("{measure}\nfold  topics  all weights 1  held out  weights chosen on the others\n");
    for (number, fold) in tuned.folds.iter().enumerate() {
        text += &format!(
            "{:>4}  {:>6}  {:>13.4}  {:>8.4}  {}\n",
            number + 1,
            fold.topics,
            fold.unweighted,
            fold.held_out,
            fold.weights
        );
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let p = Test::Wilcoxon.p(&tuned.held_out, &tuned.unweighted);
    text += &format!(
        " all  {:>6}  {:>13.4}  {:>8.4}  {}\n",
        tuned.held_out.len(),
        mean(&tuned.unweighted),
        mean(&tuned.held_out),
        p.map_or_else(String::new, |p| format!("p {p:.1e} (Wilcoxon)"))
    );
    text + &format!("\nchosen on all topics: --weights {}\n", tuned.weights)
}
