//! `warcsieve forget`: takes pages out of an output folder, and keeps a log of it.

use super::exit::{self, Exit};
use super::figures::Figures;
use super::interrupt::{self, Left};
use super::log::Format;
use super::outputs::out_path;
use super::{corpus, threads};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use warcsieve_common::files::is_there;
use warcsieve_common::{Result, counted};
use warcsieve_engine::CLEANED;
use warcsieve_page::{parse_date, rfc3339};
use warcsieve_run::OutputFolder;
use warcsieve_run::forget::{Criteria, ForgetOptions, Forgotten, Kind, forget};
use warcsieve_store::FolderLock;

// With its four lists, the usage would be too long a line.
#[derive(Debug, clap::Args)]
#[command(override_usage = "warcsieve forget [OPTIONS] --urls <LIST> <OUT>")]
pub struct Arguments {
    /// An output folder of `clean` on this machine.
    #[arg(value_name = "OUT", value_parser = out_path)]
    folder: PathBuf,
    #[command(flatten)]
    lists: Lists,
    /// Who asks for it, for the log; default: nobody is named.
    #[arg(
        long,
        value_name = "NAME",
        default_value = "",
        hide_default_value = true
    )]
    by: String,
    /// Why, for the log.
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    reason: String,
    /// When it was asked for, for the log, such as 2026-01-31T12:00:00Z; default: now.
    #[arg(long, value_name = "TIME", value_parser = time)]
    time: Option<i64>,
    /// Count the pages and change nothing.
    #[arg(long)]
    dry_run: bool,
    /// Threads to use, each for one input; default: as many as there are cores.
    #[arg(long, value_name = "N", value_parser = crate::threads::parse)]
    threads: Option<u16>,
    /// Print the result as a line of JSON.
    #[arg(long)]
    json: bool,
    /// No table: warnings and errors only.
    #[arg(long, short)]
    pub quiet: bool,
}

/// Files with one entry per line. A page that is in one of them is forgotten.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = true)]
struct Lists {
    /// List of addresses, as in the column `url`.
    #[arg(long, value_name = "LIST")]
    urls: Vec<PathBuf>,
    /// List of hosts; each also stands for its subdomains.
    #[arg(long, value_name = "LIST")]
    hosts: Vec<PathBuf>,
    /// List of ids, as in the column `id`.
    #[arg(long, value_name = "LIST")]
    ids: Vec<PathBuf>,
    /// List of licences, as in the column `licence` (rights = true).
    #[arg(long, value_name = "LIST")]
    licences: Vec<PathBuf>,
}

impl Lists {
    fn read(&self) -> Result<Criteria> {
        let mut criteria = Criteria::default();
        for (kind, files) in [
            (Kind::Urls, &self.urls),
            (Kind::Hosts, &self.hosts),
            (Kind::Ids, &self.ids),
            (Kind::Licences, &self.licences),
        ] {
            for file in files {
                criteria.add(kind, file)?;
            }
        }
        Ok(criteria)
    }
}

pub fn run(arguments: &Arguments, format: Format) -> Result<Exit> {
    let criteria = arguments.lists.read()?;
    let out = OutputFolder::new(&arguments.folder);
    let corpus = corpus_of(&arguments.folder)?;
    // `corpus` locks its own folder while it writes to the one in it.
    let _lock = match &corpus {
        Some(corpus) if !arguments.dry_run => Some(FolderLock::take(corpus)?),
        _ => None,
    };
    let options = ForgetOptions {
        threads: threads::count(arguments.threads),
        time: rfc3339(arguments.time.unwrap_or_else(now)),
        by: arguments.by.clone(),
        reason: arguments.reason.clone(),
        only_count: arguments.dry_run,
        marker: corpus.as_ref().map(|corpus| corpus.join(corpus::SUCCESS)),
    };
    let progress = interrupt::run(Left::Done("inputs"));
    let result = forget(&out, &criteria, &options, &progress)?;
    if !result.open.is_empty() {
        tracing::warn!(
            "{} not done, such as {}: they may hold such pages; clean them, then run this command again",
            counted(result.open.len(), "input is", "inputs are"),
            result.open.first().map_or("", String::as_str)
        );
    }
    if let Some(why) = &result.unsealed {
        tracing::warn!("not sealed: {why}");
    }
    if let (Some(corpus), false, true) = (&corpus, arguments.dry_run, result.pages > 0) {
        tracing::warn!(
            "{} still has the pages in its documents and duplicates; run `warcsieve corpus` with its file again",
            corpus.display()
        );
    }
    let exit = code(&result);
    if arguments.quiet && !arguments.json {
        return Ok(exit);
    }
    let format = format.of_result(arguments.json);
    Ok(figures(&result).print_result(format, "forget", exit))
}

/// The corpus that a folder is a part of, however its path is written.
fn corpus_of(folder: &Path) -> Result<Option<PathBuf>> {
    let whole = folder.canonicalize();
    let folder = whole.as_deref().unwrap_or(folder);
    let is_cleaned = folder.file_name().is_some_and(|name| name == CLEANED);
    let Some(above) = folder.parent().filter(|_| is_cleaned) else {
        return Ok(None);
    };
    Ok(is_there(&above.join(corpus::STEPS))?.then(|| above.to_owned()))
}

/// Parses a time. Returns microseconds.
fn time(text: &str) -> Result<i64, String> {
    let time = parse_date(text.as_bytes());
    time.ok_or_else(|| "expected a time such as 2026-01-31T12:00:00Z".to_owned())
}

/// The time in microseconds, in whole seconds.
fn now() -> i64 {
    let time = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = time.map_or(0, |time| time.as_secs());
    i64::try_from(seconds)
        .unwrap_or(0)
        .saturating_mul(1_000_000)
}

fn code(result: &Forgotten) -> Exit {
    match &result.unsealed {
        _ if !result.open.is_empty() => Exit::Temporary,
        Some(why) => exit::of_unsealed(why),
        None => Exit::Done,
    }
}

fn figures(r: &Forgotten) -> Figures {
    let mut figures = Figures::default();
    figures.count("pages forgotten", "pages", r.pages);
    figures.count("shards written again", "shards", r.shards);
    figures.some("lists of pages removed", "page_lists", r.page_lists);
    figures.some("inputs not done", "inputs_not_done", r.open.len() as u64);
    if let Some(sha256) = &r.last_entry {
        figures.table.row("last entry of the log", sha256);
    }
    figures.set("last_entry", &r.last_entry);
    figures.sealed(r.sealed);
    figures.set("not_sealed", r.unsealed.as_ref().map(ToString::to_string));
    figures
}
