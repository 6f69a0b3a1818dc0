//! Large pretrained networks, without their last layer.
//!
//! Reads a safetensors file with the tensors of torchvision or timm: `F32`, with shapes (outputs, inputs, rows,
//! columns). Tensors that are not named here are not read; the last layer is one of them.
//!
//! ResNet 18 to 152 (`resnet*`):
//!
//! | tensor | shape |
//! |---|---|
//! | `conv1.weight` | 64, 3, 7, 7 |
//! | `layerL.B.conv1.weight`, `….conv2.weight`, of bottlenecks `….conv3.weight` | L from 1 to 4, B from 0 |
//! | `layerL.B.downsample.0.weight` | where the block changes the shape |
//! | `bn1.weight`, `.bias`, `.running_mean`, `.running_var`; `layerL.B.bn1`, … `layerL.B.downsample.1` | outputs |
//!
//! VGG 11 to 19 without batch normalisation (`vgg*`):
//!
//! | tensor | shape |
//! |---|---|
//! | `features.N.weight` | outputs, inputs, 3, 3 |
//! | `features.N.bias` | outputs |
//!
//! where N counts convolutions, max(0, x) and pooling layers: pooling follows a convolution after
//! which the next N is 3 higher.

use crate::candle_error::candle_error;
use crate::{Dataset, GenrePages};
use candle_core::{D, Device, Tensor};
use rayon::prelude::*;
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::path::Path;
use warcsieve_common::{Error, Result, files};
use warcsieve_papers::picture::CHANNELS;

/// Width and height of the pictures that such networks take.
pub const SIDE: usize = 224;

/// The maximum size of a file of weights in bytes.
const MAX_WEIGHT_BYTES: u64 = 2 << 30;

/// The maximum number of convolutions of a VGG, and of blocks in a layer of a ResNet.
const MAX_CONVOLUTIONS: usize = 64;

/// Means and deviations of the channels of ImageNet, in parts of 255.
const MEANS: [f32; CHANNELS] = [0.485, 0.456, 0.406];
const DEVIATIONS: [f32; CHANNELS] = [0.229, 0.224, 0.225];

/// Added to variances, as in torchvision.
const EPSILON: f64 = 1e-5;

/// A network whose weights are not changed.
pub struct Frozen {
    tensors: HashMap<String, Tensor>,
    sha256: String,
}

impl Frozen {
    /// Reads the weights.
    ///
    /// # Errors
    /// The file cannot be read, or is of neither kind.
    pub fn open(path: &Path) -> Result<Self> {
        let bytes = files::read(path, MAX_WEIGHT_BYTES).map_err(|e| Error::io(path, e))?;
        let wrong = |what: String| Error::Invalid(format!("{}: {what}", path.display()));
        Self::from_bytes(&bytes).map_err(wrong)
    }

    /// Reads the weights from a file's bytes.
    ///
    /// # Errors
    /// What was found, and what was expected.
    pub fn from_bytes(bytes: &[u8]) -> std::result::Result<Self, String> {
        let file = SafeTensors::deserialize(bytes);
        let file = file.map_err(|e| format!("not a valid safetensors file: {e}"))?;
        let mut tensors = HashMap::new();
        for (name, view) in file.tensors() {
            if view.dtype() == Dtype::F32 {
                let (numbers, _) = view.data().as_chunks::<4>();
                let numbers = numbers.iter().map(|b| f32::from_le_bytes(*b)).collect();
                let tensor = Tensor::from_vec::<_, f32>(numbers, view.shape(), &Device::Cpu);
                tensors.insert(name, tensor.map_err(|e| e.to_string())?);
            }
        }
        let found = Self {
            tensors,
            sha256: data_encoding::HEXLOWER.encode(&Sha256::digest(bytes)),
        };
        match found.is_resnet() || found.has("features.0.weight") {
            true => Ok(found),
            false => Err(
                "there is neither `conv1.weight` and `layer1.0.conv1.weight` (ResNet) nor \
                 `features.0.weight` (VGG), of F32"
                    .to_owned(),
            ),
        }
    }

    fn has(&self, name: &str) -> bool {
        self.tensors.contains_key(name)
    }

    fn is_resnet(&self) -> bool {
        self.has("conv1.weight") && self.has("layer1.0.conv1.weight")
    }

