//! `warcsieve status --todo`: which inputs are left to clean.

use super::exit::Exit;
use super::print;
use warcsieve_base::{Error, Result};
use warcsieve_crawl::pipeline::{Input, OutputFolder, Recipe, Status};

/// Prints the inputs that are not done with the recipe, one path per line, or as JSON lines with
/// `input` (the name) and `path`.
pub fn print(inputs: &[Input], out: &OutputFolder, recipe: &Recipe, json: bool) -> Result<Exit> {
    let mut text = String::new();
    let done = out.look(inputs, |input| match out.status(input, recipe) {
        Ok(status) => Ok(matches!(status, Status::Done(_))),
        // An input whose row cannot be parsed counts as not done.
        Err(Error::Integrity { .. }) => Ok(false),
        Err(error) => Err(error),
    });
    for (input, done) in inputs.iter().zip(done) {
        if done? {
            continue;
        }
        let path = input.origin();
        text += &match json {
            true => serde_json::json!({"input": input.name, "path": path}).to_string(),
            false => path,
        };
        text.push('\n');
    }
    print::text(&text)?;
    Ok(match text.is_empty() {
        true => Exit::Done,
        false => Exit::Faulty,
    })
}
