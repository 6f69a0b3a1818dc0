//! `txt/`, `html/` and `md/`: the files a page that rows of the manifest have beside their tables.
//!
//! No row lists them, as there may be a million. The table `documents` of the row says which they are and what is in
//! each; files in a store are not looked for.

use super::{Input, OutputFolder};
use crate::manifest::ManifestRow;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{BufReader, ErrorKind, Read};
use std::path::Path;
use warcsieve_common::files::is_there;
use warcsieve_common::{Error, Result, counted};
use warcsieve_render::TextFormat;
use warcsieve_store::Folder;
use warcsieve_tables::{PageLayout, each_page_file, ending, page_list};

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
        let (Folder::Local(path), Some(layout)) = (&self.0, layout(row)) else {
            return Ok(lost);
        };
        let documents = self.documents_path(&row.input);
        let file = match File::open(&documents) {
            Ok(file) => file,
            // That is found to be lost itself.
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(lost),
            Err(e) => return Err(Error::io(&documents, e)),
        };
        let mut list = None;
        let read = each_page_file(&row.input, layout, file, |page| {
            if let Some((name, line)) = page.listed {
                let list = list.get_or_insert_with(|| ListOfPages::open(path, name));
                list.expect(line.as_bytes());
            }
            if lost.len() < MAX_REPORTED {
                let what = differs(&path.join(&page.name), page.content.as_bytes(), compare);
                lost.extend(what.map(|what| format!("{}: {what}", page.name)));
            }
        });
        lost.extend(list.and_then(ListOfPages::end));
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
            for input in &inputs {
                let list = page_list(input, form);
                // Where its folder would be, there may be a page.
                let may_be_there = match &self.0 {
                    Folder::Local(path) => is_there(&path.join(&list))?,
                    Folder::Remote(..) => true,
                };
                if may_be_there {
                    self.0.remove(&list)?;
                }
            }
        }
        Ok(())
    }
}

/// A list of pages that is compared with what was written, line by line.
struct ListOfPages {
    name: String,
    file: std::result::Result<BufReader<File>, ErrorKind>,
    is_other: bool,
}

impl ListOfPages {
    fn open(folder: &Path, name: String) -> Self {
        let file = File::open(folder.join(&name));
        Self {
            name,
            file: file.map(BufReader::new).map_err(|e| e.kind()),
            is_other: false,
        }
    }

    /// Compares the next line.
    fn expect(&mut self, line: &[u8]) {
        if let (Ok(file), false) = (&mut self.file, self.is_other) {
            let mut found = vec![0; line.len()];
            self.is_other = file.read_exact(&mut found).is_err() || found != line;
        }
    }

    /// How the list differs, if it does.
    fn end(mut self) -> Option<String> {
        let what = match &mut self.file {
            Err(ErrorKind::NotFound) => "gone".to_owned(),
            Err(kind) => format!("cannot be read: {kind}"),
            Ok(file) => {
                let is_longer = !matches!(file.read(&mut [0]), Ok(0));
                if !self.is_other && !is_longer {
                    return None;
                }
                "its bytes are not those that were written".to_owned()
            }
        };
        Some(format!("{}: {what}", self.name))
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
const MAX_REPORTED: usize = 100;

/// What the files look like that a row has.
fn layout(row: &ManifestRow) -> Option<PageLayout> {
    PageLayout::of_words(row.recipe.page_files.as_deref()?)
}
