//! The published methods, a file or folder each.

mod boilerpipe;
mod bte;
mod ccb;
mod cetd;
mod cetr;
mod crf;
mod density;
mod density_rule;
mod dsc;
pub mod forest;
mod frequencies;
pub mod goce;
mod justext;
mod keep_all;
mod largest_content;
mod learned_tree;
mod lqf;
mod main_content;
mod min_words;
mod noise;
mod numwords;
mod repeated;
mod smoothing;
pub mod web2text;

use crate::method::{Method, Shipped};

/// Every method there is. The command line, pipeline files, tests and benches
/// all go by this table.
///
/// ```
/// for method in warcsieve_classify::METHODS {
///     println!("{}: {} ({})", method.name, method.summary, method.paper);
/// }
/// ```
pub static METHODS: &[Method] = &[
    forest::METHOD,
    numwords::METHOD,
    density::METHOD,
    density_rule::METHOD,
    min_words::METHOD,
    keep_all::METHOD,
    learned_tree::METHOD,
    largest_content::METHOD,
    main_content::METHOD,
    boilerpipe::METHOD,
    justext::METHOD,
    noise::tree::METHOD,
    noise::duplicates::METHOD,
    noise::main_block::METHOD,
    cetd::PLAIN,
    cetd::COMPOSITE,
    cetd::SMOOTHED,
    cetd::HYBRID,
    goce::BY_GENRE,
    goce::ARTICLE,
    goce::LIST,
    web2text::METHOD,
    bte::METHOD,
    lqf::METHOD,
    cetr::METHOD,
    ccb::METHOD,
    dsc::METHOD,
    crf::METHOD,
    smoothing::METHOD,
    repeated::METHOD,
];

/// Every pipeline that ships, by the methods they are there for.
pub fn shipped() -> impl Iterator<Item = &'static Shipped> {
    METHODS.iter().flat_map(|method| method.pipelines)
}
