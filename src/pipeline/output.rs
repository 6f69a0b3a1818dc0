//! The output folder: what is where in it, what of it is done, its seal.

use super::manifest::{ManifestRow, Recipe, Status};
use super::{Input, InputKind};
use crate::error::{Error, Result};
use crate::sink::{OutputFile, remove_if_there, write_atomically};
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// Where outputs go.
#[derive(Clone, Debug)]
pub struct OutputFolder(PathBuf);

impl OutputFolder {
    /// The folder `path`, which need not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The manifest row of an input.
    pub fn manifest_path(&self, name: &str) -> PathBuf {
        self.manifest_folder().join(format!("{name}.json"))
    }

    /// All manifest rows stand below this folder.
    pub fn manifest_folder(&self) -> PathBuf {
        self.0.join("_manifest")
    }

    /// The inputs that have a manifest row, sorted.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn done_inputs(&self) -> Result<Vec<String>> {
        names_below(&self.manifest_folder(), ".json")
    }

    /// The documents of an input.
    pub fn documents_path(&self, name: &str) -> PathBuf {
        self.0.join(format!("documents/{name}.parquet"))
    }

    /// The inputs that have documents, done or not, sorted.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn documents(&self) -> Result<Vec<String>> {
        let folder = self.0.join("documents");
        match folder.is_dir() {
            true => names_below(&folder, ".parquet"),
            false => Ok(Vec::new()),
        }
    }

    /// The file whose presence says that every input is done and balances.
    pub fn success_path(&self) -> PathBuf {
        self.0.join("_SUCCESS")
    }

    /// The recipe of all that is in the folder.
    fn recipe_path(&self) -> PathBuf {
        self.0.join("_recipe.json")
    }

    /// Claims the folder for a recipe: writes it down, or compares it with what a run
    /// before, or another process, has written. With `redo` it takes the place of another.
    ///
    /// # Errors
    /// [`Error::Usage`] naming the difference, or [`Error::Io`].
    pub(super) fn claim(&self, recipe: &Recipe, redo: bool) -> Result<()> {
        fs::create_dir_all(&self.0).map_err(|e| Error::io(&self.0, e))?;
        let path = self.recipe_path();
        let mut json = serde_json::to_vec_pretty(recipe).expect("a recipe is plain data");
        json.push(b'\n');
        // Of two processes that begin at once, one makes the file and the other compares.
        match File::create_new(&path) {
            Ok(mut file) => {
                return file
                    .write_all(&json)
                    .and_then(|()| file.sync_all())
                    .map_err(|e| Error::io(path, e));
            }
            Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
            Err(e) => return Err(Error::io(path, e)),
        }
        match self.recipe()?.map(|before| before.difference(recipe)) {
            Some(None) => Ok(()),
            Some(Some(what)) if !redo => Err(Error::Usage(format!(
                "{} was made otherwise: {what}; use another --out, or --redo to clean the inputs \
                 again",
                self.0.display()
            ))),
            _ => write_atomically(&path, &json),
        }
    }

    /// The recipe that claims the folder; `None` where a crash left half of one.
    fn recipe(&self) -> Result<Option<Recipe>> {
        let path = self.recipe_path();
        for _ in 0..10 {
            let json = fs::read(&path).map_err(|e| Error::io(&path, e))?;
            if let Ok(recipe) = serde_json::from_slice(&json) {
                return Ok(Some(recipe));
            }
            // Another process may be about to write it.
            thread::sleep(Duration::from_millis(20));
        }
        Ok(None)
    }

    /// How `input` stands against the manifest under this recipe. An input that is no
    /// regular file is always open: nothing tells whether it is the same.
    ///
    /// # Errors
    /// [`Error::Io`] or [`Error::Integrity`] where the row cannot be read.
    pub fn status(&self, input: &Input, recipe: &Recipe) -> Result<Status> {
        let Some(row) = ManifestRow::load(&self.manifest_path(&input.name))? else {
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
        Ok(if self.lost_outputs(&row).is_empty() {
            Status::Done(Box::new(row))
        } else {
            Status::Open
        })
    }

    /// Outputs of a row that are gone or have another size.
    pub fn lost_outputs<'r>(&self, row: &'r ManifestRow) -> Vec<&'r OutputFile> {
        let is_lost = |file: &&OutputFile| {
            !fs::metadata(self.0.join(&file.path)).is_ok_and(|m| m.len() == file.bytes)
        };
        row.outputs.iter().filter(is_lost).collect()
    }

    /// Takes back the seal and the rows of inputs that are to be done.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn reopen(&self, inputs: &[Input]) -> Result<()> {
        remove_if_there(&self.success_path())?;
        for input in inputs {
            remove_if_there(&self.manifest_path(&input.name))?;
            // Under other settings an output may not be written again.
            for table in ["documents", "blocks"] {
                remove_if_there(&self.0.join(format!("{table}/{}.parquet", input.name)))?;
            }
        }
        // Another process may have sealed as long as the rows stood.
        remove_if_there(&self.success_path())
    }

    /// Writes `_SUCCESS` if every input has a row, every row balances, all were made by one
    /// recipe, and no output is lost; removes it otherwise.
    ///
    /// # Errors
    /// [`Error::Io`] or [`Error::Integrity`] where a row cannot be read or the file not be written.
    pub fn seal(&self, inputs: &[Input]) -> Result<bool> {
        let mut recipe = None;
        for input in inputs {
            let row = ManifestRow::load(&self.manifest_path(&input.name))?;
            let sound = row.is_some_and(|row| {
                let same = *recipe.get_or_insert_with(|| row.recipe.clone()) == row.recipe;
                same && row.imbalances().is_empty()
                    && row.changed_input(input).is_none()
                    && self.lost_outputs(&row).is_empty()
            });
            if !sound {
                remove_if_there(&self.success_path())?;
                return Ok(false);
            }
        }
        if !self.success_path().exists() {
            write_atomically(&self.success_path(), b"")?;
        }
        Ok(true)
    }
}

/// The files below a folder that end so, named without that ending, sorted. Hidden ones are
/// temporary.
fn names_below(root: &Path, ending: &str) -> Result<Vec<String>> {
    let mut folders = vec![root.to_owned()];
    let mut names = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(|e| Error::io(&folder, e))? {
            let entry = entry.map_err(|e| Error::io(&folder, e))?;
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if !entry.file_name().to_string_lossy().starts_with('.') {
                let name = path.strip_prefix(root).ok().and_then(Path::to_str);
                names.extend(name.and_then(|n| n.strip_suffix(ending)).map(str::to_owned));
            }
        }
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipe(method: &str) -> Recipe {
        Recipe {
            version: "1".to_owned(),
            pipeline_sha256: method.repeat(16),
            model_sha256: None,
            method: method.to_owned(),
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
        fs::write(out.recipe_path(), "{\"vers").unwrap();
        out.claim(&recipe("a"), false).unwrap();
        out.claim(&recipe("a"), false).unwrap();
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
            let pipeline = crate::config::Pipeline::parse(path.to_str().unwrap(), step).unwrap();
            out.claim(&Recipe::of(&pipeline), false)
        };
        claim("a").unwrap();
        claim("a").unwrap();
        let refused = claim("b").unwrap_err().to_string();
        assert!(refused.contains("the model was "), "{refused}");
    }

    #[test]
    fn of_processes_that_begin_at_once_one_recipe_wins() {
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
