//! How a run goes on in the middle of a large input.
//!
//! An input that is read in splits can be left and taken up again at any split, since a split's
//! result depends on its bytes alone. While such an input is worked on, its unfinished tables are
//! in a folder of `_checkpoints/`, named by the hash of the input's name, so that no folder is in
//! that of another input. There is also what is needed to go on with them (see `journal.rs` of the tables)
//! and one frame for each split that is written: where the next begins, and what is counted in this
//! one. When the input is done, the tables move to their places and the folder goes.
//!
//! Nothing here is synced to the disk, as that would cost more than it saves: a killed process
//! loses nothing by it, and after a power failure the hashes show what is not there. Then, and
//! whenever something else is not as it should be, the input is read from its beginning.

use crate::manifest::Recipe;
use crate::tally::PageTally;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use twox_hash::XxHash64;
use warcsieve_common::files::is_folder;
use warcsieve_common::{Error, Result};
use warcsieve_engine::SplitCut;
use warcsieve_store::{Lock, Stamp, remove_if_there};
use warcsieve_tables::frames::{FrameReader, Frames};
use warcsieve_tables::{ParquetSink, Writes};

/// The folder of the checkpoints in the output folder.
const FOLDER: &str = "_checkpoints";

/// The file of an input's checkpoint that is locked by the process that works on it. It begins with
/// the [`Origin`], so it says which input the folder is of.
const SPLITS: &str = "splits";

/// Counted in checkpoints; another version cannot go on with them.
const VERSION: u32 = 3;

/// The checkpoint of an input that this process works on.
pub(super) struct Checkpoint {
    folder: PathBuf,
    splits: Frames,
    /// What was counted since the last split ended.
    since: PageTally,
}

/// What outputs depend on: a checkpoint of anything else is of no use.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Origin {
    pub(super) version: u32,
    pub(super) input: String,
    pub(super) stamp: Option<Stamp>,
    pub(super) recipe: Recipe,
    /// Bytes of a split.
    pub(super) split: u64,
}

/// Where an input is taken up.
pub(super) struct Resumed {
    pub(super) sink: ParquetSink,
    pub(super) checkpoint: Checkpoint,
    /// The split to begin with, and the ledger of those before.
    pub(super) cut: SplitCut,
    /// What was counted before.
    pub(super) tally: PageTally,
}

/// What is noted at the end of a split.
#[derive(Serialize, Deserialize)]
struct SplitNote {
    cut: SplitCut,
    tally: PageTally,
    writes: Writes,
}

impl Origin {
    pub(super) fn new(input: &str, stamp: Option<Stamp>, recipe: &Recipe, split: u64) -> Self {
        Self {
            version: VERSION,
            input: input.to_owned(),
            stamp,
            recipe: recipe.clone(),
            split,
        }
    }
}

impl Checkpoint {
    /// Takes up an input where an earlier process left it, or begins it. `sink` makes the sink from
    /// the folder and the choice of [`ParquetSink::resume`]. `None` if another process works on the
    /// input, or the file system has no locks.
    ///
    /// # Errors
    /// [`Error::Io`]. A checkpoint that holds something else than it should is none, but one that
    /// cannot be read now is left as it is.
    pub(super) fn take_up(
        out: &Path,
        origin: &Origin,
        sink: impl Fn(&Path, &mut dyn FnMut(Writes) -> Result<Writes>) -> Result<ParquetSink>,
    ) -> Result<Option<Resumed>> {
        let folder = folder_of(out, &origin.input);
        let Some(file) = lock(&folder)? else {
            return Ok(None);
        };
        let notes = Notes::read(&file, origin, &folder)?;
        let mut chosen = Chosen::default();
        let resumed = sink(&folder, &mut |kept| {
            chosen = notes.until(kept);
            Ok(chosen.writes)
        });
        let sink = match resumed {
            Err(error) if !is_of_system(&error) => {
                tracing::warn!("{}: its checkpoint cannot be used: {error}", origin.input);
                chosen = Chosen::default();
                clear(&folder)?;
                sink(&folder, &mut |_| Ok(Writes::default()))?
            }
            resumed => resumed?,
        };
        let path = folder.join(SPLITS);
        let mut splits = Frames::append_to(file, &path, chosen.end)?;
        if chosen.end == 0 {
            splits.push(&json(origin))?;
        }
        let checkpoint = Self {
            folder,
            splits,
            since: PageTally::default(),
        };
        Ok(Some(Resumed {
            sink,
            checkpoint,
            cut: chosen.cut,
            tally: chosen.tally,
        }))
    }

    /// Counts what was written of the split.
    pub(super) fn add(&mut self, tally: PageTally) {
        self.since.add(tally);
    }

    /// Notes the end of a split whose rows are in the sink.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn end_split(&mut self, cut: SplitCut, sink: &mut ParquetSink) -> Result<()> {
        let note = SplitNote {
            cut,
            tally: std::mem::take(&mut self.since),
            writes: sink.checkpoint()?,
        };
        self.splits.push(&json(&note))?;
        self.splits.flush()
    }

    /// Removes the checkpoint: its input is done, or cannot be done this way.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn remove(self) -> Result<()> {
        remove(&self.folder)
    }
}

