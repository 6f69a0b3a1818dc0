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
use warcsieve_tables::read::damaged_output;

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

    /// Notes what the run does, before it changes anything.
    pub fn begin(&self, entry: &Entry) -> Result<()> {
        let json = serde_json::to_vec(entry).expect("an entry is plain data");
        self.out.folder().write(FORGETTING, &json)
    }

    /// Inputs whose shards are ready.
    pub fn ready(&self) -> Result<Vec<String>> {
        self.stage.done_inputs()
    }

    /// Puts a shard that is ready into its place.
    pub fn put(&self, input: &str) -> Result<()> {
        let Some(row) = self.stage.row(input)? else {
            return Ok(());
        };
        for file in &row.outputs {
            let [from, to] = [&self.stage, self.out].map(|folder| folder.folder().file(&file.path));
            move_file(&from, &to)?;
        }
        if let Some(file) = self.out.lost_outputs(&row)?.first() {
            let path = self.out.folder().file(&file.path);
            return Err(damaged_output(
                &path,
                "it was lost while pages were forgotten",
            ));
        }
        self.out.write_page_files_again(&row)?;
        self.out.store(&row)?;
        self.stage.remove_row(input)
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
