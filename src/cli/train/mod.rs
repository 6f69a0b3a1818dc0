//! `warcsieve train`: models from labelled pages.

mod genre;
mod tree;

use super::eval::GoldArguments;
use super::exit::Exit;
use super::threads;
use std::io::Write;
use std::path::Path;
use warcsieve::error::{Error, Result};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    learner: Learners,
}

#[derive(Debug, clap::Subcommand)]
enum Learners {
    /// Learn a decision tree (C4.5) for `method = "tree"`.
    Tree(tree::Arguments),
    /// Learn to tell articles from lists (linear SVM) for `method = "goce"`. The gold is texts whose
    /// `page_type` tells genres: `article`; `collection` and `listing`; others are not learned from.
    Genre(genre::Arguments),
}

pub fn run(arguments: &Arguments) -> Result<Exit> {
    match &arguments.learner {
        Learners::Tree(arguments) => {
            threads::pool(arguments.threads)?.install(|| tree::run(arguments))
        }
        Learners::Genre(arguments) => {
            threads::pool(arguments.threads)?.install(|| genre::run(arguments))
        }
    }
}

/// The names of the files learned from; where they stand is of no matter to the model.
fn trained_on(inputs: &[String], gold: &GoldArguments) -> String {
    let inputs = inputs.iter().map(|i| file_name(Path::new(i)));
    let gold = file_name(Path::new(&gold.name()));
    format!("{}, gold {gold}", inputs.collect::<Vec<_>>().join(", "))
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// A file's name as a string of TOML, which takes those of JSON.
fn quoted(path: &Path) -> String {
    serde_json::Value::String(file_name(path)).to_string()
}

/// Prints what was learned, and says what could not be used.
fn finish(text: &str, faults: &[String]) -> Result<Exit> {
    anstream::stdout()
        .write_all(text.as_bytes())
        .map_err(|e| Error::io("standard output", e))?;
    Ok(if faults.is_empty() {
        Exit::Done
    } else {
        Exit::Faulty
    })
}
