//! The texts that Unfluff, a program for Node.js, finds in the pages of the corpora. `cargo xtask reproduce unfluff`
//! writes them.

use crate::{Job, Result};
use std::collections::HashMap;
use std::path::PathBuf;
use warcsieve_eval::gold::{self, GoldOptions, Markup};

/// Its name in the tables of papers.
pub const UNFLUFF: &str = "Unfluff";

/// Its text of each page of these corpora, by id; `None` if they were not written.
///
/// # Errors
/// The texts of only some of the corpora are there.
pub fn texts(job: &Job, corpora: &[&str]) -> Result<Option<HashMap<String, String>>> {
    let folder = job.scratch("unfluff")?;
    let files = corpora
        .iter()
        .map(|corpus| folder.join(format!("{corpus}.jsonl")));
    let (files, missing): (Vec<PathBuf>, Vec<_>) = files.partition(|file| file.exists());
    if files.is_empty() {
        job.say("left out, for its texts were not written: Unfluff");
        return Ok(None);
    }
    if let Some(file) = missing.first() {
        let file = file.display();
        return Err(format!("no {file}; `cargo xtask reproduce unfluff` writes it").into());
    }
    let options = GoldOptions {
        markup: Markup::Plain,
        ..GoldOptions::default()
    };
    let pages = gold::read_all(&files, options)?.pages.into_iter();
    Ok(Some(pages.map(|page| (page.id, page.text)).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn texts_are_of_all_corpora_or_of_none() {
        let scratch = std::env::temp_dir().join(format!("unfluff-{}", std::process::id()));
        let job = Job::new("", "", &scratch.display().to_string(), &[]);
        assert!(texts(&job, &["a", "b"]).unwrap().is_none());
        let write = |name: &str| {
            let line = format!("{{\"id\": \"{name}1\", \"text\": \"<p> is a tag\"}}\n");
            fs::write(scratch.join(format!("unfluff/{name}.jsonl")), line).unwrap();
        };
        write("a");
        let missing = texts(&job, &["a", "b"]).unwrap_err().to_string();
        assert!(missing.contains("b.jsonl; `cargo xtask"), "{missing}");
        write("b");
        let found = texts(&job, &["a", "b"]).unwrap().unwrap();
        assert_eq!(found["b1"], "<p> is a tag");
        fs::remove_dir_all(&scratch).unwrap();
    }
}
