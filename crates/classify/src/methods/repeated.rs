//! Texts that many pages of a crawl have are boilerplate: templates, teasers, notices.

use super::frequencies;
use crate::classifier::Classifier;
use crate::label::Label;
use crate::method::{Method, Needs, Scores, shipped};
use crate::names::Names;
use crate::params::{ParamError, Share, StepParams};
use serde::Deserialize;
use std::sync::Arc;
use toml::Spanned;
use warcsieve_features::Frequencies;
use warcsieve_html::Segmentation;
use warcsieve_html::document::{Block, Document};

/// How pipeline files and the command line know it.
pub const METHOD: Method = Method {
    name: "repeated",
    summary: "texts on several pages of their host, or on many of the crawl, are no content, after another step",
    family: "Steps for pipelines of one's own",
    paper: "none; after the frequency of blocks of Kohlschütter, Fankhauser, Nejdl 2010, §3.1",
    segmentation: Segmentation::Inline,
    follows: true,
    required: "",
    scores: Scores::Half,
    needs: Needs::Tags,
    cost: 1,
    pipelines: &[shipped!(
        "default-crawl",
        "The default, without what pages of a site have in common: `clean` reads the crawl twice. For crawls with several pages a host; alone, a page is labelled as by `default` \
        ([crawl.md](crawl.md))."
    )],
    build,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Params {
    /// The table of the crawl; by default the one that `clean` makes.
    frequencies: Option<Spanned<String>>,
    /// A text on so many pages of its host is boilerplate; 0 for none.
    host_pages: u32,
    /// A text on so many pages of the crawl is boilerplate; 0 for none.
    pages: u32,
    /// A page that would lose so large a share of its content is a copy, and stays as it is.
    copy: Share,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            frequencies: None,
            host_pages: 3,
            pages: 0,
            copy: Share::of(0.5),
        }
    }
}

struct Repeated {
    /// `None` where no crawl is known: then nothing repeats.
    table: Option<Arc<Frequencies>>,
    host_pages: u32,
    pages: u32,
    copy: f64,
    of_host: u32,
    of_crawl: u32,
    /// By block of the last page: why it is no content.
    found: Vec<Option<u32>>,
}

pub(super) fn build(
    params: StepParams<'_>,
    names: &mut Names,
) -> Result<Box<dyn Classifier>, ParamError> {
    let (params, files) = params.read_with_files::<Params>()?;
    let table = match &params.frequencies {
        Some(name) => Some(frequencies::load(files, name)?),
        None => files.given::<Frequencies>(),
    };
    let is_by_host = table.as_ref().is_none_or(|table| table.is_by_host());
    if let (Some(name), true, false) = (&params.frequencies, params.host_pages > 0, is_by_host) {
        let message = "its texts are not counted by host; make it with `warcsieve freq --by-host`, or set host_pages = 0";
        return Err(ParamError::at(
            name,
            format!("{}: {message}", name.get_ref()),
        ));
    }
    let least = table.as_ref().map_or(0, |table| table.min_pages());
    if let (Some(name), Some(few)) = (
        &params.frequencies,
        [params.host_pages, params.pages]
            .into_iter()
            .find(|pages| (1..least).contains(pages)),
    ) {
        let message = format!(
            "it has no text on fewer than {least} pages, and {few} are asked for; make it with `--min-pages {few}`"
        );
        return Err(ParamError::at(
            name,
            format!("{}: {message}", name.get_ref()),
        ));
    }
    Ok(Box::new(Repeated {
        table,
        host_pages: params.host_pages,
        pages: params.pages,
        copy: params.copy.get(),
        of_host: names.reason("its text is on several pages of the host"),
        of_crawl: names.reason("its text is on many pages of the crawl"),
        found: Vec::new(),
    }))
}

impl Repeated {
    /// Why a text is no content, if it is repeated.
    fn reason(&self, table: &Frequencies, host: u64, text: &str) -> Option<u32> {
        if self.host_pages > 0 && table.pages_of_host(host, text) >= self.host_pages {
            return Some(self.of_host);
        }
        (self.pages > 0 && table.pages_with(text) >= self.pages).then_some(self.of_crawl)
    }
}

impl Classifier for Repeated {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        let Some(table) = self.table.clone() else {
            return;
        };
        let mut found = std::mem::take(&mut self.found);
        let reason = |(block, label): (&Block, &Label)| {
            let is_asked = label.content.then_some(());
            is_asked.and_then(|()| self.reason(&table, doc.host, doc.block_text(block)))
        };
        found.clear();
        found.extend(doc.blocks.iter().zip(&*labels).map(reason));
        let words = |of: &dyn Fn(usize) -> bool| -> u64 {
            let blocks = doc.blocks.iter().enumerate();
            blocks
                .filter(|(at, _)| of(*at))
                .map(|(_, block)| u64::from(block.words))
                .sum()
        };
        let content = words(&|at| labels[at].content);
        let repeated = words(&|at| found[at].is_some());
        if (repeated as f64) < self.copy * content as f64 {
            for (label, reason) in labels.iter_mut().zip(&found) {
                if let Some(reason) = reason {
                    label.change(false, *reason);
                }
            }
        }
        self.found = found;
    }

    fn explain(&self, doc: &Document, _: &[Label], block: usize) -> String {
        let Some(table) = &self.table else {
            return "repeated: no crawl is known".to_owned();
        };
        let text = doc.block_text(&doc.blocks[block]);
        format!(
            "repeated: on {} pages of its host, {} of the crawl (fewer than {} count as 0)",
            table.pages_of_host(doc.host, text),
            table.pages_with(text),
            table.min_pages()
        )
    }
}

#[cfg(test)]
mod tests;
