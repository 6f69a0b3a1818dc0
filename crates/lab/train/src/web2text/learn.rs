//! Trains the networks and measures them by cross-validation.

use super::checkpoint::Checkpoints;
use super::fit::{Split, fit};
use super::fitted::{Epoch, Fitted};
use super::params::Params;
use super::target::Target;
use crate::Folds;
use crate::sequences::{Sequence, Sequences};
use crate::standard::Standard;
use rayon::prelude::*;
use std::sync::Arc;
use warcsieve_common::{Error, Result};
use warcsieve_model::PotentialNetworks;
use warcsieve_model::network::{Forward, Layer, Network, Packed};
use warcsieve_papers::linear_chain::Potentials;

/// One in this many training pages is held out to decide when to stop. These are the pages of the
/// last fold, because the first fold has the domain with the most pages.
pub(super) const HELD_OUT: usize = 10;

/// Networks, and the course of their training.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The networks, for pipelines.
    pub networks: PotentialNetworks,
    /// The epochs of both networks.
    pub epochs: [Vec<Epoch>; 2],
}

/// Networks trained on all pages, and out-of-fold results of networks trained without each fold.
pub struct Learned {
    /// Trained on all pages except the held-out ones.
    pub all: Trained,
    /// The same without each fold of whole registered domains.
    pub folds: Vec<Trained>,
    /// For each page, the potentials from the networks that were trained without its fold. Empty if
    /// there are no folds.
    pub potentials: Vec<Potentials>,
}

/// Progress of the training: a finished epoch of a network.
#[derive(Clone, Copy, Debug)]
pub struct Reached<'a> {
    /// The fold that is left out, from 0; `None` in the training on all pages.
    pub fold: Option<usize>,
    /// The network.
    pub target: Target,
    /// The epoch.
    pub epoch: &'a Epoch,
}

