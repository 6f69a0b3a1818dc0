//! The output folder: its layout, which inputs are done, and its seal.

use super::manifest::{ManifestRow, Recipe, Status};
use super::{Input, InputKind, look_at_each};
use crate::sink::OutputFile;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;
use warcsieve_base::{Error, Result};
use warcsieve_store::Folder;

/// The folder that outputs are written to.
#[derive(Clone, Debug)]
pub struct OutputFolder(Folder);

/// The seal: the file whose presence means that every input is done and its counts balance.
const SUCCESS: &str = "_SUCCESS";

/// Attempts to claim the folder.
const CLAIMS: usize = 100;

/// The file with the recipe of all outputs in the folder.
const RECIPE: &str = "_recipe.json";

/// The folder of the manifest rows.
const MANIFEST: &str = "_manifest";

impl OutputFolder {
    /// The folder `path` of the file system, which need not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(Folder::Local(path.into()))
    }

    /// A folder here or in an object store.
    pub fn of(folder: Folder) -> Self {
        Self(folder)
    }

    /// The folder itself.
    pub fn folder(&self) -> &Folder {
        &self.0
    }

    /// Its path or address.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Path of the manifest row of an input.
    pub fn manifest_path(&self, name: &str) -> PathBuf {
        self.0.file(&row_name(name))
    }

    /// Whether a run has ever written to the folder.
    pub fn has_manifest(&self) -> bool {
        match &self.0 {
            Folder::Local(path) => path.join(MANIFEST).is_dir(),
            Folder::Remote(..) => self.0.size(RECIPE).is_ok_and(|size| size.is_some()),
        }
    }

    /// The inputs that have a manifest row, sorted.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn done_inputs(&self) -> Result<Vec<String>> {
        self.0.names(MANIFEST, ".json")
    }

    /// Whether the folder exists, as far as that can be determined.
    pub fn exists(&self) -> bool {
        match &self.0 {
            Folder::Local(path) => path.is_dir(),
            Folder::Remote(..) => self.has_manifest(),
        }
    }

    /// Reads the row of an input; `None` if there is none.
    ///
    /// # Errors
    /// [`Error::Io`], or [`Error::Integrity`] where the file is not a manifest row.
    pub fn row(&self, name: &str) -> Result<Option<ManifestRow>> {
        let bytes = self.0.read(&row_name(name))?;
        let path = self.manifest_path(name);
        bytes.map(|b| ManifestRow::parse(&path, &b)).transpose()
    }

    /// Writes a row, whole or not at all.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn store(&self, row: &ManifestRow) -> Result<()> {
        self.0.write(&row_name(&row.input), &row.to_json())
    }

    /// Path of the documents of an input.
    pub fn documents_path(&self, name: &str) -> PathBuf {
        self.0.file(&documents_name(name))
    }

    /// The inputs that have documents, done or not, sorted.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn documents(&self) -> Result<Vec<String>> {
        self.0.names("documents", ".parquet")
    }

    /// Whether the folder is sealed.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn is_sealed(&self) -> Result<bool> {
        self.0.size(SUCCESS).map(|size| size.is_some())
    }

    /// Claims the folder for a recipe: writes it, or compares it with the one that an earlier run
    /// or another process has written. With `redo` it replaces another one.
    ///
    /// # Errors
    /// [`Error::Usage`] naming the difference, or [`Error::Io`].
    pub(super) fn claim(&self, recipe: &Recipe, redo: bool) -> Result<()> {
        self.0.make()?;
        let mut json = serde_json::to_vec_pretty(recipe).expect("a recipe is plain data");
        json.push(b'\n');
        for _ in 0..CLAIMS {
            // Of two processes that begin at once, one creates the file and the other compares.
            if self.0.write_new(RECIPE, &json)? {
                return Ok(());
            }
            let Some(before) = self.recipe()? else {
                // It was removed, or another process is about to write it.
                thread::sleep(Duration::from_millis(20));
                continue;
            };
            return match before.map(|before| before.difference(recipe)) {
                Some(None) => Ok(()),
                Some(Some(what)) if !redo => Err(Error::Usage(format!(
                    "{} was made otherwise: {what}; use another --out, or --redo to clean the \
                     inputs again",
                    self.path().display()
                ))),
                _ => self.0.write(RECIPE, &json),
            };
        }
        Err(Error::io(
            self.0.file(RECIPE),
            std::io::Error::other("is there when it is written and is not when it is read"),
        ))
    }

    /// The recipe that claims the folder; `None` where there is none, `Some(None)` where a crash
    /// left an incomplete one.
    fn recipe(&self) -> Result<Option<Option<Recipe>>> {
        for _ in 0..10 {
            let Some(json) = self.0.read(RECIPE)? else {
                return Ok(None);
            };
            if let Ok(recipe) = serde_json::from_slice(&json) {
                return Ok(Some(recipe));
            }
            // Another process may be about to write it.
            thread::sleep(Duration::from_millis(20));
        }
        Ok(Some(None))
    }

    /// The state of `input` in the manifest under this recipe. An input that is no regular file is
    /// always open, since nothing shows whether it is the same.
    ///
    /// # Errors
    /// [`Error::Io`] or [`Error::Integrity`] where the row cannot be read.
    pub fn status(&self, input: &Input, recipe: &Recipe) -> Result<Status> {
        let Some(row) = self.row(&input.name)? else {
            return Ok(Status::Open);
        };
        if let Some(difference) = row.recipe.difference(recipe) {
            return Ok(Status::Differs(difference));
        }
        if input.kind == InputKind::Stdin || row.stamp.is_none() {
            return Ok(Status::Open);
        }
        if let Some(difference) = row.changed_input(input) {
            return Ok(Status::Differs(difference));
        }
        Ok(if self.lost_outputs(&row)?.is_empty() {
            Status::Done(Box::new(row))
        } else {
            Status::Open
        })
    }

    /// Outputs of a row that are missing or have another size.
    ///
    /// # Errors
    /// [`Error::Io`] where that cannot be determined.
    pub fn lost_outputs<'r>(&self, row: &'r ManifestRow) -> Result<Vec<&'r OutputFile>> {
        let mut lost = Vec::new();
        for file in &row.outputs {
            if self.0.size(&file.path)? != Some(file.bytes) {
                lost.push(file);
            }
        }
        Ok(lost)
    }

    /// Removes the seal, and rows and outputs of inputs that must be done again. `sealed` says
    /// whether the folder was sealed before the rows were read, `blocks` whether that table will be
    /// written.
    ///
    /// Another process may be working on one of the inputs, or may have completed it and sealed the
    /// folder meanwhile. So for an input without a row, only files are removed that will not be
    /// written again.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn reopen(
        &self,
        inputs: &[Input],
        recipe: &Recipe,
        sealed: bool,
        blocks: bool,
    ) -> Result<()> {
        let files = |input: &Input| {
            let name = &input.name;
            [row_name(name), documents_name(name), blocks_name(name)]
        };
        let found = self.look(inputs, |input| self.is_outdated(input, recipe));
        let mut outdated = Vec::new();
        for (input, found) in inputs.iter().zip(found) {
            if found? {
                outdated.push(input);
            } else if !blocks {
                // A run with other settings may have written it, and this one will not.
                self.0.remove(&blocks_name(&input.name))?;
            }
        }
        if sealed || !outdated.is_empty() {
            self.0.remove(SUCCESS)?;
        }
        for file in outdated.iter().flat_map(|i| files(i)) {
            self.0.remove(&file)?;
        }
        if !outdated.is_empty() {
            // Another process may have sealed the folder before the rows were removed.
            self.0.remove(SUCCESS)?;
        }
        Ok(())
    }

    /// Whether the input has a row, but is not done with this recipe.
    fn is_outdated(&self, input: &Input, recipe: &Recipe) -> Result<bool> {
        if self.0.size(&row_name(&input.name))?.is_none() {
            return Ok(false);
        }
        match self.status(input, recipe) {
            Ok(Status::Done(_)) => Ok(false),
            // Only what is known to be wrong is removed.
            Err(error @ Error::Io { .. }) => Err(error),
            _ => Ok(true),
        }
    }

    /// Writes `_SUCCESS` if every input has a row, every row balances, all were made by one recipe,
    /// and no output is lost; removes it otherwise. Without inputs the folder is never sealed.
    ///
    /// # Errors
    /// [`Error::Io`] or [`Error::Integrity`] where a row cannot be read or the file not be written.
    pub fn seal(&self, inputs: &[Input]) -> Result<bool> {
        // Another process may seal the folder meanwhile, because an input was completed after we
        // looked. So the seal is removed only if it was there before, and a second look agrees.
        let was_sealed = self.is_sealed()?;
        let sound = self.is_whole(inputs)?;
        if sound && !was_sealed {
            self.0.write(SUCCESS, b"")?;
        } else if !sound && was_sealed && !self.is_whole(inputs)? {
            self.0.remove(SUCCESS)?;
            return Ok(false);
        }
        Ok(sound)
    }

    /// Whether all inputs are done, by one recipe, and balance.
    fn is_whole(&self, inputs: &[Input]) -> Result<bool> {
        // One listing shows quickly whether inputs are left; reading each row may take hours.
        let done = self.done_inputs()?;
        let has_row = |input: &Input| done.binary_search(&input.name).is_ok();
        if inputs.is_empty() || !inputs.iter().all(has_row) {
            return Ok(false);
        }
        let rows = self.look(inputs, |input| {
            let Some(row) = self.row(&input.name)? else {
                return Ok(None);
            };
            let sound = row.imbalances().is_empty()
                && row.changed_input(input).is_none()
                && self.lost_outputs(&row)?.is_empty();
            Ok(sound.then_some(row.recipe))
        });
        let mut recipe = None;
        for row in rows {
            let Some(its) = row? else {
                return Ok(false);
            };
            if *recipe.get_or_insert_with(|| its.clone()) != its {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The results of `look` for each input, in their order; many calls run at once where the
    /// folder or an input is in a store.
    pub fn look<T: Send>(&self, inputs: &[Input], look: impl Fn(&Input) -> T + Sync) -> Vec<T> {
        let remote = matches!(self.0, Folder::Remote(..));
        look_at_each(inputs, remote, look)
    }
}

/// The file of an input's row.
fn row_name(input: &str) -> String {
    format!("{MANIFEST}/{input}.json")
}

fn documents_name(input: &str) -> String {
    format!("documents/{input}.parquet")
}

fn blocks_name(input: &str) -> String {
    format!("blocks/{input}.parquet")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn recipe(method: &str) -> Recipe {
        Recipe {
            version: "1".to_owned(),
            pipeline_sha256: method.repeat(16),
            model_sha256: None,
            method: method.to_owned(),
            selection_sha256: None,
        }
    }

    #[test]
    fn a_folder_is_claimed_for_one_recipe() {
        let folder = tempfile::tempdir().unwrap();
        let out = OutputFolder::new(folder.path().join("out"));
        out.claim(&recipe("a"), false).unwrap();
        out.claim(&recipe("a"), false).unwrap();
        let refused = out.claim(&recipe("b"), false).unwrap_err().to_string();
        assert!(refused.contains("the pipeline file was a ("), "{refused}");
        out.claim(&recipe("b"), true).unwrap();
        assert!(out.claim(&recipe("a"), false).is_err());
        fs::write(folder.path().join("out/_recipe.json"), "{\"vers").unwrap();
        out.claim(&recipe("a"), false).unwrap();
        out.claim(&recipe("a"), false).unwrap();
    }

    /// Spark's speculative execution runs two processes on one input; the slower one may begin at
    /// any moment.
    #[test]
    fn a_late_process_removes_nothing_of_one_that_has_completed() {
        let folder = tempfile::tempdir().unwrap();
        let out = OutputFolder::new(folder.path());
        let input = Input {
            kind: InputKind::File(folder.path().join("a.warc")),
            name: "a.warc".to_owned(),
            selected: None,
        };
        fs::write(folder.path().join("a.warc"), "").unwrap();
        let inputs = std::slice::from_ref(&input);
        let files = [
            out.documents_path("a.warc"),
            folder.path().join("blocks/a.warc.parquet"),
            out.manifest_path("a.warc"),
            folder.path().join(SUCCESS),
        ];
        let row = ManifestRow {
            input: input.name.clone(),
            stamp: input.stamp().unwrap(),
            selected: None,
            recipe: recipe("a"),
            read: warcsieve_warc::ledger::ReadLedger::default(),
            pages: crate::pipeline::PageTally::default(),
            outputs: Vec::new(),
        };
        let end = |ended: &[PathBuf]| {
            for file in ended {
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, "").unwrap();
            }
            if ended.contains(&files[2]) {
                out.store(&row).unwrap();
            }
        };
        for ended in [1, 2, 3, 4] {
            end(&files[..ended]);
            out.reopen(inputs, &recipe("a"), false, true).unwrap();
            assert!(files[..ended].iter().all(|f| f.exists()), "{ended}");
        }
        out.reopen(inputs, &recipe("b"), false, true).unwrap();
        assert!(!files.iter().any(|f| f.exists()), "made otherwise");
        end(&[files[1].clone(), files[3].clone()]);
        out.reopen(inputs, &recipe("a"), true, false).unwrap();
        assert!(!files[1].exists(), "will not be written");
        assert!(!files[3].exists(), "sealed without this input");
    }

    #[test]
    fn a_changed_model_is_another_recipe() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("m.tree");
        let out = OutputFolder::new(folder.path().join("out"));
        let claim = |class: &str| {
            let text = format!("format = 1\nclasses = ['a', 'b']\nrules = ': {class}'\n");
            fs::write(&model, text).unwrap();
            let step = "[[step]]\nmethod = 'tree'\nmodel = 'm.tree'\n";
            let path = folder.path().join("p.toml");
            let pipeline = warcsieve_clean::Pipeline::parse(path.to_str().unwrap(), step).unwrap();
            out.claim(&Recipe::of(&pipeline), false)
        };
        claim("a").unwrap();
        claim("a").unwrap();
        let refused = claim("b").unwrap_err().to_string();
        assert!(refused.contains("the model was "), "{refused}");
    }

    #[test]
    fn only_one_recipe_wins_if_processes_begin_at_once() {
        for _ in 0..20 {
            let folder = tempfile::tempdir().unwrap();
            let out = OutputFolder::new(folder.path());
            let won: usize = thread::scope(|scope| {
                let claims = ["a", "b", "c"].map(|m| {
                    let out = &out;
                    scope.spawn(move || out.claim(&recipe(m), false).is_ok())
                });
                claims.map(|c| usize::from(c.join().unwrap())).iter().sum()
            });
            assert_eq!(won, 1);
        }
    }
}
