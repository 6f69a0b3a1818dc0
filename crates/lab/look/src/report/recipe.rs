//! The pipeline of a run, and the card of its model.

use super::sample::lasting;
use data_encoding::HEXLOWER;
use parquet::arrow::arrow_reader::ArrowReaderOptions;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::path::Path;
use warcsieve_common::Result;
use warcsieve_papers::METHODS;
use warcsieve_run::Recipe;
use warcsieve_tables::read::{TableFile, Unreadable};

/// Cards of the models that ship, by the beginning of the names of their pipelines.
const CARDS: [(&str, &str); 3] = [
    ("default", include_str!("../../models/default.md")),
    ("crf", include_str!("../../models/blocks.md")),
    ("web2text", include_str!("../../models/web2text.md")),
];

/// How the outputs were made.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Card {
    /// Version, hashes and methods.
    pub recipe: Option<Recipe>,
    /// Name and text of the pipeline, if it is one that ships.
    pub pipeline: Option<(String, String)>,
    /// The card of the model that ships with it, as Markdown.
    pub model: Option<String>,
    /// The keys at the top of the pipeline file, as JSON.
    pub settings: Option<String>,
}

impl Card {
    /// The card of a recipe; `documents` is a file of the run.
    ///
    /// # Errors
    /// [`warcsieve_common::Error::Io`] where the system fails.
    pub fn of(recipe: Option<Recipe>, documents: Option<&Path>) -> Result<Self> {
        let hash = |text: &str| HEXLOWER.encode(&Sha256::digest(text.as_bytes()));
        let is_it = |text: &str| {
            recipe
                .as_ref()
                .is_some_and(|r| r.pipeline_sha256 == hash(text))
        };
        let pipeline = METHODS.shipped().find(|p| is_it(p.text));
        let model = pipeline.and_then(|p| CARDS.iter().find(|(name, _)| p.name.starts_with(name)));
        Ok(Self {
            pipeline: pipeline.map(|p| (p.name.to_owned(), p.text.to_owned())),
            model: model.map(|(_, card)| (*card).to_owned()),
            settings: documents.map(settings).transpose()?.flatten(),
            recipe,
        })
    }
}

fn settings(path: &Path) -> Result<Option<String>> {
    let file = File::open(path).map_err(Unreadable::from);
    let table = match file.and_then(|file| TableFile::open(file, ArrowReaderOptions::new())) {
        Ok(table) => table,
        Err(why) => return lasting(path, why).map(|_| None),
    };
    let pairs = table.metadata().file_metadata().key_value_metadata();
    let mut pairs = pairs.into_iter().flatten();
    let settings = pairs.find(|pair| pair.key == "warcsieve.settings");
    Ok(settings.and_then(|pair| pair.value.clone()))
}
