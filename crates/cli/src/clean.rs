//! `warcsieve clean`: the main job.

use super::exit::{self, Exit};
use super::inputs::InputOptions;
use super::interrupt::{self, Left};
use super::log::Format;
use super::progress::Watch;
use super::set::Set;
use super::table::{self, Table};
use super::{first_pass, print, stores, threads};
use clap::ValueEnum;
use std::collections::BTreeMap;
use warcsieve_common::{Result, counted};
use warcsieve_engine::shard;
use warcsieve_render::Output;
use warcsieve_run::{OutputFolder, PageTally, RunOptions, Summary, Totals, Unsealed, clean};
use warcsieve_warc::ledger::ReadLedger;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// WARC or ARC files, pages (HTML), folders, quoted patterns, @LIST files, or - for standard input; paths or
    /// addresses (s3://, gs://, az://, https://).
    #[arg(required_unless_present = "select", value_name = "INPUT")]
    inputs: Vec<String>,
    /// Folder for the output, a path or an address: documents/, blocks/, _manifest/, _SUCCESS.
    #[arg(long, value_name = "DIR")]
    out: String,
    /// Write a file a page, too, in this form: DIR/md/…, DIR/txt/… or DIR/html/…. It is also the
    /// form of `documents.text`.
    #[arg(long, value_enum, value_name = "FORM")]
    to: Option<Form>,
    #[command(flatten)]
    set: Set,
    /// Pipeline file, or the name of one that ships (see `methods`).
    #[arg(long, value_name = "FILE", default_value = "default", hide_possible_values = true, value_parser = crate::PipelineName)]
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
    /// Write _SUCCESS even if no input holds a record.
    #[arg(long, conflicts_with = "no_seal")]
    allow_empty: bool,
    /// Go on in the middle of inputs of at least this size after a run was killed, if they are gzip
    /// files with a member for each record and --out is on disk; smaller ones are done again.
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = parse_checkpoints)]
    checkpoints_from: u64,
    /// No progress and no table: warnings and errors only.
    #[arg(long, short)]
    pub quiet: bool,
}

/// The form of a file a page.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Form {
    /// Plain text.
    Txt,
    /// Markdown.
    Md,
    /// Cleaned HTML.
    Html,
}

impl Form {
    fn output(self) -> Output {
        match self {
            Self::Txt => Output::Text,
            Self::Md => Output::Markdown,
            Self::Html => Output::Html,
        }
    }
}

fn parse_checkpoints(text: &str) -> Result<u64, String> {
    super::size::parse(text, 0).map(|bytes| bytes as u64)
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
    let mut pipeline = super::pipeline(Some(&arguments.pipeline))?;
    let page_files = arguments.to.map(Form::output);
    pipeline.settings.output = page_files.unwrap_or(pipeline.settings.output);
    arguments.set.apply(&mut pipeline)?;
    let stores = stores::of_environment();
    let name = arguments.name.as_deref();
    let (inputs, selection) = arguments.options.list(&arguments.inputs, name, &stores)?;
    let options = RunOptions {
        threads: threads::count(arguments.threads),
        shard: arguments.shard,
        seal: !arguments.no_seal,
        selection,
        redo: arguments.redo,
        allow_empty: arguments.allow_empty,
        checkpoint_bytes: arguments.checkpoints_from,
        page_files,
    };
    let ours = shard(&inputs, options.shard.0, options.shard.1);
    let out = super::folder_to_write(&arguments.out, &stores)?;
    let shown = (arguments.quiet, format);
    first_pass::give(&mut pipeline, &inputs, &out, &options, shown)?;
    let progress = interrupt::run(Left::Done("inputs"));
    let watch = (!arguments.quiet).then(|| Watch::inputs(&progress, &ours, format));
    let result = clean(&inputs, &pipeline, &out, &options, &progress);
    drop(watch);
    let summary = result?;
    let is_whole = arguments.shard == (1, 1);
    report(&summary, &out, is_whole, arguments.quiet, format)
}

/// Reports the results of the inputs, including those done before: faults always, the table
/// unless quiet. `is_whole` says whether the run was given all inputs, not a share.
pub(super) fn report(
    summary: &Summary,
    out: &OutputFolder,
    is_whole: bool,
    quiet: bool,
    format: Format,
) -> Result<Exit> {
    for name in summary.done.faulty.iter().chain(&summary.kept.faulty) {
        // Another process may have begun to do it again.
        let Some(row) = out.row(name)? else { continue };
        let more = format!("see {}", out.manifest_path(name).display());
        report_faults(name, &row.read, &row.pages, &more);
    }
    let without = summary.done.without_records + summary.kept.without_records;
    if without > 0 {
        tracing::error!("no record was found in {without} of the inputs");
    }
    let all = totals(summary);
    if all.records > 0 && all.pages.pages == 0 {
        tracing::warn!("{NO_PAGE}");
    }
    match &summary.unsealed {
        Some(why @ (Unsealed::Refused(_) | Unsealed::Empty)) => {
            tracing::error!("not sealed: {why}");
        }
        Some(why) if is_whole => tracing::warn!("not sealed: {why}"),
        // The other shares may be on their way.
        Some(_) | None => {}
    }
    let exit = exit::of_run(summary);
    if quiet {
        return Ok(exit);
    }
    let text = match format {
        Format::Text => end_table(summary).render(),
        Format::Json => end_json(summary),
    };
    Ok(print::table(&text, exit))
}

