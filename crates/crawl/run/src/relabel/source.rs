//! The folder to read, in its state at the beginning of the run.

use super::relabelled::NotSealed;
use crate::VERSION;
use crate::manifest::{ManifestRow, Recipe};
use crate::output::OutputFolder;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use warcsieve_common::{Error, Result};
use warcsieve_engine::Progress;
use warcsieve_page::SkipReason;
use warcsieve_tables::OutputFile;

/// An output folder of `clean`.
pub(super) struct Source<'a> {
    pub folder: &'a OutputFolder,
    /// Whether it was sealed before its inputs were listed.
    sealed: bool,
    /// Names of the inputs that are done, sorted.
    pub inputs: Vec<String>,
    /// The row of the first input.
    pub first: ManifestRow,
}

impl<'a> Source<'a> {
    /// Lists the inputs of a folder. Refuses a folder that cannot be read as a whole.
    pub fn read(folder: &'a OutputFolder, progress: &Progress) -> Result<Self> {
        folder.refuse_half_forgotten()?;
        let place = folder.path().display();
        // Check the seal before listing: inputs that are done later are not in the list.
        let sealed = folder.is_sealed()?;
        let inputs = folder.done_inputs()?;
        let mut first: Option<ManifestRow> = None;
        for name in &inputs {
            progress.go_on()?;
            let Some(row) = folder.row(name)? else {
                continue;
            };
            if row.pages.skips.contains_key(&SkipReason::Panicked) {
                return Err(Error::Invalid(format!(
                    "{place}: the pipeline panicked on a page of {name}; another pipeline may keep \
                     this page; run `clean` on the crawl"
                )));
            }
            match &first {
                None => first = Some(row),
                Some(first) => {
                    if let Some(what) = first.recipe.difference(&row.recipe) {
                        return Err(Error::Invalid(format!(
                            "{place} holds outputs of several runs: {what} for {name}; clean them \
                             again with one pipeline"
                        )));
                    }
                }
            }
        }
        let first =
            first.ok_or_else(|| Error::Invalid(format!("{place}: no input is done yet")))?;
        if first.recipe.version != VERSION {
            return Err(Error::Invalid(format!(
                "{place} was written by version {}, and this is version {VERSION}, which may see \
                 other blocks; run `clean` on the crawl",
                first.recipe.version
            )));
        }
        Ok(Self {
            folder,
            sealed,
            inputs,
            first,
        })
    }

    /// The recipe of all its outputs.
    pub fn recipe(&self) -> &Recipe {
        &self.first.recipe
    }

    /// sha256 of the recipe, in hex.
    pub fn recipe_sha256(&self) -> String {
        let json = serde_json::to_vec(self.recipe()).expect("a recipe is plain data");
        HEXLOWER.encode(&Sha256::digest(json))
    }

    /// The current row of an input. Refuses a row whose recipe has changed since the run began.
    pub fn row(&self, name: &str) -> Result<ManifestRow> {
        let row = self.folder.row(name)?;
        let row = row.ok_or_else(|| self.changed(name, "its row is gone"))?;
        if let Some(what) = self.recipe().difference(&row.recipe) {
            return Err(self.changed(name, &what));
        }
        match self.folder.unbalanced(&row) {
            Some(error) => Err(error),
            None => Ok(row),
        }
    }

    /// Refuses an input that was cleaned again while it was read, because old and new files would
    /// mix.
    pub fn refuse_other_files(&self, name: &str, read: &[OutputFile]) -> Result<()> {
        match self.row(name)?.outputs == read {
            true => Ok(()),
            false => Err(self.changed(name, "its files were others")),
        }
    }

    /// The error if another process cleans the input. The command may succeed later.
    fn changed(&self, name: &str, what: &str) -> Error {
        let path = self.folder.manifest_path(name);
        let what =
            format!("was cleaned again meanwhile ({what}); run this command again afterwards");
        Error::io(path, std::io::Error::other(what))
    }

    /// Refuses an output folder with inputs that this folder does not have. No run would label them
    /// again, and the output folder would mix two crawls.
    pub fn refuse_others(&self, out: &OutputFolder) -> Result<()> {
        if !out.folder().has_listing() {
            return Ok(());
        }
        let known: HashSet<_> = self.folder.known_inputs()?.into_iter().collect();
        let mut others = out.known_inputs()?;
        others.retain(|name| !known.contains(name));
        match others.first() {
            None => Ok(()),
            Some(first) => Err(Error::Invalid(format!(
                "{} holds inputs that {} does not have: {}, such as {first}; use another --out",
                out.path().display(),
                self.folder.path().display(),
                others.len()
            ))),
        }
    }

    /// Why the output may not be sealed: the source has no seal, or has changed since the run
    /// began.
    pub fn why_not(&self) -> Result<Option<NotSealed>> {
        if !self.folder.is_sealed()? {
            return Ok(Some(NotSealed::NoSource));
        }
        let is_same = self.sealed
            && self.folder.done_inputs()? == self.inputs
            && self.folder.recipe()?.as_ref() == Some(self.recipe());
        Ok((!is_same).then_some(NotSealed::SourceChanged))
    }
}
