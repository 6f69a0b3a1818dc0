//! `txt/`, `html/` and `md/`: the files a page that rows of the manifest have beside their tables.
//!
//! No row lists them, as there may be a million. The table `documents` of the row says which they are and what is in
//! each; files in a store are not looked for.

use super::{Input, OutputFolder};
use crate::manifest::ManifestRow;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;
use warcsieve_common::{Error, Result, counted};
use warcsieve_render::TextFormat;
use warcsieve_store::Folder;
use warcsieve_tables::{PageFileNames, ending};

/// How a file is compared with what was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// By its size.
    Size,
    /// By its bytes.
    Bytes,
}

impl OutputFolder {
    /// Files of a row's pages that are not there, or not what was written; at most 100, a line each. None if the row was
    /// written without such files.
    ///
    /// Reads the row's `documents`.
    ///
    /// # Errors
    /// [`Error::Integrity`] if that cannot be read; [`Error::Io`].
    pub fn lost_page_files(&self, row: &ManifestRow, compare: Compare) -> Result<Vec<String>> {
        let mut lost = Vec::new();
        let (Folder::Local(path), Some(form)) = (&self.0, form(row)) else {
            return Ok(lost);
        };
        let documents = self.documents_path(&row.input);
        let file = match File::open(&documents) {
            Ok(file) => file,
            // That is found to be lost itself.
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(lost),
            Err(e) => return Err(Error::io(&documents, e)),
        };
        let names = PageFileNames::new(&row.input, form);
        let read = names.of_documents(file, |name, content| {
            if lost.len() < MOST {
                let what = differs(&path.join(&name), content.as_bytes(), compare);
                lost.extend(what.map(|what| format!("{name}: {what}")));
            }
        });
        read.map_err(|why| {
            why.at(&documents, |what| Error::Integrity {
                path: documents.clone(),
                message: format!("{what}; remove it to redo the input"),
            })
        })?;
        Ok(lost)
    }

    /// Removes the files of the pages of some inputs, in whatever form they are, also those of a run that did not end.
    pub(super) fn remove_page_files<'i>(
        &self,
        inputs: impl Iterator<Item = &'i Input>,
    ) -> Result<()> {
        let inputs: HashSet<&str> = inputs.map(|input| input.name.as_str()).collect();
        if inputs.is_empty() || !self.0.has_listing() {
            return Ok(());
        }
        for form in TextFormat::ALL {
            let (folder, ending) = (ending(form), format!(".{}", ending(form)));
            for page in self.0.names(folder, &ending)? {
                let crawl = page.rsplit_once('/').map_or("", |(crawl, _)| crawl);
                if inputs.contains(page.as_str()) || inputs.contains(crawl) {
                    self.0.remove(&format!("{folder}/{page}{ending}"))?;
                }
            }
        }
        Ok(())
    }
}

/// How a file differs from what was written; `None` if it does not.
fn differs(file: &Path, written: &[u8], compare: Compare) -> Option<String> {
    let found = match compare {
        Compare::Size => fs::metadata(file).map(|m| m.len() == written.len() as u64),
        Compare::Bytes => fs::read(file).map(|bytes| bytes == written),
    };
    match found {
        Ok(true) => None,
        Ok(false) => Some(match compare {
            Compare::Size => format!("not of {}", counted(written.len(), "byte", "bytes")),
            Compare::Bytes => "its bytes are not those that were written".to_owned(),
        }),
        Err(e) if e.kind() == ErrorKind::NotFound => Some("gone".to_owned()),
        Err(e) => Some(format!("cannot be read: {e}")),
    }
}

/// Most files that are named.
const MOST: usize = 100;

/// The form of the files that a row has.
fn form(row: &ManifestRow) -> Option<TextFormat> {
    let written = row.recipe.page_files.as_deref()?;
    TextFormat::ALL
        .into_iter()
        .find(|form| ending(*form) == written)
}
