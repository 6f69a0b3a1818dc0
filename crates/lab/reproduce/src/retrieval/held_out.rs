//! The default for pages that it is learned from: forests that never saw the page's domain.

use super::runs::PIPELINE;
use crate::Result;
use crate::accuracy::out_of_fold;
use crate::job::Job;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use warcsieve_extract::Pipeline;
use warcsieve_model::Forest;

/// The pipeline [`PIPELINE`] in parts: one for each fold of the training pages, whose forest is
/// learned from the other folds, and the built-in one for all other pages.
pub fn pipelines(job: &Job, scratch: &Path) -> Result<Vec<Pipeline>> {
    let folder = scratch.join("held-out");
    fs::create_dir_all(&folder)?;
    let trained = out_of_fold::measure(job)?;
    let pages = &trained.pages().pages;
    let built_in = warcsieve_papers::METHODS
        .shipped()
        .find(|pipeline| pipeline.name == PIPELINE);
    let text = built_in.ok_or("no pipeline for search ships")?.text;
    let write = |name: &str, filter: &str, ids: &BTreeSet<&str>, forest: Option<&Forest>| {
        let lines: String = ids.iter().map(|id| format!("{id}\n")).collect();
        fs::write(folder.join(format!("{name}.ids")), lines)?;
        // The method is the last step of the file, and a table of its own.
        let mut text = text.to_owned();
        if let Some(forest) = forest {
            fs::write(folder.join(format!("{name}.forest")), forest.to_text())?;
            text += &format!("model = \"{name}.forest\"\n");
        }
        text += &format!("\n[[filter]]\n{filter} = \"{name}.ids\"\n");
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
    for (fold, held_out) in trained.held_out().iter().enumerate() {
        let own: BTreeSet<&str> = held_out
            .pages
            .iter()
            .map(|page| pages[*page].text.id.as_str())
            .collect();
        parts.push(write(
            &format!("fold-{fold}"),
            "keep_ids",
            &own,
            Some(&held_out.forest),
        )?);
        seen.extend(own);
    }
    parts.push(write("others", "drop_ids", &seen, None)?);
    Ok(parts)
}
