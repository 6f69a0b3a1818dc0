//! The commands for experiments, which need the feature `lab`.

mod export;
mod index;
mod measure;
mod omit;
mod ranking;
mod search;
mod stem;
mod train;
mod tune;

use super::exit::Exit;
use super::log::Format;
use warcsieve_common::Result;

#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Measure search runs against relevance judgements: MAP, nDCG, P@k and others, as trec_eval
    /// does.
    Measure(measure::Arguments),
    /// Learn a model from labelled pages.
    Train(train::Arguments),
    /// Build an inverted index of shards.
    Index(index::Arguments),
    /// Search an index: runs for topics, or results for a person.
    Search(search::Arguments),
    /// Learn weights of terms by their field, for `search --weights`.
    Tune(tune::Arguments),
    /// Export cleaned or raw text in the formats of search engines and language models.
    Export(export::Arguments),
}

pub fn run(command: &Command, format: Format) -> Result<Exit> {
    match command {
        Command::Measure(a) => measure::run(a),
        Command::Train(a) => train::run(a),
        Command::Index(a) => index::run(a, format),
        Command::Search(a) => search::run(a),
        Command::Tune(a) => tune::run(a),
        Command::Export(a) => export::run(a, format),
    }
}
