//! `warcsieve clean`: the main job.

use super::exit::{self, Exit};
use super::inputs::InputOptions;
use super::log::Format;
use super::print;
use super::progress::Watch;
use super::stores;
use super::table::{self, Table};
use super::threads;
use std::collections::BTreeMap;
use std::sync::Arc;
use warcsieve_base::Result;
use warcsieve_crawl::pipeline::{
    OutputFolder, PageTally, Progress, RunOptions, Summary, clean, shard,
};
use warcsieve_warc::ledger::ReadLedger;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// WARC or ARC files, folders, quoted patterns, @LIST files, or - for standard input; paths or
    /// addresses (s3://, gs://, az://, https://).
    #[arg(required_unless_present = "select", value_name = "INPUT")]
    inputs: Vec<String>,
    /// Folder for the output, a path or an address: documents/, blocks/, _manifest/, _SUCCESS.
    #[arg(long, value_name = "DIR")]
    out: String,
    /// Pipeline file, or the name of one that ships (see `methods`).
    #[arg(long, value_name = "FILE", default_value = "default")]
    pipeline: String,
    /// Threads to use; default: as many as there are cores.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Clean only the I-th of N shares of the inputs, I from 1.
    #[arg(long, value_name = "I/N", value_parser = parse_shard, default_value = "1/1")]
    shard: (usize, usize),
    #[command(flatten)]
    options: InputOptions,
    /// Name of standard input, with its ending, such as crawl/00.warc.gz.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Do not write _SUCCESS; a later run or `status --seal` does.
    #[arg(long)]
    no_seal: bool,
    /// Clean inputs again that were cleaned with another pipeline, version or selection.
    #[arg(long)]
    redo: bool,
    /// No progress and no table: warnings and errors only.
    #[arg(long, short)]
    pub quiet: bool,
}

pub(super) fn parse_shard(text: &str) -> Result<(usize, usize), String> {
    let parsed = text
        .split_once('/')
        .and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    match parsed {
        Some((i, n)) if 1 <= i && i <= n => Ok((i, n)),
        _ => Err("expected I/N with 1 <= I <= N, such as 3/8".to_owned()),
    }
}

pub fn run(arguments: &Arguments, format: Format) -> Result<Exit> {
    let pipeline = super::pipeline(Some(&arguments.pipeline))?;
    let stores = stores::of_environment();
    let name = arguments.name.as_deref();
    let (inputs, selection) = arguments.options.list(&arguments.inputs, name, &stores)?;
    let options = RunOptions {
        threads: threads::count(arguments.threads),
        shard: arguments.shard,
        seal: !arguments.no_seal,
        selection,
        redo: arguments.redo,
    };
    let ours = shard(&inputs, options.shard.0, options.shard.1);
    let progress = Arc::new(Progress::default());
    let watch = (!arguments.quiet).then(|| Watch::inputs(&progress, &ours, format));
    let out = super::output_folder(&arguments.out, &stores)?;
    let result = clean(&inputs, &pipeline, &out, &options, &progress);
    drop(watch);
    let summary = result?;
    report(&summary, &out, arguments.quiet, format)?;
    Ok(exit::of_run(&summary))
}

/// Reports the results of the inputs, including those done before: faults always, the table
/// unless quiet.
fn report(summary: &Summary, out: &OutputFolder, quiet: bool, format: Format) -> Result<()> {
    for row in summary
        .done
        .iter()
        .chain(&summary.kept)
        .filter(|r| r.is_faulty())
    {
        let manifest = out.manifest_path(&row.input);
        let more = format!("see {}", manifest.display());
        report_faults(&row.input, &row.read, &row.pages, &more);
    }
    if quiet {
        return Ok(());
    }
    let text = match format {
        Format::Text => end_table(summary).render(),
        Format::Json => end_json(summary),
    };
    print::text(&text)
}

/// Faults shown one by one on the terminal; the manifest has all.
const SHOWN_FAULTS: usize = 5;

