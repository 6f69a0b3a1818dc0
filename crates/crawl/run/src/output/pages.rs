//! The lists of pages inside WACZ files, copied unchanged to `_pages/`.

use super::{Input, OutputFolder};
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind};
use warcsieve_common::{Error, Result, is_lasting};
use warcsieve_engine::page_lists;

const PAGES: &str = "_pages";

const LIST_ENDING: &str = ".jsonl";

impl OutputFolder {
    /// Copies the lists of pages of the WACZ files among the inputs, to
    /// `_pages/crawl.wacz/pages/…`. A list that cannot be read is reported in the log. If its
    /// crawls cannot be read either, the input fails in the run.
    ///
    /// # Errors
    /// [`Error::Io`](warcsieve_common::Error::Io) if a list cannot be written, or cannot be read now
    /// and may be later.
    pub fn add_page_lists(&self, inputs: &[Input]) -> Result<()> {
        for list in page_lists(inputs) {
            match list {
                Ok((name, bytes)) => {
                    let (folder, _) = name.rsplit_once('/').unwrap_or_default();
                    self.folder().sweep(&format!("{PAGES}/{folder}"))?;
                    match self.folder().write(&format!("{PAGES}/{name}"), &bytes) {
                        Err(Error::Io { path, source })
                            if source.kind() == ErrorKind::InvalidFilename =>
                        {
                            let path = path.display();
                            tracing::warn!("a list of pages is not copied: {path}: {source}");
                        }
                        written => written?,
                    }
                }
                // The run must end without the inputs, so that the next one tries again.
                Err(Error::Io { path, source }) if !is_lasting(&source) => {
                    return Err(Error::Io { path, source });
                }
                Err(error) => tracing::warn!("a list of pages is not copied: {error}"),
            }
        }
        Ok(())
    }

    /// Removes the lists of the WACZ files that contained the crawls of these names, except of those
    /// with another crawl that is done.
    ///
    /// # Errors
    /// [`Error::Io`](warcsieve_common::Error::Io).
    pub(super) fn remove_page_lists_of(&self, crawls: &[&str]) -> Result<()> {
        if crawls.is_empty() || !self.folder().has_listing() {
            return Ok(());
        }
        let lists = self.folder().names(PAGES, LIST_ENDING)?;
        let mut others = match lists.is_empty() {
            true => Vec::new(),
            false => self.done_inputs()?,
        };
        others.retain(|name| !crawls.contains(&name.as_str()));
        for list in lists {
            let has_crawl = |(at, _): (usize, &str)| {
                let archive = format!("{}/archive/", &list[..at]);
                crawls.iter().any(|name| name.starts_with(&archive))
                    && !others.iter().any(|name| name.starts_with(&archive))
            };
            if list.match_indices("/pages/").any(has_crawl) {
                self.folder()
                    .remove(&format!("{PAGES}/{list}{LIST_ENDING}"))?;
            }
        }
        Ok(())
    }

    /// The lists of the WACZ files that hold one of these crawls, and those that name an address which
    /// `names` accepts.
    ///
    /// # Errors
    /// [`Error::Io`](warcsieve_common::Error::Io).
    pub(crate) fn page_lists_naming(
        &self,
        crawls: &[String],
        names: impl Fn(&str) -> bool,
    ) -> Result<Vec<String>> {
        let mut found = Vec::new();
        for list in self.folder().names(PAGES, LIST_ENDING)? {
            let holds = |(at, _): (usize, &str)| {
                let archive = format!("{}/archive/", &list[..at]);
                crawls.iter().any(|name| name.starts_with(&archive))
            };
            let file = format!("{PAGES}/{list}{LIST_ENDING}");
            if list.match_indices("/pages/").any(holds) || self.names_page(&file, &names)? {
                found.push(file);
            }
        }
        Ok(found)
    }

    /// Whether a line of a list of pages has such an address. A line that is not JSON has none.
    fn names_page(&self, list: &str, names: impl Fn(&str) -> bool) -> Result<bool> {
        let path = self.folder().file(list);
        let file = File::open(&path).map_err(|e| Error::io(&path, e))?;
        for line in BufReader::new(file).split(b'\n') {
            let line = line.map_err(|e| Error::io(&path, e))?;
            let line: Option<Value> = serde_json::from_slice(&line).ok();
            let url = line.as_ref().and_then(|line| line.get("url")?.as_str());
            if url.is_some_and(&names) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Removes the lists of these inputs that another run copied.
    ///
    /// # Errors
    /// [`Error::Io`](warcsieve_common::Error::Io).
    pub fn remove_page_lists(&self, inputs: &[Input]) -> Result<()> {
        let mut lists = page_lists(inputs).flatten();
        lists.try_for_each(|(name, _)| self.folder().remove(&format!("{PAGES}/{name}")))
    }
}
