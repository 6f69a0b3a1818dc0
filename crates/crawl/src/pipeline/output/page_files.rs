//! `txt/`, `html/` and `md/`: the files a page that rows of the manifest have beside their tables.
//!
//! No row lists them, as there may be a million. The table `documents` of the row says which they are and what is in
//! each; files in a store are not looked for.

use super::{OutputFolder, documents_name};
use crate::pipeline::manifest::ManifestRow;
use crate::sink::{FORMS, PageFileNames, ending};
use std::fs::File;
use warcsieve_base::{Error, Result};
use warcsieve_render::Output;
use warcsieve_store::Folder;

impl OutputFolder {
    /// Files of a row's pages that are not there or, where `contents` are compared, not what was written; at most 100, a
    /// line each. None if the row was written without such files.
    ///
    /// Reads the row's `documents`.
    ///
    /// # Errors
    /// [`Error::Integrity`] if that cannot be read; [`Error::Io`].
    pub fn lost_page_files(&self, row: &ManifestRow, contents: bool) -> Result<Vec<String>> {
        let mut lost = Vec::new();
        let path = match &self.0 {
            Folder::Local(path) => path.clone(),
            Folder::Remote(..) => return Ok(lost),
        };
        self.each_page_file(row, contents, |name, content| {
            if lost.len() == MOST {
                return Ok(());
            }
            let file = path.join(&name);
            if !file.is_file() {
                lost.push(format!("{name}: gone"));
            } else if contents && std::fs::read(&file).is_ok_and(|is| is != content.as_bytes()) {
                lost.push(format!("{name}: its bytes are not those that were written"));
            }
            Ok(())
        })?;
        Ok(lost)
    }

    /// Removes the files of a row's pages. If its `documents` cannot be read, they are not known and stay.
    pub(super) fn remove_page_files(&self, row: &ManifestRow) -> Result<()> {
        let removed = self.each_page_file(row, false, |name, _| {
            self.0.remove(&name).map_err(|error| error.to_string())
        });
        match removed {
            Err(Error::Integrity { path, message }) => {
                let path = path.display();
                tracing::warn!("files of pages may be left from before: {path}: {message}");
                Ok(())
            }
            removed => removed,
        }
    }

    fn each_page_file(
        &self,
        row: &ManifestRow,
        contents: bool,
        each: impl FnMut(String, String) -> std::result::Result<(), String>,
    ) -> Result<()> {
        let Some(form) = form(row) else {
            return Ok(());
        };
        let documents = documents_name(&row.input);
        if matches!(self.0, Folder::Remote(..)) || self.0.size(&documents)?.is_none() {
            return Ok(());
        }
        let path = self.0.file(&documents);
        let file = File::open(&path).map_err(|e| Error::io(&path, e))?;
        let names = PageFileNames::new(&row.input, form);
        let read = names.of_documents(file, contents, each);
        read.map_err(|message| Error::Integrity { path, message })
    }
}

/// Most files that are named.
const MOST: usize = 100;

/// The form of the files that a row has.
fn form(row: &ManifestRow) -> Option<Output> {
    let written = row.recipe.page_files.as_deref()?;
    FORMS.into_iter().find(|form| ending(*form) == written)
}

/// The folders of the files of these inputs in this form.
pub(super) fn folders<'n>(
    names: impl Iterator<Item = &'n str>,
    form: Output,
) -> impl Iterator<Item = String> {
    names.flat_map(move |name| PageFileNames::new(name, form).folders())
}
