//! Other processes change the folders while a run is at work.

use super::run::Relabelling;
use super::*;
use crate::clean::{RunOptions, clean};
use crate::output::Unsealed;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;
use warcsieve_common::{Error, Result};
use warcsieve_engine::{Input, InputKind};
use warcsieve_fixture::listing;

const CRAWL: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../../testdata/crawl/en0000"
);

/// A pipeline with this number of words. Another number makes another recipe.
fn pipeline(words: u32) -> Pipeline {
    let step = format!("[[step]]\nmethod = 'min-words'\nwords = {words}\n");
    Pipeline::parse(&warcsieve_classify::CORE, "few.toml", &step).unwrap()
}

/// Two folders. The first one is cleaned.
struct Folders {
    root: TempDir,
    from: OutputFolder,
    to: OutputFolder,
}

impl Folders {
    fn new(inputs: &[&str], seal: bool) -> Self {
        let root = tempfile::tempdir().unwrap();
        let folder = |name: &str| OutputFolder::new(root.path().join(name));
        let folders = Self {
            from: folder("from"),
            to: folder("to"),
            root,
        };
        folders.clean(inputs, 10, seal);
        folders
    }

    /// Cleans these files of the crawl; again, if they were cleaned with another recipe.
    fn clean(&self, inputs: &[&str], words: u32, seal: bool) {
        let input = |name: &&str| Input {
            kind: InputKind::File(Path::new(CRAWL).join(name)),
            name: (*name).to_owned(),
            selected: None,
        };
        let inputs: Vec<_> = inputs.iter().map(input).collect();
        let options = RunOptions {
            seal,
            redo: true,
            checkpoint_bytes: 1 << 30,
            ..RunOptions::default()
        };
        let progress = Arc::default();
        let summary = clean(&inputs, &pipeline(words), &self.from, &options, &progress).unwrap();
        assert!(summary.failed.is_empty());
    }

    /// Labels again. `meanwhile` runs after the run has examined both folders.
    fn relabel(&self, redo: bool, meanwhile: impl FnOnce()) -> Result<Relabelled> {
        let (pipeline, progress) = (pipeline(20), Progress::default());
        let options = RelabelOptions { threads: 1, redo };
        let begun = Relabelling::begin(&self.from, &pipeline, &self.to, &options, &progress);
        let (job, mut result) = begun?;
        meanwhile();
        job.work(options.threads, &mut result)?;
        job.end(&mut result)?;
        assert_eq!(result.sealed, result.unsealed.is_none());
        assert_eq!(result.sealed, self.to.is_sealed().unwrap());
        Ok(result)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }
}

const ONE: &[&str] = &["00.warc.gz"];
const TWO: &[&str] = &["00.warc.gz", "01.warc.gz"];

#[test]
fn a_source_that_is_finished_meanwhile_seals_nothing_until_it_is_read_again() {
    let folders = Folders::new(ONE, false);
    let result = folders.relabel(false, || folders.clean(TWO, 10, true));
    let result = result.unwrap();
    assert!(folders.from.is_sealed().unwrap());
    assert!(
        matches!(result.unsealed, Some(NotSealed::SourceChanged)),
        "{result:?}"
    );
    let result = folders.relabel(false, || ()).unwrap();
    assert_eq!((result.kept, result.done, result.sealed), (1, 1, true));
}

#[test]
fn a_source_that_is_sealed_with_further_inputs_meanwhile_seals_nothing() {
    let folders = Folders::new(ONE, true);
    let result = folders.relabel(false, || folders.clean(TWO, 10, true));
    let why = result.unwrap().unsealed;
    assert!(matches!(why, Some(NotSealed::SourceChanged)), "{why:?}");
}

#[test]
fn a_source_that_loses_its_seal_meanwhile_seals_nothing() {
    let folders = Folders::new(ONE, true);
    assert!(folders.relabel(false, || ()).unwrap().sealed);
    // Nothing is left to do, but the source lost its seal, so the seal of the output goes as well.
    let result = folders.relabel(false, || folders.clean(TWO, 10, false));
    let why = result.unwrap().unsealed;
    assert!(matches!(why, Some(NotSealed::NoSource)), "{why:?}");
}

