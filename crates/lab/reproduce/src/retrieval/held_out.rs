//! The default for its training pages, with forests that were learned without the page's domain.

use super::cleaned_crawl::PIPELINE;
use crate::accuracy::out_of_fold;
use crate::corpora::{shipped_text, with_forest};
use crate::{Job, Result};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use warcsieve_extract::Pipeline;
use warcsieve_papers::METHODS;

/// The pipeline of all pages that no forest was learned from. It is written last.
const OTHERS: &str = "others";

/// The pipeline [`PIPELINE`] in parts: one for each fold of the training pages, with a forest
/// learned from the other folds, and the built-in one for all other pages. Forests are learned once for each built-in
/// forest and text of the pipeline, and kept: remove `target/reproduction/held-out` where the corpora have changed.
pub fn pipelines(job: &Job) -> Result<Vec<Pipeline>> {
    let shipped = METHODS.models.iter().find(|(name, _)| *name == "default");
    let (_, shipped) = shipped.ok_or("no model ships as `default`")?;
    let mut hash = Sha256::new_with_prefix(shipped);
    hash.update(shipped_text(PIPELINE)?);
    let hash = HEXLOWER.encode(&hash.finalize());
    let folder = job.scratch("held-out")?.join(&hash[..16]);
    let others = folder.join(format!("{OTHERS}.toml"));
    if !others.is_file() {
        learn(job, &folder)?;
    }
    let mut paths: Vec<_> = fs::read_dir(&folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|of| of == "toml"));
    paths.sort();
    let parts = paths.iter().map(|path| {
        let text = fs::read_to_string(path)?;
        let name = path.display().to_string();
        Ok(Pipeline::parse(&METHODS, &name, &text)?)
    });
    parts.collect()
}

/// Learns the forests, and writes them and the pipelines.
fn learn(job: &Job, folder: &Path) -> Result {
    if folder.is_dir() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    let trained = out_of_fold::measure(job)?;
    let write = |name: &str, text: &str, filter: &str, ids: &BTreeSet<&str>| {
        let lines: String = ids.iter().map(|id| format!("{id}\n")).collect();
        fs::write(folder.join(format!("{name}.ids")), lines)?;
        let text = format!("{text}\n[[filter]]\n{filter} = \"{name}.ids\"\n");
        Result::Ok(fs::write(folder.join(format!("{name}.toml")), text)?)
    };
    let mut seen = BTreeSet::new();
    for (fold, (forest, own)) in trained.folds().enumerate() {
        let name = format!("fold-{fold}");
        let text = with_forest(folder, PIPELINE, &format!("{name}.forest"), forest)?;
        write(&name, &text, "keep_ids", &own)?;
        seen.extend(own);
    }
    write(OTHERS, shipped_text(PIPELINE)?, "drop_ids", &seen)
}
