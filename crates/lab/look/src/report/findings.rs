//! The problems of a run, in words, the worst first.

use super::documents::Words;
use super::finding::{Finding, Level};
use super::kept::date;
use super::ledger::Place;
use super::run::Run;
use warcsieve_common::grouped;
use warcsieve_page::WARNINGS;

/// If at least this share of pages has a common peculiarity of the web, it becomes a finding.
const MIN_SHARE_OF_PAGES: f64 = 0.2;

/// If nothing is kept from at least this share of pages, the report says so.
const MIN_SHARE_EMPTY: f64 = 0.05;

/// A host or an input with at least this many pages is examined separately.
const MIN_PAGES: u64 = 20;

/// How many names are listed in a line.
const NAMES: usize = 5;

/// All findings of a run.
pub fn findings(run: &Run) -> Vec<Finding> {
    let mut found = Findings(Vec::new());
    found.folder(run);
    found.inputs(run);
    found.faults(run);
    found.pages(run);
    found.tables(run);
    found.0.sort_by_key(|finding| finding.level);
    found.0
}

struct Findings(Vec<Finding>);

fn names<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.take(NAMES + 1).collect();
    let dots = if names.len() > NAMES { ", …" } else { "" };
    names[..names.len().min(NAMES)].join(", ") + dots
}

fn counted(n: impl TryInto<u64>, one: &str, many: &str) -> String {
    // A number that does not fit counts as the largest one.
    let n = n.try_into().unwrap_or(u64::MAX);
    format!("{} {}", grouped(n), if n == 1 { one } else { many })
}

