//! A small convolutional network over the picture of a page, as a safetensors file with `F32`
//! tensors.
//!
//! | tensor | shape | |
//! |---|---|---|
//! | `0.weights` | 4, 4, 3, outputs | a convolution of 4 by 4 points; these patches do not overlap |
//! | `1.weights`, `2.weights` … | 3, 3, inputs, outputs | a convolution of each point with those around it |
//! | `0.bias`, `1.bias` … | outputs | |
//! | `last.weights` | outputs of the last | the weighted sum of the means over the picture |
//! | `last.bias` | 1 | |
//!
//! Shapes are rows, columns, inputs, outputs. max(0, x) follows each convolution. Between two of the 3 by 3
//! convolutions, the greatest of every 2 by 2 points is taken. Outside of the picture there are zeros. The sum is the
//! log-odds of the second class. The `__metadata__` holds `format`, which is `1`, `method`, which is `goce`, `classes`,
//! a JSON array of two names, `width` and `height` of the picture, and any number of keys `about.*`, for people.

use crate::tensors::{self, Tensors, Text, Writer};
use std::collections::BTreeMap;

/// The format that this version writes and reads.
const FORMAT: &str = "1";
/// The method that uses the network.
const METHOD: &str = "goce";
/// Channels of a picture.
const CHANNELS: usize = 3;
/// Rows and columns of the first convolution.
pub const PATCH: usize = 4;
/// Rows and columns of the others.
const AROUND: usize = 3;
/// The maximum number of outputs of a convolution.
const MAX_OUTPUTS: usize = 256;
/// The maximum number of convolutions.
const MAX_LAYERS: usize = 8;
/// The maximum width and height.
const MAX_SIDE: usize = 512;

/// A convolution.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Convolution {
    /// Rows; there are as many columns.
    pub size: usize,
    /// Numbers it takes per point.
    pub inputs: usize,
    /// Numbers it returns per point.
    pub outputs: usize,
    /// By row, column, input, output.
    pub weights: Vec<f32>,
    /// One number per output.
    pub bias: Vec<f32>,
}

/// The network.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PictureNetwork {
    /// What it was trained on, and how well it does; for people.
    pub about: BTreeMap<String, String>,
    /// The class of negative log-odds, and that of positive ones.
    pub classes: [String; 2],
    /// Width and height of the picture.
    pub size: [usize; 2],
    /// The first of size 4, the others of size 3.
    pub layers: Vec<Convolution>,
    /// Weights of the last sum.
    pub weights: Vec<f32>,
    /// Its bias.
    pub bias: f32,
}

/// The value of a channel as the network sees it.
pub fn centred(value: u8) -> f32 {
    f32::from(value) / 255.0 - 0.5
}

/// Numbers by row, column and channel.
struct Grid {
    width: usize,
    height: usize,
    values: Vec<f32>,
}

impl PictureNetwork {
    /// Largest model file in bytes.
    pub const MAX_BYTES: u64 = 4 << 20;

    /// The log-odds of the second class for a picture of the network's size, by row, point and channel. Numbers are
    /// added in a fixed order and each product is rounded, so the result is the same on any machine.
    ///
    /// # Panics
    /// If the picture has another size, or the network was not checked.
    pub fn log_odds(&self, picture: &[u8]) -> f32 {
        let [width, height] = self.size;
        assert_eq!(picture.len(), width * height * CHANNELS, "a picture's size");
        let mut grid = Grid {
            width,
            height,
            values: picture.iter().map(|v| centred(*v)).collect(),
        };
        for (i, layer) in self.layers.iter().enumerate() {
            if i > 1 {
                grid = grid.halved(layer.inputs);
            }
            grid = match i {
                0 => layer.patches(&grid),
                _ => layer.around(&grid),
            };
        }
        let outputs = self.weights.len();
        let mut means = vec![0.0; outputs];
        for point in grid.values.chunks_exact(outputs) {
            for (mean, value) in means.iter_mut().zip(point) {
                *mean += value;
            }
        }
        let points = (grid.width * grid.height) as f32;
        let sum = means.iter().zip(&self.weights);
        sum.fold(self.bias, |sum, (mean, weight)| {
            sum + mean / points * weight
        })
    }

