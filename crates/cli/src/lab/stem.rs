//! The argument that chooses what terms are.

use warcsieve_retrieval::index::Stemming;

/// What terms are.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Stem {
    English,
    None,
}

impl Stem {
    pub fn stemming(self) -> Stemming {
        match self {
            Self::English => Stemming::English,
            Self::None => Stemming::None,
        }
    }
}
