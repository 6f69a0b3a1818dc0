//! `warcsieve corpus`: makes a corpus from a crawl, as described by one file.

mod card;
mod config;
mod domains;
mod make;
mod sections;
mod step;
mod verify;

pub(crate) use self::make::SUCCESS;
pub(crate) use self::step::STEPS;

use self::config::Config;
use self::make::{Made, Watched, make};
use self::step::Step;
use super::cleaned::Given;
use super::exit::Exit;
use super::inputs::typed_inputs;
use super::interrupt::{self, Left};
use super::log::Format;
use super::missing::refuse_missing;
use super::outputs::out_path;
use super::progress::Watch;
use super::table::{self, Table};
use super::{cleaned, duplicates, first_pass, print, shards, size, stores, threads};
use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Instant;
use warcsieve_common::files::{is_folder, is_there};
use warcsieve_common::{Error, Result};
use warcsieve_engine::{CLEANED, Input, Naming, list_inputs};
use warcsieve_look::report::{read_kept, read_run, read_sources, report_html};
use warcsieve_run::{OutputFolder, RunOptions, Totals, clean};
use warcsieve_store::{FolderLock, remove_if_there, write_atomically};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A pipeline file with the tables [corpus] (inputs, out) and [dedup].
    #[arg(value_name = "FILE", required_unless_present = "show")]
    file: Option<PathBuf>,
    /// Print an example of such a file, with the steps of FineWeb.
    #[arg(long, conflicts_with = "file")]
    show: bool,
    /// Clean inputs again that were cleaned with another pipeline or version.
    #[arg(long)]
    redo: bool,
    /// Change nothing: compare each file of the corpus with its recorded size and hash.
    #[arg(long, conflicts_with_all = ["show", "redo"])]
    verify: bool,
    /// Memory for the search for duplicates; 30 bytes per page are needed in addition.
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

pub fn run(arguments: &Arguments, format: Format) -> Result<Exit> {
    let Some(file) = arguments.file.as_ref().filter(|_| !arguments.show) else {
        print::text(include_str!("fineweb.toml"))?;
        return Ok(Exit::Done);
    };
    let begin = Instant::now();
    let mut config = Config::read(file)?;
    let out = out_path(&config.corpus.out).map_err(Error::Invalid)?;
    if arguments.verify {
        let json = format.of_result(arguments.json) == Format::Json;
        return verify::verify(&out, json, arguments.quiet);
    }
    check_folder(&out)?;
    let threads = threads::count(arguments.threads);

    let stores = stores::of_environment();
    let naming = Naming {
        base: config.corpus.base.as_deref().map(Path::new),
        ..Naming::default()
    };
    let inputs = list_inputs(&config.corpus.inputs, &naming, &stores)?;
    let options = RunOptions {
        threads,
        redo: arguments.redo,
        checkpoint_bytes: 1 << 30,
        ..RunOptions::default()
    };
    let folder = OutputFolder::new(out.join(CLEANED));
    refuse_missing(&inputs, Some(&folder))?;
    // The lock creates the folder, so check for misspelt names first.
    let _lock = FolderLock::take(&out)?;
    // If all listed inputs are unusable, the file was mistaken, and `clean` forgets them.
    let is_void = folder.void_inputs()?.is_some();
    if !is_void {
        refuse_unlisted(&folder, &inputs)?;
    }
    let dedup = config.dedup.as_ref();
    let dedup = dedup.map(|dedup| dedup.options(arguments.memory, threads));
    let dedup = dedup.transpose()?;
    let success = out.join(SUCCESS);
    let was_whole = is_there(&success)?;
    remove_if_there(&success)?;
    let shown = (arguments.quiet, format);
    first_pass::give(&mut config.pipeline, &inputs, &folder, &options, shown)?;
    // The file lists all inputs. Inputs that were begun earlier and are not done do not belong to
    // the corpus.
    if !is_void && !folder.listed_inputs()?.is_empty() {
        folder.forget_others(&inputs)?;
    }
    let progress = interrupt::run(Left::Done("inputs"));
    let watch = (!arguments.quiet).then(|| Watch::inputs(&progress, &inputs, format));
    let result = clean(&inputs, &config.pipeline, &folder, &options, &progress);
    drop(watch);
    if was_whole && matches!(result, Err(Error::Invalid(_))) && folder.is_sealed()? {
        // A refused run changes nothing.
        write_atomically(&success, b"")?;
    }
    let summary = result?;
    let given = Given {
        is_whole: true,
        typed: typed_inputs(&config.corpus.inputs).join(" "),
        rules: config.pipeline.filters.rules().map(str::to_owned).collect(),
    };
    let shown = format.of_result(arguments.json);
    let quiet = arguments.quiet && !arguments.json;
    let exit = cleaned::report(&summary, &folder, &given, quiet, shown)?;
    if !summary.sealed {
        tracing::error!("no corpus is made of inputs that are not all cleaned");
        return Ok(exit);
    }

    let shards = shards::list(&[out.join(CLEANED)])?;
    let watched = Watched {
        shards: &shards,
        quiet: arguments.quiet,
        format,
    };
    let made = make(&watched, dedup, &out, threads)?;
    describe(&config, &out, &cleaned::totals(&summary), &made, threads)?;
    write_atomically(&success, b"")?;
    if quiet {
        return Ok(exit);
    }
    let text = match shown {
        Format::Text => {
            let (took, out) = (table::seconds(begin.elapsed().as_secs_f64()), out.display());
            format!(
                "{}done in {took}; next: read {out}/card.md\n",
                end_table(&made).render()
            )
        }
        Format::Json => print::result("corpus", exit, made),
    };
    Ok(print::table(&text, exit))
}

