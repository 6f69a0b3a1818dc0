//! Convolutional networks over the sequence of a page's blocks (Vogels, Ganea, Eickhoff 2018, §3.4): from
//! features to potentials of blocks and of pairs of neighbours.

mod file;
mod forward;
mod panels;
#[cfg(test)]
mod tests;

#[cfg(feature = "train")]
pub(crate) use forward::standardised;
pub use forward::{Forward, Packed};

use std::collections::BTreeMap;

/// Most features.
const MOST_FEATURES: usize = 1024;
/// Most layers of a network.
const MOST_LAYERS: usize = 32;
/// Most outputs of a layer.
const MOST_OUTPUTS: usize = 512;
/// Standardised features are kept within this, on both sides.
const MOST_DEVIATIONS: f32 = 4.0;
/// Most that a network may give for any features; sums of `f32` stay finite well beyond it.
const GREATEST: f64 = 1e30;

/// A convolution along the sequence of blocks. Of block t it gives, for each output o,
/// bias\[o\] + Σ weights\[tap\]\[input\]\[o\] · x\[t + tap − (width − 1) / 2\]\[input\], where blocks outside of the
/// page are zeros.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Numbers a block that it takes.
    pub inputs: usize,
    /// Numbers a block that it gives.
    pub outputs: usize,
    /// Blocks that it sees of each block: 3, or 1 for a projection.
    pub width: usize,
    /// `width` · `inputs` · `outputs` numbers: by tap, then input, then output.
    pub weights: Vec<f32>,
    /// A number an output.
    pub bias: Vec<f32>,
}

/// Layers one behind the other, with max(0, x) between them.
///
/// The published ones have seven convolutions of width 3 with 50 outputs, the last with 10, and max(0, x) behind
/// each, then a projection to as many numbers as there are classes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Network {
    /// From the features on; 1 to 32.
    pub layers: Vec<Layer>,
}

/// The two networks of Web2Text, and what they take.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PotentialNetworks {
    /// What was learned from, and how well; for people.
    pub about: BTreeMap<String, String>,
    /// Names of the features, in the order of the first layers' inputs.
    pub features: Vec<String>,
    /// What is taken off each feature: its mean in training.
    pub offset: Vec<f32>,
    /// What each feature is then multiplied by: 1 by its standard deviation in training. What
    /// comes out is kept within ±4; what is no number counts as the mean.
    pub scale: Vec<f32>,
    /// Gives two numbers a block, of boilerplate and of content: their softmax are its potentials.
    pub unary: Network,
    /// Gives four numbers a block, of itself and the next one, at 2 · own + next, where content is 1: their softmax are
    /// the pair's potentials.
    pub pairwise: Network,
}

impl Network {
    /// Blocks on either side that its outputs of a block depend on.
    pub fn reach(&self) -> usize {
        self.layers.iter().map(|layer| layer.width / 2).sum()
    }
}

impl PotentialNetworks {
    /// Largest model file in bytes.
    pub const MAX_BYTES: u64 = 4 << 20;

    /// Checks that shapes fit each other and keep the bounds, that all numbers are finite, and that no features
    /// can make the networks give others.
    ///
    /// # Errors
    /// What was found, and what was expected.
    pub fn check(&self) -> Result<(), String> {
        let features = self.features.len();
        if !(1..=MOST_FEATURES).contains(&features) {
            return Err(format!(
                "there are {features} features; expected 1 to {MOST_FEATURES}"
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
    if !(1..=MOST_LAYERS).contains(&depth) {
        return Err(format!(
            "`{name}` has {depth} layers; expected 1 to {MOST_LAYERS}"
        ));
    }
    let mut inputs = features;
    let mut greatest = f64::from(MOST_DEVIATIONS);
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
        if !(1..=MOST_OUTPUTS).contains(&outputs) {
            return Err(format!(
                "`{name}` has {outputs} outputs; expected 1 to {MOST_OUTPUTS}"
            ));
        }
        let weights = width * inputs * outputs;
        check_numbers(&format!("{name}.weights"), &layer.weights, weights)?;
        check_numbers(&format!("{name}.bias"), &layer.bias, outputs)?;
        greatest = layer.greatest(greatest);
        inputs = outputs;
    }
    if inputs != classes {
        return Err(format!(
            "`{name}` gives {inputs} numbers; expected {classes}"
        ));
    }
    if greatest > GREATEST {
        return Err(format!(
            "`{name}` may give {greatest:.0e}; expected at most {GREATEST:.0e}"
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
    /// A bound of what it gives, on either side, for inputs up to `inputs` on either side.
    fn greatest(&self, inputs: f64) -> f64 {
        let mut sums: Vec<f64> = self.bias.iter().map(|b| f64::from(b.abs())).collect();
        for weights in self.weights.chunks_exact(self.outputs) {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += f64::from(weight.abs()) * inputs;
            }
        }
        sums.into_iter().fold(0.0, f64::max)
    }
}
