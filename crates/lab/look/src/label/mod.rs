//! A labeller: a page on which a person labels the blocks of pages, and which writes gold.

use crate::LABEL;
use crate::document::{document, titled};
use crate::view::{Blocks, Facts, Found, ShownPage};
use data_encoding::HEXLOWER;
use serde::Serialize;
use sha2::{Digest, Sha256};
use warcsieve_common::counted;

#[derive(Serialize)]
struct Shown<'a> {
    /// The name of the labelled data.
    title: &'a str,
    pipeline: &'a str,
    /// The key under which the browser stores the work. For other pages, texts or labels it differs.
    key: String,
    pages: Vec<Page<'a>>,
}

#[derive(Serialize)]
struct Page<'a> {
    facts: &'a Facts,
    blocks: &'a Blocks,
    /// Texts of preformatted blocks with their white space, by the block's number.
    preformatted: &'a [(usize, String)],
}

/// The page of a labeller for the pages that were found. `title` says where they come from.
///
/// Its script saves JSON Lines, with one line per page that is marked as done: `id`, `url`, `page_type` and `gold`, as
/// [`warcsieve_eval::gold`] reads them, and `title`, `pipeline` and `labels`, one character per block, with which the
/// labeller can continue.
pub fn label_html(title: &str, pipeline: &str, found: &[Found]) -> String {
    let views = found.iter().filter_map(|found| match found {
        Found::Page(page) => Some(&**page),
        Found::Skipped { .. } => None,
    });
    let pages: Vec<Page<'_>> = views.map(page).collect();
    let mut hash = Sha256::new_with_prefix(format!("{pipeline}\n"));
    for page in &pages {
        hash.update(format!("{}\n{}\n", page.facts.id, page.blocks.labels()));
        for text in page.blocks.texts() {
            hash.update(text);
            hash.update("\n");
        }
    }
    let key = HEXLOWER.encode(&hash.finalize()[..8]);
    let name = format!("{} to label", counted(pages.len(), "page", "pages"));
    let name = titled(&name, "label");
    let shown = Shown {
        title,
        pipeline,
        key,
        pages,
    };
    document(LABEL, &name, &shown, "")
}

fn page(view: &ShownPage) -> Page<'_> {
    Page {
        facts: &view.facts,
        blocks: &view.blocks,
        preformatted: &view.preformatted,
    }
}
