//! `warcsieve status --todo`: prints the inputs that are not done.

use super::exit::Exit;
use super::print;
use warcsieve_common::{Error, Result};
use warcsieve_engine::{Input, InputKind, list_line};
use warcsieve_run::{OutputFolder, Recipe, Status};

/// Prints the inputs that are not done with the recipe: their paths as lines of a list, or JSON
/// lines with `input` (the name) and `path`.
pub fn print(inputs: &[Input], out: &OutputFolder, recipe: &Recipe, json: bool) -> Result<Exit> {
    let (mut text, mut open, mut base) = (String::new(), 0, None);
    let done = out.map_inputs(inputs, |input| match out.status(input, recipe) {
        Ok(status) => Ok(matches!(status, Status::Done(_))),
        // An input whose row cannot be parsed counts as not done.
        Err(Error::Integrity { .. }) => Ok(false),
        Err(error) => Err(error),
    });
    for (input, done) in inputs.iter().zip(done) {
        if done? {
            continue;
        }
        open += 1;
        base = base.or_else(|| input.base());
        let path = input.origin();
        if let (InputKind::File(own), false) = (&input.kind, json)
            && own.to_str().is_none()
        {
            tracing::warn!(
                "{}: its path is not UTF-8, so it cannot be a line of the list",
                input.name
            );
            continue;
        }
        text += &match json {
            true => print::json_line(serde_json::json!({"input": input.name, "path": path})),
            false => list_line(&path).into_owned() + "\n",
        };
    }
    print::text(&text)?;
    if let Some(base) = base.filter(|_| !json) {
        tracing::info!(
            "to clean only these, give `clean` --base {base}, so that they keep their names"
        );
    }
    Ok(match open {
        0 => Exit::Done,
        _ => Exit::Faulty,
    })
}
