//! Arguments that several learners share.

use super::learned::file_name;
use crate::gold::GoldReading;
use crate::inputs::pages;
use crate::outputs::{check_output, out_path};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use warcsieve_common::Result;
use warcsieve_engine::Input;
use warcsieve_eval::pages::Gold;
use warcsieve_extract::Pipeline;
use warcsieve_train::GenrePages;

/// Where gold comes from.
#[derive(Debug, clap::Args)]
pub struct GoldArguments {
    /// JSON Lines of gold texts (may be .gz), or `annotations`: classes written into the pages.
    #[arg(long, value_name = "FILE")]
    pub gold: PathBuf,
    #[command(flatten)]
    pub reading: GoldReading,
}

impl GoldArguments {
    /// Reads the gold.
    pub fn read(&self) -> Result<Gold> {
        self.reading.read(std::slice::from_ref(&self.gold))
    }

    /// The name of the gold in reports.
    pub fn name(&self) -> String {
        self.gold.display().to_string()
    }
}

/// Arguments that several learners share.
#[derive(Debug, clap::Args)]
pub struct Common {
    /// WARC or ARC files, folders, quoted patterns, @LIST files.
    #[arg(required = true, value_name = "PAGES")]
    pub inputs: Vec<String>,
    #[command(flatten)]
    pub gold: GoldArguments,
    /// File for the model.
    #[arg(long, value_name = "FILE", value_parser = out_path)]
    pub out: PathBuf,
    /// Folds of the cross-validation; a registered domain is in one of them.
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u8).range(2..))]
    pub folds: u8,
    /// Seed of the learner's shuffles.
    #[arg(long, value_name = "N", default_value = "1")]
    pub seed: u64,
    /// Threads to use; default: as many as there are cores.
    #[arg(long, value_name = "N", value_parser = crate::threads::parse)]
    pub threads: Option<u16>,
}

impl Common {
    /// The pages and the gold. Refuses an output that would replace what is read.
    pub fn open(&self, pipeline: &str) -> Result<(Vec<Input>, Gold)> {
        let inputs = pages(&self.inputs)?;
        check_output(&self.out, &inputs, &[pipeline, &self.gold.name()])?;
        Ok((inputs, self.gold.read()?))
    }

    /// Number of folds, which is at most the number of domains.
    pub fn folds_of(&self, pages: &GenrePages) -> usize {
        let domains: BTreeSet<u32> = pages.dataset.groups.iter().copied().collect();
        usize::from(self.folds).min(domains.len())
    }

    /// What a model file says about its training.
    pub fn about(
        &self,
        pipeline: &Pipeline,
        learner: String,
        figures: &str,
    ) -> BTreeMap<String, String> {
        // Folders of files are left out, because they do not change the model.
        let inputs = self.inputs.iter().map(|i| file_name(Path::new(i)));
        let gold = file_name(Path::new(&self.gold.name()));
        let inputs = inputs.collect::<Vec<_>>().join(", ");
        [
            ("trained_on", format!("{inputs}, gold {gold}")),
            ("segmentation", pipeline.segmentation.as_str().to_owned()),
            ("learner", learner),
            ("figures", figures.to_owned()),
        ]
        .map(|(key, value)| (key.to_owned(), value))
        .into()
    }
}

/// Parses a learning rate.
pub fn rate(text: &str) -> std::result::Result<f64, String> {
    match text.parse() {
        Ok(rate) if rate > 0.0 && rate <= 1.0 => Ok(rate),
        _ => Err("not a number above 0 and at most 1".to_owned()),
    }
}
