//! `warcsieve dedup`: finds duplicates of pages.

use super::duplicates::{Dropped, ExactRule, end_table, options};
use super::exit::Exit;
use super::interrupt::Left;
use super::log::Format;
use super::outputs::out_path;
use super::{page_out, print, shards, size, threads};
use std::path::PathBuf;
use warcsieve_common::Result;
use warcsieve_corpus::{DedupOptions, dedup};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Output folders of `clean` whose texts are plain.
    #[arg(value_name = "OUT", required = true)]
    shards: Vec<PathBuf>,
    /// Folder for clusters.parquet (with --against matches.parquet), kept.parquet and books.json.
    #[arg(long, value_name = "DIR", value_parser = out_path)]
    out: PathBuf,
    /// Exact rules: pages with the same address or the same text; paragraphs with the same text.
    #[arg(long, value_enum, value_name = "RULE", value_delimiter = ',')]
    exact: Vec<ExactRule>,
    /// Near duplicates: fineweb, refinedweb, dclm, nemo, or your own such as 14x8w5: bands, rows,
    /// words of a shingle (c for characters); none for exact rules only.
    #[arg(long, value_name = "SCHEME", default_value = "fineweb")]
    near: String,
    /// Minimum Jaccard similarity of near duplicates; default: the scheme's, see the manual.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    jaccard: Option<f64>,
    /// Candidates are also duplicates if this share of the smaller one's shingles is in the other.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    containment: Option<f64>,
    /// Find the pages of OUT that are also in this folder, such as test sets in training data.
    #[arg(long, value_name = "OTHER")]
    against: Vec<PathBuf>,
    /// Which pages of a cluster are dropped: all, or all except one.
    #[arg(long, value_enum, default_value = "rest")]
    drop: Dropped,
    /// The page with the highest value of this column stays; default: the first one.
    #[arg(long, value_name = "COLUMN", conflicts_with = "against")]
    best: Option<String>,
    /// Also write bands.parquet and shingles.parquet, for joins with other programs.
    #[arg(long)]
    tables: bool,
    /// Memory for sorting; 30 bytes per page are needed in addition.
    #[arg(long, value_name = "SIZE", default_value = "512M", value_parser = size::memory)]
    memory: usize,
    /// Threads to use; default: as many as there are cores.
    #[arg(long, value_name = "N", value_parser = crate::threads::parse)]
    threads: Option<u16>,
    /// Print the result as a line of JSON.
    #[arg(long)]
    json: bool,
    /// No progress and no table: warnings and errors only.
    #[arg(long, short)]
    pub quiet: bool,
}

fn share(text: &str) -> Result<f64, String> {
    let share = text
        .parse()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

impl Arguments {
    fn options(&self) -> Result<DedupOptions> {
        Ok(DedupOptions {
            containment: self.containment,
            drop: self.drop.into(),
            best: self.best.clone(),
            tables: self.tables,
            memory: self.memory,
            threads: threads::count(self.threads),
            ..options(&self.exact, &self.near, self.jaccard)?
        })
    }
}

pub fn run(arguments: &Arguments, format: Format) -> Result<Exit> {
    let options = arguments.options()?;
    page_out::check("--out", &arguments.out, page_out::Kind::Folder, &[])?;
    let shards = shards::list(&arguments.shards)?;
    let against = match arguments.against.is_empty() {
        true => None,
        false => Some(shards::list(&arguments.against)?),
    };
    let all: Vec<_> = against.iter().flatten().chain(&shards).cloned().collect();
    let quiet = arguments.quiet;
    let summary = shards::run(&all, Left::Nothing, quiet, format, |progress| {
        dedup(
            &shards,
            against.as_deref(),
            &options,
            &arguments.out,
            progress,
        )
    })?;
    if quiet && !arguments.json {
        return Ok(Exit::Done);
    }
    let text = match format.of_result(arguments.json) {
        Format::Text => end_table(&summary, against.is_some()).render(),
        Format::Json => print::result("dedup", Exit::Done, summary),
    };
    Ok(print::table(&text, Exit::Done))
}
