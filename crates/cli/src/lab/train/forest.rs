//! `warcsieve train forest`: boosted trees for `method = "forest"`.

use super::common::rate;
use super::learned::{finish, step, warn_of};
use super::texts::Texts;
use crate::exit::Exit;
use crate::inputs::shell_word;
use crate::pipelines::{PipelineName, pipeline};
use warcsieve_common::{Error, Result};
use warcsieve_features::structure::{FAMILIES, columns_without};
use warcsieve_model::Forest;
use warcsieve_train::forest::{Card, PageWeight, Pages, Params, learn};
use warcsieve_train::write_model;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    texts: Texts,
    /// Pipeline file, or the name of one that ships: it decides which records are pages, how they
    /// are segmented, and whether the headline counts as content in the figures.
    #[arg(long, value_name = "FILE", default_value = "default", hide_possible_values = true, value_parser = PipelineName)]
    pipeline: String,
    /// Folds of the cross-validation; a registered domain is in one of them.
    #[arg(long, value_name = "N", default_value = "5", value_parser = clap::value_parser!(u8).range(2..))]
    folds: u8,
    /// Forests that are averaged, each with another seed.
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u8).range(1..=16))]
    seeds: u8,
    /// The first of the seeds.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Trees of each forest.
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u16).range(1..=4096))]
    trees: u16,
    /// Maximum number of leaves per tree.
    #[arg(long, value_name = "N", default_value = "40", value_parser = clap::value_parser!(u16).range(2..=1024))]
    leaves: u16,
    /// Shrinkage, the factor for the output of each tree: above 0, at most 1.
    #[arg(long, value_name = "SHARE", default_value = "0.1", value_parser = rate)]
    learning_rate: f64,
    /// Factor on the weight of pages of a type or set, such as `listing=1.5`; may be given several times. A set is named
    /// after its gold file, if there are several; 0 only measures.
    #[arg(long = "weight", value_name = "NAME=FACTOR", value_parser = weight)]
    weights: Vec<PageWeight>,
    /// Families of features to leave out, separated by commas; docs/features.md lists them.
    #[arg(long, value_name = "FAMILIES", value_delimiter = ',')]
    without: Vec<String>,
    /// Threads to use; default: as many as there are cores. The model does not depend on it.
    #[arg(long, value_name = "N", value_parser = crate::threads::parse)]
    pub(super) threads: Option<u16>,
}

pub fn run(arguments: &Arguments) -> Result<Exit> {
    let pipeline = pipeline(&arguments.pipeline)?;
    let (inputs, gold, card_file) = arguments.texts.open(&arguments.pipeline)?;
    let columns = columns(&arguments.without)?;
    let mut pages = Pages::collect(&inputs, &gold, &pipeline)?;
    pages.weigh(&arguments.weights)?;
    warn_of(&pages.faults);
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
        from: arguments
            .texts
            .provenance(command(arguments), pipeline.segmentation),
        params,
        folds,
        without: arguments.without.clone(),
        weights: arguments.weights.clone(),
    };
    learned.forest.about = card.about(&pages, &learned);
    let text = learned.forest.to_text();
    Forest::parse(&text)
        .map_err(|e| Error::Invalid(format!("no usable forest was learned: {e}")))?;
    write_model(&arguments.texts.out, &text)?;
    let text = card.to_markdown(&pages, &learned);
    write_model(&card_file, &text)?;
    let text = text + &step("forest", &arguments.texts.out);
    finish(&text, &pages.faults)
}

/// A weight of pages.
fn weight(text: &str) -> std::result::Result<PageWeight, String> {
    let (name, factor) = text.rsplit_once('=').ok_or("not NAME=FACTOR")?;
    match factor.parse() {
        Ok(factor) if (0.0..=100.0).contains(&factor) => Ok(PageWeight {
            name: name.to_owned(),
            factor,
        }),
        _ => Err("the factor is not a number from 0 to 100".to_owned()),
    }
}

/// The features that are not left out.
fn columns(without: &[String]) -> Result<Vec<usize>> {
    if let Some(name) = without
        .iter()
        .find(|w| FAMILIES.iter().all(|f| f.name != **w))
    {
        let known = FAMILIES.map(|f| f.name).join(", ");
        return Err(Error::Invalid(format!(
            "no family of features `{name}`; there are {known}"
        )));
    }
    let without: Vec<&str> = without.iter().map(String::as_str).collect();
    let columns = columns_without(&without);
    if columns.is_empty() {
        return Err(Error::Invalid(
            "no feature is left to learn from".to_owned(),
        ));
    }
    Ok(columns)
}

/// The command line for a shell, with file names without folders.
fn command(arguments: &Arguments) -> String {
    let mut text = format!("warcsieve train forest {}", arguments.texts.words());
    text += &format!(
        " --folds {} --seeds {} --seed {} --trees {} --leaves {} --learning-rate {}",
        arguments.folds,
        arguments.seeds,
        arguments.seed,
        arguments.trees,
        arguments.leaves,
        arguments.learning_rate
    );
    text += &Texts::pipeline(&arguments.pipeline, "default");
    for PageWeight { name, factor } in &arguments.weights {
        text += &format!(" --weight {}", shell_word(format!("{name}={factor}")));
    }
    if !arguments.without.is_empty() {
        text += &format!(" --without {}", arguments.without.join(","));
    }
    text + &arguments.texts.ending()
}
