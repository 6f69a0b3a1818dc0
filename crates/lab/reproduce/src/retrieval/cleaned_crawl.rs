//! A crawl, cleaned by several methods and indexed.

use super::headlines::Headlines;
use crate::Result;
use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use warcsieve_engine::{Input, Progress};
use warcsieve_extract::Pipeline;
use warcsieve_retrieval::index::{IndexSettings, Indexing, WriterOptions, index_shards};
use warcsieve_retrieval::search::SearchIndex;
use warcsieve_retrieval::shards::{Shard, list_shards};
use warcsieve_run::{OutputFolder, RunOptions, clean};

/// The pipeline whose shards contain the raw text and the text of the default.
pub const PIPELINE: &str = "retrieval";

/// Returns the changed texts of a page's blocks, by its id and its texts.
pub type Edit<'e> = dyn Fn(&str, &[&str]) -> Vec<String> + 'e;

/// The shards and indexes of a crawl.
pub struct CleanedCrawl<'a> {
    pub inputs: Vec<Input>,
    pub scratch: PathBuf,
    /// Headlines to remove from the indexed texts.
    pub headlines: Option<&'a Headlines>,
    /// Pipelines that replace [`PIPELINE`]: every page passes the filters of one of them. If there are none, the
    /// built-in one is used.
    pub parts: Vec<Pipeline>,
}

impl CleanedCrawl<'_> {
    /// The shards of a built-in pipeline; finished ones are kept.
    pub fn shards(&self, pipeline: &str) -> Result<Vec<Shard>> {
        if pipeline != PIPELINE || self.parts.is_empty() {
            return self.cleaned(
                pipeline,
                &Pipeline::built_in(&warcsieve_papers::METHODS, pipeline)?,
            );
        }
        let parts = self.parts.iter().enumerate();
        let shards = parts.map(|(at, part)| self.cleaned(&format!("{pipeline}-{at}"), part));
        Ok(shards.collect::<Result<Vec<_>>>()?.concat())
    }

    fn cleaned(&self, name: &str, pipeline: &Pipeline) -> Result<Vec<Shard>> {
        let folder = self.scratch.join("shards").join(name);
        let options = RunOptions {
            threads: 2,
            redo: true,
            ..RunOptions::default()
        };
        let progress = Arc::new(Progress::default());
        let out = OutputFolder::new(&folder);
        let summary = clean(&self.inputs, pipeline, &out, &options, &progress)?;
        if let Some(failed) = summary.failed.first() {
            return Err(format!("{}: {}", failed.name, failed.error).into());
        }
        // The folder may contain shards of another crawl.
        let inputs: HashSet<&str> = self.inputs.iter().map(|i| i.name.as_str()).collect();
        let mut shards = list_shards(&folder)?.shards;
        shards.retain(|shard| inputs.contains(shard.name.as_str()));
        Ok(shards)
    }

    /// Builds a new index of shards. If headlines are removed from blocks, titles are left out as a whole.
    pub fn index(
        &self,
        name: &str,
        shards: &[Shard],
        settings: &IndexSettings,
    ) -> Result<SearchIndex> {
        let Some(headlines) = self.headlines else {
            return self.edited(name, shards, settings, None);
        };
        let settings = IndexSettings {
            title: false,
            ..settings.clone()
        };
        let remove = |id: &str, texts: &[&str]| headlines.remove_headline(id, texts);
        self.edited(name, shards, &settings, Some(&remove))
    }

    /// Builds a new index of shards whose texts are changed before they are indexed.
    pub fn edited(
        &self,
        name: &str,
        shards: &[Shard],
        settings: &IndexSettings,
        edit: Option<&Edit<'_>>,
    ) -> Result<SearchIndex> {
        let folder = self.scratch.join("indexes").join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        let indexing = Indexing {
            settings,
            options: WriterOptions {
                heap: 256 << 20,
                threads: 2,
            },
            edit,
            anchors: None,
        };
        index_shards(shards, &folder, &indexing, &Progress::default())?;
        Ok(SearchIndex::open(&folder)?)
    }
}
