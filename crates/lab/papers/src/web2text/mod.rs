//! Two convolutional networks along the page's blocks, and the best labelling of the chain they
//! define.
//!
//! Vogels, Ganea, Eickhoff: Web2Text: Deep Structured Boilerplate Removal, ECIR 2018. One network computes the
//! potentials of each block to be boilerplate or content, the other those of each pair of adjacent blocks (§3.4). The
//! Viterbi algorithm finds the labelling with the greatest product (§3.5).
//!
//! # Deviations
//! * The features are those of [`CDOM`], which has more than the paper and documents the differences. A model may also
//!   use those of [`FURTHER`]. The features are standardised by mean and standard deviation in training, which the
//!   paper does not mention.
//! * `decode = "expected-f1"` and `"unary"` are not in the paper: they choose the blocks with the highest expected F-β,
//!   and each block by itself.
//! * The score is the probability that a block is content; the paper has only labels.

pub mod decode;
#[cfg(test)]
mod tests;

use crate::linear_chain::Potentials;
use decode::{Decode, Decoder, alone};
use serde::Deserialize;
use toml::Spanned;
use warcsieve_classify::expected_f::{Beta, Kept, Options};
use warcsieve_classify::params::{ParamError, StepParams};
use warcsieve_classify::{Built, Classifier, Label, Method, Names, Needs, Scores, shipped};
use warcsieve_common::shrink;
use warcsieve_features::cdom::{CDOM, Cdom, FURTHER, features};
use warcsieve_html::Segmentation;
use warcsieve_html::document::Document;
use warcsieve_model::PotentialNetworks;
use warcsieve_model::network::{Forward, Packed};

/// The method as pipeline files and the command line know it.
pub const METHOD: Method = Method {
    name: "web2text",
    summary: "two convolutional networks along the blocks, then the best labels of the chain",
    family: "Vogels, Ganea, Eickhoff 2018: Web2Text",
    paper: "Vogels, Ganea, Eickhoff 2018, §3.4, §3.5 (Web2Text)",
    segmentation: Segmentation::Leaves,
    scores: Scores::Chain,
    needs: Needs::Attributes,
    cost: 50,
    pipelines: &[
        shipped!(
            "web2text",
            "Two convolutional networks along the sequence of blocks, then the labels that fit both networks best. One trained model serves all pages. Labels depend on the labels around them, \
        so a short paragraph between long ones is kept. It was trained on wcxb-dev and the Readability pages, so its figure on wcxb-dev is too good. [Web2Text](reproduction/web2text.md) has the figures out of fold."
        ),
        shipped!(
            "web2text-f1",
            "The same networks, then the blocks with the highest expected F1: how much of a page is kept depends on how sure the networks are about it. Its figure on wcxb-dev is too good as well."
        ),
    ],
    build,
    ..Method::PLAIN
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    /// The networks; by default those that ship.
    #[serde(default = "shipped")]
    model: Spanned<String>,
    /// How labels are chosen.
    #[serde(default)]
    decode: Decode,
    /// The weight of recall against precision, for `expected-f1`; 1 by default.
    beta: Option<Spanned<Beta>>,
    /// A page whose expected content has fewer tokens than this has no content, for `expected-f1`;
    /// 30 by default.
    least_tokens: Option<Spanned<u32>>,
}

fn shipped() -> Spanned<String> {
    Spanned::new(0..0, "web2text".to_owned())
}

impl Params {
    fn options(&self) -> Result<Options, ParamError> {
        let defaults = Options::keeping_comments();
        if self.decode != Decode::ExpectedF1 {
            let only = || "this is for decode = \"expected-f1\" only".to_owned();
            let beta = self.beta.as_ref().map(|v| ParamError::at(v, only()));
            let least = self.least_tokens.as_ref();
            let least = least.map(|v| ParamError::at(v, only()));
            return beta.or(least).map_or(Ok(defaults), Err);
        }
        let beta = self.beta.as_ref().map(|v| *v.get_ref());
        let least = self.least_tokens.as_ref().map(|v| *v.get_ref());
        Ok(Options {
            beta: beta.unwrap_or(defaults.beta),
            least_tokens: least.unwrap_or(defaults.least_tokens),
            ..defaults
        })
    }
}

/// A step with its buffers.
///
/// Memory: that of [`Cdom`] and [`Forward`], and 47 bytes per block, of which the chain takes 18; 44 more with
/// `expected-f1`. Features are computed for one batch of blocks at a time and are never all in memory.
struct Web2Text {
    decode: Decode,
    options: Options,
    reasons: Reasons,
    cdom: Cdom,
    networks: Forward,
    potentials: Potentials,
    decoder: Decoder,
}

