//! The default for its training pages, with forests that were learned without the page's domain.

use super::cleaned_crawl::PIPELINE;
use crate::accuracy::out_of_fold;
use crate::corpora::{shipped_text, with_forest};
use crate::{Job, Result};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use warcsieve_extract::Pipeline;

/// The pipeline [`PIPELINE`] in parts: one for each fold of the training pages, with a forest
/// learned from the other folds, and the built-in one for all other pages.
pub fn pipelines(job: &Job, scratch: &Path) -> Result<Vec<Pipeline>> {
    let folder = scratch.join("held-out");
    fs::create_dir_all(&folder)?;
    let trained = out_of_fold::measure(job)?;
    let write = |name: &str, text: &str, filter: &str, ids: &BTreeSet<&str>| {
        let lines: String = ids.iter().map(|id| format!("{id}\n")).collect();
        fs::write(folder.join(format!("{name}.ids")), lines)?;
        let text = format!("{text}\n[[filter]]\n{filter} = \"{name}.ids\"\n");
        let path = folder.join(format!("{name}.toml"));
        fs::write(&path, &text)?;
        Result::Ok(Pipeline::parse(
            &warcsieve_papers::METHODS,
            &path.display().to_string(),
            &text,
        )?)
    };
    let mut parts = Vec::new();
    let mut seen = BTreeSet::new();
    for (fold, (forest, own)) in trained.folds().enumerate() {
        let name = format!("fold-{fold}");
        let text = with_forest(&folder, PIPELINE, &format!("{name}.forest"), forest)?;
        parts.push(write(&name, &text, "keep_ids", &own)?);
        seen.extend(own);
    }
    parts.push(write("others", shipped_text(PIPELINE)?, "drop_ids", &seen)?);
    Ok(parts)
}