    /// Checks that it has the classes.
    ///
    /// # Errors
    /// What was found, and what was expected.
    pub fn expect(&self, classes: &[&str; 2]) -> Result<(), String> {
        match self.classes == *classes {
            true => Ok(()),
            false => Err(format!(
                "the classes are {:?}; expected {classes:?}",
                self.classes
            )),
        }
    }

    /// Reads a model file.
    ///
    /// # Errors
    /// What was found, and what was expected.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let (mut text, mut tensors) = tensors::read(bytes, Self::MAX_BYTES)?;
        for (name, expected) in [("format", FORMAT), ("method", METHOD)] {
            let found = text.take(name)?;
            if found != expected {
                return Err(format!("`{name}` is {found}; expected {expected}"));
            }
        }
        let number = |text: String| text.parse().map_err(|_| format!("{text} is no size"));
        let classes = serde_json::from_str(&text.take("classes")?);
        let mut network = Self {
            classes: classes.map_err(|e| format!("`classes` are not two names: {e}"))?,
            size: [number(text.take("width")?)?, number(text.take("height")?)?],
            about: text.about()?,
            ..Self::default()
        };
        while network.layers.is_empty() || tensors.contains(&weights(network.layers.len())) {
            let layer = Convolution::take(&mut tensors, network.layers.len())?;
            network.layers.push(layer);
        }
        network.weights = tensors.take::<1>("last.weights")?.1;
        let ([_], bias) = tensors.take("last.bias")?;
        network.bias = bias.first().copied().ok_or("`last.bias` is empty")?;
        tensors.finish()?;
        network.check()?;
        Ok(network)
    }

    /// The bytes of a model file, from which [`from_bytes`](Self::from_bytes) makes the same
    /// network. Equal networks produce equal bytes.
    ///
    /// # Errors
    /// What [`check`](Self::check) finds.
    pub fn to_bytes(&self) -> Result<Vec<u8>, String> {
        self.check()?;
        let mut file = Writer::default();
        for (i, layer) in self.layers.iter().enumerate() {
            let shape = [layer.size, layer.size, layer.inputs, layer.outputs];
            file.push(&weights(i), &shape, &layer.weights);
            file.push(&format!("{i}.bias"), &shape[3..], &layer.bias);
        }
        file.push("last.weights", &[self.weights.len()], &self.weights);
        file.push("last.bias", &[1], &[self.bias]);
        let [width, height] = self.size.map(|n| n.to_string());
        let classes = serde_json::json!(self.classes).to_string();
        let own = [
            ("format", FORMAT.to_owned()),
            ("method", METHOD.to_owned()),
            ("classes", classes),
            ("width", width),
            ("height", height),
        ];
        Ok(file.finish(&Text::written(&self.about, own)))
    }

    /// Checks that shapes fit each other and are within bounds, and that all numbers are finite.
    ///
    /// # Errors
    /// What was found, and what was expected.
    pub fn check(&self) -> Result<(), String> {
        let halvings = self.layers.len().saturating_sub(2) as u32;
        let whole = PATCH << halvings.min(16);
        let fits = |n: usize| n > 0 && n <= MAX_SIDE && n.is_multiple_of(whole);
        if !self.size.into_iter().all(fits) {
            let [width, height] = self.size;
            return Err(format!(
                "pictures are {width} by {height}; expected multiples of {whole} up to {MAX_SIDE}"
            ));
        }
        if !(1..=MAX_LAYERS).contains(&self.layers.len()) {
            return Err(format!("expected 1 to {MAX_LAYERS} convolutions"));
        }
        let mut inputs = CHANNELS;
        for (i, layer) in self.layers.iter().enumerate() {
            let size = if i == 0 { PATCH } else { AROUND };
            let is_sound = (layer.size, layer.inputs) == (size, inputs)
                && (1..=MAX_OUTPUTS).contains(&layer.outputs)
                && layer.weights.len() == size * size * inputs * layer.outputs
                && layer.bias.len() == layer.outputs;
            if !is_sound {
                return Err(format!(
                    "the shape of `{}` is not {size}, {size}, {inputs}, 1 to {MAX_OUTPUTS}, or its bias \
                     has another length",
                    weights(i)
                ));
            }
            inputs = layer.outputs;
        }
        if self.weights.len() != inputs {
            let found = self.weights.len();
            return Err(format!(
                "`last.weights` has {found} numbers; expected {inputs}"
            ));
        }
        let layers = self.layers.iter();
        let numbers = layers.flat_map(|layer| layer.weights.iter().chain(&layer.bias));
        let mut numbers = numbers.chain(&self.weights).chain([&self.bias]);
        match numbers.all(|n| n.is_finite()) {
            true => Ok(()),
            false => Err("not all numbers are finite".to_owned()),
        }
    }
}

