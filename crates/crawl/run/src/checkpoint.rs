//! Resumes a large input in the middle after a process was killed.
//!
//! A large input is read in splits. The result of a split depends on its bytes alone, so a run can
//! stop after any split and another process can continue with the next one.
//!
//! While an input is in work, its unfinished tables are in `_checkpoints/HASH/`. HASH is the hash
//! of the input's name, so no such folder can be inside that of another input. The folder also
//! holds the journals of the tables (see `journal.rs` of the tables) and the file `splits`. That
//! file has one frame for each split that is written: where the next split begins, and the counts
//! of this one. When the input is done, the tables move to their places and the folder is removed.
//!
//! Nothing here is synced to the disk, because that would cost more time than it saves. A killed
//! process loses nothing: the system still has its writes. After a power failure, hashes show what
//! is missing. Then, and if anything else does not fit, the input is read from its beginning.

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

/// The folder of all checkpoints, in the output folder.
const FOLDER: &str = "_checkpoints";

/// The file in an input's checkpoint that the working process holds locked. Its first frame is the
/// [`Origin`], which says which input the folder belongs to.
const SPLITS: &str = "splits";

/// Version of the checkpoint format. Checkpoints of another version are not used.
const VERSION: u32 = 3;

/// The checkpoint of an input that this process works on.
pub(super) struct Checkpoint {
    folder: PathBuf,
    splits: Frames,
    /// Counts since the end of the last split.
    since: PageTally,
}

/// Everything that the outputs depend on. A checkpoint with another origin is not used.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Origin {
    pub(super) version: u32,
    pub(super) input: String,
    pub(super) stamp: Option<Stamp>,
    pub(super) recipe: Recipe,
    /// Size of a split in bytes.
    pub(super) split: u64,
}

/// An input that is ready to continue, or to begin.
pub(super) struct Resumed {
    pub(super) sink: ParquetSink,
    pub(super) checkpoint: Checkpoint,
    /// The split to begin with, and the ledger of the splits before it.
    pub(super) cut: SplitCut,
    /// Counts of the splits before it.
    pub(super) tally: PageTally,
}

/// What is recorded at the end of a split.
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
    /// Continues an input where an earlier process left it, or begins it. `sink` creates the sink
    /// from the folder and the callback of [`ParquetSink::resume`]. Returns `None` if another
    /// process works on the input, or if the file system has no locks.
    ///
    /// # Errors
    /// [`Error::Io`]. A checkpoint with damaged or foreign content is discarded. A checkpoint that
    /// the system cannot read now is an error, and stays.
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

    /// Adds counts of the current split.
    pub(super) fn add(&mut self, tally: PageTally) {
        self.since.add(tally);
    }

    /// Records the end of a split whose rows are all in the sink.
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

    /// Removes the checkpoint, because its input is done or cannot be done this way.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn remove(self) -> Result<()> {
        remove(&self.folder)
    }
}

/// Removes checkpoints of inputs that are done. A process that was killed right after it wrote the
/// manifest row leaves one. Also removes the folder of all checkpoints if it is then empty.
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
        // Hold the lock until the folder is gone.
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

/// The split notes of an earlier process.
struct Notes {
    /// Each note with the byte offset of its end. Empty if the notes have another origin.
    notes: Vec<(SplitNote, u64)>,
}

/// Where to continue.
#[derive(Default)]
struct Chosen {
    cut: SplitCut,
    tally: PageTally,
    writes: Writes,
    /// Byte offset of the end of the last note that is used.
    end: u64,
}

impl Notes {
    /// Reads the notes if their origin is `origin`. Clears the checkpoint otherwise.
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

    /// The last split whose writes are all within `kept`.
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

/// Whether the operating system reported the error. Otherwise the content of a file is wrong.
fn is_of_system(error: &Error) -> bool {
    matches!(error, Error::Io { source, .. } if source.raw_os_error().is_some())
}

/// Creates the folder of a checkpoint and locks it. `None` if another process holds the lock, or if
/// there are no locks. The lock lasts as long as the file is open.
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

/// Removes all files of a checkpoint except the locked one.
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

/// Removes a checkpoint that this process has locked. The locked file goes last.
fn remove(folder: &Path) -> Result<()> {
    clear(folder)?;
    remove_if_there(&folder.join(SPLITS))?;
    // This fails if another process has begun a new checkpoint, and then the folder must stay.
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
        // EMFILE: too many open files.
        assert!(failed(std::io::Error::from_raw_os_error(24)));
        assert!(!failed(ErrorKind::UnexpectedEof.into()));
        let message = "its bytes are not those that were written".to_owned();
        let path = PathBuf::from("a");
        assert!(!is_of_system(&Error::Integrity { path, message }));
    }
}