/// The first of some places; empty if no place is known.
fn first(places: &[Place]) -> String {
    let place = places.first();
    let words = |p: &Place| {
        format!(
            "first in {} at byte {}: {}",
            p.input,
            grouped(p.offset),
            p.what
        )
    };
    place.map(words).unwrap_or_default()
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

fn percent(part: u64, whole: u64) -> String {
    let value = 100.0 * share(part, whole);
    match part > 0 && value < 0.1 {
        true => "less than 0.1 %".to_owned(),
        false => format!("{value:.1} %"),
    }
}

impl Findings {
    fn add(&mut self, level: Level, section: &'static str, what: String, detail: String) {
        self.0.push(Finding {
            level,
            what,
            detail,
            section,
        });
    }

    fn folder(&mut self, run: &Run) {
        if run.not_done > 0 {
            let what = format!(
                "{} not done",
                counted(run.not_done, "input is", "inputs are")
            );
            let detail = names(run.not_done_names.iter().map(String::as_str));
            self.add(Level::Lost, "inputs", what, detail);
        }
        if !run.broken.is_empty() {
            let what = "outputs are gone or are not what was written".to_owned();
            let detail = names(run.broken.iter().map(String::as_str));
            self.add(Level::Lost, "inputs", what, detail);
        }
        let unbalanced = run.ledger.unbalanced.iter().chain(&run.differing);
        if unbalanced.clone().next().is_some() {
            let detail = names(unbalanced.map(String::as_str));
            self.add(
                Level::Lost,
                "flow",
                "the counts do not add up".to_owned(),
                detail,
            );
        }
        if run.recipes.len() > 1 {
            let what = format!(
                "rows of {} are mixed",
                counted(run.recipes.len(), "recipe", "recipes")
            );
            let rows = run.recipes.iter().map(|(recipe, n)| {
                let pipeline = recipe.pipeline_sha256.get(..8).unwrap_or_default();
                format!(
                    "{} by version {}, {}, pipeline {pipeline}…",
                    counted(*n, "input", "inputs"),
                    recipe.version,
                    recipe.method
                )
            });
            let rows: Vec<String> = rows.collect();
            let detail = names(rows.iter().map(String::as_str));
            self.add(Level::Look, "card", what, detail);
        }
        if !run.gaps.is_empty() {
            let n = run.gaps.len();
            let what = format!(
                "{} missing in a sequence of numbers",
                counted(n, "input is", "inputs are")
            );
            let detail = format!(
                "{}: was it not copied, or not given to clean?",
                names(run.gaps.iter().map(String::as_str))
            );
            self.add(Level::Look, "inputs", what, detail);
        }
        if !run.sealed && run.not_done == 0 {
            let what = "the folder is not sealed".to_owned();
            self.add(
                Level::Know,
                "inputs",
                what,
                "`warcsieve status OUT --inputs INPUT --seal` says why".to_owned(),
            );
        }
    }

    fn inputs(&mut self, run: &Run) {
        let ledger = &run.ledger;
        if ledger.without_records > 0 {
            let without = ledger.worst_inputs.iter().filter(|i| i.records == 0);
            let what = format!(
                "{} no record",
                counted(ledger.without_records, "input has", "inputs have")
            );
            self.add(
                Level::Lost,
                "inputs",
                what,
                names(without.map(|i| i.input.as_str())),
            );
        }
        // A file that was cut at the border of a record shows no damage, but it is small.
        let mean = ledger
            .compressed_bytes
            .checked_div(ledger.inputs)
            .unwrap_or(0);
        let small = ledger.smallest_inputs.iter();
        let small: Vec<_> = small
            .filter(|(bytes, _)| *bytes > 0 && *bytes < mean / 10)
            .collect();
        if ledger.inputs >= 4 && !small.is_empty() && (small.len() as u64) < ledger.inputs / 2 {
            let what = format!(
                "{} far smaller than the others",
                counted(small.len(), "input is", "inputs are")
            );
            let detail = format!(
                "{}: a cut copy?",
                names(small.iter().map(|(_, name)| name.as_str()))
            );
            self.add(Level::Look, "inputs", what, detail);
        }
        for line in &ledger.worst_inputs {
            let lost = line.skips.saturating_add(line.empty_documents);
            let usual = share(
                ledger
                    .skips
                    .values()
                    .fold(ledger.empty_documents, |sum, n| sum.saturating_add(*n)),
                ledger.pages,
            );
            let own = share(lost, line.pages);
            if ledger.inputs > 1 && line.pages >= MIN_PAGES && own > 0.5 && own > 2.0 * usual {
                let what = format!(
                    "{}: {} of its pages gave no text",
                    line.input,
                    percent(lost, line.pages)
                );
                let detail = format!(
                    "{} skipped, {} without content; in all inputs {:.1} %",
                    line.skips,
                    line.empty_documents,
                    100.0 * usual
                );
                self.add(Level::Look, "inputs", what, detail);
            }
        }
    }

    fn faults(&mut self, run: &Run) {
        let ledger = &run.ledger;
        let lost = ledger.damaged_bytes.saturating_add(ledger.garbage_bytes);
        for (kind, faults) in &ledger.faults {
            let what = format!(
                "{} of kind {kind} in {}",
                counted(faults.count, "fault", "faults"),
                counted(faults.inputs, "input", "inputs")
            );
            let loses =
                ["damaged_member", "garbage", "not_warc", "cut_off"].contains(&kind.as_str());
            let level = if loses { Level::Lost } else { Level::Look };
            self.add(level, "faults", what, first(&faults.places));
        }
        if lost > 0 {
            let what = format!(
                "{} bytes are in no record ({})",
                grouped(lost),
                percent(ledger.damaged_bytes, ledger.compressed_bytes)
            );
            let detail = format!(
                "{} of the files, {} after decoding",
                grouped(ledger.damaged_bytes),
                grouped(ledger.garbage_bytes)
            );
            self.add(Level::Lost, "flow", what, detail);
        }
        if ledger.digest_faults > 0 {
            let what = format!(
                "{} not agree with their digests",
                counted(ledger.digest_faults, "page does", "pages do")
            );
            self.add(Level::Lost, "pages", what, String::new());
        }
        for reason in ["too_large", "tokenizer", "panicked"] {
            if let Some(n) = ledger.skips.get(reason) {
                let what = format!(
                    "{} skipped as {reason}",
                    counted(*n, "page is", "pages are")
                );
                let places = ledger.skipped.get(reason);
                let place = places.map_or_else(String::new, |places| first(places));
                self.add(Level::Lost, "skips", what, place);
            }
        }
    }

    fn pages(&mut self, run: &Run) {
        let (ledger, documents) = (&run.ledger, &run.documents);
        for reason in ["status", "content_type", "not_a_page"] {
            let n = ledger.skips.get(reason).copied().unwrap_or(0);
            if share(n, ledger.pages) > MIN_SHARE_OF_PAGES {
                let what = format!(
                    "{} of the pages are skipped as {reason}",
                    percent(n, ledger.pages)
                );
                self.add(
                    Level::Know,
                    "skips",
                    what,
                    format!("{n} of {}", ledger.pages),
                );
            }
        }
        let without = share(ledger.empty_documents, ledger.documents);
        if without > MIN_SHARE_EMPTY {
            let what = format!(
                "of {} of the pages nothing is kept",
                percent(ledger.empty_documents, ledger.documents)
            );
            let level = match without > MIN_SHARE_OF_PAGES {
                true => Level::Look,
                false => Level::Know,
            };
            let detail = "see Sample, Nothing is kept";
            self.add(level, "kept", what, detail.to_owned());
        }
        let empty = share(documents.empty, documents.rows);
        let hosts = documents.hosts.ordered();
        let silent = hosts.iter().filter(|(_, host)| {
            let own = share(host.sums[0], host.count);
            host.count >= MIN_PAGES && own >= 0.8 && own > 2.0 * empty
        });
        for (host, counts) in silent.take(NAMES) {
            let what = format!(
                "of {} of {} pages of {host} nothing is kept",
                counts.sums[0], counts.count
            );
            let detail =
                "pages made by scripts, a wall, or a layout that the pipeline does not know?"
                    .to_owned();
            self.add(Level::Look, "hosts", what, detail);
        }
        for (warning, n) in &ledger.warnings {
            let loses = [
                "cut_",
                "undecoded",
                "unsupported",
                "unknown_charset",
                "malformed",
                "wrong_length",
                "suspect",
            ];
            let serious = loses.iter().any(|word| warning.starts_with(word));
            let level = match share(*n, ledger.documents) {
                many if serious && many > 0.01 => Level::Look,
                many if serious || many > 0.01 => Level::Know,
                _ => continue,
            };
            let what = format!(
                "{} the warning {warning}",
                counted(*n, "page has", "pages have")
            );
            let share = percent(*n, ledger.documents) + " of the documents";
            let meaning = WARNINGS.iter().find(|(word, _)| word == warning);
            let detail = match meaning {
                Some((_, meaning)) => format!("{share}: {meaning}"),
                None => share,
            };
            self.add(level, "warnings", what, detail);
        }
        let truncated = documents
            .truncated
            .ordered()
            .iter()
            .map(|(_, c)| c.count)
            .sum::<u64>();
        if truncated > 0 {
            let what = format!("{} cut off", counted(truncated, "page is", "pages are"));
            let why = documents.truncated.ordered();
            self.add(
                Level::Look,
                "pages",
                what,
                names(why.iter().map(|(text, _)| *text)),
            );
        }
    }

    fn tables(&mut self, run: &Run) {
        let documents = &run.documents;
        let all = documents.rows;
        let unknown = of(&documents.languages, "und");
        if all >= MIN_PAGES
            && share(unknown, all) > MIN_SHARE_OF_PAGES + share(documents.empty, all)
        {
            let what = format!(
                "of {} of the pages the language is not known",
                percent(unknown, all)
            );
            self.add(Level::Know, "languages", what, String::new());
        }
        let guessed = of(&documents.charset_sources, "guess");
        if share(guessed, all) > 0.05 {
            let what = format!(
                "of {} of the pages the encoding is guessed",
                percent(guessed, all)
            );
            self.add(
                Level::Know,
                "charsets",
                what,
                "texts may be garbled; see the encodings".to_owned(),
            );
        }
        let (pages, different) = (documents.digests.0, documents.digests.1.estimate());
        let again = pages.saturating_sub(different);
        if pages >= 100 && share(again, pages) > 0.1 {
            let what = format!(
                "about {} of the pages have a payload that another one has, too",
                percent(again, pages)
            );
            self.add(
                Level::Know,
                "pages",
                what,
                "by their digests; deduplicate before counting words".to_owned(),
            );
        }
        if all > 0 && share(documents.undated, all) > 0.01 {
            let what = format!(
                "{} without a date",
                counted(documents.undated, "page is", "pages are")
            );
            self.add(Level::Know, "dates", what, String::new());
        }
        let days: Vec<_> = documents.days.iter().collect();
        for pair in days.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            let busy = |counts: &[u64; 2]| counts[0] * 20 > all / days.len().max(1) as u64;
            if days.len() >= 5 && (2..=31).contains(&(b.0 - a.0)) && busy(a.1) && busy(b.1) {
                let n = b.0 - a.0 - 1;
                let what = format!(
                    "{} without a page between busy ones",
                    counted(n, "day is", "days are")
                );
                self.add(Level::Look, "dates", what, format!("after {}", date(*a.0)));
            }
        }
    }
}

