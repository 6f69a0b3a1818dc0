//! The network, in candle, for training.

use super::batch::{Batch, kept};
use super::params::{Dropped, Params};
use super::target::Target;
use candle_core::{D, Device, Result, Tensor, Var};
use rand::{Rng, RngCore};

/// Convolutions over a sequence of blocks, and a projection to classes.
pub(super) struct Net {
    /// For each layer the weights, (width · inputs, outputs), taps first, and the bias, (1,
    /// outputs).
    pub parameters: Vec<Var>,
}

/// Dropout in training: its rate and kind, and the source of randomness.
pub(super) type Dropout<'a> = Option<(&'a Params, &'a mut dyn RngCore)>;

impl Net {
    /// Weights drawn uniformly between ±√(6 / inputs of an output) (He et al. 2015, for ReLU
    /// outputs).
    pub fn new(
        inputs: usize,
        target: Target,
        params: &Params,
        random: &mut impl Rng,
        device: &Device,
    ) -> Result<Self> {
        let mut parameters = Vec::new();
        let mut before = inputs;
        for layer in 0..=params.layers {
            let (width, outputs) = match layer {
                _ if layer == params.layers => (1, target.classes()),
                _ if layer + 1 == params.layers => (3, params.last_filters),
                _ => (3, params.filters),
            };
            let limit = (6.0 / (width * before) as f32).sqrt();
            let weights: Vec<f32> = (0..width * before * outputs)
                .map(|_| random.random_range(-limit..limit))
                .collect();
            let weights = Tensor::from_vec(weights, (width * before, outputs), device)?;
            parameters.push(Var::from_tensor(&weights)?);
            parameters.push(Var::zeros((1, outputs), candle_core::DType::F32, device)?);
            before = outputs;
        }
        Ok(Self { parameters })
    }

    /// (rows, classes): the log-probabilities of the classes.
    pub fn forward(&self, batch: &Batch, mut dropout: Dropout<'_>) -> Result<Tensor> {
        let mut x = batch.inputs.clone();
        let layers: Vec<_> = self.parameters.chunks(2).collect();
        let Some((last, hidden)) = layers.split_last() else {
            return Ok(x);
        };
        for layer in hidden {
            let outputs = layer[1].elem_count();
            let mask = match &mut dropout {
                Some((params, random)) if params.dropped == Dropped::Outputs => {
                    batch.dropout(outputs, params.dropout, random)?
                }
                _ => batch.mask.clone(),
            };
            let y = neighbours(&x)?.matmul(&weights(layer, &mut dropout)?)?;
            x = y.broadcast_add(&layer[1])?.relu()?.broadcast_mul(&mask)?;
        }
        let y = x.matmul(&weights(last, &mut dropout)?)?;
        let y = y.broadcast_add(&last[1])?;
        let greatest = y.max_keepdim(D::Minus1)?.detach();
        let y = y.broadcast_sub(&greatest)?;
        y.broadcast_sub(&y.exp()?.sum_keepdim(D::Minus1)?.log()?)
    }

    /// The weighted mean cross-entropy of a batch; 0 if it has no weight.
    pub fn loss(&self, batch: &Batch, dropout: Dropout<'_>) -> Result<Tensor> {
        let sum = (self.forward(batch, dropout)? * &batch.targets)?.sum_all()?;
        // A batch may consist of pages without pairs.
        let by = match batch.weight > 0.0 {
            true => -1.0 / batch.weight,
            false => 0.0,
        };
        sum * by
    }
}

/// The weights of a layer. Some are dropped if the training drops weights.
fn weights(layer: &[Var], dropout: &mut Dropout<'_>) -> Result<Tensor> {
    match dropout {
        Some((params, random)) if params.dropped == Dropped::Weights => {
            let kept = kept(layer[0].elem_count(), params.dropout, random);
            let kept = Tensor::from_vec(kept, layer[0].shape(), layer[0].device())?;
            layer[0].as_tensor() * kept
        }
        _ => Ok(layer[0].as_tensor().clone()),
    }
}

/// (rows, 3 · columns): the previous row, the row itself and the next row; zeros beyond both ends.
fn neighbours(x: &Tensor) -> Result<Tensor> {
    let rows = x.dim(0)?;
    let padded = x.pad_with_zeros(0, 1, 1)?;
    let taps = [0, 1, 2].map(|tap| padded.narrow(0, tap, rows));
    let [a, b, c] = taps;
    Tensor::cat(&[a?, b?, c?], 1)
}
