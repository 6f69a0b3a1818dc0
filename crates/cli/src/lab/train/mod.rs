//! `warcsieve train`: models from labelled pages.

mod common;
mod crf;
mod forest;
mod genre;
mod learned;
mod pictures;
mod texts;
mod tree;
mod web2text;

use crate::exit::Exit;
use crate::threads;
use warcsieve_common::Result;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    learner: Learners,
}

#[derive(Debug, clap::Subcommand)]
enum Learners {
    /// Learn a decision tree (C4.5) for `method = "tree"`.
    Tree(tree::Arguments),
    /// Learn to distinguish articles from lists (linear SVM) for `method = "goce"`. The gold is
    /// texts whose `page_type` gives genres: `article`; `collection` and `listing`; others are not
    /// used.
    Genre(genre::Arguments),
    /// Learn the same from pictures of pages: a small convolutional network for `method = "goce"`,
    /// or the last layer of a pretrained one.
    GenrePictures(pictures::Arguments),
    /// Learn boosted trees for `method = "forest"`, the default. The gold is texts.
    Forest(forest::Arguments),
    /// Train two convolutional networks for `method = "web2text"`. The gold is texts.
    Web2text(web2text::Arguments),
    /// Learn a linear-chain conditional random field for `method = "crf"`. The gold is texts.
    Crf(crf::Arguments),
}

pub fn run(arguments: &Arguments) -> Result<Exit> {
    match &arguments.learner {
        Learners::Tree(arguments) => {
            threads::pool(arguments.common.threads)?.install(|| tree::run(arguments))
        }
        Learners::Genre(arguments) => {
            threads::pool(arguments.common.threads)?.install(|| genre::run(arguments))
        }
        Learners::GenrePictures(arguments) => {
            threads::pool(arguments.common.threads)?.install(|| pictures::run(arguments))
        }
        Learners::Forest(arguments) => {
            threads::pool(arguments.threads)?.install(|| forest::run(arguments))
        }
        Learners::Web2text(arguments) => {
            threads::pool(arguments.threads)?.install(|| web2text::run(arguments))
        }
        Learners::Crf(arguments) => {
            threads::pool(arguments.threads)?.install(|| crf::run(arguments))
        }
    }
}
