//! A linear score of the names on a block's path, which is the element that holds the block and all elements above it.
//! The score uses the tokens of class, id and role, the pairs of consecutive tokens in one of these, and the tags
//! except `div`, `span`, `p`, `body` and `html`. All of these are called tokens below.
//!
//! A token has a weight for each bucket of distance: *near* for the element itself and the one
//! above, *middle* for the next three, *far* beyond. The score is the sum of the weights divided by
//! the square root of the number of tokens; 0 if there is none. For a block in the `p` of
//!
//! ```text
//! <body class="home">  distance 3: home is middle
//!   <main>             distance 2: the tag is middle
//!     <div class="post text">  distance 1: post, text and their pair are near
//!       <p>            distance 0: no token
//! ```
//!
//! it is (near(post) + near(text) + near(post text) + middle(main) + middle(home)) / √5.
//!
//! The sum over all far elements is the sum of the element five steps up, which takes it from its parent. So a block
//! costs five steps at any depth. Sums are of integers, so they are the same on any machine.

use super::feature::{OURS, Row, StructureFeature, list};
use super::names::{NameSums, hashes};
use super::path_weights::{BUCKETS, FAR, PathWeights, bucket};
use super::records::Records;
use crate::enclosing::inherit;
use warcsieve_html::document::Document;

/// The name of the feature.
pub const PATH_SCORE: &str = "path_score";

const ROWS: &[Row] = &[(
    PATH_SCORE,
    "log-odds",
    OURS,
    "Σ weights / √tokens; 0 without tokens. There is one weight per token and distance. Tokens are those of class, id and role, their pairs, and the tag, of the element that holds the block and of all elements above it",
)];

pub(super) fn features() -> Vec<StructureFeature> {
    list("", "", ROWS)
}

/// The tokens on the paths of a page's blocks, to learn weights from.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    /// By element: its parent, and where its tokens end in `tokens`.
    pub elements: Vec<(u32, u32)>,
    /// Hashes of the tokens of all elements.
    pub tokens: Vec<u32>,
    /// By block: its element.
    pub blocks: Vec<u32>,
}

impl Paths {
    /// The tokens of the names of all elements.
    pub(super) fn of(doc: &Document, records: &Records) -> Self {
        let mut paths = Self::default();
        for element in records.elements() {
            let attributes = doc.attributes(element);
            hashes(element.tag, attributes, |hash| paths.tokens.push(hash));
            let end = paths.tokens.len() as u32;
            paths.elements.push((element.parent, end));
        }
        let blocks = records.skeleton.places.iter();
        paths.blocks.extend(blocks.map(|place| place.0));
        paths
    }

    /// Calls `each` with the hash and the bucket of every token on the path of a block.
    pub fn of_block(&self, block: usize, mut each: impl FnMut(u32, usize)) {
        let mut at = self.blocks[block] as usize;
        for steps in 0.. {
            let (parent, end) = self.elements[at];
            let start = at
                .checked_sub(1)
                .map_or(0, |before| self.elements[before].1);
            for hash in &self.tokens[start as usize..end as usize] {
                each(*hash, bucket(steps));
            }
            if parent as usize == at {
                break;
            }
            at = parent as usize;
        }
    }

    /// The path score of a block, as [`super::Structure`] computes it.
    pub fn score(&self, block: usize, weights: &PathWeights) -> f32 {
        let (mut sum, mut tokens) = (0, 0);
        self.of_block(block, |hash, bucket| {
            sum += i32::from(weights.of(hash)[bucket]);
            tokens += 1;
        });
        divided(weights.unit(), sum, tokens)
    }
}

/// Converts the sum of the weights of `tokens` tokens to a score.
fn divided(unit: f32, sum: i32, tokens: u32) -> f32 {
    if tokens == 0 {
        return 0.0;
    }
    unit * sum as f32 / (tokens as f32).sqrt()
}

/// By element: sums over its path.
#[derive(Clone, Copy, Debug, Default)]
struct Above {
    /// Far weights of the element and all above.
    far: i32,
    /// Their tokens.
    tokens: u32,
}

#[derive(Clone, Debug, Default)]
pub(super) struct PathScores {
    above: Vec<Above>,
    unit: f32,
}

impl PathScores {
    pub fn read(&mut self, records: &Records, weights: &PathWeights) {
        self.unit = weights.unit();
        inherit(records.elements(), &mut self.above, |i, _, above| {
            let (above, own): (Above, NameSums) =
                (above.unwrap_or_default(), records.sums_of_names[i]);
            Above {
                far: above.far.saturating_add(own.weight(BUCKETS - 1)),
                tokens: above.tokens.saturating_add(own.tokens()),
            }
        });
    }

    /// The score of a block.
    pub fn score(&self, records: &Records, block: usize) -> f32 {
        let elements = records.elements();
        let mut at = records.place(block).0;
        let tokens = self.above[at].tokens;
        let mut sum = 0;
        for steps in 0..FAR {
            sum += records.sums_of_names[at].weight(bucket(steps));
            let parent = elements[at].parent as usize;
            if parent == at {
                return divided(self.unit, sum, tokens);
            }
            at = parent;
        }
        divided(self.unit, sum.saturating_add(self.above[at].far), tokens)
    }
}