/// Refuses inputs in the folder that the file does not list, because the counts would not add up.
fn refuse_unlisted(folder: &OutputFolder, inputs: &[Input]) -> Result<()> {
    let listed: BTreeSet<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
    let done = folder.done_inputs()?;
    let mut others = done.iter().filter(|name| !listed.contains(name.as_str()));
    match others.next() {
        None => Ok(()),
        Some(name) => Err(Error::Invalid(format!(
            "{name} is in this corpus, but not in its inputs any more; add it again, or set another `out` in [corpus]"
        ))),
    }
}

/// Refuses a folder with other files, because the parts of a corpus are replaced in it.
fn check_folder(out: &Path) -> Result<()> {
    let entries = match out.read_dir() {
        Ok(entries) => entries,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(Error::io(out, e)),
    };
    // The first pass writes its table `cleaned.freq` before anything is cleaned.
    let table = format!("{CLEANED}.freq");
    let is_table = |name: &str| {
        name == FolderLock::NAME
            || name == table
            || name == format!("{table}.inputs")
            || name.starts_with(&format!(".{table}."))
    };
    let mut others = entries.filter(|entry| {
        let name = entry.as_ref().map(|entry| entry.file_name());
        !name.is_ok_and(|name| name.to_str().is_some_and(is_table))
    });
    // In this order: another process may make the folder in between.
    if others.next().is_none() || is_folder(&out.join(CLEANED))? {
        return Ok(());
    }
    let out = out.display();
    Err(Error::Invalid(format!(
        "{out} has files that are not part of a corpus; set another `out` in [corpus]"
    )))
}

/// Writes the summary, report and card of a corpus.
fn describe(
    config: &Config,
    out: &Path,
    totals: &Totals,
    made: &Made,
    threads: usize,
) -> Result<()> {
    let about = Step::about(out);
    about.clear()?;
    let mut books = serde_json::json!({
        "pages": totals.pages.pages,
        "skips": totals.pages.skips,
        "removed": totals.pages.removed,
        "lines": totals.pages.lines,
        "personal": totals.pages.personal,
        "documents": made.documents,
        "duplicates": made.duplicates,
        "kept": made.kept,
        "files": made.files,
    });
    if !totals.pages.labelled_by.is_empty() {
        books["labelled_by"] = serde_json::json!(totals.pages.labelled_by);
    }
    if totals.pages.forgotten > 0 {
        books["forgotten"] = totals.pages.forgotten.into();
    }
    let books = serde_json::to_vec_pretty(&books);
    let books = books.expect("books are plain data");
    let threads = u16::try_from(threads).unwrap_or(u16::MAX);
    let (mut run, kept, sources) = threads::pool(Some(threads))?.install(|| {
        let kept = read_kept(out, &made.files)?;
        let sources = read_sources(out, &made.files)?;
        Ok::<_, Error>((read_run(&out.join(CLEANED))?, kept, sources))
    })?;
    // The report of a corpus must not depend on where the corpus is.
    run.folder = CLEANED.to_owned();
    run.duplicates.clone_from(&made.duplicates);
    let card = card::card(config, totals, made, &run, &kept, &sources);
    about.write(&[
        ("books.json", &books),
        ("report.html", report_html(&run, None).as_bytes()),
        ("domains.tsv", domains::list(&sources).as_bytes()),
        ("card.md", card.as_bytes()),
    ])
}

fn end_table(made: &Made) -> Table {
    let mut table = match &made.duplicates {
        Some(summary) => duplicates::end_table(summary, false),
        None => Table::default(),
    };
    table.count("documents of the corpus", made.kept);
    let bytes = made.files.iter().map(|file| file.bytes);
    table.row("  bytes written", table::bytes(bytes.sum()));
    table
}
