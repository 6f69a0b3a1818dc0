//! The network, in candle, and its training.

use crate::adam::Adam;
use crate::candle_error::candle_error;
use candle_core::{DType, Device, Result, Tensor, Var};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use warcsieve_common::{Error, with_defaults};
use warcsieve_model::PictureNetwork;
use warcsieve_model::picture::{Convolution, PATCH, centred};
use warcsieve_papers::goce::CLASSES;
use warcsieve_papers::picture::{CHANNELS, Size};

/// Width and height of the pictures that the network takes.
pub const SIZE: Size = [64, 128];

with_defaults! {
    /// How the network is trained.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Params {
        /// Passes over the pages.
        pub epochs: usize = 20,
        /// Pages per step.
        pub batch: usize = 16,
        /// Learning rate of Adam at the beginning. It falls along a cosine.
        pub rate: f64 = 2e-3,
        /// Share of the last means that is dropped in a step.
        pub dropout: f32 = 0.3,
        /// Seed of weights, order, mirroring and dropout.
        pub seed: u64 = 1,
    }
}

/// Outputs of the convolutions.
const OUTPUTS: [usize; 4] = [24, 32, 48, 48];

/// The weights and the bias of each convolution, with one row of weights per tap and input; then
/// those of the last sum.
struct Net(Vec<Var>);

/// Trains on pictures of [`SIZE`], each with a flag that says whether it is a list view.
pub fn fit(pages: &[(&[u8], bool)], params: &Params) -> warcsieve_common::Result<PictureNetwork> {
    let net = trained(pages, params).map_err(candle_error)?;
    let network = net.network().map_err(candle_error)?;
    let sound = network.check();
    sound.map_err(|why| Error::Invalid(format!("training diverged: {why}")))?;
    Ok(network)
}

fn trained(pages: &[(&[u8], bool)], params: &Params) -> Result<Net> {
    let mut random = Pcg64Mcg::seed_from_u64(params.seed);
    let net = Net::new(&mut random)?;
    let mut adam = Adam::new(&net.0)?;
    let mut order: Vec<usize> = (0..pages.len()).collect();
    let steps = order.len().div_ceil(params.batch.max(1)) * params.epochs;
    let mut step = 0;
    for _ in 0..params.epochs {
        order.shuffle(&mut random);
        for batch in order.chunks(params.batch.max(1)) {
            let batch: Vec<_> = batch.iter().map(|at| pages[*at]).collect();
            let loss = net.loss(&batch, params.dropout, &mut random)?;
            let done = step as f64 / steps as f64;
            let cosine = (1.0 + libm::cos(std::f64::consts::PI * done)) / 2.0;
            let rate = params.rate * (0.01 + 0.99 * cosine);
            adam.step(&net.0, &loss.backward()?, rate)?;
            step += 1;
        }
    }
    Ok(net)
}

impl Net {
    /// Weights drawn uniformly between ±√(6 / inputs of an output) (He et al. 2015, for ReLU
    /// outputs).
    fn new(random: &mut impl Rng) -> Result<Self> {
        let mut parameters = Vec::new();
        let mut before = CHANNELS;
        let last = OUTPUTS.len();
        for (i, outputs) in OUTPUTS.into_iter().chain([1]).enumerate() {
            let taps = match i {
                0 => PATCH * PATCH,
                i if i == last => 1,
                _ => 9,
            };
            let limit = (6.0 / (taps * before) as f32).sqrt();
            let weights: Vec<f32> = (0..taps * before * outputs)
                .map(|_| random.random_range(-limit..limit))
                .collect();
            let weights = Tensor::from_vec(weights, (taps * before, outputs), &Device::Cpu)?;
            parameters.push(Var::from_tensor(&weights)?);
            parameters.push(Var::zeros((1, outputs), DType::F32, &Device::Cpu)?);
            before = outputs;
        }
        Ok(Self(parameters))
    }

    /// The mean cross-entropy of a batch. Each picture is mirrored or not at random.
    fn loss(&self, batch: &[(&[u8], bool)], dropout: f32, random: &mut impl Rng) -> Result<Tensor> {
        let mirrored: Vec<bool> = batch.iter().map(|_| random.random()).collect();
        let pictures = batch.iter().zip(mirrored).map(|((p, _), m)| (*p, m));
        let means = self.means(&pictures.collect::<Vec<_>>())?;
        let kept = (0..means.elem_count()).map(|_| match random.random::<f32>() < dropout {
            true => 0.0,
            false => 1.0 / (1.0 - dropout),
        });
        let kept = Tensor::from_vec(kept.collect::<Vec<f32>>(), means.shape(), &Device::Cpu)?;
        let log_odds = self.log_odds(&(means * kept)?)?;
        let lists = batch
            .iter()
            .map(|(_, is_list)| f32::from(u8::from(*is_list)));
        let lists = Tensor::from_vec(lists.collect::<Vec<_>>(), (batch.len(), 1), &Device::Cpu)?;
        let tail = (log_odds.abs()?.neg()?.exp()? + 1.0)?.log()?;
        ((log_odds.relu()? - (log_odds * lists)?)? + tail)?.mean_all()
    }

