//! Concatenates pages into one matrix, so that a step is a few products of large matrices.

use super::target::{Target, Weighting};
use crate::sequences::{Sequence, Sequences};
use crate::standard::Standard;
use candle_core::{Device, Result, Tensor};
use rand::RngCore;
use warcsieve_model::network::standardised;

/// Some pages in one matrix. A row of zeros comes before each page and after the last one. The mask
/// keeps it zero from layer to layer, so every page has the same zero padding as it has alone.
///
/// Example: pages of 2 and 1 blocks become the rows `0 a b 0 c 0` with the mask `0 1 1 0 1 0`.
pub(super) struct Batch {
    /// (rows, features), standardised.
    pub inputs: Tensor,
    /// (rows, 1): 1 for a block, 0 for a row between pages.
    pub mask: Tensor,
    /// (rows, classes): the weight of a row at its class, otherwise 0.
    pub targets: Tensor,
    /// Sum of all weights.
    pub weight: f64,
}

impl Batch {
    pub fn new(
        data: &Sequences,
        standards: &[Standard],
        pages: &[&Sequence],
        target: Target,
        weighting: Weighting,
        device: &Device,
    ) -> Result<Self> {
        let width = data.names.len();
        let classes = target.classes();
        let rows = 1 + pages.iter().map(|p| p.rows.len() + 1).sum::<usize>();
        let mut inputs = vec![0.0; rows * width];
        let mut mask = vec![0.0f32; rows];
        let mut targets = vec![0.0f32; rows * classes];
        let mut weight = 0.0;
        let mut at = 1;
        for page in pages {
            let weights = weighting.weights(data, page);
            for (row, own) in page.rows.clone().zip(weights) {
                standardise(
                    standards,
                    data.row(row),
                    &mut inputs[at * width..(at + 1) * width],
                );
                mask[at] = 1.0;
                if let Some(class) = target.class(data, page, row) {
                    targets[at * classes + class] = own;
                    weight += f64::from(own);
                }
                at += 1;
            }
            at += 1;
        }
        Ok(Self {
            inputs: Tensor::from_vec(inputs, (rows, width), device)?,
            mask: Tensor::from_vec(mask, (rows, 1), device)?,
            targets: Tensor::from_vec(targets, (rows, classes), device)?,
            weight,
        })
    }

    pub fn rows(&self) -> usize {
        self.mask.elem_count()
    }

    /// The dropout mask of a layer's outputs.
    pub fn dropout(&self, outputs: usize, rate: f64, random: &mut dyn RngCore) -> Result<Tensor> {
        if cut(rate) == 0 {
            return Ok(self.mask.clone());
        }
        let values = kept(self.rows() * outputs, rate, random);
        Tensor::from_vec(values, (self.rows(), outputs), self.mask.device())?
            .broadcast_mul(&self.mask)
    }
}

/// Standardises a row of features, as input of the networks.
fn standardise(standards: &[Standard], values: &[f32], to: &mut [f32]) {
    for ((value, standard), to) in values.iter().zip(standards).zip(to) {
        *to = standardised(*value, standard.offset as f32, standard.scale as f32);
    }
}

/// A dropout rate in 1/256.
fn cut(rate: f64) -> u8 {
    (rate * 256.0).round().clamp(0.0, 255.0) as u8
}

/// The factors of dropout: 0 at the rate, which is rounded to 1/256, otherwise the factor that
/// keeps the expected sum.
pub(super) fn kept(count: usize, rate: f64, random: &mut dyn RngCore) -> Vec<f32> {
    let cut = cut(rate);
    let kept = 256.0 / (256.0 - f32::from(cut));
    let mut bytes = vec![0u8; count];
    random.fill_bytes(&mut bytes);
    let values = bytes.iter().map(|b| if *b < cut { 0.0 } else { kept });
    values.collect()
}
