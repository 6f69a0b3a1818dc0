//! Trains one network, epoch by epoch.

use super::batch::Batch;
use super::checkpoint::Checkpoints;
use super::fitted::{Epoch, Fitted};
use super::network::Net;
use super::params::{Goal, Params, Patches, Rate, Steps};
use super::target::Target;
use crate::adam::Adam;
use crate::candle_error::candle_error;
use crate::sequences::{Sequence, Sequences};
use crate::standard::Standard;
use candle_core::{Device, Tensor};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use warcsieve_common::{Error, Result};

/// The pages a network is trained on.
#[derive(Clone, Debug)]
pub struct Split<'a> {
    /// Pages for training.
    pub training: Vec<&'a Sequence>,
    /// Held-out pages, which decide when to stop.
    pub validation: Vec<&'a Sequence>,
}

/// Trains a network for `target` until its result on the held-out pages no longer improves. It
/// resumes from the checkpoint of this name, if there is one; the result is the same as without an
/// interruption.
///
/// # Errors
/// The device fails, losses are not finite, or a checkpoint cannot be written or belongs to another
/// training.
pub(super) fn fit(
    data: &Sequences,
    standards: &[Standard],
    split: &Split<'_>,
    target: Target,
    params: &Params,
    checkpoints: Option<(&Checkpoints, &str)>,
    mut each: impl FnMut(&Epoch),
) -> Result<Fitted> {
    let device = params.device.open()?;
    // Each epoch has its own random stream, so that a repeated epoch draws the same numbers.
    let random = |epoch: usize| {
        let stream = 2 * epoch as u64 + u64::from(target == Target::Pairwise);
        Pcg64Mcg::seed_from_u64(params.seed ^ stream.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    };
    let batch = |pages: &[&Sequence]| {
        Batch::new(data, standards, pages, target, params.weighting, &device).map_err(candle_error)
    };
    let mut first = random(0);
    let net =
        Net::new(data.names.len(), target, params, &mut first, &device).map_err(candle_error)?;
    let mut adam = Adam::new(&net.parameters).map_err(candle_error)?;
    let mut fitted = match checkpoints {
        Some((checkpoints, name)) => checkpoints.read(name, &net, &mut adam)?,
        None => None,
    }
    .unwrap_or_default();
    let held_out = packed(&split.validation, params.batch).map(batch);
    let held_out = held_out.collect::<Result<Vec<_>>>()?;
    if held_out.iter().all(|batch| batch.weight == 0.0) {
        let why =
            "the pages held out for early stopping have no block with tokens, or no two blocks";
        return Err(Error::Invalid(why.to_owned()));
    }
    while !fitted.is_over(params) {
        let number = fitted.epochs.len() + 1;
        let mut random = random(number);
        let mut pages = split.training.clone();
        let patches = match params.steps {
            Steps::Pages => {
                pages.shuffle(&mut random);
                Vec::new()
            }
            Steps::Patches(patches) => drawn(&pages, patches, &mut random)?,
        };
        let patches: Vec<&Sequence> = patches.iter().collect();
        let steps: Vec<&[&Sequence]> = match params.steps {
            Steps::Pages => packed(&pages, params.batch).collect(),
            Steps::Patches(of) => patches.chunks(of.count.max(1)).collect(),
        };
        let mut losses = 0.0;
        for (i, pages) in steps.iter().enumerate() {
            let batch = batch(pages)?;
            let done = (number - 1) as f64 + i as f64 / steps.len() as f64;
            let rate = rate(params, done / params.epochs as f64);
            let mut step = || -> candle_core::Result<f32> {
                let loss = net.loss(&batch, Some((params, &mut random)))?;
                adam.step(&net.parameters, &loss.backward()?, rate)?;
                loss.to_scalar()
            };
            losses += f64::from(step().map_err(candle_error)?);
        }
        let epoch = Epoch {
            number,
            training: losses / steps.len().max(1) as f64,
            validation: match params.goal {
                Goal::Loss => mean_loss(&net, &held_out),
                Goal::F1 => missing(&net, &held_out, target),
            }
            .map_err(candle_error)?,
        };
        if !(epoch.training + epoch.validation).is_finite() {
            let why = format!("training diverged in epoch {number}; try a smaller learning rate");
            return Err(Error::Invalid(why));
        }
        fitted.epochs.push(epoch);
        if Epoch::best(&fitted.epochs) == Some(&epoch) {
            fitted.layers = layers(&net).map_err(candle_error)?;
        }
        if let Some((checkpoints, name)) = checkpoints {
            checkpoints.write(name, &net, &adam, &fitted)?;
        }
        each(&epoch);
    }
    Ok(fitted)
}

/// The learning rate after this share of all epochs.
fn rate(params: &Params, done: f64) -> f64 {
    if params.rate == Rate::Constant {
        return params.learning_rate;
    }
    let cosine = (1.0 + libm::cos(std::f64::consts::PI * done)) / 2.0;
    params.learning_rate * (0.01 + 0.99 * cosine)
}

/// Draws the patches of all steps of an epoch, as pages of their own.
fn drawn(pages: &[&Sequence], patches: Patches, random: &mut Pcg64Mcg) -> Result<Vec<Sequence>> {
    let long = |page: &&&Sequence| page.rows.len() >= patches.blocks.max(1);
    let mut pages: Vec<&Sequence> = pages.iter().filter(long).copied().collect();
    if pages.is_empty() {
        let why = format!("no page to learn from has {} blocks", patches.blocks);
        return Err(Error::Invalid(why));
    }
    let mut found = Vec::with_capacity(patches.steps * patches.count);
    while found.len() < patches.steps * patches.count {
        pages.shuffle(random);
        for page in pages
            .iter()
            .take(patches.steps * patches.count - found.len())
        {
            let last = page.rows.end - patches.blocks;
            let start = random.random_range(page.rows.start..=last);
            found.push(Sequence {
                rows: start..start + patches.blocks,
                group: page.group,
                ..Sequence::default()
            });
        }
    }
    Ok(found)
}

/// Groups pages in order into batches of about this many blocks, at least one page each.
fn packed<'a, 'p>(
    mut pages: &'a [&'p Sequence],
    blocks: usize,
) -> impl Iterator<Item = &'a [&'p Sequence]> {
    std::iter::from_fn(move || {
        let mut sum = 0;
        let count = pages.iter().take_while(|page| {
            let fits = sum < blocks;
            sum += page.rows.len();
            fits
        });
        let (taken, rest) = pages.split_at(count.count());
        pages = rest;
        (!taken.is_empty()).then_some(taken)
    })
}

