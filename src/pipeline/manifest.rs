//! The manifest: a row for every input that is done.

use super::tally::PageTally;
use super::{Input, InputKind, VERSION};
use crate::config::Pipeline;
use crate::error::{Error, Result};
use crate::ledger::ReadLedger;
use crate::sink::{OutputFile, write_atomically};
use serde::{Deserialize, Serialize};
use std::fs::{self, Metadata};
use std::path::Path;
use std::time::UNIX_EPOCH;

/// What was done with one input, without when or where. Written last, so its
/// presence says that the outputs are complete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestRow {
    /// Path of the input below the base folder.
    pub input: String,
    /// State of the input file when it was read; `None` for standard input.
    pub stamp: Option<InputStamp>,
    /// What the outputs depend on beside the input.
    pub recipe: Recipe,
    /// Where the input's bytes and records went.
    pub read: ReadLedger,
    /// What became of the records.
    pub pages: PageTally,
    /// The files written.
    pub outputs: Vec<OutputFile>,
}

/// Tells a changed input file from the one that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputStamp {
    /// Bytes.
    pub size: u64,
    /// Modification time in nanoseconds since 1970.
    pub mtime_ns: u64,
}

/// What outputs depend on beside the input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// Tool version.
    pub version: String,
    /// sha256 of the pipeline file.
    pub pipeline_sha256: String,
    /// sha256 of the files that the pipeline's steps name, such as models.
    pub model_sha256: Option<String>,
    /// The steps' methods, joined by `+`.
    pub method: String,
}

impl Recipe {
    /// The recipe of a pipeline under this version of the program.
    pub fn of(pipeline: &Pipeline) -> Self {
        Self {
            version: VERSION.to_owned(),
            pipeline_sha256: pipeline.hash.clone(),
            model_sha256: pipeline.model_hash.clone(),
            method: pipeline.method.clone(),
        }
    }

    /// What makes this recipe another than `now`, in words.
    pub fn difference(&self, now: &Self) -> Option<String> {
        let short = |r: &Self| format!("{} ({:.12}…)", r.method, r.pipeline_sha256);
        let model = |r: &Self| r.model_sha256.clone().unwrap_or_else(|| "none".to_owned());
        let (what, then, now) = if self.version != now.version {
            (
                "the program's version",
                self.version.clone(),
                now.version.clone(),
            )
        } else if self.pipeline_sha256 != now.pipeline_sha256 {
            ("the pipeline file", short(self), short(now))
        } else if self.model_sha256 != now.model_sha256 {
            ("the model", model(self), model(now))
        } else {
            return None;
        };
        Some(format!("{what} was {then}, now {now}"))
    }
}

/// How an input stands against the manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Nothing says it was done, or an output is gone or has another size.
    Open,
    /// Done with this recipe, and not changed since.
    Done(Box<ManifestRow>),
    /// Done otherwise; the text names the difference.
    Differs(String),
}

impl InputStamp {
    /// The stamp of an input as it is now; `None` where it is no regular file.
    ///
    /// # Errors
    /// [`Error::Io`] if the file is not there.
    pub fn of(input: &Input) -> Result<Option<Self>> {
        match &input.kind {
            InputKind::File(path) => {
                let metadata = fs::metadata(path).map_err(|e| Error::io(path, e))?;
                Ok(Self::from_metadata(&metadata))
            }
            InputKind::Stdin => Ok(None),
        }
    }

    /// The stamp of a file; `None` where it is no regular one.
    pub(super) fn from_metadata(metadata: &Metadata) -> Option<Self> {
        let mtime = metadata
            .modified()
            .ok()
            .and_then(|t| t.duration_since(UNIX_EPOCH).ok())
            .unwrap_or_default();
        metadata.is_file().then(|| Self {
            size: metadata.len(),
            mtime_ns: u64::try_from(mtime.as_nanos()).unwrap_or(u64::MAX),
        })
    }

    /// What makes this stamp another than `now`, in words.
    pub fn difference(self, now: Self) -> Option<String> {
        if self.size != now.size {
            Some(format!(
                "the input's size was {}, now {}",
                self.size, now.size
            ))
        } else if self.mtime_ns != now.mtime_ns {
            Some(format!(
                "the input's modification time was {} ns, now {} ns",
                self.mtime_ns, now.mtime_ns
            ))
        } else {
            None
        }
    }
}

impl ManifestRow {
    /// Reads the row of an input; `None` if there is none.
    ///
    /// # Errors
    /// [`Error::Io`], or [`Error::Integrity`] where the file is not a manifest row.
    pub fn load(path: &Path) -> Result<Option<Self>> {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(Error::io(path, e)),
        };
        serde_json::from_slice(&bytes)
            .map(Some)
            .map_err(|e| Error::Integrity {
                path: path.to_owned(),
                message: format!(
                    "not a manifest row of this version ({e}); remove it to redo the input"
                ),
            })
    }

    /// Writes the row, whole or not at all.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn store(&self, path: &Path) -> Result<()> {
        let mut json =
            serde_json::to_vec_pretty(self).expect("a manifest row has only string keys");
        json.push(b'\n');
        write_atomically(path, &json)
    }

    /// The sums of the row that do not balance, one line each.
    pub fn imbalances(&self) -> Vec<String> {
        let mut lines = self.read.imbalances();
        lines.extend(self.pages.imbalances(self.read.records));
        if let Some(stamp) = self.stamp
            && stamp.size != self.read.compressed_bytes
        {
            lines.push(format!(
                "the file has {} bytes but {} were read",
                stamp.size, self.read.compressed_bytes
            ));
        }
        for (file, counted) in self
            .outputs
            .iter()
            .zip([self.pages.documents, self.pages.blocks])
        {
            if file.rows != counted {
                lines.push(format!(
                    "{} has {} rows but {counted} were counted",
                    file.path, file.rows
                ));
            }
        }
        lines
    }

    /// What about the input file changed since, in words. An input that has gone since was
    /// done all the same.
    pub fn changed_input(&self, input: &Input) -> Option<String> {
        let now = InputStamp::of(input).ok().flatten()?;
        self.stamp?.difference(now)
    }

    /// Whether anything about the input was faulty: damage, or pages that could not be processed.
    pub fn is_faulty(&self) -> bool {
        self.read.fault_count > 0 || self.pages.faulty() > 0
    }
}
