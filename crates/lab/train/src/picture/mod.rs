//! Genres from the pictures of pages: a small network trained from scratch, or the last layer of a large pretrained
//! network (Nguyen-Hoang et al. 2018, §3.2).

mod frozen;
mod net;
#[cfg(test)]
mod tests;

pub use frozen::{Frozen, SIDE};
pub use net::{Params, SIZE};

use crate::{CrossValidation, Folds, GenrePages};
use rayon::prelude::*;
use warcsieve_common::{Error, Result};
use warcsieve_model::PictureNetwork;

/// The examples for training.
struct Examples<'p> {
    /// Pictures of [`SIZE`], and whether each is a list view.
    pages: Vec<(&'p [u8], bool)>,
}

impl GenrePages {
    /// Trains a network on pictures of [`SIZE`], cross-validated in this many folds of whole registered domains (at
    /// least 2). Each page is classified by the network that was trained without its fold; a page without a picture is
    /// classified as an article. There is no validation if the pages outside a fold are all of one genre. `each` is
    /// called when a network is done, with its number and the number of networks.
    ///
    /// The result is the same with any number of threads, but may differ between machines.
    ///
    /// # Errors
    /// [`Error::Invalid`] if pictures are missing, or training fails.
    pub fn train_on_pictures(
        &self,
        folds: usize,
        params: &Params,
        each: impl Fn(usize, usize) + Sync,
    ) -> Result<(PictureNetwork, Option<CrossValidation<()>>)> {
        let folds = Folds::grouped(&self.dataset, folds.max(2));
        let examples: Vec<Examples<'_>> = (0..=folds.count)
            .map(|fold| self.examples(|row| folds.of_row[row] != fold))
            .collect();
        let is_mixed = |examples: &Examples<'_>| {
            let lists = examples.pages.iter().filter(|(_, is_list)| *is_list);
            (1..examples.pages.len()).contains(&lists.count())
        };
        let Some(all) = examples.last().filter(|all| is_mixed(all)) else {
            let why = "there are no pictures of both genres; the pipeline has to ask for them \
                       (screenshots = true)";
            return Err(Error::Invalid(why.to_owned()));
        };
        let parts = match examples.iter().all(is_mixed) {
            true => &examples[..],
            false => std::slice::from_ref(all),
        };
        let done = std::sync::atomic::AtomicUsize::new(0);
        let networks: Result<Vec<_>> = parts
            .par_iter()
            .map(|examples| {
                let network = net::fit(&examples.pages, params)?;
                let before = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                each(before + 1, parts.len());
                Ok(network)
            })
            .collect();
        let mut networks = networks?;
        let all = networks.pop();
        let all = all.ok_or_else(|| Error::Invalid("no network was trained".to_owned()))?;
        let validation = (!networks.is_empty()).then(|| self.classified(&networks, &folds));
        Ok((all, validation))
    }

    /// The examples among some rows.
    fn examples(&self, takes: impl Fn(usize) -> bool) -> Examples<'_> {
        let rows = (0..self.dataset.rows()).filter(|row| takes(*row));
        let known = rows.filter(|row| self.dataset.weights[*row] > 0);
        let pages = known.filter_map(|row| {
            let picture = self.pictures.get(row)?.as_deref()?;
            Some((picture, self.dataset.labels[row] == 1))
        });
        Examples {
            pages: pages.collect(),
        }
    }

    /// Classifies each page by the network of its fold.
    fn classified(&self, networks: &[PictureNetwork], folds: &Folds) -> CrossValidation<()> {
        let log_odds: Vec<f32> = (0..self.dataset.rows())
            .into_par_iter()
            .map(|row| match &self.pictures[row] {
                Some(picture) => networks[folds.of_row[row]].log_odds(picture),
                None => f32::MIN,
            })
            .collect();
        let share = |log_odds: &f32| 1.0 / (1.0 + libm::exp(-f64::from(*log_odds)));
        CrossValidation {
            distributions: log_odds
                .iter()
                .flat_map(|z| [1.0 - share(z), share(z)])
                .collect(),
            predicted: log_odds.iter().map(|z| u8::from(*z > 0.0)).collect(),
            model: (),
        }
    }
}
