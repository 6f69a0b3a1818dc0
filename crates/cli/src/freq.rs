//! `warcsieve freq`: the first pass, which counts block texts.

use super::exit::{self, Exit};
use super::faults::report_faults;
use super::figures::Figures;
use super::inputs::pages;
use super::interrupt::{self, Left};
use super::log::Format;
use super::missing::refuse_all_missing;
use super::outputs::{check_output, out_path};
use super::pipelines::{PipelineName, pipeline};
use super::progress::Watch;
use super::{size, table, threads};
use std::collections::BTreeMap;
use std::path::PathBuf;
use warcsieve_common::{Result, counted};
use warcsieve_run::{FrequencyOptions, FrequencySummary, count_frequencies};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// WARC or ARC files, folders, quoted patterns, @LIST files, or - for standard input.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<String>,
    /// File for the table.
    #[arg(long, value_name = "FILE", value_parser = out_path)]
    out: PathBuf,
    /// Pipeline file, or the name of one that ships: it decides which records are pages, and what a
    /// block is.
    #[arg(long, value_name = "FILE", default_value = "default", hide_possible_values = true, value_parser = PipelineName)]
    pipeline: String,
    /// Leave out texts on fewer pages; their frequency is then 0.
    #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u32).range(1..))]
    min_pages: u32,
    /// Also count texts by the host of their page, for the method `repeated`. The table is then
    /// twice as large.
    #[arg(long)]
    by_host: bool,
    /// Memory for counts, such as 64K, 256M or 4G; more counts go to a temporary file next to the
    /// table.
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = parse_memory)]
    memory: usize,
    /// Threads to use; default: as many as there are cores.
    #[arg(long, value_name = "N", value_parser = crate::threads::parse)]
    threads: Option<u16>,
    /// Write the table even if inputs fail. Without it, all inputs must be readable.
    #[arg(long)]
    allow_failed: bool,
    /// No progress and no table: warnings and errors only.
    #[arg(long, short)]
    pub quiet: bool,
}

/// Minimum memory for counts in bytes.
const LEAST: usize = 4 << 10;

fn parse_memory(text: &str) -> Result<usize, String> {
    size::parse(text, LEAST)
}

pub fn run(arguments: &Arguments, format: Format) -> Result<Exit> {
    let pipeline = pipeline(&arguments.pipeline)?;
    let inputs = pages(&arguments.inputs)?;
    refuse_all_missing(&inputs, true)?;
    check_output(&arguments.out, &inputs, &[&arguments.pipeline])?;
    let options = FrequencyOptions {
        threads: threads::count(arguments.threads),
        memory: arguments.memory,
        min_pages: arguments.min_pages,
        by_host: arguments.by_host,
        allow_failed: arguments.allow_failed,
    };
    let progress = interrupt::run(Left::Nothing);
    let watch = (!arguments.quiet).then(|| Watch::inputs(&progress, &inputs, format));
    let result = count_frequencies(&inputs, &pipeline, &options, &arguments.out, &progress);
    drop(watch);
    let summary = result?;
    for input in &summary.inputs {
        let more = "`warcsieve check --long` lists the faults of a file";
        report_faults(&input.name, &input.read, &input.pages, more);
    }
    if summary.bytes.is_none() {
        match summary.failed.len() {
            n if n > 0 && !arguments.allow_failed => tracing::warn!(
                "{n} of {} failed, so no table was written; with --allow-failed it \
                 holds what could be read",
                counted(inputs.len(), "input", "inputs")
            ),
            _ => tracing::warn!("no input is usable, so no table was written"),
        }
    }
    let read = summary.inputs.iter().map(|i| (&i.read, &i.pages));
    let exit = exit::of_inputs(read, &summary.failed);
    if arguments.quiet || exit == Exit::Unusable && format == Format::Text {
        return Ok(exit);
    }
    Ok(figures(&summary, arguments.by_host).print(format, "", exit))
}

/// Pages that were not counted, by reason.
fn skips(summary: &FrequencySummary) -> BTreeMap<&'static str, u64> {
    let mut skips = BTreeMap::new();
    for (reason, n) in summary.inputs.iter().flat_map(|i| &i.pages.skips) {
        *skips.entry(reason.as_str()).or_default() += n;
    }
    skips
}

fn sum(summary: &FrequencySummary, of: fn(&warcsieve_run::CountedInput) -> u64) -> u64 {
    summary.inputs.iter().map(of).sum()
}

fn figures(summary: &FrequencySummary, by_host: bool) -> Figures {
    let mut figures = Figures::default();
    let counted = &summary.counted;
    figures.count("inputs read", "inputs_read", summary.inputs.len());
    figures.failed(&summary.failed);
    figures.set("pages", counted.pages);
    if summary.bytes.is_some() {
        figures.table.count("pages counted", counted.pages);
    }
    figures.counts("skipped", "skips", &skips(summary));
    let faults = sum(summary, |i| i.read.fault_count);
    figures.count("faults in the data", "faults", faults);
    figures.count("blocks", "blocks", sum(summary, |i| i.pages.blocks));
    figures.set("texts", counted.distinct);
    figures.set("texts_in_table", counted.kept);
    figures.set("spills", counted.spills);
    figures.set("bytes_written", summary.bytes.unwrap_or(0));
    if let Some(bytes) = summary.bytes {
        let texts = match by_host {
            true => "different texts, of all and of each host",
            false => "different texts",
        };
        let table = &mut figures.table;
        table.count(texts, counted.distinct);
        table.count("  in the table", counted.kept);
        table.row("memory was full", format!("{} ×", counted.spills));
        table.row("bytes written", table::bytes(bytes));
    }
    figures
}