    /// (pages, outputs): the means of the last convolution.
    fn means(&self, pictures: &[(&[u8], bool)]) -> Result<Tensor> {
        let [width, height] = SIZE;
        let mut values = Vec::with_capacity(pictures.len() * width * height * CHANNELS);
        for (picture, mirrored) in pictures {
            for row in picture.chunks_exact(width * CHANNELS) {
                let (points, _) = row.as_chunks::<CHANNELS>();
                let mut push = |point: &[u8; CHANNELS]| values.extend(point.map(centred));
                match mirrored {
                    true => points.iter().rev().for_each(&mut push),
                    false => points.iter().for_each(&mut push),
                }
            }
        }
        let pages = pictures.len();
        let (mut w, mut h) = (width / PATCH, height / PATCH);
        let x = Tensor::from_vec(
            values,
            (pages * h, PATCH, w, PATCH * CHANNELS),
            &Device::Cpu,
        )?;
        let x = x.transpose(1, 2)?.contiguous()?;
        let x = x.reshape((pages * h * w, PATCH * PATCH * CHANNELS))?;
        let mut x = self.convolved(0, &x)?;
        for layer in 1..OUTPUTS.len() {
            let inputs = OUTPUTS[layer - 1];
            if layer > 1 {
                x = x.reshape((pages * h / 2, 2, w / 2, 2 * inputs))?.max(1)?;
                x = x.reshape((pages * h / 2 * (w / 2), 2, inputs))?.max(1)?;
                (w, h) = (w / 2, h / 2);
            }
            let padded = x.reshape((pages, h, w, inputs))?;
            let padded = padded.pad_with_zeros(1, 1, 1)?.pad_with_zeros(2, 1, 1)?;
            let mut taps = Vec::new();
            for tap in 0..9 {
                taps.push(padded.narrow(1, tap / 3, h)?.narrow(2, tap % 3, w)?);
            }
            let taps = Tensor::cat(&taps, 3)?.reshape((pages * h * w, 9 * inputs))?;
            x = self.convolved(layer, &taps)?;
        }
        let outputs = OUTPUTS[OUTPUTS.len() - 1];
        x.reshape((pages, h * w, outputs))?.mean(1)
    }

    fn convolved(&self, layer: usize, taps: &Tensor) -> Result<Tensor> {
        let [weights, bias] = [&self.0[2 * layer], &self.0[2 * layer + 1]];
        taps.matmul(weights)?.broadcast_add(bias)?.relu()
    }

    /// (pages, 1): the log-odds of list views.
    fn log_odds(&self, means: &Tensor) -> Result<Tensor> {
        let [weights, bias] = [&self.0[2 * OUTPUTS.len()], &self.0[2 * OUTPUTS.len() + 1]];
        means.matmul(weights)?.broadcast_add(bias)
    }

    fn network(&self) -> Result<PictureNetwork> {
        let numbers = |at: usize| self.0[at].flatten_all()?.to_vec1::<f32>();
        let mut layers = Vec::new();
        let mut inputs = CHANNELS;
        for (i, outputs) in OUTPUTS.into_iter().enumerate() {
            layers.push(Convolution {
                size: if i == 0 { PATCH } else { 3 },
                inputs,
                outputs,
                weights: numbers(2 * i)?,
                bias: numbers(2 * i + 1)?,
            });
            inputs = outputs;
        }
        let last = 2 * OUTPUTS.len();
        let bias = numbers(last + 1)?.first().copied().unwrap_or(0.0);
        Ok(PictureNetwork {
            classes: CLASSES.map(str::to_owned),
            size: SIZE,
            layers,
            weights: numbers(last)?,
            bias,
            ..PictureNetwork::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::noise;
    use super::*;

    #[test]
    fn the_network_runs_as_it_was_trained() {
        let net = Net::new(&mut Pcg64Mcg::seed_from_u64(3)).unwrap();
        for (i, parameter) in net.0.iter().enumerate().filter(|(i, _)| i % 2 == 1) {
            let shifted = (parameter.as_tensor() + 0.1 * i as f64).unwrap();
            parameter.set(&shifted).unwrap();
        }
        let network = net.network().unwrap();
        let pictures = [noise(1), noise(2)];
        let both: Vec<_> = pictures.iter().map(|p| (p.as_slice(), false)).collect();
        let log_odds = net.log_odds(&net.means(&both).unwrap()).unwrap();
        let log_odds = log_odds.flatten_all().unwrap().to_vec1::<f32>().unwrap();
        for (picture, expected) in pictures.iter().zip(log_odds) {
            let found = network.log_odds(picture);
            assert!((found - expected).abs() < 1e-3, "{found} {expected}");
        }
        let mirrored = net.means(&[(&pictures[0], true)]).unwrap();
        let plain = net.means(&[(&pictures[0], false)]).unwrap();
        let differ = (mirrored - plain)
            .unwrap()
            .abs()
            .unwrap()
            .sum_all()
            .unwrap();
        assert!(differ.to_scalar::<f32>().unwrap() > 1e-3);
    }
}
