//! Reports on inputs that were cleaned.

use super::exit::{self, Exit};
use super::faults::{NO_PAGE, report_faults};
use super::inputs::shell_word;
use super::log::Format;
use super::print;
use super::table::{self, Table};
use std::collections::BTreeMap;
use std::time::Duration;
use warcsieve_common::{Result, counted};
use warcsieve_run::{OutputFolder, Summary, Totals, Unsealed};
use warcsieve_store::is_address;

/// What the user gave to a run.
pub struct Given {
    /// Whether the run has all inputs, not a share of them.
    pub is_whole: bool,
    /// The `status` options that name the same inputs.
    pub typed: String,
    /// The filter rules, in the order in which they are applied to a page.
    pub rules: Vec<String>,
}

/// Reports the results of all inputs, including those that were done before. Faults are always
/// reported, the table only without `--quiet`.
pub fn report(
    summary: &Summary,
    out: &OutputFolder,
    given: &Given,
    quiet: bool,
    format: Format,
) -> Result<Exit> {
    let all = totals(summary);
    let is_lone = all.inputs == 1 && all.without_records == 1 && summary.failed.is_empty();
    for name in summary.done.faulty.iter().chain(&summary.kept.faulty) {
        // Another process may have begun to clean it again.
        let Some(row) = out.row(name)? else { continue };
        let faults = &row.read.faults;
        if let (true, Some(fault)) = (is_lone, row.read.no_crawl().or(faults.first())) {
            let why = summary.unsealed.as_ref();
            let why = why.map_or_else(String::new, |why| format!("; not sealed: {why}"));
            tracing::error!("{name}: {}{why}", fault.message);
            continue;
        }
        let more = format!("see {}", out.manifest_path(name).display());
        report_faults(name, &row.read, &row.pages, &more);
    }
    if all.without_records > 0 && !is_lone {
        let without = all.without_records;
        tracing::error!("no record was found in {without} of the inputs");
    }
    if all.records > 0 && all.pages.pages == 0 {
        tracing::warn!("{NO_PAGE}");
    }
    match &summary.unsealed {
        Some(Unsealed::Empty) if is_lone => {}
        Some(why @ (Unsealed::Refused(_) | Unsealed::Empty)) => {
            tracing::error!("not sealed: {why}");
        }
        Some(why @ Unsealed::Others(_)) => {
            tracing::warn!("{}", others(why, out, &given.typed));
        }
        Some(why) if given.is_whole => tracing::warn!("not sealed: {why}"),
        // Other shares may still be running.
        Some(_) | None => {}
    }
    let exit = exit::of_run(summary);
    if quiet {
        return Ok(exit);
    }
    let text = match format {
        Format::Text if exit == Exit::Unusable => inputs_table(summary, &all).render(),
        Format::Text => end_table(summary, &all, &given.rules).render(),
        Format::Json => end_json(summary, exit),
    };
    Ok(print::table(&text, exit))
}

/// The message that a folder is not sealed because of inputs that other runs were given. `typed`
/// are the `status` options that name our inputs.
pub fn others(why: &Unsealed, out: &OutputFolder, typed: &str) -> String {
    let out = shell_word(out.path());
    format!(
        "no _SUCCESS in {out}: {why}; clean that, too, or take it off the lists: \
         `warcsieve status {out} {typed} --seal --forget`"
    )
}

/// Sums over our inputs in the folder.
pub fn totals(summary: &Summary) -> Totals {
    let mut totals = summary.done.clone();
    totals.add(summary.kept.clone());
    totals
}

/// Counts of the inputs by result.
fn inputs_table(summary: &Summary, t: &Totals) -> Table {
    let mut table = Table::default();
    if t.without_records > 0 {
        table.row("inputs without a record", table::count(t.without_records));
    }
    if summary.done.inputs > 0 || summary.kept.inputs == 0 && summary.failed.is_empty() {
        table.row("inputs cleaned", table::count(summary.done.inputs));
    }
    if summary.kept.inputs > 0 {
        table.row("inputs done before", table::count(summary.kept.inputs));
    }
    if !summary.failed.is_empty() {
        table.row("inputs failed", table::count(summary.failed.len() as u64));
    }
    table
}

fn end_table(summary: &Summary, t: &Totals, rules: &[String]) -> Table {
    let p = &t.pages;
    let mut table = inputs_table(summary, t);
    table.row("pages", table::count(p.pages));
    table.row("  documents", table::count(p.documents));
    table.row(
        "    of them without content",
        table::count(p.empty_documents),
    );
    for (pipeline, n) in &p.labelled_by {
        table.row(format!("    labelled by: {pipeline}"), table::count(*n));
    }
    for (verdict, n) in &p.digests {
        table.row(
            format!("    digest: {}", verdict.as_str()),
            table::count(*n),
        );
    }
    let mut failed: Vec<_> = p.removed.iter().collect();
    failed.sort_by_key(|(rule, _)| rules.iter().position(|known| known == *rule));
    for (rule, n) in failed {
        table.row(format!("  failed: {rule}"), table::count(*n));
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
    table.text(p.raw_text_bytes, p.text_bytes);
    table.row("bytes written", table::bytes(t.bytes_written));
    table.row("_SUCCESS", if summary.sealed { "yes" } else { "no" });
    table
}

/// The last line of a run: its speed, and what to do next.
pub fn last_line(summary: &Summary, exit: Exit, out: &OutputFolder, took: Duration) -> String {
    if exit == Exit::Unusable && !summary.sealed {
        let next = "mend or replace them as the messages say, and run the command again";
        return format!("none of the inputs can be used; next: {next}\n");
    }
    let (pages, took) = (summary.done.pages.pages, took.as_secs_f64());
    let out = out.path().display().to_string();
    let out = out.trim_end_matches('/');
    let next = match summary.sealed && !is_address(out) {
        true => {
            let page = shell_word(format!("{out}-report.html"));
            format!("warcsieve report {} --out {page}", shell_word(out))
        }
        false => format!("warcsieve status {}", shell_word(out)),
    };
    match summary.done.inputs {
        0 if summary.failed.is_empty() => format!("nothing was left to do; next: {next}\n"),
        0 => format!("none of the inputs that were left could be done; next: {next}\n"),
        _ => format!(
            "{} in {}, {:.0} pages/s; next: {next}\n",
            counted(pages, "page", "pages"),
            table::seconds(took),
            pages as f64 / took.max(0.001),
        ),
    }
}

fn end_json(summary: &Summary, exit: Exit) -> String {
    let t = totals(summary);
    let p = &t.pages;
    let skips: BTreeMap<_, _> = p.skips.iter().map(|(r, n)| (r.as_str(), n)).collect();
    let digests: BTreeMap<_, _> = p.digests.iter().map(|(v, n)| (v.as_str(), n)).collect();
    let mut result = serde_json::json!({
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
    if !p.labelled_by.is_empty() {
        result["labelled_by"] = serde_json::json!(p.labelled_by);
    }
    print::result("clean", exit, result)
}
