//! A run that is not finished: its entry of the log, and the shards that are ready.
//!
//! `_forget/entry.json` is written before the first shard is changed and removed after the entry is in
//! the log. The new tables of a shard are written into `_forget/` as `clean` writes them, so they are
//! complete when their manifest row is there. Then each takes the place of the old one, and the row
//! comes last. Whatever a killed run has left, the next run moves the rest.

use super::log::Entry;
use crate::output::{FORGETTING, OutputFolder};
use std::path::Path;
use warcsieve_common::{Error, Result};
use warcsieve_store::move_file;

/// In the folder of a run: its output folder was sealed before.
const SEALED: &str = "sealed";

pub(super) struct Pending<'a> {
    out: &'a OutputFolder,
    /// The folder of shards that are ready.
    stage: OutputFolder,
}

impl<'a> Pending<'a> {
    pub fn of(out: &'a OutputFolder) -> Self {
        let folder = Path::new(FORGETTING).parent().unwrap_or(Path::new(""));
        Self {
            stage: OutputFolder::new(out.path().join(folder)),
            out,
        }
    }

    /// The folder to write shards into.
    pub fn stage(&self) -> &OutputFolder {
        &self.stage
    }

    /// The entry of a run that was interrupted; `None` if there is none.
    pub fn entry(&self) -> Result<Option<Entry>> {
        let bytes = self.out.folder().read(FORGETTING)?;
        let entry = bytes.map(|bytes| serde_json::from_slice(&bytes));
        entry.transpose().map_err(|e| Error::Integrity {
            path: self.out.folder().file(FORGETTING),
            message: format!("no entry of this version ({e})"),
        })
    }

    /// Whether the folder was sealed before a run that was interrupted.
    pub fn was_sealed(&self) -> Result<bool> {
        Ok(self.stage.folder().size(SEALED)?.is_some())
    }

    /// Notes that the folder is sealed, before the seal is removed.
    pub fn note_seal(&self) -> Result<()> {
        self.stage.folder().write(SEALED, b"")
    }

    /// Removes everything of the run but the note of the seal.
    pub fn clear(&self) -> Result<()> {
        let was_sealed = self.was_sealed()?;
        let path = self.stage.path();
        let entries = match std::fs::read_dir(path) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            entries => entries.map_err(|e| Error::io(path, e))?,
        };
        if !was_sealed {
            return self.end();
        }
        for entry in entries {
            let entry = entry.map_err(|e| Error::io(path, e))?;
            let (name, path) = (entry.file_name(), entry.path());
            let removed = match entry.file_type() {
                _ if name == SEALED => Ok(()),
                Ok(kind) if kind.is_dir() => std::fs::remove_dir_all(&path),
                _ => std::fs::remove_file(&path),
            };
            removed.map_err(|e| Error::io(&path, e))?;
        }
        Ok(())
    }

    /// Notes what the run does, before it changes anything.
    pub fn begin(&self, entry: &Entry) -> Result<()> {
        let json = serde_json::to_vec(entry).expect("an entry is plain data");
        self.out.folder().write(FORGETTING, &json)
    }

    /// Inputs whose shards are ready.
    pub fn ready(&self) -> Result<Vec<String>> {
        self.stage.done_inputs()
    }

    /// Puts a shard that is ready into its place. Returns `false` if a file of it was lost: then its old row does not
    /// agree with its files, so its input is not done.
    pub fn put(&self, input: &str) -> Result<bool> {
        let Some(row) = self.stage.row(input)? else {
            return Ok(false);
        };
        for file in &row.outputs {
            let [from, to] = [&self.stage, self.out].map(|folder| folder.folder().file(&file.path));
            move_file(&from, &to)?;
        }
        let is_whole = self.out.lost_outputs(&row)?.is_empty();
        if is_whole {
            self.out.write_page_files_again(&row)?;
            self.out.store(&row)?;
        }
        self.stage.remove_row(input)?;
        Ok(is_whole)
    }

    /// Removes everything of the run.
    pub fn end(&self) -> Result<()> {
        match std::fs::remove_dir_all(self.stage.path()) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::io(self.stage.path(), e))
            }
            _ => Ok(()),
        }
    }
}
