//! The log of what was forgotten: `_manifest/forgotten.jsonl`, one entry per line.
//!
//! Each entry holds the sha256 of the entry before it, and its own. So an entry that was altered,
//! removed or moved is noticed by the entries after it, and one at the end by the manifest rows, which
//! count the pages that were forgotten. The log names no page.

use super::criteria::ListOf;
use crate::manifest::ManifestRow;
use crate::output::OutputFolder;
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use warcsieve_common::{Error, Result, counted};
use warcsieve_store::Folder;

/// The log, below the output folder.
const LOG: &str = "_manifest/forgotten.jsonl";

/// A run that forgot pages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The number of the entry, from 1.
    pub number: u64,
    /// The sha256 of the entry before it; empty for the first.
    pub previous: String,
    /// When the run began.
    pub time: String,
    /// Who asked for it; may be empty.
    pub by: String,
    /// Why; may be empty.
    pub reason: String,
    /// The lists that it was given.
    pub lists: Vec<ListOf>,
    /// Pages that it forgot.
    pub pages: u64,
    /// The shards that had such pages, sorted by input.
    pub shards: Vec<ShardOf>,
    /// sha256 of the entry as JSON without white space, with an empty text in this place.
    pub sha256: String,
}

/// A shard that pages were removed from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardOf {
    /// Its input.
    pub input: String,
    /// Pages that this run removed.
    pub pages: u64,
    /// Pages that were removed by this run and earlier ones, as its manifest row counts them.
    pub forgotten: u64,
}

impl Entry {
    /// Its hash by its content.
    fn hash(&self) -> String {
        let blank = Self {
            sha256: String::new(),
            ..self.clone()
        };
        let json = serde_json::to_vec(&blank).expect("an entry is plain data");
        HEXLOWER.encode(&Sha256::digest(json))
    }
}

/// All entries, checked.
#[derive(Debug, Default)]
pub struct Log {
    entries: Vec<Entry>,
    inputs: HashMap<String, OfInput>,
}

/// What the log says of an input.
#[derive(Debug, Default)]
struct OfInput {
    /// Pages that are forgotten, as the manifest row must count them.
    forgotten: u64,
    /// Pages that entries of this log forgot.
    pages: u64,
    /// The lists of all entries about it.
    lists: Vec<ListOf>,
}

impl Log {
    /// Reads the log of a folder; empty if there is none.
    ///
    /// # Errors
    /// [`Error::Integrity`] if an entry was altered or removed; [`Error::Io`].
    pub fn read(out: &OutputFolder) -> Result<Self> {
        let mut log = Self::default();
        let Some(bytes) = out.folder().read(LOG)? else {
            return Ok(log);
        };
        let refuse = |line: usize, what: &str| Error::Integrity {
            path: out.folder().file(LOG),
            message: format!("line {line}: {what}; put the log back as it was"),
        };
        let text = std::str::from_utf8(&bytes).map_err(|_| refuse(1, "it is not UTF-8"))?;
        for (line, json) in (1..).zip(text.lines()) {
            let entry: Entry = serde_json::from_str(json)
                .map_err(|e| refuse(line, &format!("this is no entry of the log ({e})")))?;
            if entry.hash() != entry.sha256 {
                return Err(refuse(line, "this entry was altered"));
            }
            if entry.number != line as u64 || entry.previous != log.last_sha256() {
                return Err(refuse(
                    line,
                    "the entry before this one was altered or removed",
                ));
            }
            log.push(entry);
        }
        Ok(log)
    }

    /// The sha256 of the last entry; empty if there is none.
    pub fn last_sha256(&self) -> &str {
        self.entries.last().map_or("", |entry| &entry.sha256)
    }

    /// Whether nothing was ever forgotten.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Pages of an input that were forgotten.
    pub fn forgotten(&self, input: &str) -> u64 {
        self.inputs.get(input).map_or(0, |of| of.forgotten)
    }

