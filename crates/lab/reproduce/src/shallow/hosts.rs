//! §4.2: how many pages of the news set are of each host.

use crate::Result;
use crate::corpora::{Corpora, each_page, keep_all};
use std::collections::BTreeMap;
use warcsieve_common::host;
use warcsieve_eval::pages::Gold;
use warcsieve_eval::stats::{mean, median};

/// One line about the pages per host of an annotated corpus.
pub fn hosts(corpora: &Corpora, corpus: &str) -> Result<String> {
    let inputs = corpora.inputs(corpus)?;
    let all = keep_all("inline")?;
    let pages = each_page(&inputs, &Gold::Annotations, &all, |page| {
        host(&page.doc.url)
    })?;
    let mut counts = BTreeMap::<&str, u32>::new();
    for (_, host) in &pages {
        *counts.entry(host.as_str()).or_default() += 1;
    }
    let mut counts: Vec<f64> = counts.into_values().map(f64::from).collect();
    counts.sort_by(|a, b| b.total_cmp(a));
    let most = counts.first().copied().unwrap_or_default();
    let [mean, median] = [mean(&counts), median(&counts)].map(Option::unwrap_or_default);
    let (pages, hosts) = (pages.len(), counts.len());
    Ok(format!(
        "{pages} pages of {hosts} hosts, at most {most} of one, {mean:.2} on average, with a median of {median}"
    ))
}
