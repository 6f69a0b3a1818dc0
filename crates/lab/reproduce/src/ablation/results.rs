//! Results that are kept from run to run, so that one continues where another was interrupted.
//!
//! They are valid for the features of the pages and the recipes of the forests; after a change to the
//! trainer, remove the file.

use super::sets::{Recipe, SETS};
use crate::Result;
use serde::{Deserialize, Serialize};
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// A forest's figures.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Run {
    /// The hash of the data.
    data: String,
    recipe: String,
    seed: u64,
    /// The mean word F1 of each set.
    pub f1: [f64; SETS],
    /// Bytes of the forest's file.
    pub bytes: usize,
}

/// The runs on some data, in a file with one line per run.
pub struct Results {
    path: PathBuf,
    data: String,
    runs: Vec<Run>,
}

impl Results {
    /// Reads the stored runs. Runs on other data and an incomplete last line are dropped.
    pub fn open(path: PathBuf, data: String) -> Result<Self> {
        let text = match fs::read_to_string(&path) {
            Err(e) if e.kind() == ErrorKind::NotFound => String::new(),
            text => text?,
        };
        let runs = text.lines().filter_map(|l| serde_json::from_str(l).ok());
        let runs: Vec<Run> = runs.filter(|run: &Run| run.data == data).collect();
        fs::write(&path, "")?;
        for run in &runs {
            append(&path, run)?;
        }
        Ok(Self { path, data, runs })
    }

    pub fn find(&self, recipe: &Recipe, seed: u64) -> Option<&Run> {
        let key = recipe.key();
        let mut runs = self.runs.iter();
        runs.find(|run| run.recipe == key && run.seed == seed)
    }

    pub fn add(&mut self, recipe: &Recipe, seed: u64, f1: [f64; SETS], bytes: usize) -> Result {
        let run = Run {
            data: self.data.clone(),
            recipe: recipe.key(),
            seed,
            f1,
            bytes,
        };
        append(&self.path, &run)?;
        self.runs.push(run);
        Ok(())
    }

    /// The figures of each seed: one per set, then their mean.
    pub fn of(&self, recipe: &Recipe, seeds: &[u64]) -> Result<Vec<[f64; SETS + 1]>> {
        let runs = seeds.iter().map(|seed| {
            let run = self.find(recipe, *seed).ok_or("a run is missing")?;
            let mut line = [run.f1.iter().sum::<f64>() / SETS as f64; SETS + 1];
            line[..SETS].copy_from_slice(&run.f1);
            Ok(line)
        });
        runs.collect()
    }
}

fn append(path: &Path, run: &Run) -> Result {
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    let line = serde_json::to_string(run)?;
    Ok(file.write_all(format!("{line}\n").as_bytes())?)
}
