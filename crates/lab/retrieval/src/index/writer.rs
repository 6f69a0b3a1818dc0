//! Fills an index shard by shard.

use super::entry::Entry;
use super::fields::Fields;
use super::queue::{Queue, Queued};
use super::settings::IndexSettings;
use super::{SETTINGS_FILE, engine_error, open, register};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tantivy::IndexWriter as Engine;
use warcsieve_common::files::{is_there, make_folder};
use warcsieve_common::{Error, Result};
use warcsieve_store::{refuse_filled, write_atomically};

/// Resources of the writer.
#[derive(Clone, Copy, Debug)]
pub struct WriterOptions {
    /// Bytes for terms that are not yet on disk, for all threads together; at least 15 MB and at
    /// most 4 GB per thread.
    pub heap: usize,
    /// Threads that build postings, 1 to 8; the calling thread reads the pages in parallel.
    pub threads: usize,
}

/// Minimum heap of a thread: tantivy rejects less.
pub const MIN_HEAP: usize = 15_000_000;
/// Maximum heap of a thread: tantivy rejects more.
const MAX_HEAP: usize = u32::MAX as usize - 2_000_000;

/// A commit waits for all threads, so there is one only after this time, and at the end.
const COMMIT_EVERY: Duration = Duration::from_secs(30);

/// The shards of an index. This is part of tantivy's commit, so that it and the pages become
/// visible together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State {
    /// Shards in the index: name, and the hash by which a change is detected.
    shards: BTreeMap<String, String>,
    /// Number of shards of the complete index.
    wanted: usize,
    pages: u64,
}

impl State {
    /// Reads the state of the last commit.
    pub fn read(path: &Path, index: &tantivy::Index) -> Result<Self> {
        let metas = index.load_metas().map_err(|e| engine_error(path, e))?;
        let Some(json) = metas.payload else {
            return Ok(Self::default());
        };
        serde_json::from_str(&json).map_err(|e| Error::Integrity {
            path: path.join("meta.json"),
            message: format!("it does not say what is in the index: {e}; index again"),
        })
    }

    /// The number of shards in the index, and of the complete index.
    pub fn progress(&self) -> (usize, usize) {
        (self.shards.len(), self.wanted)
    }
}

/// Adds pages to an index.
///
/// Pages are added shard by shard, and a committed shard stays: a writer that is opened again
/// continues after the last commit, and further shards can be added at any time. Memory: the heap
/// of [`WriterOptions`], 32 MiB of waiting pages, the memory for merging (little, because segments
/// are read from disk), and the names of the shards.
pub struct IndexWriter {
    path: PathBuf,
    fields: Fields,
    settings: IndexSettings,
    engine: Engine<Queued>,
    queue: Arc<Queue>,
    state: State,
    shard_pages: u64,
    committed: Instant,
}

impl IndexWriter {
    /// Starts the index in the folder `path`, or continues the existing one.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the folder contains something else, or an index with other settings; [`Error::Io`], also where
    /// another process writes to it.
    pub fn open(path: &Path, settings: &IndexSettings, options: WriterOptions) -> Result<Self> {
        settings.check()?;
        let fields = Fields::of(settings);
        claim(path, settings)?;
        let fail = |e| engine_error(path, e);
        let index = match is_there(&path.join("meta.json"))? {
            true => open(path)?,
            false => tantivy::Index::create_in_dir(path, fields.schema.clone()).map_err(fail)?,
        };
        register(&index, settings);
        let threads = options.threads.clamp(1, 8);
        let heap = options.heap.clamp(MIN_HEAP * threads, MAX_HEAP * threads);
        Ok(Self {
            engine: index.writer_with_num_threads(threads, heap).map_err(fail)?,
            state: State::read(path, &index)?,
            path: path.to_owned(),
            fields,
            settings: settings.clone(),
            queue: Arc::default(),
            shard_pages: 0,
            committed: Instant::now(),
        })
    }

    /// Declares the shards that will be added, in addition to those already in the index. Each has a text that changes
    /// if the shard changes. Returns for each shard whether it is already in the index.
    ///
    /// # Errors
    /// [`Error::Invalid`] if one was indexed and has changed since.
    pub fn plan<'a>(
        &mut self,
        shards: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Result<Vec<bool>> {
        let mut there = Vec::new();
        for (name, hash) in shards {
            match self.state.shards.get(name) {
                Some(before) if before != hash => {
                    return Err(Error::Invalid(format!(
                        "the shard {name} has changed since it was indexed in {}, or another one has \
                         its name; index into another folder",
                        self.path.display()
                    )));
                }
                before => there.push(before.is_some()),
            }
        }
        let missing = there.iter().filter(|is_in| !**is_in).count();
        // Committed first, so that a search can detect an incomplete index even if this process is
        // killed.
        self.state.wanted = self.state.shards.len() + missing;
        self.commit()?;
        Ok(there)
    }

    /// Number of pages in the index, including those of earlier runs.
    pub fn pages(&self) -> u64 {
        self.state.pages + self.shard_pages
    }

    /// Adds a page of the current shard.
    ///
    /// # Errors
    /// [`Error::Io`] if tantivy cannot write; the writer is then unusable.
    pub fn add(&mut self, page: &Entry<'_>) -> Result<()> {
        let (document, bytes) = page.document(&self.fields, &self.settings);
        let added = self.engine.add_document(self.queue.admit(document, bytes));
        added.map_err(|e| engine_error(&self.path, e))?;
        self.shard_pages += 1;
        Ok(())
    }

