//! `warcsieve cdx`: indexes of crawl files.

use super::exit::{self, Exit};
use super::faults::report_faults;
use super::figures::Figures;
use super::inputs::{NamingOptions, parse_shard};
use super::interrupt::{self, Left};
use super::log::Format;
use super::missing::refuse_all_missing;
use super::outputs::out_path_or_stdout;
use super::progress::Watch;
use super::record_types::{Type, parse_type};
use super::{log, print, stdout, stores, threads};
use rayon::prelude::*;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use tempfile::TempDir;
use warcsieve_common::{Error, Result, counted};
use warcsieve_engine::cdx::{IndexOptions, IndexedFile, index_file};
use warcsieve_engine::{Input, InputKind, Progress, is_named_page, is_named_texts, shard};
use warcsieve_run::{FailedInput, PageTally};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// WARC or ARC files, folders, quoted patterns or @LIST files.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<String>,
    /// Folder for the indexes: NAME.cdxj for each input; `-` prints the index of a single input.
    #[arg(long, value_name = "DIR", value_parser = out_path_or_stdout)]
    out: PathBuf,
    #[command(flatten)]
    naming: NamingOptions,
    /// Index only the I-th of N shares of the inputs, I from 1.
    #[arg(long, value_name = "I/N", value_parser = parse_shard, default_value = "1/1")]
    shard: (usize, usize),
    /// Types of records to index, or `all`.
    #[arg(
        long,
        value_name = "TYPE,…",
        value_delimiter = ',',
        default_value = "response,revisit,resource",
        value_parser = parse_type
    )]
    records: Vec<Type>,
    /// Do not read every record again by its range.
    #[arg(long)]
    no_verify: bool,
    /// Inputs to index at a time; default: as many as there are cores.
    #[arg(long, value_name = "N", value_parser = crate::threads::parse)]
    threads: Option<u16>,
    /// No progress and no table: warnings and errors only.
    #[arg(long, short)]
    pub quiet: bool,
}

pub fn run(arguments: &Arguments, format: Format) -> Result<Exit> {
    if arguments.inputs.iter().any(|i| i == "-") {
        return Err(Error::Invalid(
            "standard input (`-`) cannot be indexed: records are read again to verify the index"
                .to_owned(),
        ));
    }
    let stores = stores::of_environment();
    let mut inputs = arguments.naming.list(&arguments.inputs, None, &stores)?;
    // A single page in a file, or a text of another program, is not a record of a crawl.
    let listed = inputs.len();
    inputs.retain(|input| !is_named_page(&input.name) && !is_named_texts(&input.name));
    if inputs.is_empty() {
        return Err(Error::Invalid(
            "only crawls can be indexed; these inputs are single pages or texts: put pages into a \
             WARC file, or give crawls"
                .to_owned(),
        ));
    }
    if inputs.len() < listed {
        let pages = counted(
            listed - inputs.len(),
            "page or file of texts",
            "pages and files of texts",
        );
        tracing::info!("{pages} left out: only crawls can be indexed");
    }
    let printed = arguments.out == Path::new("-");
    refuse_all_missing(&inputs, !printed)?;
    let inputs = shard(&inputs, arguments.shard.0, arguments.shard.1);
    let options = IndexOptions {
        records: match arguments.records.contains(&Type::All) {
            true => Vec::new(),
            false => arguments.records.iter().filter_map(Type::one).collect(),
        },
        verify: !arguments.no_verify,
        ..IndexOptions::default()
    };
    if printed && inputs.len() > 1 {
        return Err(Error::Invalid(format!(
            "{} inputs, but --out - prints the index of one; name a folder for several",
            inputs.len()
        )));
    }
    // Indexes are sorted, so the index can be printed only when it is complete.
    let scratch = match printed {
        true => Some(tempfile::tempdir().map_err(|e| Error::io(std::env::temp_dir(), e))?),
        false => None,
    };
    let out = scratch.as_ref().map_or(&*arguments.out, TempDir::path);
    let progress = interrupt::run(match printed {
        true => Left::Nothing,
        false => Left::Files("indexes"),
    });
    let watch = (!arguments.quiet).then(|| Watch::inputs(&progress, &inputs, format));
    let pool = threads::pool(arguments.threads)?;
    let results: Vec<Result<IndexedFile>> = pool.install(|| {
        let index = |input: &Input| index(input, out, &options, &progress);
        inputs.par_iter().map(index).collect()
    });
    drop(watch);
    let exit = report(&inputs, out, results, arguments.quiet || printed, format)?;
    if let (Some(_), [input]) = (&scratch, &inputs[..]) {
        print_file(&target(input, out))?;
    }
    Ok(exit)
}

