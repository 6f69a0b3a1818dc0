//! Chooses labels from potentials.

use crate::linear_chain::{LinearChain, Potentials};
use serde::Deserialize;
use warcsieve_classify::expected_f::{Kept, Options, Scored, choose};
use warcsieve_common::{emptied, shrink};
use warcsieve_features::structure::Comment;

/// How labels are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decode {
    /// The labelling with the greatest product of potentials, as published.
    #[default]
    Viterbi,
    /// The more likely label of each block, considered alone.
    Unary,
    /// The blocks with the highest expected F-β. The networks judge each label three times: in the
    /// block's own potentials and in those of both its pairs. So the probability of content is
    /// computed with the cube roots of all potentials; the product of these is their geometric
    /// mean.
    ExpectedF1,
}

impl Decode {
    /// All variants.
    pub const ALL: [Self; 3] = [Self::Viterbi, Self::Unary, Self::ExpectedF1];

    /// Its name in tables.
    pub fn about(self) -> &'static str {
        match self {
            Self::Viterbi => "Viterbi, as published",
            Self::Unary => "unary potentials only",
            Self::ExpectedF1 => "highest expected F1",
        }
    }
}

/// Chooses labels, with its buffers.
///
/// Memory: 23 bytes per block, 44 more with [`Decode::ExpectedF1`].
#[derive(Debug, Default)]
pub struct Decoder {
    chain: LinearChain,
    roots: Potentials,
    /// By block of the last page: whether it is content.
    pub content: Vec<bool>,
    /// By block: the probability of content in the chain, or of the block alone with
    /// [`Decode::Unary`].
    pub likely: Vec<f32>,
    scored: Vec<Scored>,
    order: Vec<(f32, u32)>,
    /// The choice for the last page, for [`Decode::ExpectedF1`].
    pub kept: Kept,
}

/// The probability that a block is content by its own potentials.
pub fn alone(potentials: &Potentials, block: usize) -> f32 {
    libm::expf(potentials.unary[block][1])
}

impl Decoder {
    /// Labels the blocks of a page; `tokens` are the tokens of each block.
    pub fn decode(
        &mut self,
        decode: Decode,
        options: Options,
        potentials: &Potentials,
        tokens: impl Iterator<Item = u32>,
    ) {
        emptied(&mut self.content);
        shrink(&mut self.likely);
        match decode {
            Decode::Viterbi => {
                self.chain.marginals(potentials, &mut self.likely);
                self.chain.viterbi(potentials, &mut self.content);
            }
            Decode::Unary => {
                self.likely.clear();
                let blocks = 0..potentials.unary.len();
                let likely = blocks.map(|block| alone(potentials, block));
                self.likely.extend(likely);
                let content = potentials.unary.iter().map(|[no, yes]| yes > no);
                self.content.extend(content);
            }
            Decode::ExpectedF1 => {
                self.roots.clear();
                let unary = potentials.unary.iter().map(|p| p.map(|x| x / 3.0));
                self.roots.unary.extend(unary);
                let pairwise = potentials.pairwise.iter().map(|p| p.map(|x| x / 3.0));
                self.roots.pairwise.extend(pairwise);
                self.chain.marginals(&self.roots, &mut self.likely);
                self.choose(options, tokens);
            }
        }
    }

    fn choose(&mut self, options: Options, tokens: impl Iterator<Item = u32>) {
        emptied(&mut self.scored);
        shrink(&mut self.order);
        let likely = self.likely.iter().zip(tokens);
        self.scored
            .extend(likely.map(|(&probability, tokens)| Scored {
                probability,
                tokens,
                comment: Comment::No,
            }));
        self.kept = choose(&self.scored, options, &mut self.order);
        self.content.resize(self.likely.len(), false);
        for &(_, block) in &self.order[..self.kept.blocks] {
            self.content[block as usize] = true;
        }
    }
}