fn weights(layer: usize) -> String {
    format!("{layer}.weights")
}

impl Convolution {
    fn take(tensors: &mut Tensors<'_>, number: usize) -> Result<Self, String> {
        let ([size, columns, inputs, outputs], weights) = tensors.take(&weights(number))?;
        let ([_], bias) = tensors.take(&format!("{number}.bias"))?;
        if size != columns {
            return Err(format!("`{number}.weights` is not square"));
        }
        Ok(Self {
            size,
            inputs,
            outputs,
            weights,
            bias,
        })
    }

    /// Convolves each 4 by 4 patch once.
    fn patches(&self, grid: &Grid) -> Grid {
        let [width, height] = [grid.width, grid.height].map(|n| n / self.size);
        self.apply(width, height, |x, y, column, row| {
            grid.point(x * self.size + column, y * self.size + row, self.inputs)
        })
    }

    /// Convolves each point with the points around it; there are none beyond the edges.
    fn around(&self, grid: &Grid) -> Grid {
        self.apply(grid.width, grid.height, |x, y, column, row| {
            let (x, y) = ((x + column).checked_sub(1)?, (y + row).checked_sub(1)?);
            grid.point(x, y, self.inputs)
        })
    }

    fn apply<'g>(
        &self,
        width: usize,
        height: usize,
        point: impl Fn(usize, usize, usize, usize) -> Option<&'g [f32]>,
    ) -> Grid {
        let mut values = Vec::with_capacity(width * height * self.outputs);
        let taps = self.size * self.size;
        for place in 0..width * height {
            let from = values.len();
            values.extend_from_slice(&self.bias);
            let sums = &mut values[from..];
            for tap in 0..taps {
                let (row, column) = (tap / self.size, tap % self.size);
                let Some(inputs) = point(place % width, place / width, column, row) else {
                    continue;
                };
                let weights = &self.weights[tap * self.inputs * self.outputs..];
                for (input, weights) in inputs.iter().zip(weights.chunks_exact(self.outputs)) {
                    for (sum, weight) in sums.iter_mut().zip(weights) {
                        *sum += input * weight;
                    }
                }
            }
            sums.iter_mut().for_each(|sum| *sum = sum.max(0.0));
        }
        Grid {
            width,
            height,
            values,
        }
    }
}

impl Grid {
    fn point(&self, x: usize, y: usize, channels: usize) -> Option<&[f32]> {
        if x >= self.width || y >= self.height {
            return None;
        }
        let start = (y * self.width + x) * channels;
        self.values.get(start..start + channels)
    }