    /// Ends the current shard.
    ///
    /// # Errors
    /// Those of [`IndexWriter::add`].
    pub fn end_shard(&mut self, name: &str, hash: &str) -> Result<()> {
        self.state.shards.insert(name.to_owned(), hash.to_owned());
        self.state.pages += std::mem::take(&mut self.shard_pages);
        if self.committed.elapsed() >= COMMIT_EVERY {
            self.commit()?;
        }
        Ok(())
    }

    /// Makes everything durable and searchable, and waits for merges.
    ///
    /// # Errors
    /// Those of [`IndexWriter::add`].
    pub fn finish(mut self) -> Result<()> {
        self.commit()?;
        let done = self.engine.wait_merging_threads();
        done.map_err(|e| engine_error(&self.path, e))?;
        share(&self.path)
    }

    fn commit(&mut self) -> Result<()> {
        let state = serde_json::to_string(&self.state).expect("a state is plain data");
        let committed = self.engine.prepare_commit().and_then(|mut commit| {
            commit.set_payload(&state);
            commit.commit()
        });
        committed.map_err(|e| engine_error(&self.path, e))?;
        self.committed = Instant::now();
        Ok(())
    }
}

/// Tantivy creates these files readable only by their owner; sets the usual permissions, like
/// the other files.
fn share(path: &Path) -> Result<()> {
    let model = path.join(SETTINGS_FILE);
    let found = fs::metadata(&model).map_err(|e| Error::io(&model, e))?;
    for name in ["meta.json", ".managed.json"] {
        let file = path.join(name);
        let shared = fs::set_permissions(&file, found.permissions());
        shared.map_err(|e| Error::io(&file, e))?;
    }
    Ok(())
}

/// Makes a folder the folder of an index with these settings.
fn claim(path: &Path, settings: &IndexSettings) -> Result<()> {
    make_folder(path)?;
    let file = path.join(SETTINGS_FILE);
    let refused = match is_there(&file)? {
        true => Ok(()),
        false => refuse_filled(path, "an index"),
    };
    // Another process may have begun it meanwhile.
    if is_there(&file)? {
        if super::read_settings(path)? == *settings {
            return Ok(());
        }
        return Err(Error::Invalid(format!(
            "{} is an index with other settings (see its {SETTINGS_FILE}); use another folder",
            path.display()
        )));
    }
    refused?;
    let mut json = serde_json::to_vec_pretty(settings).expect("settings are plain data");
    json.push(b'\n');
    write_atomically(&file, &json)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{OPTIONS, TestPage, index};
    use super::*;

    fn page(id: &str) -> TestPage {
        TestPage {
            id: id.to_owned(),
            title: String::new(),
            blocks: vec!["one two".to_owned()],
            ..TestPage::default()
        }
    }

    fn writer(path: &Path) -> Result<IndexWriter> {
        IndexWriter::open(path, &IndexSettings::default(), OPTIONS)
    }

    #[test]
    fn an_unfinished_shard_is_not_in_the_index() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = writer(folder.path()).unwrap();
        page("a").add_to(&mut first);
        first.plan([("0", "x"), ("1", "x")].into_iter()).unwrap();
        first.end_shard("0", "x").unwrap();
        first.commit().unwrap();
        page("b").add_to(&mut first);
        drop(first);
        let mut second = writer(folder.path()).unwrap();
        let there = second.plan([("0", "x"), ("1", "x")].into_iter()).unwrap();
        assert_eq!(there, [true, false]);
        assert_eq!(second.state.progress(), (1, 2));
        page("b").add_to(&mut second);
        second.end_shard("1", "x").unwrap();
        assert_eq!(second.pages(), 2);
        second.finish().unwrap();
        let whole = open(folder.path()).unwrap();
        assert_eq!(whole.reader().unwrap().searcher().num_docs(), 2);
    }

    #[test]
    fn changed_shards_and_other_settings_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        index(
            folder.path(),
            &IndexSettings::default(),
            &[page("a"), page("b")],
            1,
        );
        let mut writer = writer(folder.path()).unwrap();
        let others = [("1", "1"), ("7", "7")];
        assert_eq!(writer.plan(others.into_iter()).unwrap(), [true, false]);
        assert_eq!(writer.state.progress(), (2, 3));
        let changed = writer.plan([("0", "changed")].into_iter()).unwrap_err();
        assert!(changed.to_string().contains("has changed"), "{changed}");
        let busy =
            super::super::IndexWriter::open(folder.path(), &IndexSettings::default(), OPTIONS);
        assert!(busy.err().unwrap().to_string().contains("another process"));
        drop(writer);
        let raw = IndexSettings {
            min_words: 5,
            ..IndexSettings::default()
        };
        let refused = IndexWriter::open(folder.path(), &raw, OPTIONS)
            .err()
            .unwrap();
        assert!(refused.to_string().contains("other settings"), "{refused}");
    }

    #[test]
    fn folders_with_other_files_are_not_touched() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("thesis.tex"), "").unwrap();
        let refused = writer(folder.path()).err().unwrap().to_string();
        assert!(refused.contains("not empty"), "{refused}");
    }
}