    /// The means over the picture of the outputs of the last convolution. The picture is [`SIDE`] by [`SIDE`].
    ///
    /// # Errors
    /// A tensor is missing, or has another shape.
    pub fn activations(&self, picture: &[u8]) -> Result<Vec<f32>> {
        self.run(picture).map_err(candle_error)
    }

    fn run(&self, picture: &[u8]) -> candle_core::Result<Vec<f32>> {
        let channel = |c: usize| {
            let values = picture.iter().skip(c).step_by(CHANNELS);
            values.map(move |v| (f32::from(*v) / 255.0 - MEANS[c]) / DEVIATIONS[c])
        };
        let values: Vec<f32> = (0..CHANNELS).flat_map(channel).collect();
        let x = Tensor::from_vec(values, (1, CHANNELS, SIDE, SIDE), &Device::Cpu)?;
        let x = match self.is_resnet() {
            true => self.resnet(&x)?,
            false => self.vgg(&x)?,
        };
        x.mean(D::Minus1)?.mean(D::Minus1)?.flatten_all()?.to_vec1()
    }

    fn tensor(&self, name: &str) -> candle_core::Result<&Tensor> {
        let missing = || candle_core::Error::Msg(format!("there is no tensor `{name}` of F32"));
        self.tensors.get(name).ok_or_else(missing)
    }

    fn convolved(&self, x: &Tensor, name: &str, stride: usize) -> candle_core::Result<Tensor> {
        let weights = self.tensor(&format!("{name}.weight"))?;
        let (_, _, rows, _) = weights.dims4()?;
        x.conv2d(weights, rows / 2, stride, 1, 1)
    }

    fn normalised(&self, x: &Tensor, name: &str) -> candle_core::Result<Tensor> {
        let of = |part: &str| {
            self.tensor(&format!("{name}.{part}"))?
                .reshape((1, (), 1, 1))
        };
        let scale = (of("weight")? / (of("running_var")? + EPSILON)?.sqrt()?)?;
        let offset = (of("bias")? - (of("running_mean")? * &scale)?)?;
        x.broadcast_mul(&scale)?.broadcast_add(&offset)
    }

    fn resnet(&self, x: &Tensor) -> candle_core::Result<Tensor> {
        let x = self
            .normalised(&self.convolved(x, "conv1", 2)?, "bn1")?
            .relu()?;
        // After max(0, x), zeros beyond the edge have no effect on a maximum.
        let x = x.pad_with_zeros(2, 1, 1)?.pad_with_zeros(3, 1, 1)?;
        let mut x = x.max_pool2d_with_stride(3, 2)?;
        for layer in 1..=4 {
            for block in 0..MAX_CONVOLUTIONS {
                let name = format!("layer{layer}.{block}");
                if !self.has(&format!("{name}.conv1.weight")) {
                    break;
                }
                let stride = if block == 0 && layer > 1 { 2 } else { 1 };
                x = self.block(&x, &name, stride)?;
            }
        }
        Ok(x)
    }

    fn block(&self, x: &Tensor, name: &str, stride: usize) -> candle_core::Result<Tensor> {
        let is_bottleneck = self.has(&format!("{name}.conv3.weight"));
        let (convolutions, at) = if is_bottleneck { (3, 2) } else { (2, 1) };
        let mut y = x.clone();
        for number in 1..=convolutions {
            if number > 1 {
                y = y.relu()?;
            }
            let stride = if number == at { stride } else { 1 };
            y = self.convolved(&y, &format!("{name}.conv{number}"), stride)?;
            y = self.normalised(&y, &format!("{name}.bn{number}"))?;
        }
        let around = match self.has(&format!("{name}.downsample.0.weight")) {
            true => {
                let x = self.convolved(x, &format!("{name}.downsample.0"), stride)?;
                self.normalised(&x, &format!("{name}.downsample.1"))?
            }
            false => x.clone(),
        };
        (y + around)?.relu()
    }

    fn vgg(&self, x: &Tensor) -> candle_core::Result<Tensor> {
        let places: Vec<usize> = (0..3 * MAX_CONVOLUTIONS)
            .filter(|n| self.has(&format!("features.{n}.weight")))
            .collect();
        let mut x = x.clone();
        for (i, place) in places.iter().enumerate() {
            let name = format!("features.{place}");
            let bias = self
                .tensor(&format!("{name}.bias"))?
                .reshape((1, (), 1, 1))?;
            x = self.convolved(&x, &name, 1)?.broadcast_add(&bias)?.relu()?;
            if places.get(i + 1).is_none_or(|next| next - place == 3) {
                x = x.max_pool2d(2)?;
            }
        }
        Ok(x)
    }
}

