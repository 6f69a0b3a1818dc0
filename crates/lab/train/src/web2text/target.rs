//! The targets that networks predict for a block, and the weight of a block.

use crate::sequences::{Sequence, Sequences};

/// What a network predicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Whether a block is content.
    Unary,
    /// The labels of a block and the next: 2 · the first + the second.
    Pairwise,
}

impl Target {
    /// Both targets.
    pub const ALL: [Self; 2] = [Self::Unary, Self::Pairwise];

    /// Its name in messages and tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unary => "unary",
            Self::Pairwise => "pairwise",
        }
    }

    pub(super) fn classes(self) -> usize {
        match self {
            Self::Unary => 2,
            Self::Pairwise => 4,
        }
    }

    /// The class of a row; `None` for the last block of a page if the target is pairs.
    pub(super) fn class(self, data: &Sequences, page: &Sequence, row: usize) -> Option<usize> {
        let label = usize::from(data.labels[row]);
        match self {
            Self::Unary => Some(label),
            Self::Pairwise if row + 1 == page.rows.end => None,
            Self::Pairwise => Some(2 * label + usize::from(data.labels[row + 1])),
        }
    }
}

/// The weight of a block in the loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weighting {
    /// All blocks have the same weight.
    Blocks,
    /// Its tokens / (content tokens of the page + a quarter of all its tokens, at least 30).
    Tokens,
}

impl Weighting {
    /// The weights of a page's rows.
    pub(super) fn weights(self, data: &Sequences, page: &Sequence) -> Vec<f32> {
        let tokens = &data.tokens[page.rows.clone()];
        if self == Self::Blocks {
            return vec![1.0; tokens.len()];
        }
        let labels = &data.labels[page.rows.clone()];
        let all: f64 = tokens.iter().map(|t| f64::from(*t)).sum();
        let content = tokens.iter().zip(labels).filter(|row| *row.1 != 0);
        let content: f64 = content.map(|row| f64::from(*row.0)).sum();
        let whole = (content + all / 4.0).max(30.0);
        let weight = |t: &u32| (f64::from(*t) / whole) as f32;
        tokens.iter().map(weight).collect()
    }
}
