//! The domains that a corpus comes from: their list, and what the data card says of them.

use super::sections::{row, section, share};
use crate::table;
use std::fmt::Write;
use warcsieve_common::{counted, markdown};
use warcsieve_look::report::{Amount, Sources};

/// Maximum number of domains and of licences in the card.
const NAMED: usize = 20;

/// Of the domains, the European Commission's template for the summary of training content (July 2025) asks for the top
/// 10 % by size, and of small and medium companies for 5 % or 1,000, whichever is lower.
const PERCENT: usize = 10;
const SMALL_PERCENT: usize = 5;
const SMALL_MOST: usize = 1000;

/// All domains, the one with the most text first, as lines of domain, documents and bytes of text.
pub(super) fn list(sources: &Sources) -> String {
    let mut text = String::from("domain\tdocuments\ttext_bytes\n");
    for (domain, amount) in named(sources) {
        let (documents, bytes) = (amount.documents, amount.text_bytes);
        let _ = writeln!(text, "{domain}\t{documents}\t{bytes}");
    }
    text
}

/// Writes the sections of the card on domains and licences.
pub(super) fn describe(out: &mut String, sources: &Sources, text_bytes: u64) {
    section(out, "Domains");
    let count = named(sources).count();
    let part = |percent: usize| (count * percent).div_ceil(100);
    let _ = writeln!(
        out,
        "The documents come from {}. `domains.tsv` lists all, the one with the most text first. The summary of training \
         content that the European Commission asks for has the top {PERCENT} % by size, here {}, or for small and medium \
         companies {}.\n",
        counted(count, "registered domain", "registered domains"),
        counted(part(PERCENT), "domain", "domains"),
        table::count(part(SMALL_PERCENT).min(SMALL_MOST) as u64),
    );
    amounts(out, "domain", named(sources), text_bytes);
    let nameless = sources.domains.iter().find(|(domain, _)| domain.is_empty());
    if let Some((_, amount)) = nameless {
        let documents = table::count(amount.documents);
        let _ = writeln!(out, "\nDocuments without an address: {documents}.");
    }
    if let Some(licences) = &sources.licences {
        section(out, "Licences");
        let licences = licences.iter().map(|(name, amount)| match name.as_str() {
            "" => ("none is named", *amount),
            name => (name, *amount),
        });
        amounts(out, "licence", licences, text_bytes);
    }
}

fn named(sources: &Sources) -> impl Iterator<Item = (&str, Amount)> {
    let all = sources.domains.iter();
    let all = all.map(|(domain, amount)| (domain.as_str(), *amount));
    all.filter(|(domain, _)| !domain.is_empty())
}

fn amounts<'a>(
    out: &mut String,
    of: &str,
    amounts: impl Iterator<Item = (&'a str, Amount)>,
    text_bytes: u64,
) {
    row(out, [of, "documents", "bytes of text", "share"]);
    row(out, ["---", "---:", "---:", "---:"]);
    let mut left = 0;
    for (number, (name, amount)) in amounts.enumerate() {
        if number >= NAMED {
            left += 1;
            continue;
        }
        let bytes = table::count(amount.text_bytes);
        let share = share(amount.text_bytes, text_bytes);
        let documents = table::count(amount.documents);
        row(out, [&markdown(name), &documents, &bytes, &share]);
    }
    if left > 0 {
        let _ = writeln!(out, "\n{} more.", table::count(left));
    }
}
