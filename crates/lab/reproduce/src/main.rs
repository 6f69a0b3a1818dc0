//! Reproduces the tables and figures of the papers on the labelled corpora. It writes one page per
//! paper that compares the paper's figures with ours, one page that compares all methods, five on
//! the default, one on the costs of known crawls, and three on search: two on the corpora, and one on
//! a crawl of your own with topics and judgements.
//!
//! `cargo run --release -p warcsieve-reproduce -- PAGE CORPORA PAGES SCRATCH`
//! `cargo run --release -p warcsieve-reproduce -- collection CRAWL PAGES SCRATCH TOPICS QRELS`

mod ablation;
mod accuracy;
mod corpora;
mod cost_model;
mod costs;
mod crawl;
mod data;
mod density;
mod frequencies;
mod genre;
mod headlines;
mod job;
mod machine;
mod markdown;
#[path = "../../../../benches/speed/measure/mod.rs"]
mod measure;
mod methods;
mod noise;
mod own_time;
mod page;
mod performance;
mod plot;
mod retrieval;
mod scores;
mod shallow;
mod texts;
mod unfluff;
mod victor;
mod web2text;

use data::{data, number};
use job::Job;
use markdown::{NONE, difference, interval, percent, points, row, table};
use page::{Page, page};

/// The result of a reproduction; any error ends it.
pub type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Writes a page.
type Write = fn(&Job) -> Result;

/// The pages; each has its module.
const PAGES: &[(&str, Write)] = &[
    ("shallow", shallow::write),
    ("noise", noise::write),
    ("density", density::write),
    ("genre", genre::write),
    ("web2text", web2text::write),
    ("web2text-splits", web2text::write_splits),
    ("methods", methods::write),
    ("headlines", headlines::write),
    ("accuracy", accuracy::write),
    ("ablation", ablation::write),
    ("frontier", ablation::write_frontier),
    ("crawl", crawl::write),
    ("performance", performance::write),
    ("costs", costs::write),
    ("retrieval", retrieval::known_item),
    ("soft", retrieval::soft),
    ("judged", retrieval::judged),
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
