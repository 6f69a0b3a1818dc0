//! `warcsieve train forest`: boosted trees for `method = "forest"`.

use super::super::exit::Exit;
use super::{file_name, finish, quoted};
use crate::cli;
use std::path::{Path, PathBuf};
use warcsieve::error::{Error, Result};
use warcsieve::eval::gold::{self, GoldOptions};
use warcsieve::eval::pages::Gold;
use warcsieve::features::structure::{FAMILIES, STRUCTURE};
use warcsieve::model::Forest;
use warcsieve::train::forest::{Card, Pages, Params, learn};
use warcsieve::train::write_model;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// WARC or ARC files, folders, quoted patterns, @LIST files.
    #[arg(required = true, value_name = "PAGES")]
    inputs: Vec<String>,
    /// JSON Lines of gold texts (may be .gz); once for each file of them.
    #[arg(long, value_name = "FILE", required = true)]
    gold: Vec<PathBuf>,
    /// File for the model; its card is written beside it, with `.md` for its ending.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Pipeline file, or the name of one that ships: it says which records are pages, and how they
    /// are segmented.
    #[arg(long, value_name = "FILE", default_value = "keep-all")]
    pipeline: String,
    /// Folds of the cross-validation; a registered domain is in one of them.
    #[arg(long, value_name = "N", default_value = "5", value_parser = clap::value_parser!(u8).range(2..))]
    folds: u8,
    /// Forests that are averaged, each of another seed.
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u8).range(1..=16))]
    seeds: u8,
    /// The first of the seeds.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Trees of each forest.
    #[arg(long, value_name = "N", default_value = "90", value_parser = clap::value_parser!(u16).range(1..=4096))]
    trees: u16,
    /// Most leaves of a tree.
    #[arg(long, value_name = "N", default_value = "28", value_parser = clap::value_parser!(u16).range(2..=1024))]
    leaves: u16,
    /// What each tree may do of what it would like to: above 0, at most 1.
    #[arg(long, value_name = "SHARE", default_value = "0.1", value_parser = learning_rate)]
    learning_rate: f64,
    /// Families of features to leave out, with commas in between; docs/features.md lists them.
    #[arg(long, value_name = "FAMILIES", value_delimiter = ',')]
    without: Vec<String>,
    /// The licence of the pages and of the gold, for the model's card.
    #[arg(long, value_name = "TEXT", default_value = "")]
    licence: String,
    /// Threads to use; default: as many as there are cores. The model does not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: Option<u16>,
}

pub fn run(arguments: &Arguments) -> Result<Exit> {
    let pipeline = cli::pipeline(Some(&arguments.pipeline))?;
    let inputs = cli::pages(&arguments.inputs)?;
    let golds = arguments.gold.iter().map(|g| g.display().to_string());
    let golds: Vec<String> = golds.collect();
    let mut others: Vec<&str> = golds.iter().map(String::as_str).collect();
    others.push(&arguments.pipeline);
    let card_file = arguments.out.with_extension("md");
    if card_file == arguments.out {
        let why = "the model's card is written beside it as .md; give the model another ending";
        return Err(Error::Usage(why.to_owned()));
    }
    for output in [&arguments.out, &card_file] {
        cli::check_output(output, &inputs, &others)?;
    }
    let columns = columns(&arguments.without)?;
    let gold = gold(&arguments.gold)?;
    let pages = Pages::collect(&inputs, &gold, &pipeline)?;
    for fault in &pages.faults {
        tracing::warn!("{fault}");
    }
    let params = Params {
        trees: usize::from(arguments.trees),
        leaves: usize::from(arguments.leaves),
        learning_rate: arguments.learning_rate,
        ..Params::default()
    };
    let seeds: Vec<u64> = (0..u64::from(arguments.seeds))
        .map(|i| arguments.seed.wrapping_add(i))
        .collect();
    let folds = usize::from(arguments.folds);
    let mut learned = learn(&pages, &columns, &params, &seeds, folds);
    let card = Card {
        name: file_name(&arguments.out),
        command: command(arguments),
        data: data(arguments),
        licence: arguments.licence.clone(),
        segmentation: pipeline.segmentation,
        params,
        folds,
        without: arguments.without.clone(),
    };
    learned.forest.about = card.about(&pages, &learned);
    let text = learned.forest.to_text();
    Forest::parse(&text).map_err(|e| Error::Usage(format!("no usable forest was learned: {e}")))?;
    write_model(&arguments.out, &text)?;
    let text = card.to_markdown(&pages, &learned);
    write_model(&card_file, &text)?;
    let text = format!(
        "{text}\nA pipeline file beside {} takes it by\n\n[[step]]\nmethod = \"forest\"\nmodel = {}\n",
        arguments.out.display(),
        quoted(&arguments.out)
    );
    finish(&text, &pages.faults)
}

