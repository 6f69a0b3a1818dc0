//! Results that are kept between runs, so that a run continues where an earlier one was interrupted.
//!
//! They are valid for the features of the pages and the recipes of the forests. After a change to the trainer, remove
//! the file.

use super::sets::{Recipe, SETS, Sets};
use crate::{Job, Result};
use serde::{Deserialize, Serialize};
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// A forest's figures.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Run {
    /// The hash of the data.
    data: String,
    recipe: String,
    seed: u64,
    /// The mean word F1 of each set.
    f1: [f64; SETS],
    /// Bytes of the forest's file.
    bytes: usize,
}

/// The runs on some data, in a file with one line per run.
pub struct Results {
    path: PathBuf,
    data: String,
    runs: Vec<Run>,
}

/// The figures of a recipe by seed: one per set, then their mean.
pub struct Figures {
    seeds: Vec<[f64; SETS + 1]>,
    /// Bytes of the file of the first seed's forest.
    pub bytes: usize,
}

impl Figures {
    /// The mean over the seeds.
    pub fn mean(&self, set: usize) -> f64 {
        let seeds = self.seeds.iter().map(|run| run[set]);
        seeds.sum::<f64>() / self.seeds.len() as f64
    }

    /// The distance between the best and the worst seed.
    pub fn spread(&self, set: usize) -> f64 {
        let seeds = || self.seeds.iter().map(|run| run[set]);
        seeds().fold(0.0, f64::max) - seeds().fold(1.0, f64::min)
    }
}

/// The file of a forest of the first seed.
pub fn forest_file(folder: &Path, recipe: &Recipe) -> PathBuf {
    folder.join(format!("{}.forest", recipe.key()))
}

impl Results {
    /// Learns and measures what is still missing. Writes the forests of the first seed if `keeps_forests`.
    pub fn complete(
        job: &Job,
        folder: &Path,
        recipes: &[Recipe],
        seeds: &[u64],
        keeps_forests: bool,
    ) -> Result<Self> {
        let sets = Sets::read(job)?;
        job.say("features");
        let binning = sets.binning();
        let mut results = Self::open(folder.join("results.jsonl"), sets.hash())?;
        for recipe in recipes {
            for seed in seeds {
                let is_kept = keeps_forests && *seed == seeds[0];
                let file = forest_file(folder, recipe);
                if results.find(recipe, *seed).is_none() || is_kept && !file.exists() {
                    let (f1, forest) = sets.measure(&binning, recipe, *seed)?;
                    let text = forest.to_text();
                    if is_kept {
                        fs::write(file, &text)?;
                    }
                    results.add(recipe, *seed, f1, text.len())?;
                }
                job.say(&format!("{}, seed {seed}", recipe.key()));
            }
        }
        Ok(results)
    }

    /// Reads the stored runs. Runs on other data and an incomplete last line are dropped.
    fn open(path: PathBuf, data: String) -> Result<Self> {
        let text = match fs::read_to_string(&path) {
            Err(e) if e.kind() == ErrorKind::NotFound => String::new(),
            text => text?,
        };
        let runs = text.lines().filter_map(|l| serde_json::from_str(l).ok());
        let runs: Vec<Run> = runs.filter(|run: &Run| run.data == data).collect();
        let kept = runs.iter().map(line).collect::<Result<Vec<_>>>()?;
        fs::write(&path, kept.concat())?;
        Ok(Self { path, data, runs })
    }

    fn find(&self, recipe: &Recipe, seed: u64) -> Option<&Run> {
        let key = recipe.key();
        let mut runs = self.runs.iter();
        runs.find(|run| run.recipe == key && run.seed == seed)
    }

    fn add(&mut self, recipe: &Recipe, seed: u64, f1: [f64; SETS], bytes: usize) -> Result {
        let run = Run {
            data: self.data.clone(),
            recipe: recipe.key(),
            seed,
            f1,
            bytes,
        };
        let mut file = OpenOptions::new().append(true).open(&self.path)?;
        file.write_all(line(&run)?.as_bytes())?;
        self.runs.push(run);
        Ok(())
    }

    pub fn of(&self, recipe: &Recipe, seeds: &[u64]) -> Result<Figures> {
        let (mut all, mut bytes) = (Vec::new(), None);
        for seed in seeds {
            let run = self.find(recipe, *seed).ok_or("a run is missing")?;
            let mut line = [run.f1.iter().sum::<f64>() / SETS as f64; SETS + 1];
            line[..SETS].copy_from_slice(&run.f1);
            all.push(line);
            bytes = bytes.or(Some(run.bytes));
        }
        Ok(Figures {
            seeds: all,
            bytes: bytes.unwrap_or_default(),
        })
    }
}

fn line(run: &Run) -> Result<String> {
    Ok(serde_json::to_string(run)? + "\n")
}
