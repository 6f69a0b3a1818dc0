//! Texts that occur on many pages of a crawl are boilerplate: templates, teasers, notices.

use super::frequencies;
use crate::classifier::Classifier;
use crate::label::Label;
use crate::method::{Built, Method, shipped};
use crate::names::Names;
use crate::params::{ParamError, Share, StepParams, TableNeeds};
use crate::step_params;
use std::sync::Arc;
use toml::Spanned;
use warcsieve_features::Frequencies;
use warcsieve_features::frequency::host_key;
use warcsieve_html::document::{Block, Document};

/// The method as pipeline files and the command line know it.
pub const METHOD: Method = Method {
    name: "repeated",
    summary: "drops texts that are on several pages of their host or on many pages of the crawl, after another step",
    family: "Steps for your own pipelines",
    paper: "none; after the frequency of blocks of Kohlschütter, Fankhauser, Nejdl 2010, §3.1",
    follows: true,
    pipelines: &[shipped!(
        "default-crawl",
        "The default, without the texts that several pages of a site have in common. `clean` reads the crawl twice. Use it for crawls with several pages per host. A page that is alone is labelled as by `default` \
        ([crawl.md](crawl.md))."
    )],
    build,
    ..Method::PLAIN
};

step_params! {
    /// The table of the crawl; by default the one that `clean` makes.
    frequencies: Option<Spanned<String>> = None,
    /// A text that is on this many pages of its host is boilerplate; 0 turns this off.
    host_pages: u32 = 3,
    /// A text that is on this many pages of the crawl is boilerplate; 0 turns this off.
    pages: u32 = 0,
    /// The share of a page's content that counts as its own: it is on no more pages than the page has copies.
    own: Share = Share::of(0.1),
}

/// Texts that are on several pages are boilerplate, unless the page itself exists several times.
///
/// If a page exists three times, for example as a mirror or a print view, all its texts are on three pages or more. So
/// the bounds are multiplied by the number of copies of the page. This number is estimated: it is the number of pages
/// on which the rarest tenth of the page's content is, in words. In a crawl with `host_pages = 3`
///
/// ```text
///                       a page    one of three copies
/// its story, 90 words        1                      3
/// the menu, 10 words        25                     25
/// the page is there          1                      3   times
/// bound                      3                      9   pages
/// ```
///
/// the menu is removed from both pages, and the story from neither.
struct Repeated {
    /// `None` if there is no table of the crawl. Then nothing counts as repeated.
    table: Option<Arc<Frequencies>>,
    host_pages: u32,
    pages: u32,
    own: f64,
    of_host: u32,
    of_crawl: u32,
    /// The content of the last page: on how many pages it is, words, and block.
    counts: Vec<(u32, u32, usize)>,
}

pub(super) fn build(params: StepParams<'_>, names: &mut Names) -> Built {
    let (params, files) = params.read_with_files::<Params>()?;
    let asked = [params.host_pages, params.pages]
        .into_iter()
        .filter(|pages| *pages > 0);
    let needs = TableNeeds {
        min_pages: asked.min().unwrap_or(u32::MAX),
        by_host: params.host_pages > 0,
    };
    let table = match &params.frequencies {
        Some(name) => {
            let table = frequencies::load(files, name)?;
            if let Some(what) = needs.lack(&table) {
                return Err(ParamError::at(name, format!("{}: {what}", name.get_ref())));
            }
            Some(table)
        }
        None => files.provided::<Frequencies>(needs),
    };
    Ok(Box::new(Repeated {
        table,
        host_pages: params.host_pages,
        pages: params.pages,
        own: params.own.get(),
        of_host: names.reason("its text is on several pages of the host"),
        of_crawl: names.reason("its text is on many pages of the crawl"),
        counts: Vec::new(),
    }))
}

impl Repeated {
    /// Drops texts that are on at least `least` pages for each copy of the page.
    fn drop(
        &mut self,
        (doc, labels): (&Document, &mut [Label]),
        (least, reason): (u32, u32),
        pages: impl Fn(&str) -> u32,
    ) {
        let content = doc
            .blocks
            .iter()
            .enumerate()
            .filter(|(at, _)| labels[*at].content);
        let count = |(at, block): (usize, &Block)| (pages(doc.block_text(block)), block.words, at);
        self.counts.clear();
        self.counts.extend(content.map(count));
        self.counts.sort_unstable();
        let words: u64 = self
            .counts
            .iter()
            .map(|(_, words, _)| u64::from(*words))
            .sum();
        let mut rarest = self.own * words as f64;
        let times = self.counts.iter().find(|(_, words, _)| {
            rarest -= f64::from(*words);
            rarest <= 0.0
        });
        let times = times.map_or(1, |(pages, ..)| (*pages).max(1));
        let bound = least.saturating_mul(times);
        for (_, _, at) in self.counts.iter().filter(|(pages, ..)| *pages >= bound) {
            labels[*at].change(false, reason);
        }
    }
}

impl Classifier for Repeated {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        let Some(table) = self.table.clone() else {
            return;
        };
        if self.host_pages > 0 {
            let host = host_key(&doc.url);
            let pages = |text: &str| table.pages_of_host(host, text);
            self.drop((doc, labels), (self.host_pages, self.of_host), pages);
        }
        if self.pages > 0 {
            let pages = |text: &str| table.pages_with(text);
            self.drop((doc, labels), (self.pages, self.of_crawl), pages);
        }
    }

    fn explain(&self, doc: &Document, _: &[Label], block: usize) -> String {
        let Some(table) = &self.table else {
            return "repeated: no crawl is known".to_owned();
        };
        let text = doc.block_text(&doc.blocks[block]);
        format!(
            "repeated: on {} pages of its host, {} of the crawl (fewer than {} count as 0)",
            table.pages_of_host(host_key(&doc.url), text),
            table.pages_with(text),
            table.min_pages()
        )
    }
}

#[cfg(test)]
mod tests;
