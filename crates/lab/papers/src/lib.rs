//! The methods of published papers, one file or folder each, and [`METHODS`], the table of all methods.

mod boilerpipe;
mod bte;
mod ccb;
mod cetd;
mod cetr;
mod chosen;
mod crf;
mod density;
mod density_rule;
mod dsc;
mod fe;
pub mod goce;
mod justext;
mod largest_content;
mod learned_tree;
pub mod linear_chain;
mod lqf;
mod main_content;
mod noise;
pub mod picture;
mod sequence;
#[cfg(test)]
mod tests;
pub mod web2text;

use warcsieve_classify::Methods;
use warcsieve_classify::methods::{
    MODELS, forest, keep_all, min_words, numwords, repeated, smoothing,
};

/// All methods. The command line, pipeline files, tests and benches use this table.
///
/// ```
/// for method in warcsieve_papers::METHODS.methods {
///     println!("{}: {} ({})", method.name, method.summary, method.paper);
/// }
/// ```
pub static METHODS: Methods = Methods {
    methods: &[
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
        fe::METHOD,
        crf::METHOD,
        smoothing::METHOD,
        repeated::METHOD,
    ],
    models: &[
        MODELS[0],
        ("genre", include_bytes!("../models/genre.svm")),
        MODELS[1],
        ("crf", include_bytes!("../models/blocks.crf")),
        ("web2text", include_bytes!("../models/web2text.safetensors")),
    ],
};