/// Logs an input's first faults; `more` says where the others are listed.
pub fn report_faults(input: &str, read: &ReadLedger, pages: &PageTally, more: &str) {
    let faults = read.faults.iter().map(|f| {
        let id = f.record_id.as_deref().unwrap_or("-");
        format!("offset {}, record {id}: {}", f.offset, f.message)
    });
    let skipped = pages.skipped.iter().filter(|s| s.reason.is_fault());
    let skips =
        skipped.map(|s| format!("offset {}, record {}: {}", s.offset, s.record_id, s.detail));
    let total = read.fault_count + pages.faulty();
    for line in faults.chain(skips).take(SHOWN_FAULTS) {
        tracing::warn!("{input}: {line}");
    }
    if total > SHOWN_FAULTS as u64 {
        tracing::warn!("{input}: {} more; {more}", total - SHOWN_FAULTS as u64);
    }
}

#[derive(Default)]
struct Totals {
    pages: u64,
    documents: u64,
    empty: u64,
    other: u64,
    skips: BTreeMap<&'static str, u64>,
    faults: u64,
    bytes_in: u64,
    html: u64,
    raw_text: u64,
    text: u64,
    bytes_out: u64,
}

impl Totals {
    fn of(summary: &Summary) -> Self {
        let mut t = Self::default();
        for row in summary.done.iter().chain(&summary.kept) {
            let p = &row.pages;
            t.pages += p.pages;
            t.documents += p.documents;
            t.empty += p.empty_documents;
            t.other += p.other_records;
            for (reason, n) in &p.skips {
                *t.skips.entry(reason.as_str()).or_default() += n;
            }
            t.faults += row.read.fault_count;
            t.bytes_in += row.read.compressed_bytes;
            t.html += p.html_bytes;
            t.raw_text += p.raw_text_bytes;
            t.text += p.text_bytes;
            t.bytes_out += row.outputs.iter().map(|f| f.bytes).sum::<u64>();
        }
        t
    }
}

fn end_table(summary: &Summary) -> Table {
    let t = Totals::of(summary);
    let mut table = Table::default();
    table.row("inputs cleaned", table::count(summary.done.len() as u64));
    if !summary.kept.is_empty() {
        table.row(
            "inputs done before",
            table::count(summary.kept.len() as u64),
        );
    }
    if !summary.failed.is_empty() {
        table.row("inputs failed", table::count(summary.failed.len() as u64));
    }
    table.row("pages", table::count(t.pages));
    table.row("  documents", table::count(t.documents));
    table.row("    of them without content", table::count(t.empty));
    for (reason, n) in t.skips {
        table.row(format!("  skipped: {reason}"), table::count(n));
    }
    table.row("records of other types", table::count(t.other));
    table.row("faults in the data", table::count(t.faults));
    table.row("bytes read", table::bytes(t.bytes_in));
    table.row("HTML", table::bytes(t.html));
    table.row("text", table::bytes(t.raw_text));
    table.row("text kept", table::bytes(t.text));
    table.row("  share of text kept", table::share(t.text, t.raw_text));
    table.row("bytes written", table::bytes(t.bytes_out));
    table.row("_SUCCESS", if summary.sealed { "yes" } else { "no" });
    table
}

fn end_json(summary: &Summary) -> String {
    let t = Totals::of(summary);
    let line = serde_json::json!({
        "inputs_cleaned": summary.done.len(),
        "inputs_done_before": summary.kept.len(),
        "inputs_failed": summary.failed.iter().map(|f| &f.name).collect::<Vec<_>>(),
        "pages": t.pages,
        "documents": t.documents,
        "documents_without_content": t.empty,
        "skips": t.skips,
        "other_records": t.other,
        "faults": t.faults,
        "bytes_read": t.bytes_in,
        "html_bytes": t.html,
        "raw_text_bytes": t.raw_text,
        "text_bytes": t.text,
        "bytes_written": t.bytes_out,
        "sealed": summary.sealed,
    });
    format!("{line}\n")
}
