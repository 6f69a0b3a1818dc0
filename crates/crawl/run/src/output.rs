//! The output folder: its layout, which inputs are done, and its seal.

mod claim;
mod lists;
mod page_files;
mod pages;
mod renamed;
mod seal;
#[cfg(test)]
mod tests;
mod void;

pub use page_files::Compare;
pub use seal::Unsealed;

use crate::checkpoint;
use crate::manifest::{ManifestRow, Recipe, Status};
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use warcsieve_common::files::is_folder;
use warcsieve_common::{Error, Result};
use warcsieve_engine::{CLEANED, Input, InputKind, RECIPE, map_inputs};
use warcsieve_store::{Folder, Stores};
use warcsieve_tables::{
    NAMES, OutputFile, PageLayout, Tables, page_file_folders, path_of, paths_of,
};

/// The folder that a run writes to.
#[derive(Clone, Debug)]
pub struct OutputFolder(Folder);

/// The seal: if this file exists, every input is done and all counts add up.
const SUCCESS: &str = "_SUCCESS";

/// The folder of the manifest rows.
const MANIFEST: &str = "_manifest";

/// The file of a run that forgets pages and is not finished.
pub(crate) const FORGETTING: &str = "_forget/entry.json";

/// The folder of the lists of inputs.
const INPUTS: &str = "_inputs";

