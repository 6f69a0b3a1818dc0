//! Folders that only have unusable inputs. A mistyped command began them, and the next run may be
//! the right one.

use super::{INPUTS, Input, OutputFolder, files_of};
use crate::manifest::{ManifestRow, Recipe, Status};
use std::collections::HashMap;
use tracing::{info, warn};
use warcsieve_common::{Error, Result};
use warcsieve_warc::ledger::FaultKind;

impl OutputFolder {
    /// The inputs of a void folder, sorted: everything that is listed is done, and none of it is a
    /// crawl. The list is empty if nothing is listed any more. `None` if the folder holds anything
    /// else, if it is sealed, or if no run has listed its inputs yet.
    ///
    /// # Errors
    /// [`Error::Io`], or [`Error::Integrity`] where a list cannot be parsed.
    pub fn void_inputs(&self) -> Result<Option<Vec<String>>> {
        if !self.0.has_listing() || self.is_sealed()? {
            return Ok(None);
        }
        let done = self.done_inputs()?;
        for name in &done {
            // Most folders are decided here, at their first row.
            if !self.is_void(name)? {
                return Ok(None);
            }
        }
        // A run that has claimed the folder may be about to list its inputs.
        if done.is_empty() && self.0.names(INPUTS, ".json")?.is_empty() {
            return Ok(None);
        }
        let is_done = |name: &String| done.binary_search(name).is_ok();
        let is_void = self.listed_inputs()?.iter().all(is_done);
        Ok(is_void.then_some(done))
    }

    /// Whether the input has a row that says that it is not a crawl.
    fn is_void(&self, name: &str) -> Result<bool> {
        match self.row(name) {
            Ok(Some(row)) => Ok(is_no_crawl(&row) && self.unbalanced(&row).is_none()),
            Err(error @ Error::Io { .. }) => Err(error),
            _ => Ok(false),
        }
    }

    /// Forgets the void inputs that are not among `inputs`. Void inputs among `inputs` become open
    /// again, unless they are done with this recipe.
    ///
    /// # Errors
    /// Those of [`Self::void_inputs`].
    pub(crate) fn forget_void(
        &self,
        void: &[String],
        inputs: &[Input],
        recipe: &Recipe,
    ) -> Result<()> {
        let given = inputs.iter().map(|input| (input.name.as_str(), input));
        let given: HashMap<&str, &Input> = given.collect();
        let is_kept = |name: &str| {
            let input = given.get(name);
            input.is_some_and(|input| matches!(self.status(input, recipe), Ok(Status::Done(_))))
        };
        let names = void.iter().map(String::as_str);
        let names: Vec<_> = names.filter(|name| !is_kept(name)).collect();
        if names.is_empty() {
            return Ok(());
        }
        let others = names.iter().filter(|name| !given.contains_key(*name));
        let others: Vec<&str> = others.copied().collect();
        self.unseal()?;
        // Remove rows last: if this is interrupted, the folder is still void. Another process may
        // clean an input again meanwhile, so each row is read again.
        for name in &names {
            if self.is_void(name)? {
                for file in files_of(name).skip(1) {
                    self.0.remove(&file)?;
                }
            }
        }
        self.remove_page_lists_of(&others)?;
        self.unlist(&others)?;
        for name in names {
            if !self.is_void(name)? {
                continue;
            }
            match given.contains_key(name) {
                true => info!("{name} is cleaned again: an earlier run found no crawl in it"),
                false => warn!(
                    "{name} is removed from the lists of the folder: an earlier run found no crawl in it, and it is not an input of this run"
                ),
            }
            self.remove_row(name)?;
        }
        // Another process may have sealed the folder before the rows were removed.
        self.unseal()
    }
}

/// Whether an input was read whole and is not a crawl. A damaged crawl does not count, because
/// records of it may be lost.
fn is_no_crawl(row: &ManifestRow) -> bool {
    let read = &row.read;
    // What has no known format is passed over as a damaged member.
    let is_none = |kind| {
        matches!(
            kind,
            FaultKind::NotWarc | FaultKind::Garbage | FaultKind::DamagedMember
        )
    };
    let only_none = read.faults.iter().all(|fault| is_none(fault.kind));
    let is_empty = read.compressed_bytes == 0;
    let are_all_listed = read.fault_count == read.faults.len() as u64;
    // Standard input may be another one the next time.
    let is_known = row.stamp.is_some() && row.selected.is_none();
    read.records == 0 && is_known && are_all_listed && only_none && (row.no_crawl || is_empty)
}