/// How many pages have the word.
fn of<const SHOWN: usize>(words: &Words<SHOWN>, word: &str) -> u64 {
    let ordered = words.ordered().into_iter();
    let mut own = ordered.filter(|(text, _)| *text == word);
    own.next().map_or(0, |(_, c)| c.count)
}

#[cfg(test)]
mod tests {
    use super::super::ledger::InputLine;
    use super::*;
    use warcsieve_run::Recipe;

    #[test]
    fn days_are_dates() {
        for (day, text) in [
            (0, "1970-01-01"),
            (19_782, "2024-02-29"),
            (11_016, "2000-02-29"),
            (47_481, "2099-12-31"),
        ] {
            assert_eq!(date(day), text);
        }
    }

    #[test]
    fn a_folder_that_is_well_has_no_finding() {
        let run = Run {
            sealed: true,
            ..Run::default()
        };
        assert_eq!(findings(&run), []);
    }

    #[test]
    fn pages_of_which_nothing_is_kept_are_said_by_their_share() {
        for (empty, level) in [(5, None), (6, Some(Level::Know)), (21, Some(Level::Look))] {
            let mut run = Run {
                sealed: true,
                ..Run::default()
            };
            run.ledger.documents = 100;
            run.ledger.empty_documents = empty;
            let found = findings(&run);
            let found = found.iter().find(|f| f.section == "kept");
            assert_eq!(found.map(|f| f.level), level, "{empty}");
        }
    }

    #[test]
    fn mixed_recipes_and_the_largest_counts_are_found() {
        let recipe = |version: &str| Recipe {
            version: version.to_owned(),
            pipeline_sha256: "0123456789".to_owned(),
            model_sha256: None,
            method: "forest".to_owned(),
            selection_sha256: None,
            relabelled_from: None,
            page_files: None,
            set: Vec::new(),
        };
        let mut run = Run {
            sealed: true,
            recipes: vec![(recipe("0.1.0"), 2), (recipe("0.2.0"), 1)],
            ..Run::default()
        };
        let found = findings(&run);
        assert_eq!(found[0].what, "rows of 2 recipes are mixed");
        assert!(
            found[0].detail.starts_with("2 inputs by version 0.1.0, "),
            "{}",
            found[0].detail
        );
        run.ledger.worst_inputs = vec![InputLine {
            pages: u64::MAX,
            skips: u64::MAX,
            empty_documents: u64::MAX,
            records: 1,
            ..InputLine::default()
        }];
        assert_eq!(findings(&run).len(), 1);
    }
}
