//! `warcsieve verify-counts`: compares stated numbers of records with a crawl, or with the output
//! made from it.

use super::exit::{self, Exit};
use super::log::Format;
use super::outputs::output_folder;
use super::progress::Watch;
use super::record_types::{Type, parse_type};
use super::table::{self, Table};
use super::{escape, log, print, stores, threads};
use rayon::prelude::*;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use warcsieve_common::{Error, Result, counted};
use warcsieve_engine::{Naming, Progress, list_inputs};
use warcsieve_run::counts::{
    Comparison, CountError, Counted, Counting, Difference, Group, Statement, compare, count_input,
    counted_by_clean, read_statements,
};
use warcsieve_run::{FailedInput, PageTally};
use warcsieve_store::Stores;
use warcsieve_warc::Limits;
use warcsieve_warc::ledger::ReadLedger;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The output folder of `clean`, whose manifest has the counts; or WARC files, folders, quoted
    /// patterns or @LIST files, which are then read.
    #[arg(required = true, value_name = "CORPUS")]
    corpus: Vec<String>,
    /// Files or folders that state the counts: ClueWeb09's record_counts, ClueWeb22's offset files,
    /// CDX, CDXJ or a cc-index in Parquet.
    #[arg(long, required = true, value_name = "PATH", num_args = 1..)]
    against: Vec<PathBuf>,
    /// Record types that the statements count, or `all`; default: response; for an index, the types
    /// with which most inputs agree.
    #[arg(
        long,
        value_name = "TYPE,…",
        value_delimiter = ',',
        value_parser = parse_type
    )]
    count: Vec<Type>,
    /// Folder or address that the names of inputs start from.
    #[arg(long, value_name = "DIR")]
    base: Option<PathBuf>,
    /// Folder or address for relative paths in @LIST files; default: the working folder.
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// The corpus is only a part: ignore counts of files that it does not have.
    #[arg(long)]
    partial: bool,
    /// Print a JSON object for each kind of counts.
    #[arg(long)]
    json: bool,
    /// Inputs to read at a time; default: as many as there are cores.
    #[arg(long, value_name = "N", value_parser = crate::threads::parse)]
    threads: Option<u16>,
    /// No progress.
    #[arg(long, short)]
    pub quiet: bool,
}

pub fn run(arguments: &Arguments, format: Format) -> Result<Exit> {
    let stores = stores::of_environment();
    let (names, groups, counted, exit) = match of_clean(&arguments.corpus, &stores)? {
        Some(counted) => {
            refuse_options_of_inputs(arguments)?;
            let names: Vec<String> = counted.iter().map(|c| c.name.clone()).collect();
            let groups = read_statements(&arguments.against, &strs(&names))?;
            let counted = counted.into_iter().map(Some).collect();
            (names, groups, counted, Exit::Done)
        }
        None => read_inputs(arguments, &stores, format)?,
    };
    let chosen = counting(&arguments.count);
    let all = compare(&groups, &strs(&names), &counted, chosen.as_ref());
    let mut text = String::new();
    for comparison in &all {
        text += &match arguments.json {
            true => json(comparison, arguments.partial),
            false => render(comparison, arguments.partial),
        };
    }
    print::text(&text)?;
    let agree = all.iter().all(|c| c.agrees(arguments.partial));
    Ok(match exit {
        Exit::Temporary | Exit::Unusable => exit,
        _ if agree => Exit::Done,
        _ => Exit::Faulty,
    })
}

/// The record types that the user says are counted.
fn counting(types: &[Type]) -> Option<Counting> {
    let names = types.iter().filter_map(Type::one).map(|t| t.to_string());
    let names: Vec<String> = names.collect();
    match types {
        [] => None,
        _ if types.contains(&Type::All) => Some(Counting::of(&[])),
        _ => Some(Counting::of(&strs(&names))),
    }
}

/// Refuses options for inputs if the corpus is an output folder of `clean`.
fn refuse_options_of_inputs(arguments: &Arguments) -> Result<()> {
    let given = [
        ("--base", arguments.base.is_some()),
        ("--root", arguments.root.is_some()),
        ("--threads", arguments.threads.is_some()),
    ];
    match given.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((option, _)) => Err(Error::Invalid(format!(
            "{option} is for WARC files; the inputs of an output folder of `clean` have their \
             names and counts from its manifest"
        ))),
    }
}

