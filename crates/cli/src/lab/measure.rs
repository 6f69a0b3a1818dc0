//! `warcsieve measure`: measures runs against relevance judgements.

use super::omit::OmitArguments;
use crate::exit::Exit;
use crate::print;
use std::collections::HashSet;
use std::path::PathBuf;
use warcsieve_common::{Error, Result, counted};
use warcsieve_retrieval::measures::{DEFAULT, Measure, Measured, Options, Test, measure, report};
use warcsieve_retrieval::qrels::Qrels;
use warcsieve_retrieval::run::Run;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Run files: lines of `qid Q0 docno rank score tag` (may be .gz); others are compared to the
    /// first.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// Judgements: lines of `qid iter docno rel` (may be .gz).
    #[arg(required = true, value_name = "QRELS")]
    qrels: PathBuf,
    /// Measures, separated by commas, such as P@10,nDCG@20; an unknown name lists the known ones.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    measures: Vec<Measure>,
    /// Minimum grade of a relevant document.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(i32).range(1..))]
    level: i32,
    #[command(flatten)]
    omit: OmitArguments,
    /// Print one line per measure and topic, as trec_eval does; with --json add the values of
    /// topics.
    #[arg(long)]
    per_topic: bool,
    /// Print JSON instead of tables.
    #[arg(long)]
    json: bool,
    /// The significance test for several runs.
    #[arg(long, value_name = "TEST", value_enum, default_value = "wilcoxon")]
    test: TestName,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum TestName {
    Wilcoxon,
    Randomization,
}

pub fn run(arguments: &Arguments) -> Result<Exit> {
    if arguments.per_topic && !arguments.json && arguments.runs.len() > 1 {
        let why = "--per-topic prints one run; name one, or add --json";
        return Err(Error::Invalid(why.to_owned()));
    }
    let omit = arguments.omit.read()?;
    let qrels = Qrels::read(&arguments.qrels).map_err(|e| swapped(arguments).unwrap_or(e))?;
    let qrels = omit.of_qrels(qrels);
    let runs: Vec<Run> = (arguments.runs.iter())
        .map(|path| Run::read(path))
        .collect::<Result<_>>()?;
    if runs.iter().all(|run| run.topics.is_empty()) {
        let run = arguments.runs[0].display();
        let why = "the run is empty, so there is nothing to measure";
        return Err(Error::Invalid(format!("{run}: {why}")));
    }
    let runs: Vec<Run> = runs.into_iter().map(|run| omit.of_run(run)).collect();
    let names = names(&arguments.runs, &runs);
    let named: Vec<_> = names.iter().map(String::as_str).zip(&runs).collect();
    let measured = measure(&named, &qrels, &options(arguments));
    refuse_foreign(&measured, arguments)?;
    complain(&measured);
    let text = match &measured.runs[..] {
        _ if arguments.json => print::json_line(report::json(&measured, arguments.per_topic)),
        [run] if arguments.per_topic => report::per_topic(&measured, run),
        _ => report::table(&measured),
    };
    print::text(&text)?;
    Ok(Exit::Done)
}

fn options(arguments: &Arguments) -> Options {
    Options {
        measures: match &arguments.measures[..] {
            [] => DEFAULT.to_vec(),
            named => named.to_vec(),
        },
        level: arguments.level,
        test: match arguments.test {
            TestName::Wilcoxon => Test::Wilcoxon,
            TestName::Randomization => Test::Randomization,
        },
        ..Options::default()
    }
}

/// The error if run and judgements are swapped, because each can be read as the other.
fn swapped(arguments: &Arguments) -> Option<Error> {
    let [run] = &arguments.runs[..] else {
        return None;
    };
    let is_so = Qrels::read(run).is_ok() && Run::read(&arguments.qrels).is_ok();
    is_so.then(|| {
        let (run, qrels) = (run.display(), arguments.qrels.display());
        Error::Invalid(format!(
            "{run} holds judgements and {qrels} a run: first the run, then the judgements"
        ))
    })
}

/// The tags of the runs. If two are equal or one is empty, the file names.
fn names(files: &[PathBuf], runs: &[Run]) -> Vec<String> {
    let tags: HashSet<&str> = runs.iter().map(|r| &*r.tag).collect();
    if tags.len() == runs.len() && !tags.contains("") {
        runs.iter().map(|r| r.tag.clone()).collect()
    } else {
        files.iter().map(|f| f.display().to_string()).collect()
    }
}

/// Refuses runs that have results but none for a judged topic, because all their figures would be
/// 0.
fn refuse_foreign(measured: &Measured, arguments: &Arguments) -> Result<()> {
    for run in &measured.runs {
        let judged = measured.topics.len();
        if run.without_results.len() == judged && !run.without_judgements.is_empty() {
            return Err(Error::Invalid(format!(
                "{}: of its {}, none is among the {judged} that {} judges; are these the judgements \
                 of other topics?",
                run.name,
                counted(run.without_judgements.len(), "topic", "topics"),
                arguments.qrels.display()
            )));
        }
    }
    Ok(())
}

/// Warns about topics that are only in a run or only in the judgements.
fn complain(measured: &Measured) {
    for run in &measured.runs {
        let kinds = [
            (
                "judged topic has no results and counts as 0",
                "judged topics have no results and count as 0",
                &run.without_results,
            ),
            (
                "topic has no judgements and does not count",
                "topics have no judgements and do not count",
                &run.without_judgements,
            ),
        ];
        for (one, many, topics) in kinds.iter().filter(|(.., topics)| !topics.is_empty()) {
            let shown = topics.iter().take(SHOWN).map(String::as_str);
            let mut shown = shown.collect::<Vec<_>>().join(", ");
            if topics.len() > SHOWN {
                shown += ", …";
            }
            let what = counted(topics.len(), one, many);
            tracing::warn!("{}: {what}: {shown}", run.name);
        }
    }
}

/// Maximum number of topics listed by name.
const SHOWN: usize = 10;