impl OutputFolder {
    /// The local folder at `path`. It need not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(Folder::Local(path.into()))
    }

    /// The folder at a path or an address. It need not exist yet.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the address is not valid, or the path is empty.
    pub fn at(place: &str, stores: &Stores) -> Result<Self> {
        Folder::at(place, stores).map(Self)
    }

    /// A local folder, or one in an object store.
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
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn has_manifest(&self) -> Result<bool> {
        match &self.0 {
            Folder::Local(path) => is_folder(&path.join(MANIFEST)),
            Folder::Remote(..) => Ok(self.0.size(RECIPE)?.is_some()),
        }
    }

    /// The error for a folder that no run wrote to. `lacks` says how it is known, and `advice` what to do instead. If
    /// the folder is a corpus, the output folder in it is named.
    pub(crate) fn refusal(&self, lacks: &str, advice: &str) -> Error {
        let place = self.path().display();
        let cleaned = self.path().join(CLEANED);
        let advice = match is_folder(&cleaned.join(MANIFEST)) {
            Ok(true) => format!(
                "it is a corpus: name {}, which has its pages, those in duplicates/ of the corpus, too",
                cleaned.display()
            ),
            _ => advice.to_owned(),
        };
        let what = "is not an output folder of `clean`";
        Error::Invalid(format!("{place} {what}: {lacks}; {advice}"))
    }

    /// Refuses a folder without manifest rows.
    ///
    /// # Errors
    /// [`Error::Invalid`]; [`Error::Io`].
    pub(crate) fn must_have_manifest(&self) -> Result<()> {
        let advice = "`warcsieve clean INPUT --out DIR` writes one";
        match self.has_manifest()? {
            true => Ok(()),
            false => Err(self.refusal("it has no _manifest", advice)),
        }
    }

    /// Refuses a folder in which a run that forgets pages was interrupted. Only `forget` may go on with it.
    ///
    /// # Errors
    /// [`Error::Invalid`]; [`Error::Io`].
    pub fn refuse_half_forgotten(&self) -> Result<()> {
        let is_local = matches!(self.0, Folder::Local(_));
        match is_local && self.0.size(FORGETTING)?.is_some() {
            true => Err(Error::Invalid(format!(
                "{}: a `warcsieve forget` was interrupted; run it again first, with the same lists",
                self.path().display()
            ))),
            false => Ok(()),
        }
    }

    /// The inputs that have a manifest row, sorted.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn done_inputs(&self) -> Result<Vec<String>> {
        self.0.names(MANIFEST, ".json")
    }

    /// Reads the row of an input; `None` if there is none.
    ///
    /// # Errors
    /// [`Error::Io`], or [`Error::Integrity`] where the file is not the manifest row of that input.
    pub fn row(&self, name: &str) -> Result<Option<ManifestRow>> {
        let Some(bytes) = self.0.read(&row_name(name))? else {
            return Ok(None);
        };
        let path = self.manifest_path(name);
        let row = ManifestRow::parse(&path, &bytes)?;
        if row.input != name {
            let message = format!(
                "this is the row of {}; remove this file to redo the input",
                row.input
            );
            return Err(Error::Integrity { path, message });
        }
        Ok(Some(row))
    }

    /// The error of a row whose counts do not add up; `None` if they do.
    pub(crate) fn unbalanced(&self, row: &ManifestRow) -> Option<Error> {
        let lines = row.imbalances();
        (!lines.is_empty()).then(|| Error::Integrity {
            path: self.manifest_path(&row.input),
            message: format!(
                "the counts do not add up: {}; remove this file to redo the input",
                lines.join("; ")
            ),
        })
    }

    /// Removes temporary files that killed processes left next to the outputs of these inputs. With
    /// a `layout`, also those next to their page files.
    pub(super) fn sweep<'n>(
        &self,
        names: impl Iterator<Item = &'n str>,
        layouts: &[PageLayout],
    ) -> Result<()> {
        let mut folders = BTreeSet::from([String::new(), INPUTS.to_owned()]);
        for name in names {
            let forms = layouts.iter().map(|layout| layout.form);
            folders.extend(forms.flat_map(|form| page_file_folders(name, form)));
            for file in files_of(name) {
                let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
                if !folders.contains(folder) {
                    folders.insert(folder.to_owned());
                }
            }
        }
        folders.iter().try_for_each(|folder| self.0.sweep(folder))
    }

    /// Removes the seal.
    pub(crate) fn unseal(&self) -> Result<()> {
        self.0.remove(SUCCESS)
    }

    /// Writes a row, either whole or not at all.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(crate) fn store(&self, row: &ManifestRow) -> Result<()> {
        self.0.write(&row_name(&row.input), &row.to_json())
    }

    /// Path of the documents of an input.
    pub fn documents_path(&self, name: &str) -> PathBuf {
        self.0.file(&path_of(NAMES.documents, name))
    }

    /// The inputs that have documents, done or not, sorted.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn documents(&self) -> Result<Vec<String>> {
        self.0.names(NAMES.documents, ".parquet")
    }

    /// The state of `input` in the manifest under this recipe. An input that is not a regular file
    /// is always open, because nothing shows whether it is still the same.
    ///
    /// # Errors
    /// [`Error::Io`] or [`Error::Integrity`] if the row cannot be read, or its counts do not add
    /// up.
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
        if let Some(error) = self.unbalanced(&row) {
            return Err(error);
        }
        Ok(match self.has_all_outputs(&row)? {
            true => Status::Done(Box::new(row)),
            false => Status::Open,
        })
    }

    /// Whether all outputs of a row exist, including page files.
    pub(super) fn has_all_outputs(&self, row: &ManifestRow) -> Result<bool> {
        let has_tables = self.lost_outputs(row)?.is_empty();
        Ok(has_tables && self.lost_page_files(row, Compare::Size)?.is_empty())
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

    /// Prepares inputs that must be cleaned again: removes their rows and outputs, and the seal.
    /// `sealed` says whether the folder was sealed before the rows were read. `redo` says whether
    /// the folder's recipe may have changed. `tables` are the tables that will be written.
    ///
    /// Meanwhile, another process may work on one of the inputs, or may have completed it and
    /// sealed the folder. So for an input without a row, only tables that this run does not write
    /// are removed. With `redo`, its page files are removed as well, because another recipe may
    /// have written them.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn reopen(
        &self,
        inputs: &[Input],
        recipe: &Recipe,
        (sealed, redo): (bool, bool),
        tables: Tables<&str>,
    ) -> Result<()> {
        let found = self.map_inputs(inputs, |input| self.is_outdated(input, recipe));
        let (mut outdated, mut others) = (Vec::new(), Vec::new());
        for (input, found) in inputs.iter().zip(found) {
            let names = if found? { &mut outdated } else { &mut others };
            names.push(input.name.as_str());
        }
        // The inputs are listed, so a run with other settings wrote these files. This run will not
        // replace them. In a folder without listings, there may be blocks of every input, because
        // nearly all other runs write that table.
        let written: Vec<_> = tables.each().collect();
        let may_be_there = |table| self.0.has_listing() || table == NAMES.blocks;
        let stale = NAMES.all().into_iter();
        let stale = stale.filter(|table| !written.contains(table) && may_be_there(*table));
        self.remove_tables_of(&others, stale)?;
        if sealed || !outdated.is_empty() {
            self.unseal()?;
        }
        self.remove_outputs_of(&outdated)?;
        if !outdated.is_empty() {
            // Another process may have sealed the folder before the rows were removed.
            self.unseal()?;
        }
        match redo {
            // An interrupted run with another recipe has left page files without a row.
            true => self.remove_page_files(&others),
            false => Ok(()),
        }
    }

    /// Removes everything that runs wrote for these inputs, also what interrupted ones have left. A
    /// checkpoint that another process works on stays.
    pub(super) fn remove_all_of(&self, names: &[&str]) -> Result<()> {
        self.remove_outputs_of(names)?;
        self.remove_page_lists_of(names)?;
        match &self.0 {
            Folder::Local(out) => checkpoint::sweep(out, names.iter().copied(), |_| Ok(true)),
            Folder::Remote(..) => Ok(()),
        }
    }

    /// Removes the rows, tables and page files of these inputs.
    fn remove_outputs_of(&self, names: &[&str]) -> Result<()> {
        names.iter().try_for_each(|name| self.remove_row(name))?;
        self.remove_tables_of(names, NAMES.all().into_iter())?;
        self.remove_page_files(names)
    }

    /// Removes the files that these inputs have in some tables. There are rarely any, so the folder
    /// is listed once per table.
    fn remove_tables_of<'t>(
        &self,
        names: &[&str],
        mut tables: impl Iterator<Item = &'t str>,
    ) -> Result<()> {
        if names.is_empty() {
            return Ok(());
        }
        let given: HashSet<&str> = names.iter().copied().collect();
        tables.try_for_each(|table| {
            let remove = |name: &str| self.0.remove(&path_of(table, name));
            if !self.0.has_listing() {
                return names.iter().copied().try_for_each(remove);
            }
            let there = self.0.names(table, ".parquet")?;
            let mut there = there.iter().filter(|name| given.contains(name.as_str()));
            there.try_for_each(|name| remove(name))
        })
    }

    /// Whether the input has a row, but is not done with this recipe.
    fn is_outdated(&self, input: &Input, recipe: &Recipe) -> Result<bool> {
        if self.0.size(&row_name(&input.name))?.is_none() {
            return Ok(false);
        }
        match self.status(input, recipe) {
            Ok(Status::Done(_)) => Ok(false),
            // Remove only what is known to be wrong. An I/O error proves nothing.
            Err(error @ Error::Io { .. }) => Err(error),
            _ => Ok(true),
        }
    }

    /// Removes the row of an input, if there is one.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(crate) fn remove_row(&self, name: &str) -> Result<()> {
        self.0.remove(&row_name(name))
    }

    /// Calls `find` for each input and returns the results in the same order. If the folder or an
    /// input is in a store, many calls run at once.
    pub fn map_inputs<T: Send>(
        &self,
        inputs: &[Input],
        find: impl Fn(&Input) -> T + Sync,
    ) -> Vec<T> {
        let remote = matches!(self.0, Folder::Remote(..));
        map_inputs(inputs, remote, find)
    }
}

/// The file name of an input's row.
fn row_name(input: &str) -> String {
    format!("{MANIFEST}/{input}.json")
}

/// The files that an input may have: its row and its tables.
fn files_of(input: &str) -> impl Iterator<Item = String> {
    std::iter::once(row_name(input)).chain(paths_of(input).all())
}