/// Indices of the reasons, boilerplate first.
struct Reasons {
    own: [u32; 2],
    neighbours: [u32; 2],
    choice: [u32; 2],
    little: u32,
}

impl Reasons {
    fn new(names: &mut Names) -> Self {
        let mut reasons = |texts: [&str; 2]| texts.map(|text| names.reason(text));
        Self {
            own: reasons(["likely boilerplate by itself", "likely content by itself"]),
            neighbours: reasons([
                "boilerplate for the sake of its neighbours",
                "content for the sake of its neighbours",
            ]),
            choice: reasons([
                "not among the likeliest content of the page",
                "among the likeliest content of the page",
            ]),
            little: names.reason("the page is expected to have next to no content"),
        }
    }
}

pub(super) fn build(params: StepParams<'_>, names: &mut Names) -> Built {
    let (params, files): (Params, _) = params.read_with_files()?;
    let networks = files.load(&params.model, PotentialNetworks::MAX_BYTES, packed)?;
    Ok(Box::new(Web2Text {
        decode: params.decode,
        options: params.options()?,
        reasons: Reasons::new(names),
        cdom: match networks.row_len() > CDOM.len() {
            true => Cdom::with_further(),
            false => Cdom::default(),
        },
        networks: Forward::new(networks),
        potentials: Potentials::default(),
        decoder: Decoder::default(),
    }))
}

/// The networks of a model file, for rows of [`CDOM`], and also of [`FURTHER`] if the model uses any of those.
fn packed(bytes: &[u8]) -> Result<Packed, String> {
    let networks = PotentialNetworks::from_bytes(bytes)?;
    let further = |name: &String| FURTHER.iter().any(|f| f.name == *name);
    let further = networks.features.iter().any(further);
    let names: Vec<&str> = features(further).map(|f| f.name.as_str()).collect();
    Packed::new(&networks, &names)
}

impl Web2Text {
    fn read_potentials(&mut self, doc: &Document) {
        self.cdom.read(doc);
        let Potentials { unary, pairwise } = &mut self.potentials;
        shrink(unary);
        shrink(pairwise);
        let fill = |blocks, rows: &mut _| self.cdom.rows(doc, blocks, rows);
        let blocks = doc.blocks.len();
        self.networks.potentials(blocks, fill, unary, pairwise);
    }

    fn content_alone(&self, block: usize) -> bool {
        let [boilerplate, content] = self.potentials.unary[block];
        content > boilerplate
    }

    fn reason(&self, block: usize) -> u32 {
        let content = self.decoder.content[block];
        let of = match self.decode {
            Decode::ExpectedF1 if self.decoder.kept.blocks == 0 => return self.reasons.little,
            Decode::ExpectedF1 => self.reasons.choice,
            _ if content == self.content_alone(block) => self.reasons.own,
            _ => self.reasons.neighbours,
        };
        of[usize::from(content)]
    }

    /// Describes the potentials of two adjacent blocks, one of which is the block to explain.
    fn pair(&self, first: usize, this_is_first: bool) -> Option<String> {
        let [neither, second_only, first_only, both] =
            self.potentials.pairwise.get(first)?.map(libm::expf);
        let (which, this, that) = match this_is_first {
            true => ("next", first_only, second_only),
            false => ("one before", second_only, first_only),
        };
        Some(format!(
            "with the {which} neither {neither:.2}, this only {this:.2}, that only {that:.2}, both {both:.2}"
        ))
    }
}

impl Classifier for Web2Text {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        if labels.is_empty() {
            return;
        }
        self.read_potentials(doc);
        let tokens = doc.blocks.iter().map(|b| b.tokens);
        self.decoder
            .decode(self.decode, self.options, &self.potentials, tokens);
        for (block, label) in labels.iter_mut().enumerate() {
            label.content = self.decoder.content[block];
            label.score = self.decoder.likely[block];
            label.reason = self.reason(block);
        }
    }

    fn explain(&self, _: &Document, _: &[Label], block: usize) -> String {
        let mut parts = vec![format!(
            "content {:.2} by itself",
            alone(&self.potentials, block)
        )];
        if self.decode != Decode::Unary {
            parts.push(format!("{:.2} in its chain", self.decoder.likely[block]));
            let before = block.checked_sub(1).and_then(|b| self.pair(b, false));
            parts.extend(before);
            parts.extend(self.pair(block, true));
        }
        if self.decode == Decode::ExpectedF1 {
            let Kept { cut, expected, .. } = self.decoder.kept;
            parts.push(match self.decoder.kept.blocks {
                0 => format!(
                    "{expected:.0} tokens of content expected, {} needed",
                    self.options.least_tokens
                ),
                _ => format!("the page's cut is {cut:.2}"),
            });
        }
        parts.join("; ")
    }
}