/// Prints the file of an index if it exists.
fn print_file(index: &Path) -> Result<()> {
    let mut index = match File::open(index) {
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(()),
        opened => opened.map_err(|e| Error::io(index, e))?,
    };
    let mut out = stdout::open()?;
    print::forgive(std::io::copy(&mut index, &mut out).and_then(|_| out.flush()))
}

/// The path of an input's index.
fn target(input: &Input, out: &Path) -> PathBuf {
    out.join(format!("{}.cdxj", input.name))
}

fn index(
    input: &Input,
    out: &Path,
    options: &IndexOptions,
    progress: &Progress,
) -> Result<IndexedFile> {
    let InputKind::File(path) = &input.kind else {
        let what = match input.kind {
            InputKind::Zipped(_) => {
                "crawls in a WACZ file have an index there; unpack it to make another"
            }
            _ => "only files of this machine can be indexed; copy it here first",
        };
        return Err(Error::Invalid(format!("{}: {what}", input.origin())));
    };
    let indexed = index_file(path, &input.name, &target(input, out), options, progress)?;
    progress.inputs_done.fetch_add(1, Relaxed);
    Ok(indexed)
}

/// Whether the index could not be written. Otherwise the input could not be read.
fn is_of_output(error: &Error, input: &Input, out: &Path) -> bool {
    match (error, &input.kind) {
        // A name that is too long for the index is a fault of this input only.
        (Error::Io { source, .. }, _) if source.kind() == ErrorKind::InvalidFilename => false,
        (Error::Io { path, .. }, InputKind::File(file)) => path != file && path.starts_with(out),
        _ => false,
    }
}

/// Reports the results in the order of the inputs.
fn report(
    inputs: &[Input],
    out: &Path,
    results: Vec<Result<IndexedFile>>,
    quiet: bool,
    format: Format,
) -> Result<Exit> {
    let (mut done, mut failed) = (Vec::new(), Vec::new());
    let mut left_out = 0;
    let none = PageTally::default();
    for (input, result) in inputs.iter().zip(results) {
        let indexed = match result {
            Ok(indexed) => indexed,
            // A defect or a broken disk: do not trust later results.
            Err(error @ (Error::Integrity { .. } | Error::Stopped)) => return Err(error),
            Err(error) if is_of_output(&error, input, out) => return Err(error),
            Err(error) => {
                log::error(format, &error);
                let name = input.name.clone();
                failed.push(FailedInput { name, error });
                continue;
            }
        };
        if let Some(out) = &indexed.unaddressable {
            left_out += out.records;
            tracing::warn!(
                "{}: {} not in the index, the first at offset {}: {}",
                input.name,
                counted(out.records, "record is", "records are"),
                out.offset,
                out.why
            );
        }
        if indexed.read.fault_count > 0 {
            let more = "`warcsieve check --long` lists the faults of a file";
            report_faults(&input.name, &indexed.read, &none, more);
        }
        done.push(indexed);
    }
    let exit = exit::of_inputs(done.iter().map(|i| (&i.read, &none)), &failed);
    let exit = match exit {
        Exit::Done if left_out > 0 => Exit::Faulty,
        exit => exit,
    };
    if quiet || exit == Exit::Unusable && format == Format::Text {
        return Ok(exit);
    }
    Ok(figures(&done, &failed, left_out).print(format, "", exit))
}

fn figures(done: &[IndexedFile], failed: &[FailedInput], left_out: u64) -> Figures {
    let mut figures = Figures::default();
    figures.count("inputs read", "inputs_read", done.len());
    figures.failed(failed);
    let written = done.iter().filter_map(|i| i.bytes);
    figures.count(
        "indexes written",
        "indexes_written",
        written.clone().count(),
    );
    let entries: u64 = done.iter().map(|i| i.entries).sum();
    figures.count("records indexed", "records_indexed", entries);
    let title = "  left out: no range of their own";
    figures.count(title, "records_left_out", left_out);
    let faults: u64 = done.iter().map(|i| i.read.fault_count).sum();
    figures.count("faults in the data", "faults", faults);
    figures.bytes("bytes written", "bytes_written", written.sum());
    figures
}
