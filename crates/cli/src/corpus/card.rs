//! The data card: what is in a corpus and how it was made, in Markdown.

use super::config::Config;
use super::domains;
use super::make::Made;
use super::sections::{row, section, share};
use crate::table;
use std::collections::BTreeMap;
use std::fmt::Write;
use warcsieve_common::{markdown, markdown_code, markdown_code_block, markdown_code_cell};
use warcsieve_look::report::{Kept, Run, Sources};
use warcsieve_run::Totals;

/// Maximum number of inputs and files in a list. Above it, only their number is given.
const NAMED: usize = 50;

/// The card. It depends only on the corpus file and the crawl.
pub(super) fn card(
    config: &Config,
    totals: &Totals,
    made: &Made,
    run: &Run,
    kept: &Kept,
    sources: &Sources,
) -> String {
    let pages = &totals.pages;
    let mut text = String::from("# Data card\n");
    let out = &mut text;
    section(out, "What it is");
    row(out, ["", ""]);
    row(out, ["---", "---"]);
    row(out, ["documents", &table::count(made.kept)]);
    row(out, ["bytes of text", &table::count(kept.text_bytes)]);
    row(out, ["crawled", &days(kept)]);
    row(out, ["inputs", &table::count(totals.inputs)]);
    row(out, ["bytes of inputs", &table::count(totals.bytes_read)]);
    row(out, ["records", &table::count(totals.records)]);
    row(out, ["faults in inputs", &table::count(totals.faults)]);

    section(out, "Languages");
    row(out, ["language", "documents", "share", "bytes of text"]);
    row(out, ["---", "---:", "---:", "---:"]);
    for (code, documents, bytes) in &kept.languages {
        let share = share(*documents, made.kept);
        row(
            out,
            [
                &markdown(code),
                &table::count(*documents),
                &share,
                &table::count(*bytes),
            ],
        );
    }

    section(out, "Months");
    row(out, ["month", "documents"]);
    row(out, ["---", "---:"]);
    for (month, documents) in &kept.months {
        row(out, [month, &table::count(*documents)]);
    }
    if kept.undated > 0 {
        row(out, ["no date", &table::count(kept.undated)]);
    }
    domains::describe(out, sources, kept.text_bytes);
    section(out, "The same from the files");
    out.push_str("With DuckDB, in the folder of the corpus:\n\n");
    out.push_str(&markdown_code_block("sql", &queries(sources)));
    out.push('\n');

    section(out, "What became of the pages");
    row(out, ["", "pages", "share"]);
    row(out, ["---", "---:", "---:"]);
    let mut counted = |name: &str, n: u64| {
        row(out, [name, &table::count(n), &share(n, pages.pages)]);
    };
    counted("pages", pages.pages);
    for (reason, n) in &pages.skips {
        counted(&format!("skipped: {}", reason.as_str()), *n);
    }
    for rule in rules(config) {
        let n = pages.removed.get(rule).copied().unwrap_or(0);
        counted(&format!("failed: {}", markdown_code_cell(rule)), n);
    }
    if pages.forgotten > 0 {
        counted("forgotten", pages.forgotten);
    }
    if let Some(found) = &made.duplicates {
        counted("duplicates: url", found.dropped_url);
        counted("duplicates: text", found.dropped_text);
        counted("duplicates: near", found.dropped_near);
    }
    counted("documents", made.kept);

    counts(out, "Labelled by", "pipeline", &pages.labelled_by);
    counts(out, "Lines that went", "rule", &pages.lines);
    counts(out, "Personal data found", "kind", &pages.personal);
    section(out, "Rules");
    out.push_str(
        "In the order in which a page meets them; a page goes at the first that it breaks.\n\n",
    );
    for (number, rule) in config.pipeline.filters.rules().enumerate() {
        let _ = writeln!(out, "{}. {}", number + 1, markdown_code(rule));
    }
    if let Some(dedup) = &config.dedup {
        let number = config.pipeline.filters.rules().count() + 1;
        let _ = writeln!(out, "{number}. duplicates: {}", dedup.says());
    }

    section(out, "How it was made");
    row(out, ["", ""]);
    row(out, ["---", "---"]);
    for (recipe, rows) in &run.recipes {
        row(
            out,
            [
                "program",
                &format!("warcsieve {}", markdown(&recipe.version)),
            ],
        );
        row(out, ["methods", &markdown_code_cell(&recipe.method)]);
        row(
            out,
            [
                "sha256 of the pipeline",
                &markdown_code_cell(&recipe.pipeline_sha256),
            ],
        );
        if let Some(model) = &recipe.model_sha256 {
            row(
                out,
                ["sha256 of models and lists", &markdown_code_cell(model)],
            );
        }
        row(out, ["inputs made so", &table::count(*rows)]);
    }
    let _ = writeln!(
        out,
        "\nThe pipeline:\n\n{}",
        markdown_code_block("toml", &config.pipeline_text)
    );

    section(out, "Files");
    row(out, ["file", "documents", "bytes", "sha256"]);
    row(out, ["---", "---:", "---:", "---"]);
    for file in made.files.iter().take(NAMED) {
        let (rows, bytes) = (table::count(file.rows), table::count(file.bytes));
        let [path, sha256] = [&file.path, &file.sha256].map(|text| markdown_code_cell(text));
        row(out, [&path, &rows, &bytes, &sha256]);
    }
    if made.files.len() > NAMED {
        let _ = writeln!(
            out,
            "\n{} more; `books.json` has all.",
            made.files.len() - NAMED
        );
    }
    text
}

/// Queries whose results are the tables of languages, months and licences.
fn queries(sources: &Sources) -> String {
    let table = "FROM 'documents/**/*.parquet' GROUP BY 1 ORDER BY bytes DESC;";
    let sums = "count(*) AS documents, sum(text_bytes) AS bytes";
    let mut queries = format!("SELECT language, {sums} {table}\n");
    let month = "strftime(date AT TIME ZONE 'UTC', '%Y-%m') AS month";
    let _ = writeln!(queries, "SELECT {month}, {sums} {table}");
    if sources.licences.is_some() {
        let _ = writeln!(queries, "SELECT licence, {sums} {table}");
    }
    queries
}

fn rules(config: &Config) -> impl Iterator<Item = &str> {
    let rules = config.pipeline.filters.rules().enumerate();
    let bounded = rules.filter(|(number, _)| !config.pipeline.filters.bound(*number).is_empty());
    bounded.map(|(_, rule)| rule)
}

fn counts(out: &mut String, title: &str, of: &str, counts: &BTreeMap<String, u64>) {
    if counts.is_empty() {
        return;
    }
    section(out, title);
    row(out, [of, "count"]);
    row(out, ["---", "---:"]);
    for (name, n) in counts {
        row(out, [&markdown(name), &table::count(*n)]);
    }
}

fn days(kept: &Kept) -> String {
    match &kept.days {
        None => "no dates".to_owned(),
        Some([first, last]) if kept.undated == 0 => format!("{first} to {last}"),
        Some([first, last]) => format!(
            "{first} to {last}; {} without a date",
            table::count(kept.undated)
        ),
    }
}