/// Removes the checkpoints of inputs that are done, which a process left that was killed just then,
/// and the folder if there are no others.
///
/// # Errors
/// [`Error::Io`].
pub(super) fn sweep<'a>(
    out: &Path,
    inputs: impl Iterator<Item = &'a str>,
    is_done: impl Fn(&str) -> Result<bool>,
) -> Result<()> {
    if !is_folder(&out.join(FOLDER))? {
        return Ok(());
    }
    for input in inputs {
        let folder = folder_of(out, input);
        // The lock is held until the folder is gone.
        if is_folder(&folder)?
            && is_done(input)?
            && let Some(_held) = lock(&folder)?
        {
            remove(&folder)?;
        }
    }
    let _ = fs::remove_dir(out.join(FOLDER));
    Ok(())
}

/// The notes of an earlier process.
struct Notes {
    /// Each with the offset of its end; none where they are of something else.
    notes: Vec<(SplitNote, u64)>,
}

/// Where to go on.
#[derive(Default)]
struct Chosen {
    cut: SplitCut,
    tally: PageTally,
    writes: Writes,
    /// End of the notes up to there.
    end: u64,
}

impl Notes {
    /// Reads the notes if they are of `origin`; removes the checkpoint otherwise.
    fn read(file: &File, origin: &Origin, folder: &Path) -> Result<Self> {
        let path = folder.join(SPLITS);
        let frames = file.try_clone().and_then(FrameReader::new);
        let mut frames = frames.map_err(|e| Error::io(path, e))?;
        let first = frames.next();
        let its: Option<Origin> = first.and_then(|frame| serde_json::from_slice(&frame).ok());
        let mut notes = Vec::new();
        if its.as_ref() == Some(origin) {
            while let Some(frame) = frames.next() {
                let Ok(note) = serde_json::from_slice(&frame) else {
                    break;
                };
                notes.push((note, frames.end()));
            }
        }
        if notes.is_empty() {
            clear(folder)?;
        }
        Ok(Self { notes })
    }

    /// The last split that ended with no more writes than `kept`.
    fn until(&self, kept: Writes) -> Chosen {
        let mut chosen = Chosen::default();
        let is_kept = |writes: Writes| {
            let mut tables = writes.all().into_iter().zip(kept.all());
            tables.all(|(writes, kept)| writes <= kept)
        };
        for (note, end) in self
            .notes
            .iter()
            .take_while(|(note, _)| is_kept(note.writes))
        {
            chosen.cut.next = note.cut.next;
            chosen.cut.ledger.add(note.cut.ledger.clone());
            chosen.tally.add(note.tally.clone());
            chosen.writes = note.writes;
            chosen.end = *end;
        }
        chosen
    }
}

fn folder_of(out: &Path, input: &str) -> PathBuf {
    let hash = XxHash64::oneshot(0, input.as_bytes());
    out.join(FOLDER).join(format!("{hash:016x}"))
}

/// Whether the operating system failed, rather than the content of a file.
fn is_of_system(error: &Error) -> bool {
    matches!(error, Error::Io { source, .. } if source.raw_os_error().is_some())
}

/// Makes the folder of a checkpoint and locks it; `None` if another process has, or there are no
/// locks. The lock lasts as long as the file is open.
fn lock(folder: &Path) -> Result<Option<File>> {
    let path = folder.join(SPLITS);
    match warcsieve_store::lock(&path)? {
        Lock::Held(file) => Ok(Some(file)),
        Lock::Taken => Ok(None),
        Lock::Unknown(file) => {
            if file.metadata().map_err(|e| Error::io(&path, e))?.len() == 0 {
                remove(folder)?;
            }
            Ok(None)
        }
    }
}

/// Removes all files of a checkpoint but the locked one.
fn clear(folder: &Path) -> Result<()> {
    let entries = fs::read_dir(folder).map_err(|e| Error::io(folder, e))?;
    for entry in entries {
        let entry = entry.map_err(|e| Error::io(folder, e))?;
        if entry.file_name() != SPLITS {
            remove_if_there(&entry.path())?;
        }
    }
    Ok(())
}

/// Removes a checkpoint that this process has locked, the locked file last.
fn remove(folder: &Path) -> Result<()> {
    clear(folder)?;
    remove_if_there(&folder.join(SPLITS))?;
    // Another process may have begun a new one.
    let _ = fs::remove_dir(folder);
    Ok(())
}

fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("a note has only string keys")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::ErrorKind;

    fn lock_in(out: &Path) -> Option<File> {
        lock(&folder_of(out, "sub/a.warc.gz")).unwrap()
    }

    #[test]
    fn one_process_at_a_time_holds_a_checkpoint_and_nothing_stays_of_it() {
        let out = tempfile::tempdir().unwrap();
        let held = lock_in(out.path()).expect("is free");
        assert!(lock_in(out.path()).is_none());
        let other = lock(&folder_of(out.path(), "sub")).unwrap();
        assert!(other.is_some(), "another input's");
        sweep(out.path(), ["sub/a.warc.gz"].into_iter(), |_| Ok(true)).unwrap();
        assert!(folder_of(out.path(), "sub/a.warc.gz").exists());
        drop((held, other));
        sweep(out.path(), ["sub/a.warc.gz", "sub"].into_iter(), |_| {
            Ok(true)
        })
        .unwrap();
        assert_eq!(fs::read_dir(out.path()).unwrap().count(), 0);
    }

    #[test]
    fn only_what_a_file_holds_makes_a_checkpoint_useless() {
        let failed = |source| is_of_system(&Error::io("a", source));
        // No file handle is left.
        assert!(failed(std::io::Error::from_raw_os_error(24)));
        assert!(!failed(ErrorKind::UnexpectedEof.into()));
        let message = "its bytes are not those that were written".to_owned();
        let path = PathBuf::from("a");
        assert!(!is_of_system(&Error::Integrity { path, message }));
    }
}
