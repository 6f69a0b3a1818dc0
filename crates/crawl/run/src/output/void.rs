//! Folders of unusable inputs alone: a mistake in a command began them, and the next run may be the right one.

use super::{Input, OutputFolder, files_of};
use crate::manifest::{Recipe, Status};
use std::collections::HashSet;
use warcsieve_common::{Error, Result};

impl OutputFolder {
    /// The inputs of a folder that holds no record, though all that it lists is done; sorted. None where it was sealed
    /// nevertheless.
    ///
    /// # Errors
    /// [`Error::Io`], or [`Error::Integrity`] where a list cannot be parsed.
    pub fn void_inputs(&self) -> Result<Vec<String>> {
        if !self.0.has_listing() {
            return Ok(Vec::new());
        }
        let done = self.done_inputs()?;
        for name in &done {
            match self.row(name) {
                Ok(Some(row)) if row.read.records == 0 => {}
                Err(error @ Error::Io { .. }) => return Err(error),
                // Most folders end here, at their first row.
                _ => return Ok(Vec::new()),
            }
        }
        let is_done = |name: &String| done.binary_search(name).is_ok();
        let is_void = !self.is_sealed()? && self.listed_inputs()?.iter().all(is_done);
        Ok(if is_void { done } else { Vec::new() })
    }

    /// Forgets the inputs of such a folder, but those among `inputs` that are done with this recipe, and gives the
    /// folder this recipe.
    ///
    /// # Errors
    /// Those of [`Self::void_inputs`].
    pub(crate) fn forget_void(&self, inputs: &[Input], recipe: &Recipe) -> Result<()> {
        let mut void = self.void_inputs()?;
        if void.is_empty() {
            return Ok(());
        }
        let is_kept = |input: &&Input| matches!(self.status(input, recipe), Ok(Status::Done(_)));
        let given = inputs
            .iter()
            .filter(|i| void.binary_search(&i.name).is_ok());
        let kept: HashSet<&str> = given.filter(is_kept).map(|i| i.name.as_str()).collect();
        void.retain(|name| !kept.contains(name.as_str()));
        let names: Vec<&str> = void.iter().map(String::as_str).collect();
        // Rows last: what is cut off is such a folder still.
        for name in &names {
            tracing::info!("{name} is forgotten: a run before found no record in it");
            for file in files_of(name).skip(1) {
                self.0.remove(&file)?;
            }
        }
        if !names.is_empty() {
            self.unlist(&names)?;
        }
        if let Ok(Some(before)) = self.recipe()
            && before.difference(recipe).is_some()
        {
            self.write_recipe(recipe)?;
        }
        names.iter().try_for_each(|name| self.forget(name))
    }
}
