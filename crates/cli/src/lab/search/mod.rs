//! `warcsieve search`: runs for topics, or results for a person.

mod out;
mod show;

use crate::exit::Exit;
use crate::lab::omit::OmitArguments;
use crate::lab::ranking::Ranking;
use crate::outputs::{check_output, out_path_or_stdout};
use crate::threads;
use out::Out;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use warcsieve_common::{Error, Result, counted};
use warcsieve_retrieval::run::write_topic;
use warcsieve_retrieval::search::{Model, Scope, Scoped, SearchIndex, Weights};
use warcsieve_retrieval::topics::{self, Topic};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The index.
    index: PathBuf,
    /// Topics: SGML or XML of TREC, or lines of a number, a tab and a text; may be .gz.
    #[arg(long, value_name = "FILE")]
    topics: Option<PathBuf>,
    /// Search for these words and show what is found.
    #[arg(short, long, value_name = "WORDS", conflicts_with_all = ["topics", "out", "tag", "parts"])]
    query: Option<String>,
    /// The parts of a topic that make the query.
    #[arg(
        long,
        value_name = "PART,…",
        value_enum,
        value_delimiter = ',',
        default_value = "title"
    )]
    parts: Vec<Part>,
    /// File for the run; default, and for -: standard output.
    #[arg(long, value_name = "FILE", value_parser = out_path_or_stdout)]
    out: Option<PathBuf>,
    /// Name of the run; default: the model.
    #[arg(long, value_name = "NAME", value_parser = word)]
    tag: Option<String>,
    /// Results per topic; default: 1000, with -q 10.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    hits: Option<u32>,
    #[command(flatten)]
    ranking: Ranking,
    #[command(flatten)]
    scope: ScopeArguments,
    #[command(flatten)]
    omit: OmitArguments,
    /// Threads to use; default: as many as there are cores.
    #[arg(long, value_name = "N", value_parser = crate::threads::parse)]
    threads: Option<u16>,
}

/// What is searched.
#[derive(Debug, clap::Args)]
struct ScopeArguments {
    /// Search titles alone.
    #[arg(long, group = "scope")]
    in_title: bool,
    /// Search blocks of at least this many words; the index must have been built with --sliding.
    #[arg(long, value_name = "N", group = "scope")]
    min_words: Option<u32>,
    /// Search blocks of at least this text density; the index must have been built with --sliding.
    #[arg(long, value_name = "D", group = "scope")]
    min_density: Option<f32>,
    /// With --min-words and --min-density: also search titles.
    #[arg(long, requires = "scope", conflicts_with_all = ["in_title", "weights"])]
    with_title: bool,
    /// Weights of terms by field: `soft`, or the title and each band of score (by its lower bound),
    /// as in title=1,0=0.25,0.1=0.25,0.5=0.5,0.9=1.5; a second number after a colon is the length
    /// normalisation of that field for BM25. The index must have been built with --bands. `anchors`
    /// are the texts of links to the page, with an index of --anchors; `body` is title and text
    /// without bands: body=1,anchors=0.5.
    #[arg(long, value_name = "WEIGHTS", group = "scope")]
    weights: Option<Weighting>,
}

/// What `--weights` says.
#[derive(Clone, Debug)]
enum Weighting {
    /// The preset of the model.
    Soft,
    Own(Weights),
}

impl FromStr for Weighting {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        match text {
            "soft" => Ok(Self::Soft),
            own => own.parse().map(Self::Own),
        }
    }
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Part {
    Title,
    Desc,
    Narr,
}

/// A word that can be a column of a run.
fn word(text: &str) -> Result<String, String> {
    match text.is_empty() || text.contains(char::is_whitespace) {
        true => Err("expected a word".to_owned()),
        false => Ok(text.to_owned()),
    }
}

impl ScopeArguments {
    fn scope(&self, model: Model) -> Scope {
        let title = self.with_title;
        match (self.min_words, self.min_density, &self.weights) {
            _ if self.in_title => Scope::Title,
            (Some(words), ..) => Scope::MinWords { words, title },
            (_, Some(density), _) => Scope::MinDensity { density, title },
            (.., Some(Weighting::Soft)) => Scope::Weighted(Weights::soft(model)),
            (.., Some(Weighting::Own(weights))) => Scope::Weighted(weights.clone()),
            _ => Scope::Body,
        }
    }
}

