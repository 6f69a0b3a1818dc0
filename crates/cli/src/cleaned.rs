//! What is said of inputs that were cleaned.

use super::exit::{self, Exit};
use super::faults::{NO_PAGE, report_faults};
use super::log::Format;
use super::print;
use super::table::{self, Table};
use std::collections::BTreeMap;
use warcsieve_common::Result;
use warcsieve_run::{OutputFolder, Summary, Totals, Unsealed};

/// Reports the results of the inputs, including those done before: faults always, the table
/// unless quiet. `is_whole` says whether the run was given all inputs, not a share.
pub fn report(
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

/// What is in the folder of our inputs.
pub fn totals(summary: &Summary) -> Totals {
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