fn mean_loss(net: &Net, batches: &[Batch]) -> candle_core::Result<f64> {
    let (mut sum, mut weight) = (0.0, 0.0);
    for batch in batches {
        let loss = net.loss(batch, None)?.to_scalar::<f32>()?;
        sum += f64::from(loss) * batch.weight;
        weight += batch.weight;
    }
    Ok(sum / f64::max(weight, f64::MIN_POSITIVE))
}

/// 1 minus the F1 of content over all blocks; for pairs, 1 minus the accuracy.
fn missing(net: &Net, batches: &[Batch], target: Target) -> candle_core::Result<f64> {
    let (mut right, mut both, mut found, mut gold, mut all) = (0u64, 0u64, 0u64, 0u64, 0u64);
    for batch in batches {
        let likely = net.forward(batch, None)?.to_vec2::<f32>()?;
        let classes = batch.targets.to_vec2::<f32>()?;
        for (likely, class) in likely.iter().zip(&classes) {
            let Some(class) = class.iter().position(|weight| *weight > 0.0) else {
                continue;
            };
            let better = |best: usize, at: usize| if likely[at] > likely[best] { at } else { best };
            let chosen = (1..likely.len()).fold(0, better);
            all += 1;
            right += u64::from(chosen == class);
            both += u64::from(chosen == 1 && class == 1);
            found += u64::from(chosen == 1);
            gold += u64::from(class == 1);
        }
    }
    Ok(match target {
        Target::Unary => 1.0 - 2.0 * both as f64 / (found + gold).max(1) as f64,
        Target::Pairwise => 1.0 - right as f64 / all.max(1) as f64,
    })
}

fn layers(net: &Net) -> candle_core::Result<Vec<[Vec<f32>; 2]>> {
    let flat = |t: &Tensor| t.to_device(&Device::Cpu)?.flatten_all()?.to_vec1::<f32>();
    let layers = net.parameters.chunks(2);
    layers
        .map(|layer| Ok([flat(&layer[0])?, flat(&layer[1])?]))
        .collect()
}