pub fn run(arguments: &Arguments) -> Result<Exit> {
    let index = SearchIndex::open(&arguments.index)?;
    if let (there, wanted) = index.shards()
        && there < wanted
    {
        tracing::warn!(
            "only {there} of {} in {}; `warcsieve index` continues with the others",
            counted(wanted, "shard is", "shards are"),
            arguments.index.display()
        );
    }
    let scoped = index.scope(arguments.scope.scope(arguments.ranking.method().model))?;
    let scoped = scoped.without(arguments.omit.read()?);
    match (&arguments.query, &arguments.topics) {
        (Some(query), _) => {
            let limit = arguments.hits.unwrap_or(10) as usize;
            show::show(&index, &scoped, query, &arguments.ranking.method(), limit)?;
        }
        (None, Some(topics)) => search_topics(&scoped, topics, arguments)?,
        (None, None) => {
            let why = "give --topics FILE for a run, or -q WORDS to look for yourself";
            return Err(Error::Invalid(why.to_owned()));
        }
    }
    Ok(Exit::Done)
}

/// Number of results that may wait to be written, in addition to one topic per thread.
const WAITING: usize = 100_000;

fn search_topics(scoped: &Scoped<'_>, file: &Path, arguments: &Arguments) -> Result<()> {
    let topics = topics::read(file)?;
    let method = arguments.ranking.method();
    let limit = arguments.hits.unwrap_or(1_000) as usize;
    let tag = arguments.tag.as_deref().unwrap_or(arguments.ranking.name());
    let out = arguments
        .out
        .as_deref()
        .filter(|out| *out != Path::new("-"));
    if let Some(out) = out {
        check_output(out, &[], &[&file.display().to_string()])?;
    }
    let mut out = Out::open(out)?;
    let pool = threads::pool(arguments.threads)?;
    let mut without = Vec::new();
    let texts: Vec<String> = topics
        .iter()
        .map(|t| query_of(t, &arguments.parts))
        .collect();
    let is_empty = |(_, text): &(&Topic, &String)| text.trim().is_empty();
    let empty: Vec<&str> = (topics.iter().zip(&texts))
        .filter(is_empty)
        .map(|(t, _)| &*t.id)
        .collect();
    if !empty.is_empty() {
        tracing::warn!(
            "{} empty in the --parts asked for: {}",
            counted(empty.len(), "topic is", "topics are"),
            empty.join(", ")
        );
    }
    let batch = (WAITING / limit)
        .min(64)
        .max(threads::count(arguments.threads));
    for (topics, texts) in topics.chunks(batch).zip(texts.chunks(batch)) {
        let answer = |text: &String| scoped.hits(text, &method, limit);
        let answers: Result<Vec<_>> = pool.install(|| texts.par_iter().map(answer).collect());
        for (topic, hits) in topics.iter().zip(answers?) {
            if hits.is_empty() {
                without.push(topic.id.as_str());
            }
            match write_topic(&mut out, &topic.id, &hits, tag) {
                // The reader closed the pipe.
                Err(e) if out.is_standard() && e.kind() == ErrorKind::BrokenPipe => return Ok(()),
                written => written.map_err(|e| Error::io(out.path(), e))?,
            }
        }
    }
    if !without.is_empty() {
        tracing::warn!(
            "{} of {} {} no results: {}",
            without.len(),
            counted(topics.len(), "topic", "topics"),
            if without.len() == 1 { "has" } else { "have" },
            without.join(", ")
        );
    }
    out.finish()
}

fn query_of(topic: &Topic, parts: &[Part]) -> String {
    let part = |part: &Part| match part {
        Part::Title => topic.title.as_str(),
        Part::Desc => topic.desc.as_str(),
        Part::Narr => topic.narr.as_str(),
    };
    parts.iter().map(part).collect::<Vec<_>>().join("\n")
}
