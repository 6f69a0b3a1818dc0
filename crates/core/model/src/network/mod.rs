//! Convolutional networks over the sequence of a page's blocks (Vogels, Ganea, Eickhoff 2018,
//! §3.4): from features to potentials of blocks and of pairs of neighbours.

mod file;
mod forward;
mod panels;
#[cfg(test)]
mod tests;

pub use forward::standardised;
pub use forward::{Forward, Packed};

use std::collections::BTreeMap;

/// Most features.
const MAX_FEATURES: usize = 1024;
/// Most layers of a network.
const MAX_LAYERS: usize = 32;
/// Most outputs of a layer.
const MAX_OUTPUTS: usize = 512;
/// Standardised features are clamped to ± this many standard deviations.
const MAX_DEVIATIONS: f32 = 4.0;
/// Greatest absolute output of a network for any features; sums of `f32` stay finite well beyond
/// it.
const MAX_OUTPUT: f64 = 1e30;

/// A convolution along the sequence of blocks. Output o of block t is bias\[o\] + Σ
/// weights\[tap\]\[input\]\[o\] · x\[t + tap − (width − 1) / 2\]\[input\], where blocks outside of
/// the page are zeros.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Numbers it takes per block.
    pub inputs: usize,
    /// Numbers it returns per block.
    pub outputs: usize,
    /// Blocks that an output depends on: 3, or 1 for a projection.
    pub width: usize,
    /// `width` · `inputs` · `outputs` numbers: by tap, then input, then output.
    pub weights: Vec<f32>,
    /// One number per output.
    pub bias: Vec<f32>,
}

/// Layers one after the other, with max(0, x) between them.
///
/// The published ones have seven convolutions of width 3 with 50 outputs, the last with 10, and
/// max(0, x) after each, then a projection to one number per class.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Network {
    /// The first takes the features; 1 to 32 layers.
    pub layers: Vec<Layer>,
}

/// The two networks of Web2Text, and their features.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PotentialNetworks {
    /// What the networks were trained on, and how well they do; for people.
    pub about: BTreeMap<String, String>,
    /// Names of the features, in the order of the first layers' inputs.
    pub features: Vec<String>,
    /// Subtracted from each feature: its mean in training.
    pub offset: Vec<f32>,
    /// Each difference is multiplied by this: 1 / standard deviation in training. The product is
    /// clamped to ±4; NaN counts as the mean.
    pub scale: Vec<f32>,
    /// Gives two numbers per block, for boilerplate and content; their softmax is the block's
    /// potentials.
    pub unary: Network,
    /// Gives four numbers per block, for its label and the next block's, at index 2 · own + next,
    /// where content is 1; their softmax is the pair's potentials.
    pub pairwise: Network,
}

impl Network {
    /// The number of blocks on either side that the outputs for a block depend on.
    pub fn reach(&self) -> usize {
        self.layers.iter().map(|layer| layer.width / 2).sum()
    }
}

impl PotentialNetworks {
    /// Largest model file in bytes.
    pub const MAX_BYTES: u64 = 4 << 20;

    /// Checks that shapes fit each other and are within bounds, that all numbers are finite, and
    /// that outputs are finite for any features.
    ///
    /// # Errors
    /// What was found, and what was expected.
    pub fn check(&self) -> Result<(), String> {
        let features = self.features.len();
        if !(1..=MAX_FEATURES).contains(&features) {
            return Err(format!(
                "there are {features} features; expected 1 to {MAX_FEATURES}"
            ));
        }
        for (name, numbers) in [("offset", &self.offset), ("scale", &self.scale)] {
            check_numbers(name, numbers, features)?;
        }
        check_network("unary", &self.unary, features, 2)?;
        check_network("pairwise", &self.pairwise, features, 4)
    }
}

fn check_network(
    name: &str,
    network: &Network,
    features: usize,
    classes: usize,
) -> Result<(), String> {
    let depth = network.layers.len();
    if !(1..=MAX_LAYERS).contains(&depth) {
        return Err(format!(
            "`{name}` has {depth} layers; expected 1 to {MAX_LAYERS}"
        ));
    }
    let mut inputs = features;
    let mut bound = f64::from(MAX_DEVIATIONS);
    for (i, layer) in network.layers.iter().enumerate() {
        let Layer { width, outputs, .. } = *layer;
        let name = format!("{name}.{i}");
        if width != 1 && width != 3 {
            return Err(format!("`{name}` has width {width}; expected 1 or 3"));
        }
        if layer.inputs != inputs {
            let found = layer.inputs;
            return Err(format!("`{name}` has {found} inputs; expected {inputs}"));
        }
        if !(1..=MAX_OUTPUTS).contains(&outputs) {
            return Err(format!(
                "`{name}` has {outputs} outputs; expected 1 to {MAX_OUTPUTS}"
            ));
        }
        let weights = width * inputs * outputs;
        check_numbers(&format!("{name}.weights"), &layer.weights, weights)?;
        check_numbers(&format!("{name}.bias"), &layer.bias, outputs)?;
        bound = layer.output_bound(bound);
        inputs = outputs;
    }
    if inputs != classes {
        return Err(format!(
            "`{name}` gives {inputs} numbers; expected {classes}"
        ));
    }
    if bound > MAX_OUTPUT {
        return Err(format!(
            "`{name}` may give numbers up to {bound:.0e}; expected at most {MAX_OUTPUT:.0e}"
        ));
    }
    Ok(())
}

fn check_numbers(name: &str, numbers: &[f32], expected: usize) -> Result<(), String> {
    if numbers.len() != expected {
        let found = numbers.len();
        return Err(format!("`{name}` has {found} numbers; expected {expected}"));
    }
    match numbers.iter().find(|n| !n.is_finite()) {
        Some(number) => Err(format!("`{name}` holds {number}; expected finite numbers")),
        None => Ok(()),
    }
}

impl Layer {
    /// An upper bound of |output|, for inputs of at most `inputs` in absolute value.
    fn output_bound(&self, inputs: f64) -> f64 {
        let mut sums: Vec<f64> = self.bias.iter().map(|b| f64::from(b.abs())).collect();
        for weights in self.weights.chunks_exact(self.outputs) {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += f64::from(weight.abs()) * inputs;
            }
        }
        sums.into_iter().fold(0.0, f64::max)
    }
}
