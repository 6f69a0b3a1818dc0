//! The sets from which the forests of an ablation are learned, and on which they are measured.

use crate::corpora::{LEARNED_FROM, OTHERS};
use crate::scores::f1;
use crate::{Job, Result, row};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use warcsieve_classify::expected_f::Options;
use warcsieve_features::structure::{Family, columns_without};
use warcsieve_model::Forest;
use warcsieve_train::forest::{Binning, Pages, Params, learn_binned, probabilities};

/// The training set that is measured out of fold.
pub const LEARNED: &str = LEARNED_FROM[0];

/// [`LEARNED`], then [`OTHERS`].
pub const SETS: usize = 1 + OTHERS.len();

/// A head of a table whose last columns are the sets.
pub fn head(first: &str) -> String {
    row(row(first, [LEARNED]), OTHERS.map(|(corpus, _)| corpus))
}

/// How a forest is learned.
#[derive(Clone)]
pub struct Recipe {
    pub trees: usize,
    pub leaves: usize,
    pub learning_rate: f64,
    /// Folds of whole registered domains.
    pub folds: usize,
    /// Families of features that are left out.
    pub without: Vec<&'static Family>,
}

impl Recipe {
    /// Its name among the stored runs.
    pub fn key(&self) -> String {
        let without: Vec<&str> = self.without.iter().map(|family| family.name).collect();
        let (trees, leaves, rate) = (self.trees, self.leaves, self.learning_rate);
        let (folds, without) = (self.folds, without.join("+"));
        format!("{trees} trees, {leaves} leaves, rate {rate}, {folds} folds, without {without}")
    }

    /// The indices in the data set of its features.
    pub fn columns(&self) -> Vec<usize> {
        let without: Vec<&str> = self.without.iter().map(|family| family.name).collect();
        columns_without(&without)
    }
}

/// The pages of all sets, with features and labels.
pub struct Sets {
    learned: Pages,
    weights: Vec<f32>,
    /// How many pages belong to [`LEARNED`]; they come first.
    pages: usize,
    others: Vec<Pages>,
}

impl Sets {
    pub fn read(job: &Job) -> Result<Self> {
        let learned = job.corpora.rows(&LEARNED_FROM)?;
        let others = OTHERS.map(|(corpus, _)| job.corpora.rows(&[corpus]));
        Ok(Self {
            weights: learned.weights(),
            learned,
            pages: job.corpora.gold(LEARNED)?.pages.len(),
            others: others.into_iter().collect::<Result<_>>()?,
        })
    }

    /// The bins that all forests share.
    pub fn binning(&self) -> Binning<'_> {
        Binning::new(&self.learned.dataset, &self.weights)
    }

    /// A hash of all features and labels.
    pub fn hash(&self) -> String {
        let mut hash = Sha256::new();
        for pages in std::iter::once(&self.learned).chain(&self.others) {
            let data = &pages.dataset;
            for column in &data.columns {
                let bytes = column.iter().flat_map(|value| value.to_le_bytes());
                hash.update(bytes.collect::<Vec<u8>>());
            }
            hash.update(&data.labels);
        }
        HEXLOWER.encode(&hash.finalize())
    }

    /// The mean word F1 of each set with forests of one seed, and the forest that was learned from all training pages.
    pub fn measure(
        &self,
        binning: &Binning<'_>,
        recipe: &Recipe,
        seed: u64,
    ) -> Result<([f64; SETS], Forest)> {
        let params = Params {
            trees: recipe.trees,
            leaves: recipe.leaves,
            learning_rate: recipe.learning_rate,
            ..Params::default()
        };
        let (columns, folds) = (recipe.columns(), recipe.folds);
        let found = learn_binned(&self.learned, binning, &columns, &params, &[seed], folds);
        let mut all = [f1(&found.scores[..self.pages]); SETS];
        for ((f1_of, pages), (_, comments)) in all[1..].iter_mut().zip(&self.others).zip(OTHERS) {
            let probabilities = probabilities(pages, &found.forest)?;
            let options = Options {
                comments,
                ..Options::default()
            };
            *f1_of = f1(&pages.scores(|row| probabilities[row], options));
        }
        Ok((all, found.forest))
    }
}
