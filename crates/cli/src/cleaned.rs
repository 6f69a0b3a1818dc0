//! Reports on inputs that were cleaned.

use super::exit::{self, Exit};
use super::faults::{NO_PAGE, report_faults};
use super::figures::Figures;
use super::inputs::shell_word;
use super::log::Format;
use super::table;
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
    let mut figures = inputs(summary, &all);
    if format == Format::Json || exit != Exit::Unusable {
        add_pages(&mut figures, summary, &all, &given.rules);
    }
    Ok(figures.print_result(format, "clean", exit))
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
fn inputs(summary: &Summary, t: &Totals) -> Figures {
    let mut figures = Figures::default();
    let title = "inputs without a record";
    figures.some(title, "inputs_without_records", t.without_records);
    let (done, kept) = (summary.done.inputs, summary.kept.inputs);
    figures.set("inputs_cleaned", done);
    if done > 0 || kept == 0 && summary.failed.is_empty() {
        figures.table.count("inputs cleaned", done);
    }
    figures.some("inputs done before", "inputs_done_before", kept);
    figures.failed(&summary.failed);
    figures
}

fn add_pages(figures: &mut Figures, summary: &Summary, t: &Totals, rules: &[String]) {
    let p = &t.pages;
    figures.count("pages", "pages", p.pages);
    figures.count("  documents", "documents", p.documents);
    let title = "    of them without content";
    figures.count(title, "documents_without_content", p.empty_documents);
    figures.labelled_by("    labelled by", p);
    figures.counts("    digest", "digests", &p.digests);
    let mut failed: Vec<_> = p.removed.iter().collect();
    failed.sort_by_key(|(rule, _)| rules.iter().position(|known| known == *rule));
    for (rule, n) in failed {
        figures.table.count(format!("  failed: {rule}"), *n);
    }
    figures.set("removed", &p.removed);
    if p.forgotten > 0 {
        figures.count("  forgotten", "forgotten", p.forgotten);
    }
    figures.edits(p);
    figures.counts("  skipped", "skips", &p.skips);
    figures.count("records of other types", "other_records", p.other_records);
    figures.count("faults in the data", "faults", t.faults);
    figures.bytes("bytes read", "bytes_read", t.bytes_read);
    figures.bytes("HTML", "html_bytes", p.html_bytes);
    figures.text(p.raw_text_bytes, p.text_bytes);
    figures.bytes("bytes written", "bytes_written", t.bytes_written);
    figures.sealed(summary.sealed);
    let why = summary.unsealed.as_ref().map(ToString::to_string);
    figures.set("not_sealed", why);
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
