//! `warcsieve dedup`: pages that are there more than once.

use super::exit::Exit;
use super::interrupt::Left;
use super::log::Format;
use super::table::{self, Table};
use super::{page_out, print, shards, size, threads};
use clap::ValueEnum;
use serde::Deserialize;
use std::path::PathBuf;
use warcsieve_common::{Error, Result};
use warcsieve_corpus::{DedupOptions, DedupSummary, Drop, Exact, dedup};
use warcsieve_filters::near::Scheme;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Output folders of `clean` whose texts are plain.
    #[arg(value_name = "OUT", required = true)]
    shards: Vec<PathBuf>,
    /// Folder for clusters.parquet (with --against matches.parquet), kept.parquet and books.json.
    #[arg(long, value_name = "DIR", value_parser = super::out_path)]
    out: PathBuf,
    /// Exact rules: pages of one address, of one text; paragraphs of one text.
    #[arg(long, value_enum, value_name = "RULE", value_delimiter = ',')]
    exact: Vec<ExactRule>,
    /// Near duplicates: fineweb, refinedweb, dclm, nemo, or own ones such as 14x8w5: bands, rows,
    /// words of a shingle (c for characters); none for exact rules only.
    #[arg(long, value_name = "SCHEME", default_value = "fineweb")]
    near: String,
    /// The least Jaccard similarity of near duplicates; default: the scheme's, see the manual.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    jaccard: Option<f64>,
    /// Candidates are duplicates, too, if this share of the smaller one's shingles is in the other.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    containment: Option<f64>,
    /// Find the pages of OUT that are also in this folder, such as test sets in training data.
    #[arg(long, value_name = "OTHER")]
    against: Vec<PathBuf>,
    /// Which pages of a cluster go: all, or all but one.
    #[arg(long, value_enum, default_value = "rest")]
    drop: Dropped,
    /// The page with the highest value of this column stays; default: the first one.
    #[arg(long, value_name = "COLUMN", conflicts_with = "against")]
    best: Option<String>,
    /// Write bands.parquet and shingles.parquet, too, for joins on other engines.
    #[arg(long)]
    tables: bool,
    /// Memory for sorting; besides there are 30 bytes a page.
    #[arg(long, value_name = "SIZE", default_value = "512M", value_parser = size::memory)]
    memory: usize,
    /// Threads to use; default: as many as there are cores.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// No progress and no table: warnings and errors only.
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(super) enum ExactRule {
    /// Pages of one address.
    Url,
    /// Pages of one text.
    Text,
    /// Paragraphs of one text: listed in paragraphs.parquet, no page goes for them.
    Paragraph,
}

impl ExactRule {
    /// Its name.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Url => "url",
            Self::Text => "text",
            Self::Paragraph => "paragraph",
        }
    }
}

#[derive(Clone, Copy, Debug, Default, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(super) enum Dropped {
    /// All but one.
    #[default]
    Rest,
    /// All.
    All,
}

impl From<Dropped> for Drop {
    fn from(dropped: Dropped) -> Self {
        match dropped {
            Dropped::Rest => Self::Rest,
            Dropped::All => Self::All,
        }
    }
}

/// Options of these rules, and else the defaults.
///
/// # Errors
/// [`Error::Usage`] if a scheme is unknown, or nothing is left to do.
pub(super) fn options(
    exact: &[ExactRule],
    near: &str,
    jaccard: Option<f64>,
) -> Result<DedupOptions> {
    let mut scheme = match near {
        "none" => None,
        name => Some(Scheme::named(name).map_err(Error::Usage)?),
    };
    if let (Some(scheme), Some(jaccard)) = (&mut scheme, jaccard) {
        scheme.jaccard = jaccard;
    }
    if scheme.is_none() && exact.is_empty() {
        let why =
            "without near duplicates nothing is left to do but by exact rules, and there are none";
        return Err(Error::Usage(why.to_owned()));
    }
    Ok(DedupOptions {
        exact: Exact {
            url: exact.contains(&ExactRule::Url),
            text: exact.contains(&ExactRule::Text),
            paragraph: exact.contains(&ExactRule::Paragraph),
        },
        near: scheme,
        containment: None,
        drop: Drop::Rest,
        best: None,
        tables: false,
        memory: MEMORY,
        threads: 1,
    })
}

/// Bytes for sorting where nobody says how many.
pub(super) const MEMORY: usize = 512 << 20;

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
    page_out::refuse_own("--out", &arguments.out)?;
    let shards = shards::list(&arguments.shards)?;
    let against = match arguments.against.is_empty() {
        true => Vec::new(),
        false => shards::list(&arguments.against)?,
    };
    let all: Vec<_> = against.iter().chain(&shards).cloned().collect();
    let quiet = arguments.quiet;
    let summary = shards::run(&all, Left::Nothing, quiet, format, |progress| {
        dedup(&shards, &against, &options, &arguments.out, progress)
    })?;
    if quiet {
        return Ok(Exit::Done);
    }
    let text = match format {
        Format::Text => end_table(&summary, !against.is_empty()).render(),
        Format::Json => print::json_line(serde_json::json!(summary)),
    };
    Ok(print::table(&text, Exit::Done))
}

pub(super) fn end_table(summary: &DedupSummary, is_against: bool) -> Table {
    let mut table = Table::default();
    let mut row = |name: &str, n: u64| table.row(name, table::count(n));
    row("pages", summary.pages);
    row("  kept", summary.kept);
    row("  dropped: url", summary.dropped_url);
    row("  dropped: text", summary.dropped_text);
    row("  dropped: near", summary.dropped_near);
    row(
        if is_against { "matches" } else { "clusters" },
        summary.clusters,
    );
    row("candidates", summary.candidates);
    row("  compared", summary.compared);
    row("  duplicates", summary.verified);
    if summary.paragraphs > 0 {
        row("paragraphs", summary.paragraphs);
        row("  that repeat one", summary.repeated_paragraphs);
    }
    table
}