fn learning_rate(text: &str) -> std::result::Result<f64, String> {
    match text.parse() {
        Ok(rate) if rate > 0.0 && rate <= 1.0 => Ok(rate),
        _ => Err("not a number above 0 and at most 1".to_owned()),
    }
}

/// The features that are not left out.
fn columns(without: &[String]) -> Result<Vec<usize>> {
    if let Some(name) = without
        .iter()
        .find(|w| FAMILIES.iter().all(|f| f.name != **w))
    {
        let known = FAMILIES.map(|f| f.name).join(", ");
        return Err(Error::Usage(format!(
            "no family of features `{name}`; there are {known}"
        )));
    }
    let families = FAMILIES
        .iter()
        .filter(|f| without.iter().any(|w| w == f.name));
    let left_out: Vec<_> = families.flat_map(|f| (f.features)()).collect();
    let columns = STRUCTURE.iter().enumerate();
    let columns: Vec<usize> = columns
        .filter(|(_, f)| !left_out.contains(f))
        .map(|(i, _)| i)
        .collect();
    if columns.is_empty() {
        return Err(Error::Usage("no feature is left to learn from".to_owned()));
    }
    Ok(columns)
}

fn gold(files: &[PathBuf]) -> Result<Gold> {
    let mut all: Option<gold::GoldSet> = None;
    for file in files {
        let set = gold::read(file, GoldOptions::default())?;
        match &mut all {
            None => all = Some(set),
            Some(all) => all.append(set).map_err(Error::Usage)?,
        }
    }
    let all = all.ok_or_else(|| Error::Usage("no gold was given".to_owned()))?;
    Ok(Gold::Texts(all))
}

/// Names of the files; where they stand is of no matter to the model.
fn data(arguments: &Arguments) -> Vec<String> {
    let inputs = arguments.inputs.iter().map(Path::new);
    let golds = arguments.gold.iter().map(PathBuf::as_path);
    inputs.chain(golds).map(file_name).collect()
}

/// The command line as a shell takes it, with the names of the files alone.
fn command(arguments: &Arguments) -> String {
    let name = |file: &Path| shell_word(&file_name(file));
    let mut text = "warcsieve train forest".to_owned();
    for input in &arguments.inputs {
        text += &format!(" {}", name(Path::new(input)));
    }
    for gold in &arguments.gold {
        text += &format!(" --gold {}", name(gold));
    }
    text += &format!(
        " --folds {} --seeds {} --seed {} --trees {} --leaves {} --learning-rate {}",
        arguments.folds,
        arguments.seeds,
        arguments.seed,
        arguments.trees,
        arguments.leaves,
        arguments.learning_rate
    );
    if arguments.pipeline != "keep-all" {
        text += &format!(" --pipeline {}", name(Path::new(&arguments.pipeline)));
    }
    if !arguments.without.is_empty() {
        text += &format!(" --without {}", arguments.without.join(","));
    }
    if !arguments.licence.is_empty() {
        text += &format!(" --licence {}", shell_word(&arguments.licence));
    }
    text + &format!(" --out {}", name(&arguments.out))
}

/// A word of a command line, quoted if the shell would take it for another.
fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./@+,:=".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_part_them() {
        assert_eq!(shell_word("a-b.warc.gz"), "a-b.warc.gz");
        assert_eq!(shell_word("a b"), "'a b'");
        assert_eq!(shell_word("it's *"), "'it'\\''s *'");
        assert_eq!(shell_word(""), "''");
    }
}