/// That a crawl has records, and none of them is a page.
pub const NO_PAGE: &str = "no page in it: all records are of other types; `records` in a pipeline file says which \
    are pages, such as `conversion` in WET files";

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
    let total = read.fault_count.saturating_add(pages.faulty());
    for line in faults.chain(skips).take(SHOWN_FAULTS) {
        tracing::warn!("{input}: {line}");
    }
    if total > SHOWN_FAULTS as u64 {
        tracing::warn!("{input}: {} more; {more}", total - SHOWN_FAULTS as u64);
    }
    if pages.digest_faults() > 0 {
        tracing::warn!(
            "{input}: {} not agree with the digests; the column digest_verdict of documents says \
             which",
            counted(pages.digest_faults(), "page does", "pages do")
        );
    }
}

/// What is in the folder of our inputs.
pub(super) fn totals(summary: &Summary) -> Totals {
    let mut totals = summary.done.clone();
    totals.add(summary.kept.clone());
    totals
}

fn end_table(summary: &Summary) -> Table {
    let t = totals(summary);
    let p = &t.pages;
    let mut table = Table::default();
    if t.without_records > 0 {
        table.row("inputs without a record", table::count(t.without_records));
    }
    table.row("inputs cleaned", table::count(summary.done.inputs));
    if summary.kept.inputs > 0 {
        table.row("inputs done before", table::count(summary.kept.inputs));
    }
    if !summary.failed.is_empty() {
        table.row("inputs failed", table::count(summary.failed.len() as u64));
    }
    table.row("pages", table::count(p.pages));
    table.row("  documents", table::count(p.documents));
    table.row(
        "    of them without content",
        table::count(p.empty_documents),
    );
    for (verdict, n) in &p.digests {
        table.row(
            format!("    digest: {}", verdict.as_str()),
            table::count(*n),
        );
    }
    for (rule, n) in &p.removed {
        table.row(format!("  removed: {rule}"), table::count(*n));
    }
    for (reason, n) in &p.lines {
        table.row(format!("  lines: {reason}"), table::count(*n));
    }
    for (kind, n) in &p.personal {
        table.row(format!("  personal data: {kind}"), table::count(*n));
    }
    for (reason, n) in &p.skips {
        table.row(format!("  skipped: {}", reason.as_str()), table::count(*n));
    }
    table.row("records of other types", table::count(p.other_records));
    table.row("faults in the data", table::count(t.faults));
    table.row("bytes read", table::bytes(t.bytes_read));
    table.row("HTML", table::bytes(p.html_bytes));
    table.row("text", table::bytes(p.raw_text_bytes));
    table.row("text kept", table::bytes(p.text_bytes));
    // What is kept has line ends between its blocks, too.
    table.row(
        "  share of text kept",
        table::share(p.text_bytes.min(p.raw_text_bytes), p.raw_text_bytes),
    );
    table.row("bytes written", table::bytes(t.bytes_written));
    table.row("_SUCCESS", if summary.sealed { "yes" } else { "no" });
    table
}

fn end_json(summary: &Summary) -> String {
    let t = totals(summary);
    let p = &t.pages;
    let skips: BTreeMap<_, _> = p.skips.iter().map(|(r, n)| (r.as_str(), n)).collect();
    let digests: BTreeMap<_, _> = p.digests.iter().map(|(v, n)| (v.as_str(), n)).collect();
    let line = serde_json::json!({
        "inputs_cleaned": summary.done.inputs,
        "inputs_done_before": summary.kept.inputs,
        "inputs_failed": summary.failed.iter().map(|f| &f.name).collect::<Vec<_>>(),
        "inputs_without_records": t.without_records,
        "pages": p.pages,
        "documents": p.documents,
        "documents_without_content": p.empty_documents,
        "removed": p.removed,
        "lines": p.lines,
        "personal": p.personal,
        "skips": skips,
        "digests": digests,
        "other_records": p.other_records,
        "faults": t.faults,
        "bytes_read": t.bytes_read,
        "html_bytes": p.html_bytes,
        "raw_text_bytes": p.raw_text_bytes,
        "text_bytes": p.text_bytes,
        "bytes_written": t.bytes_written,
        "sealed": summary.sealed,
        "not_sealed": summary.unsealed.as_ref().map(ToString::to_string),
    });
    print::json_line(line)
}
