//! Reproduces the tables and figures of the papers on the labelled corpora: writes a page a paper
//! in which the paper's figures stand beside ours, one that compares the methods of all, three on
//! the default, one on what known crawls cost, and two on search: one on the corpora, and one on a crawl of your own with topics and judgements.
//!
//! `cargo run --release --example reproduce -- PAGE CORPORA PAGES SCRATCH`
//! `cargo run --release --example reproduce -- collection CRAWL PAGES SCRATCH TOPICS QRELS`

mod ablation;
mod accuracy;
mod corpora;
mod costs;
mod density;
mod genre;
mod job;
mod line;
mod methods;
mod noise;
mod page;
mod performance;
mod plot;
mod retrieval;
mod shallow;
mod texts;
mod web2text;

use job::Job;

pub type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Writes a page.
type Write = fn(&Job) -> Result;

/// The pages, a module each.
const PAGES: &[(&str, Write)] = &[
    ("shallow", shallow::write),
    ("noise", noise::write),
    ("density", density::write),
    ("genre", genre::write),
    ("web2text", web2text::write),
    ("methods", methods::write),
    ("accuracy", accuracy::write),
    ("ablation", ablation::write),
    ("performance", performance::write),
    ("costs", costs::write),
    ("retrieval", retrieval::known_item),
    ("collection", retrieval::collection),
];

fn main() -> Result {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [page, corpora, pages, scratch, more @ ..] = &arguments[..] else {
        return Err("usage: reproduce PAGE CORPORA PAGES SCRATCH".into());
    };
    match PAGES.iter().find(|(name, _)| name == page) {
        Some((_, write)) => write(&Job::new(corpora, pages, scratch, more)),
        None => {
            let names: Vec<&str> = PAGES.iter().map(|(name, _)| *name).collect();
            Err(format!("no page {page}; there are {}", names.join(", ")).into())
        }
    }
}