impl GenrePages {
    /// The pages with the activations of a network as their features. These are zeros for a page without a picture of
    /// [`SIDE`] by [`SIDE`]. They are read from the file `cache` if it was made from the same pictures and weights.
    /// Otherwise they are computed and written there.
    ///
    /// # Errors
    /// The weights do not fit, or [`Error::Io`].
    pub fn with_activations(self, frozen: &Frozen, cache: &Path) -> Result<Self> {
        let mut hash = Sha256::new();
        hash.update(&frozen.sha256);
        for picture in &self.pictures {
            let picture = picture.as_deref().unwrap_or_default();
            hash.update((picture.len() as u64).to_le_bytes());
            hash.update(picture);
        }
        let key = data_encoding::HEXLOWER.encode(&hash.finalize());
        let rows = match cached(cache, &key) {
            Some(rows) if rows.len() == self.pictures.len() => rows,
            _ => {
                let rows = self.activated(frozen)?;
                write(cache, &key, &rows)?;
                rows
            }
        };
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        let value = |row: &Vec<f32>, column: usize| row.get(column).copied().unwrap_or(0.0);
        let column = |column| rows.iter().map(|row| value(row, column)).collect();
        Ok(Self {
            dataset: Dataset {
                names: (0..width).map(|n| format!("activation_{n}")).collect(),
                columns: (0..width).map(column).collect(),
                ..self.dataset
            },
            ..self
        })
    }

    fn activated(&self, frozen: &Frozen) -> Result<Vec<Vec<f32>>> {
        let pictures = self.pictures.par_iter();
        let rows: Vec<Vec<f32>> = pictures
            .map(|picture| match picture {
                Some(picture) => frozen.activations(picture),
                None => Ok(Vec::new()),
            })
            .collect::<Result<_>>()?;
        match rows.iter().flatten().all(|n| n.is_finite()) {
            true => Ok(rows),
            false => Err(Error::Invalid(
                "the network gives numbers that are not finite; its weights are for another network"
                    .to_owned(),
            )),
        }
    }
}

/// The tensor of a cache, and the key of its text.
const ACTIVATIONS: &str = "activations";
const KEY: &str = "pictures_and_weights";

/// The activations of each page. `None` if the cache is of other pictures or weights, or is not a valid file.
fn cached(path: &Path, key: &str) -> Option<Vec<Vec<f32>>> {
    let bytes = files::read(path, MAX_WEIGHT_BYTES).ok()?;
    let (_, text) = SafeTensors::read_metadata(&bytes).ok()?;
    if text.metadata().as_ref()?.get(KEY)? != key {
        return None;
    }
    let file = SafeTensors::deserialize(&bytes).ok()?;
    let view = file.tensor(ACTIVATIONS).ok()?;
    let [_, width] = *view.shape() else {
        return None;
    };
    let (numbers, _) = view.data().as_chunks::<4>();
    let numbers: Vec<f32> = numbers.iter().map(|b| f32::from_le_bytes(*b)).collect();
    Some(numbers.chunks(width.max(1)).map(<[f32]>::to_vec).collect())
}

fn write(path: &Path, key: &str, rows: &[Vec<f32>]) -> Result<()> {
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let zeros = std::iter::repeat(&0.0);
    let numbers = rows
        .iter()
        .flat_map(|row| row.iter().chain(zeros.clone()).take(width));
    let data: Vec<u8> = numbers.flat_map(|n: &f32| n.to_le_bytes()).collect();
    let failed =
        |e: safetensors::SafeTensorError| Error::Invalid(format!("{}: {e}", path.display()));
    let view = TensorView::new(Dtype::F32, vec![rows.len(), width], &data).map_err(failed)?;
    let text = HashMap::from([(KEY.to_owned(), key.to_owned())]);
    let bytes = safetensors::serialize([(ACTIVATIONS, view)], Some(text)).map_err(failed)?;
    warcsieve_store::write_atomically(path, &bytes)
}
