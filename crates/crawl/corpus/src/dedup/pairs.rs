//! Pairs of pages: candidates, and those that are duplicates.

use super::clusters::Clusters;
use super::options::DedupOptions;
use super::output::BandTable;
use super::read::Read;
use super::rule::Rule;
use super::scratch::{Kept, Page};
use super::sort::Sorter;
use std::path::Path;
use warcsieve_common::Result;
use warcsieve_engine::Progress;
use warcsieve_filters::near::{Scheme, similarity};

/// Only this many pages with the same band key (the lowest ones) are paired with all others of that
/// key. So a key of very many pages, such as those of an empty template, does not give a quadratic
/// number of pairs.
pub(super) const PIVOTS: usize = 32;

/// The first page of the second corpus. Pages before it are compared with pages from it on. Without
/// a border, all pages are compared with all.
pub(super) type Border = Option<u32>;

/// Called for each duplicate, with the rule, the lower page and the higher page.
type Found<'f> = &'f mut dyn FnMut(Rule, u32, u32) -> Result<()>;

/// Counts of pairs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Compared {
    /// Pairs with the same key in a band; each pair is counted once.
    pub(super) candidates: u64,
    /// Candidates that were compared. The others were already connected.
    pub(super) compared: u64,
    /// Compared pairs that are duplicates.
    pub(super) verified: u64,
}

/// Finds duplicates by all rules in turn. Every duplicate goes to `found`, and to `clusters` if
/// there is no border. Keys of bands go to `bands`.
pub(super) fn find(
    read: Read,
    options: &DedupOptions,
    border: Border,
    clusters: &mut Clusters,
    mut bands: Option<&mut BandTable>,
    (folder, progress): (&Path, &Progress),
    found: Found<'_>,
) -> Result<(Kept, Option<Vec<f64>>, Compared)> {
    for (sorter, rule) in [(read.urls, Rule::Url), (read.texts, Rule::Text)] {
        sorter.sorted()?.each_group(2, |_, pages| {
            progress.go_on()?;
            // The lowest page represents all pages with the same value.
            each_pair(pages, border, 1, |a, b| {
                if border.is_none() {
                    clusters.connect(a, b, rule);
                }
                found(rule, a, b)
            })
        })?;
    }
    let mut compared = Compared::default();
    if let Some(scheme) = &options.near {
        let mut pairs = Sorter::<1>::new(folder, options.memory / 4);
        read.bands.sorted()?.each_group(1, |key, pages| {
            if let Some(bands) = &mut bands {
                bands.push(key[0], pages)?;
            }
            each_pair(pages, border, PIVOTS, |a, b| {
                pairs.push([u64::from(a) << 32 | u64::from(b)])
            })
        })?;
        let mut verify = Verify::new(&read.kept, scheme, options.containment);
        let (mut pairs, mut last) = (pairs.sorted()?, None);
        while let Some(pair) = pairs.next()? {
            if last.replace(pair) == Some(pair) {
                continue;
            }
            compared.candidates += 1;
            let (a, b) = ((pair[0] >> 32) as u32, pair[0] as u32);
            if border.is_none() && clusters.are_connected(a, b) {
                continue;
            }
            compared.compared += 1;
            if compared.compared.is_multiple_of(1024) {
                progress.go_on()?;
            }
            if verify.are_duplicates(a, b)? {
                compared.verified += 1;
                if border.is_none() {
                    clusters.connect(a, b, Rule::Near);
                }
                found(Rule::Near, a, b)?;
            }
        }
    }
    Ok((read.kept, read.ranks, compared))
}

/// Pairs each of the first `pivots` pages of a group with all later pages. With a border, only
/// pairs across it.
fn each_pair(
    pages: &[u64],
    border: Border,
    pivots: usize,
    mut pair: impl FnMut(u32, u32) -> Result<()>,
) -> Result<()> {
    for (at, &a) in pages.iter().take(pivots).enumerate() {
        for &b in &pages[at + 1..] {
            // Page numbers are below 2^32.
            let (a, b) = (a as u32, b as u32);
            if border.is_none_or(|border| a < border && border <= b) {
                pair(a, b)?;
            }
        }
    }
    Ok(())
}

/// Compares pages by their shingles. Pairs come sorted, so the first page is kept from pair to
/// pair.
struct Verify<'k> {
    kept: &'k Kept,
    jaccard: f64,
    containment: Option<f64>,
    first: Option<u32>,
    pages: [Page; 2],
}

impl<'k> Verify<'k> {
    fn new(kept: &'k Kept, scheme: &Scheme, containment: Option<f64>) -> Self {
        Self {
            kept,
            jaccard: scheme.jaccard,
            containment,
            first: None,
            pages: Default::default(),
        }
    }

    fn are_duplicates(&mut self, a: u32, b: u32) -> Result<bool> {
        let [first, second] = &mut self.pages;
        if self.first.replace(a) != Some(a) {
            self.kept.read(a as usize, true, first)?;
        }
        self.kept.read(b as usize, true, second)?;
        let alike = similarity(&first.shingles, &second.shingles);
        let is_contained = |least| alike.containment >= least;
        Ok(alike.jaccard >= self.jaccard || self.containment.is_some_and(is_contained))
    }
}
