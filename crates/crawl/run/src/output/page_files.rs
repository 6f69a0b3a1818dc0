//! Page files, in `txt/`, `html/` and `md/`: one file per page, written next to the tables.
//!
//! No manifest row lists them, because there may be millions. The table `documents` says which
//! files there are and what is in them. Page files in a store are not checked.

use super::OutputFolder;
use crate::manifest::{ManifestRow, Recipe};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{BufReader, ErrorKind, Read};
use std::path::Path;
use warcsieve_common::files::is_there;
use warcsieve_common::{Error, Result, counted};
use warcsieve_render::TextFormat;
use warcsieve_store::Folder;
use warcsieve_tables::{PageFiles, PageLayout, each_page_file, ending, page_list};

/// How a page file is compared with what was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// By its size.
    Size,
    /// By its bytes.
    Bytes,
}

impl OutputFolder {
    /// Page files of a row that are missing or differ from what was written: at most 100, one line
    /// each. Empty if the row was written without page files.
    ///
    /// Reads the row's table `documents`.
    ///
    /// # Errors
    /// [`Error::Integrity`] if that table cannot be read, or if another version wrote page files of a layout that this
    /// one does not know; [`Error::Io`].
    pub fn lost_page_files(&self, row: &ManifestRow, compare: Compare) -> Result<Vec<String>> {
        let mut lost = Vec::new();
        let Folder::Local(path) = &self.0 else {
            return Ok(lost);
        };
        for layout in self.layouts(row)? {
            self.look_for_files(row, layout, (path, compare), &mut lost)?;
        }
        Ok(lost)
    }

    /// Adds those of one layout.
    fn look_for_files(
        &self,
        row: &ManifestRow,
        layout: PageLayout,
        (path, compare): (&Path, Compare),
        lost: &mut Vec<String>,
    ) -> Result<()> {
        let documents = self.documents_path(&row.input);
        let file = match File::open(&documents) {
            Ok(file) => file,
            // The check of the tables reports a missing table.
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(()),
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
        })
    }

    /// Writes the page files of a row again, by its table `documents`, and removes those of other pages.
    ///
    /// # Errors
    /// Those of [`lost_page_files`](Self::lost_page_files).
    pub(crate) fn write_page_files_again(&self, row: &ManifestRow) -> Result<()> {
        for layout in self.layouts(row)? {
            let documents = self.documents_path(&row.input);
            PageFiles::write_again(&self.0, &row.input, layout, &documents)?;
        }
        Ok(())
    }

    /// The layouts of the page files of a row.
    fn layouts(&self, row: &ManifestRow) -> Result<Vec<PageLayout>> {
        let words = row.recipe.page_files.iter();
        let words = words.flat_map(|words| words.split(Recipe::NEXT_LAYOUT));
        let layouts = words.map(|words| {
            PageLayout::of_words(words).ok_or_else(|| Error::Integrity {
                path: self.manifest_path(&row.input),
                message: format!("this version does not know page files `{words}`"),
            })
        });
        layouts.collect()
    }

    /// Removes the page files of some inputs, in all forms, including those of interrupted runs.
    pub(super) fn remove_page_files(&self, inputs: &[&str]) -> Result<()> {
        let inputs: HashSet<&str> = inputs.iter().copied().collect();
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
                // In the place of its folder, there may be a page file.
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

/// A list of pages that is compared line by line with what was written.
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

    /// How the list differs; `None` if it does not.
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

/// Maximum number of files in the result.
const MAX_REPORTED: usize = 100;
