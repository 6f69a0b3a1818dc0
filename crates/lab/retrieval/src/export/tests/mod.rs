mod corpora;
mod folder;
mod formats;
mod readers;

use super::*;
use crate::omit::Omit;
use crate::shards::Shard;
use crate::shards::fixture::shards;
use std::path::Path;
use tempfile::{TempDir, tempdir};
use warcsieve_common::Result;
use warcsieve_engine::Progress;

const SETTINGS: ExportSettings = ExportSettings {
    format: Format::Trec,
    texts: Texts::Clean,
    compression: Compression::None,
    titles: true,
};

fn run(shards: &[Shard], settings: ExportSettings, out: &Path) -> Result<ExportSummary> {
    export(
        shards,
        settings,
        None,
        &Omit::default(),
        out,
        false,
        &Progress::default(),
    )
}

/// The shards of the crawl in testdata, and a folder for exports.
fn crawl() -> (TempDir, Vec<Shard>) {
    let folder = tempdir().unwrap();
    let shards = shards(&folder.path().join("shards"), "").shards;
    (folder, shards)
}
