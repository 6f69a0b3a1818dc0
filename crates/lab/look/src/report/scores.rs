//! A histogram of the scores in the `blocks` table.

use arrow_array::cast::AsArray;
use arrow_array::types::Float32Type;
use parquet::arrow::arrow_reader::ArrowReaderOptions;
use serde::Serialize;
use std::fs::File;
use std::path::Path;
use warcsieve_common::with_defaults;
use warcsieve_tables::read::{TableFile, Unreadable};

const BINS: usize = 50;

with_defaults! {
    /// Blocks by score, in fiftieths: boilerplate and content.
    #[derive(Clone, Debug, Serialize)]
    pub struct Scores {
        /// Rows that were read.
        pub rows: u64 = 0,
        pub boilerplate: Vec<u64> = vec![0; BINS],
        pub content: Vec<u64> = vec![0; BINS],
    }
}

impl Scores {
    /// Counts a file.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn read(path: &Path) -> Result<Self, Unreadable> {
        let file = File::open(path)?;
        let table = TableFile::open(file, ArrowReaderOptions::new())?;
        let mut batches = table.read(&["label", "score"], 8_192)?;
        let mut counted = Self::default();
        while let Some(batch) = batches.next_batch()? {
            let label = batch
                .column_by_name("label")
                .and_then(|c| c.as_string_opt::<i32>());
            let score = batch
                .column_by_name("score")
                .and_then(|c| c.as_primitive_opt::<Float32Type>());
            let (Some(label), Some(score)) = (label, score) else {
                return Err("has no labels and scores".into());
            };
            counted.rows += batch.num_rows() as u64;
            for (row, score) in score.values().iter().enumerate() {
                // A score that is not a number is in the first bin.
                let bin = ((score * BINS as f32) as usize).min(BINS - 1);
                let bins = match label.value(row) {
                    "content" => &mut counted.content,
                    _ => &mut counted.boilerplate,
                };
                bins[bin] += 1;
            }
        }
        Ok(counted)
    }

    /// Adds the counts of another file.
    pub fn merge(&mut self, other: &Self) {
        self.rows += other.rows;
        let add = |bins: &mut Vec<u64>, more: &[u64]| {
            bins.iter_mut()
                .zip(more)
                .for_each(|(bin, more)| *bin += more)
        };
        add(&mut self.boilerplate, &other.boilerplate);
        add(&mut self.content, &other.content);
    }
}