fn strs(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

/// The counts of an output folder of `clean`; `None` if the corpus is not one.
fn of_clean(corpus: &[String], stores: &Stores) -> Result<Option<Vec<Counted>>> {
    let [folder] = corpus else {
        return Ok(None);
    };
    let folder = output_folder(folder, stores)?;
    let counted = counted_by_clean(&folder)?;
    if let Some(counted) = &counted {
        let name = folder.path().display();
        if counted.is_empty() {
            return Err(Error::Invalid(format!(
                "{name} holds no input that is done"
            )));
        }
        if !folder.is_sealed()? {
            tracing::warn!(
                "{name} has no _SUCCESS: inputs may be missing; `warcsieve status {name} --inputs …` \
                 says which"
            );
        }
    }
    Ok(counted)
}

type Read = (Vec<String>, Vec<Group>, Vec<Option<Counted>>, Exit);

/// Counts records by reading the inputs. Also returns the exit code for the reading.
fn read_inputs(arguments: &Arguments, stores: &Stores, format: Format) -> Result<Read> {
    let stdin = arguments.corpus.iter().any(|i| i == "-");
    let name = stdin.then_some("standard-input");
    let naming = Naming {
        base: arguments.base.as_deref(),
        root: arguments.root.as_deref(),
        stdin: name,
    };
    let inputs = list_inputs(&arguments.corpus, &naming, stores)?;
    let names: Vec<String> = inputs.iter().map(|i| i.name.clone()).collect();
    let groups = read_statements(&arguments.against, &strs(&names))?;
    let mut statements: Vec<Vec<&Statement>> = vec![Vec::new(); inputs.len()];
    for matched in groups.iter().flat_map(|g| &g.statements) {
        if let Some(at) = matched.input {
            statements[at].push(&matched.statement);
        }
    }
    let progress = Arc::new(Progress::default());
    let watch = (!arguments.quiet).then(|| Watch::inputs(&progress, &inputs, format));
    let pool = threads::pool(arguments.threads)?;
    let results: Vec<Result<(Counted, ReadLedger), CountError>> = pool.install(|| {
        let work = inputs.par_iter().zip(&statements);
        work.map(|(input, statements)| {
            let (counted, read) = count_input(input, statements, Limits::default())?;
            progress.bytes_read.fetch_add(counted.bytes, Relaxed);
            progress.inputs_done.fetch_add(1, Relaxed);
            Ok((counted, read))
        })
        .collect()
    });
    drop(watch);
    let (mut counted, mut ledgers, mut failed) = (Vec::new(), Vec::new(), Vec::new());
    for (result, name) in results.into_iter().zip(&names) {
        match result {
            Ok((one, read)) => {
                counted.push(Some(one));
                ledgers.push(read);
            }
            Err(CountError::Statement(error)) => return Err(error),
            Err(CountError::Input(error)) => {
                log::error(format, &error);
                counted.push(None);
                let name = name.clone();
                failed.push(FailedInput { name, error });
            }
        }
    }
    let none = PageTally::default();
    let exit = exit::of_inputs(ledgers.iter().map(|read| (read, &none)), &failed);
    Ok((names, groups, counted, exit))
}

/// What was compared, in words.
fn heading(comparison: &Comparison) -> String {
    let lines = match (comparison.form.name(), comparison.end_line) {
        ("offset files", true) => "; the last line is the end of the last record",
        ("offset files", false) => "; there is no line for the end of the last record",
        _ => "",
    };
    format!("{}{lines}", comparison.counting.what())
}

fn render(comparison: &Comparison, partial: bool) -> String {
    let mut text = String::new();
    let mut put = |line: &str| {
        text += &escape::line(line);
        text.push('\n');
    };
    put(&format!(
        "{}: {}",
        comparison.form.name(),
        heading(comparison)
    ));
    for note in &comparison.notes {
        put(&format!("note: {note}"));
    }
    for difference in &comparison.differences {
        put(&line(difference));
    }
    if !partial {
        for (name, place) in &comparison.not_there {
            put(&format!("{name}: stated in {place}, and no such input"));
        }
    }
    for name in &comparison.not_stated {
        put(&format!("{name}: nothing is stated of it"));
    }
    let mut t = Table::default();
    let n = |n: usize| table::count(n as u64);
    t.count("inputs compared", comparison.compared);
    t.row("  that differ", n(comparison.differences.len()));
    t.row("stated, not there", n(comparison.not_there.len()));
    t.row("there, not stated", n(comparison.not_stated.len()));
    t.count("records stated", comparison.stated);
    t.count("records counted", comparison.counted);
    text + &t.render()
}

/// The line about an input that differs.
fn line(d: &Difference) -> String {
    let mut text = format!("{}: {} stated ({})", d.input, d.stated, d.place);
    match d.counted {
        None => text += ", but it could not be read",
        Some(counted) if counted > d.stated => {
            let _ = write!(text, ", {counted} counted: {} more", counted - d.stated);
        }
        Some(counted) if counted < d.stated => {
            let _ = write!(text, ", {counted} counted: {} fewer", d.stated - counted);
        }
        Some(counted) => {
            let _ = write!(text, ", {counted} counted");
        }
    }
    if let Some(first) = d.first_misplaced {
        let places = counted(d.misplaced, "stated place holds", "stated places hold");
        let _ = write!(text, "; {places} no record, the first at {first}");
    }
    if d.faults > 0 {
        let _ = write!(
            text,
            "; {} in the file",
            counted(d.faults, "fault", "faults")
        );
    }
    text
}

fn json(comparison: &Comparison, partial: bool) -> String {
    let not_there = comparison
        .not_there
        .iter()
        .map(|(name, place)| serde_json::json!({ "name": name, "place": place }));
    let line = serde_json::json!({
        "against": comparison.form.name(),
        "counted_as": heading(comparison),
        "agrees": comparison.agrees(partial),
        "inputs_compared": comparison.compared,
        "records_stated": comparison.stated,
        "records_counted": comparison.counted,
        "differences": comparison.differences,
        "not_there": not_there.collect::<Vec<_>>(),
        "not_stated": comparison.not_stated,
        "notes": comparison.notes,
    });
    print::json_line(line)
}