    /// The same without those that `relabel` found forgotten in the folder that it read.
    pub(crate) fn forgotten_here(&self, input: &str) -> u64 {
        self.inputs.get(input).map_or(0, |of| of.pages)
    }

    /// Whether these are all lists by which pages of an input were ever forgotten.
    pub(super) fn has_all(&self, input: &str, lists: &[ListOf]) -> bool {
        let of = self.inputs.get(input);
        of.is_none_or(|of| of.lists.iter().all(|list| lists.contains(list)))
    }

    /// Where the log and a manifest row disagree, in words; `None` if they agree. Rows that `relabel`
    /// wrote count pages that were forgotten in another folder.
    pub fn disagreement(&self, row: &ManifestRow) -> Option<String> {
        let (logged, counted) = (self.forgotten(&row.input), row.pages.forgotten);
        let is_copied = logged == 0 && row.recipe.relabelled_from.is_some();
        (logged != counted && !is_copied).then(|| match counted < logged {
            true => format!(
                "{logged} of its pages were forgotten, but {counted} are; it was cleaned again, so run \
                 `warcsieve forget` with the same lists again"
            ),
            false => format!(
                "{counted} of its pages are forgotten, but the log has {logged}; an entry was removed from \
                 the end of {LOG}"
            ),
        })
    }

    /// The reason not to process inputs again whose pages were forgotten. With `redo`, a warning.
    ///
    /// # Errors
    /// Those of [`read`](Self::read).
    pub(crate) fn brought_back<'n>(
        names: impl IntoIterator<Item = &'n str>,
        out: &OutputFolder,
        redo: bool,
    ) -> Result<Option<Error>> {
        let mut names = names.into_iter().peekable();
        if names.peek().is_none() || matches!(out.folder(), Folder::Remote(..)) {
            return Ok(None);
        }
        let log = Self::read(out)?;
        for name in names {
            let pages = log.forgotten_here(name);
            if pages == 0 {
                continue;
            }
            let what = format!(
                "{name}: {} of it were forgotten, and are there again after it is written again",
                counted(pages, "page", "pages"),
            );
            if !redo {
                return Ok(Some(Error::Invalid(format!(
                    "{what}; give --redo, and then run `warcsieve forget` with the same lists"
                ))));
            }
            tracing::warn!("{what}; then run `warcsieve forget` with the same lists");
        }
        Ok(None)
    }

    /// Completes an entry, so that it follows the last one.
    pub(super) fn following(&self, mut entry: Entry) -> Entry {
        entry.number = self.entries.len() as u64 + 1;
        self.last_sha256().clone_into(&mut entry.previous);
        entry.sha256 = entry.hash();
        entry
    }

    /// Adds an entry of [`following`](Self::following) and writes the log, whole or not at all. An entry that is
    /// there is not added again.
    pub(super) fn append(&mut self, out: &OutputFolder, entry: Entry) -> Result<()> {
        if self.entries.last() == Some(&entry) {
            return Ok(());
        }
        self.push(entry);
        let mut lines = Vec::new();
        for entry in &self.entries {
            serde_json::to_writer(&mut lines, entry).expect("an entry is plain data");
            lines.push(b'\n');
        }
        out.folder().write(LOG, &lines)
    }

    fn push(&mut self, entry: Entry) {
        for shard in &entry.shards {
            // A shard that was cleaned again has its pages again. A run with some of the lists finds some of them.
            let has_all = self.has_all(&shard.input, &entry.lists);
            let of = self.inputs.entry(shard.input.clone()).or_default();
            of.forgotten = match has_all {
                true => shard.forgotten,
                false => of.forgotten.max(shard.forgotten),
            };
            of.pages = of.pages.saturating_add(shard.pages);
            let new = entry.lists.iter().filter(|list| !of.lists.contains(list));
            let new: Vec<_> = new.cloned().collect();
            of.lists.extend(new);
        }
        self.entries.push(entry);
    }
}