#[test]
fn an_input_that_is_cleaned_otherwise_meanwhile_is_refused() {
    let folders = Folders::new(TWO, true);
    let result = folders.relabel(false, || folders.clean(TWO, 11, true));
    let result = result.unwrap();
    assert_eq!((result.done, result.failed.len()), (0, 2));
    for failed in &result.failed {
        let said = failed.error.to_string();
        assert!(matches!(failed.error, Error::Io { .. }), "{said}");
        assert!(said.contains("cleaned again meanwhile"), "{said}");
        assert!(said.contains("the pipeline file was"), "{said}");
    }
    assert!(folders.to.done_inputs().unwrap().is_empty());
    // Nothing failed and the names are the same, but all rows have the old recipe.
    let folders = Folders::new(TWO, true);
    folders.relabel(false, || ()).unwrap();
    let result = folders.relabel(false, || folders.clean(TWO, 11, true));
    let why = result.unwrap().unsealed;
    assert!(matches!(why, Some(NotSealed::SourceChanged)), "{why:?}");
}

#[test]
fn an_input_that_is_gone_meanwhile_fails_alone() {
    let folders = Folders::new(TWO, true);
    let row = folders.from.manifest_path(ONE[0]);
    let result = folders.relabel(false, || fs::remove_file(&row).unwrap());
    let result = result.unwrap();
    assert_eq!((result.done, result.failed.len()), (1, 1));
    let said = result.failed[0].error.to_string();
    assert!(said.contains("its row is gone"), "{said}");
}

#[test]
fn files_of_two_cleanings_are_not_mixed() {
    let folders = Folders::new(ONE, true);
    let progress = Progress::default();
    let source = source::Source::read(&folders.from, &progress).unwrap();
    let mut row = source.row(ONE[0]).unwrap();
    source.refuse_other_files(ONE[0], &row.outputs).unwrap();
    row.outputs[1].sha256 = "0".repeat(64);
    let error = source.refuse_other_files(ONE[0], &row.outputs).unwrap_err();
    assert!(error.to_string().contains("meanwhile"), "{error}");
}

#[test]
fn inputs_that_the_source_no_longer_has_are_refused_before_any_work() {
    for redo in [false, true] {
        let folders = Folders::new(TWO, true);
        assert!(folders.relabel(false, || ()).unwrap().sealed);
        let before = listing(&folders.path("to"));
        fs::remove_dir_all(folders.path("from")).unwrap();
        folders.clean(ONE, if redo { 11 } else { 10 }, true);
        let error = folders.relabel(redo, || ()).unwrap_err();
        assert!(matches!(error, Error::Invalid(_)), "{error}");
        let said = error.to_string();
        assert!(
            said.contains("does not have: 1, such as 01.warc.gz"),
            "{said}"
        );
        assert_eq!(before, listing(&folders.path("to")), "it changes nothing");
    }
}

#[test]
fn a_source_of_another_recipe_is_read_anew() {
    let folders = Folders::new(TWO, true);
    folders.relabel(false, || ()).unwrap();
    fs::remove_dir_all(folders.path("from")).unwrap();
    folders.clean(TWO, 11, true);
    let error = folders.relabel(false, || ()).unwrap_err().to_string();
    assert!(error.contains("--redo"), "{error}");
    let result = folders.relabel(true, || ()).unwrap();
    assert_eq!((result.kept, result.done, result.sealed), (0, 2, true));
    let recipe = |name: &&str| folders.to.row(name).unwrap().unwrap().recipe;
    let recipes: Vec<_> = TWO.iter().map(recipe).collect();
    assert_eq!(recipes[0], recipes[1]);
}