/// Trains both networks, once without each of this many folds of whole registered domains (0 for
/// none) and once on all pages. `each` is called after every epoch, from any thread.
///
/// # Errors
/// The device fails, losses are not finite, there are too few pages, or a checkpoint belongs to
/// another training or cannot be written.
pub fn learn(
    data: &Sequences,
    params: &Params,
    folds: usize,
    checkpoints: Option<&Checkpoints>,
    each: &(dyn Fn(Reached<'_>) + Sync),
) -> Result<Learned> {
    let of_page = data.folds(folds.max(1));
    let mut trained = Vec::new();
    let mut potentials = vec![Potentials::default(); if folds > 0 { data.pages.len() } else { 0 }];
    for fold in 0..folds {
        let learn_from = |page: usize| of_page[page] != fold;
        let networks = train(data, learn_from, params, Some(fold), checkpoints, each)?;
        let packed = packed(data, &networks.networks)?;
        let pages = potentials.par_iter_mut().zip(&data.pages).enumerate();
        pages.filter(|(page, _)| !learn_from(*page)).for_each_init(
            || Forward::new(packed.clone()),
            |forward, (_, (found, page))| *found = of_page_rows(data, page, forward),
        );
        trained.push(networks);
    }
    Ok(Learned {
        all: train(data, |_| true, params, None, checkpoints, each)?,
        folds: trained,
        potentials,
    })
}

/// The potentials of the blocks of each page, computed by the networks.
///
/// # Errors
/// The networks need features that the pages do not have.
pub fn potentials(data: &Sequences, networks: &PotentialNetworks) -> Result<Vec<Potentials>> {
    let packed = packed(data, networks)?;
    let pages = data.pages.par_iter().map_init(
        || Forward::new(packed.clone()),
        |forward, page| of_page_rows(data, page, forward),
    );
    Ok(pages.collect())
}

fn packed(data: &Sequences, networks: &PotentialNetworks) -> Result<Arc<Packed>> {
    let names: Vec<&str> = data.names.iter().map(String::as_str).collect();
    Packed::new(networks, &names)
        .map(Arc::new)
        .map_err(Error::Invalid)
}

fn of_page_rows(data: &Sequences, page: &Sequence, forward: &mut Forward) -> Potentials {
    let mut found = Potentials::default();
    let width = data.names.len();
    let rows = &data.values[page.rows.start * width..page.rows.end * width];
    forward.potentials(
        page.rows.len(),
        |blocks, to| to.extend(&rows[blocks.start * width..blocks.end * width]),
        &mut found.unary,
        &mut found.pairwise,
    );
    found
}

/// Trains both networks in parallel.
fn train(
    data: &Sequences,
    learn_from: impl Fn(usize) -> bool,
    params: &Params,
    fold: Option<usize>,
    checkpoints: Option<&Checkpoints>,
    each: &(dyn Fn(Reached<'_>) + Sync),
) -> Result<Trained> {
    let known: Vec<&Sequence> = (data.pages.iter().enumerate())
        .filter(|(page, _)| learn_from(*page))
        .map(|(_, page)| page)
        .collect();
    let groups: Vec<_> = known.iter().map(|page| page.group).collect();
    let folds = HELD_OUT.min(known.len()).max(1);
    let held_out = Folds::of_pages(&groups, folds);
    let pages = |held: bool| {
        let pages = known.iter().zip(&held_out);
        let pages = pages.filter(|(_, fold)| (**fold == folds - 1) == held);
        pages.map(|(page, _)| *page).collect()
    };
    let split = Split {
        training: pages(false),
        validation: pages(true),
    };
    train_split(data, &split, params, fold, checkpoints, each)
}

/// Trains both networks in parallel on all pages. The given ones are held out to decide when to
/// stop.
///
/// # Errors
/// Those of [`learn`].
pub fn learn_held_out(
    data: &Sequences,
    is_held_out: impl Fn(usize) -> bool,
    params: &Params,
    checkpoints: Option<&Checkpoints>,
    each: &(dyn Fn(Reached<'_>) + Sync),
) -> Result<Trained> {
    let pages = |held: bool| {
        let pages = data.pages.iter().enumerate();
        let pages = pages.filter(|(page, _)| is_held_out(*page) == held);
        pages.map(|(_, page)| page).collect()
    };
    let split = Split {
        training: pages(false),
        validation: pages(true),
    };
    train_split(data, &split, params, None, checkpoints, each)
}

fn train_split(
    data: &Sequences,
    split: &Split<'_>,
    params: &Params,
    fold: Option<usize>,
    checkpoints: Option<&Checkpoints>,
    each: &(dyn Fn(Reached<'_>) + Sync),
) -> Result<Trained> {
    if [&split.training, &split.validation]
        .iter()
        .any(|pages| pages.is_empty())
    {
        let why = "there are too few pages to hold some out for early stopping";
        return Err(Error::Invalid(why.to_owned()));
    }
    let standards = Standard::of(data, split.training.iter().copied());
    let network = |target: Target| {
        let name = match fold {
            Some(fold) => format!("fold-{}.{}", fold + 1, target.as_str()),
            None => format!("all.{}", target.as_str()),
        };
        let checkpoint = checkpoints.map(|c| (c, name.as_str()));
        let each = |epoch: &Epoch| {
            each(Reached {
                fold,
                target,
                epoch,
            })
        };
        fit(data, &standards, split, target, params, checkpoint, each)
    };
    let [unary, pairwise] = Target::ALL;
    let (unary, pairwise) = rayon::join(|| network(unary), || network(pairwise));
    let (unary, pairwise) = (unary?, pairwise?);
    Ok(Trained {
        networks: PotentialNetworks {
            about: Default::default(),
            features: data.names.clone(),
            unary: of_layers(&unary, data.names.len()),
            pairwise: of_layers(&pairwise, data.names.len()),
            offset: standards.iter().map(|s| s.offset as f32).collect(),
            scale: standards.iter().map(|s| s.scale as f32).collect(),
        },
        epochs: [unary.epochs, pairwise.epochs],
    })
}

fn of_layers(fitted: &Fitted, features: usize) -> Network {
    let mut inputs = features;
    let layers = fitted.layers.iter().map(|[weights, bias]| {
        let layer = Layer {
            inputs,
            outputs: bias.len(),
            width: weights.len() / (inputs * bias.len()).max(1),
            weights: weights.clone(),
            bias: bias.clone(),
        };
        inputs = bias.len();
        layer
    });
    Network {
        layers: layers.collect(),
    }
}