    /// Takes the greatest of every 2 by 2 points.
    fn halved(&self, channels: usize) -> Self {
        let [width, height] = [self.width, self.height].map(|n| n / 2);
        let mut values = Vec::with_capacity(width * height * channels);
        for place in 0..width * height {
            let (x, y) = (place % width * 2, place / width * 2);
            let four = [(0, 0), (1, 0), (0, 1), (1, 1)];
            let four = four.map(|(right, down)| self.point(x + right, y + down, channels));
            for channel in 0..channels {
                let values_of = four.iter().flatten().map(|point| point[channel]);
                values.push(values_of.fold(f32::MIN, f32::max));
            }
        }
        Self {
            width,
            height,
            values,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Its weights are 1 where input and output have the same number, else 0; the first one looks at
    /// one point of a patch, the others at the point itself.
    fn through() -> PictureNetwork {
        let layer = |size: usize| {
            let centre = (size / 2 * size + size / 2) * 9;
            let mut weights = vec![0.0; size * size * 9];
            for channel in 0..3 {
                weights[centre + channel * 4] = 1.0;
            }
            Convolution {
                size,
                inputs: 3,
                outputs: 3,
                weights,
                bias: vec![0.5, 0.0, 0.0],
            }
        };
        PictureNetwork {
            about: [("trained_on".to_owned(), "nothing".to_owned())].into(),
            classes: ["article", "list_view"].map(str::to_owned),
            size: [8, 8],
            layers: vec![layer(PATCH), layer(AROUND), layer(AROUND)],
            weights: vec![1.0, 10.0, 100.0],
            bias: -1.0,
        }
    }

    #[test]
    fn a_network_by_hand() {
        let mut picture = vec![0u8; 8 * 8 * 3];
        // What the second patch of the first row sees: row 2, column 6.
        picture[(2 * 8 + 6) * 3..][..3].copy_from_slice(&[255, 255, 0]);
        // (255 / 255 − .5) + .5, max'ed with 0 + …: red 1, 1.5, then 2; green .5; blue 0.
        let expected = -1.0 + 2.0 + 5.0;
        assert!((through().log_odds(&picture) - expected).abs() < 1e-6);
        // Elsewhere red is max(−.5 + .5, 0) = 0, then .5, then 1.
        let dark = through().log_odds(&[0; 8 * 8 * 3]);
        assert!((dark - (-1.0 + 1.0)).abs() < 1e-6, "{dark}");
    }

    #[test]
    fn neighbours_beyond_the_edge_are_zeros() {
        let mut network = through();
        network.layers.truncate(2);
        let left = 3 * 9;
        network.layers[1].weights[left] = 1.0;
        let mut picture = vec![0u8; 8 * 8 * 3];
        picture[(2 * 8 + 2) * 3] = 255;
        // The first patch gives red 1. Points: 1.5, 1.5 right of it; .5 twice below.
        let mean = (1.5 + 1.5 + 0.5 + 0.5) / 4.0;
        assert!((network.log_odds(&picture) - (mean - 1.0)).abs() < 1e-6);
    }

    #[test]
    fn a_file_comes_back_and_others_are_refused() {
        let network = through();
        let bytes = network.to_bytes().unwrap();
        assert_eq!(PictureNetwork::from_bytes(&bytes), Ok(network.clone()));
        assert!(network.expect(&["article", "list_view"]).is_ok());
        assert!(
            network
                .expect(&["a", "b"])
                .unwrap_err()
                .contains("expected")
        );
        for length in 0..bytes.len() {
            assert!(PictureNetwork::from_bytes(&bytes[..length]).is_err());
        }
        type Spoil = fn(&mut PictureNetwork);
        let spoilers: [Spoil; 6] = [
            |n| n.size = [8, 9],
            |n| n.layers.clear(),
            |n| n.layers[1].inputs = 4,
            |n| n.weights.push(0.0),
            |n| n.bias = f32::NAN,
            |n| n.layers.swap(0, 1),
        ];
        for (i, spoil) in spoilers.iter().enumerate() {
            let mut spoiled = network.clone();
            spoil(&mut spoiled);
            assert!(spoiled.to_bytes().is_err(), "{i}");
        }
    }
}