/// While an input is cleaned again it has no row, but it is still listed, so it is not unknown.
#[test]
fn an_input_that_is_being_cleaned_is_no_stranger() {
    let folders = Folders::new(TWO, true);
    folders.relabel(false, || ()).unwrap();
    fs::remove_file(folders.path("from/_SUCCESS")).unwrap();
    fs::remove_file(folders.from.manifest_path(TWO[1])).unwrap();
    let why = folders.relabel(false, || ()).unwrap().unsealed;
    assert!(matches!(why, Some(NotSealed::NoSource)), "{why:?}");
    folders.clean(TWO, 10, true);
    assert!(folders.relabel(false, || ()).unwrap().sealed);
}

#[test]
fn two_sources_of_one_recipe_are_not_mixed() {
    let folders = Folders::new(ONE, true);
    let why = folders.relabel(false, || {
        folders.to.add_inputs(["99.warc.gz"].into_iter()).unwrap();
    });
    let said = why.unwrap_err().to_string();
    assert!(said.contains("such as 99.warc.gz"), "{said}");
    assert!(!folders.to.is_sealed().unwrap());
}

#[test]
fn rows_that_do_not_balance_are_refused_or_made_anew() {
    let folders = Folders::new(TWO, true);
    folders.relabel(false, || ()).unwrap();
    let forge = |folder: &OutputFolder| {
        let mut row = folder.row(ONE[0]).unwrap().unwrap();
        row.pages.other_records = u64::MAX;
        folder.store(&row).unwrap();
    };
    forge(&folders.to);
    let result = folders.relabel(false, || ()).unwrap();
    assert_eq!((result.kept, result.done, result.sealed), (1, 1, true));
    forge(&folders.from);
    fs::remove_file(folders.to.manifest_path(ONE[0])).unwrap();
    let result = folders.relabel(false, || ()).unwrap();
    assert_eq!((result.kept, result.failed.len()), (1, 1));
    let said = result.failed[0].error.to_string();
    assert!(said.contains("counts do not add up"), "{said}");
}

#[test]
fn what_another_process_leaves_in_the_folder_is_said() {
    let folders = Folders::new(ONE, true);
    let stray = folders.path("to/documents/stray.parquet");
    let result = folders.relabel(false, || {
        fs::create_dir_all(stray.parent().unwrap()).unwrap();
        fs::write(&stray, "").unwrap();
    });
    let why = result.unwrap().unsealed;
    assert!(
        matches!(why, Some(NotSealed::Refused(Unsealed::Refused(_)))),
        "{why:?}"
    );
}

#[test]
fn a_wish_to_stop_ends_the_run_and_leaves_no_files() {
    let folders = Folders::new(TWO, true);
    let (pipeline, progress) = (pipeline(20), Progress::default());
    let options = RelabelOptions {
        threads: 2,
        redo: false,
    };
    let (from, to) = (&folders.from, &folders.to);
    let (job, mut result) = Relabelling::begin(from, &pipeline, to, &options, &progress).unwrap();
    progress.stop();
    let error = job.work(options.threads, &mut result).unwrap_err();
    assert!(matches!(error, Error::Stopped), "{error}");
    assert!(result.failed.is_empty(), "to stop is no fault of an input");
    assert!(to.done_inputs().unwrap().is_empty());
    assert!(!folders.path("to/documents").exists());
    let stopped = relabel(from, &pipeline, to, &options, &progress);
    assert!(matches!(stopped, Err(Error::Stopped)));
}

#[test]
fn what_cannot_be_written_ends_the_run_wherever_it_is() {
    let folders = Folders::new(TWO, true);
    // The path as written is below the source; the real path is not.
    let to = OutputFolder::new(folders.path("from/../to"));
    let in_the_way = folders.path("to/blocks/00.warc.gz.parquet/file");
    let (pipeline, progress) = (pipeline(20), Progress::default());
    let options = RelabelOptions {
        threads: 1,
        redo: false,
    };
    let (job, mut result) =
        Relabelling::begin(&folders.from, &pipeline, &to, &options, &progress).unwrap();
    fs::create_dir_all(in_the_way).unwrap();
    let error = job.work(options.threads, &mut result).unwrap_err();
    assert!(matches!(error, Error::Io { .. }), "{error}");
    assert_eq!((result.done, result.failed.len()), (0, 0));
}
