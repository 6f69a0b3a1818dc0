//! The first pass over a crawl, for pipelines with a step that uses a table of texts.

use super::interrupt::{self, Left};
use super::log::Format;
use super::progress::Watch;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use warcsieve_classify::params::TableNeeds;
use warcsieve_common::files::{is_there, make_folder};
use warcsieve_common::{Error, Result, counted, files};
use warcsieve_engine::Input;
use warcsieve_extract::Pipeline;
use warcsieve_features::Frequencies;
use warcsieve_features::frequency::MAX_TABLE_BYTES;
use warcsieve_run::{FrequencyOptions, OutputFolder, RunOptions, count_frequencies};
use warcsieve_store::is_address;

/// Memory for counts in bytes. Further counts go to a temporary file next to the table.
const MEMORY: usize = 256 << 20;

/// Gives the pipeline the table of the crawl, if a step needs one and the pipeline names none. The
/// table is a file next to the output folder, such as `corpus.freq` next to `corpus/`. It is made
/// if it does not exist.
pub fn give(
    pipeline: &mut Pipeline,
    inputs: &[Input],
    out: &OutputFolder,
    options: &RunOptions,
    (quiet, format): (bool, Format),
) -> Result<()> {
    let Some(needs) = pipeline.lacks_table() else {
        return Ok(());
    };
    let pass = FirstPass {
        place: place(out)?,
        pipeline,
        needs,
        inputs,
    };
    let place = &pass.place;
    if is_there(place)? {
        pass.say_what_is_new()?;
    } else {
        pass.check(options)?;
        if !pass.count(options, quiet, format)? {
            // Without pages no text repeats, and `clean` reports what is wrong.
            return Ok(());
        }
    }
    let wrong = |what: &str| Error::Invalid(format!("{}: {what}", place.display()));
    let bytes = files::read(place, MAX_TABLE_BYTES).map_err(|e| Error::io(place, e))?;
    let table = Frequencies::from_bytes(&bytes).map_err(|e| wrong(&e.to_string()))?;
    let (pages, texts, least) = (table.pages(), table.len() as u64, table.min_pages());
    let given = pipeline.give_table(table, HEXLOWER.encode(&Sha256::digest(&bytes)));
    given.map_err(|what| wrong(&format!("{what}; or delete it to count again")))?;
    tracing::info!(
        "{} of {} are on {least} or more, of the crawl or of a host",
        counted(texts, "text", "texts"),
        counted(pages, "page", "pages"),
    );
    Ok(())
}

/// The path of the table.
fn place(out: &OutputFolder) -> Result<PathBuf> {
    let folder = out.path();
    if is_address(&folder.to_string_lossy()) {
        return Err(Error::Invalid(format!(
            "{}: the table of the crawl is kept next to the output, which is not possible in a store; make it with \
             `warcsieve freq --by-host`, and name it in a pipeline file: frequencies = \"crawl.freq\"",
            folder.display()
        )));
    }
    let folder = std::path::absolute(folder).map_err(|e| Error::io(folder, e))?;
    let name = folder.file_name();
    let mut name = name.map_or_else(|| "corpus".into(), ToOwned::to_owned);
    name.push(".freq");
    Ok(folder.with_file_name(name))
}

struct FirstPass<'a> {
    place: PathBuf,
    pipeline: &'a Pipeline,
    needs: TableNeeds,
    inputs: &'a [Input],
}

impl FirstPass<'_> {
    /// The command that makes the table.
    fn by_hand(&self) -> String {
        format!(
            "make the table with `warcsieve freq --pipeline {}{} --min-pages {} --out {} INPUT…`",
            self.pipeline.name,
            if self.needs.by_host { " --by-host" } else { "" },
            self.needs.min_pages,
            self.place.display()
        )
    }

    /// The file with the names of the counted inputs, one per line. It is next to the table.
    fn counted_at(&self) -> PathBuf {
        let mut name = self.place.as_os_str().to_owned();
        name.push(".inputs");
        name.into()
    }

    /// Warns about inputs that were not counted in an existing table. Tables of other commands have
    /// no list of inputs.
    fn say_what_is_new(&self) -> Result<()> {
        let at = self.counted_at();
        let text = match fs::read_to_string(&at) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            read => read.map_err(|e| Error::io(&at, e))?,
        };
        let known: BTreeSet<&str> = text.lines().collect();
        let new = self
            .inputs
            .iter()
            .filter(|input| !known.contains(&*self.line(input)));
        match new.count() {
            0 => {}
            new => tracing::warn!(
                "{}: the texts of {} were not counted; delete the table to count again, and use --redo for inputs that are done",
                self.place.display(),
                counted(new, "input", "inputs")
            ),
        }
        Ok(())
    }

    fn line(&self, input: &Input) -> String {
        let size = input.stamp().ok().flatten().map_or(0, |stamp| stamp.size);
        format!("{size} {}", input.name.replace('\n', " "))
    }

    /// Refuses a run that cannot count all inputs of the crawl.
    fn check(&self, options: &RunOptions) -> Result<()> {
        let refuse = |why: &str| Err(Error::Invalid(format!("{why}; {}", self.by_hand())));
        if options.shard != (1, 1) || !options.seal {
            return refuse("the table needs the whole crawl, not a part of it");
        }
        let is_stream = |input: &&Input| matches!(input.stamp(), Ok(None));
        match self.inputs.iter().find(is_stream) {
            Some(input) => refuse(&format!("{}: cannot be read twice", input.origin())),
            None => Ok(()),
        }
    }

    /// Makes the table. `false` if there is no page.
    fn count(&self, options: &RunOptions, quiet: bool, format: Format) -> Result<bool> {
        let place = &self.place;
        if let Some(folder) = place.parent() {
            make_folder(folder)?;
        }
        tracing::info!("first pass: on how many pages each text is");
        let counting = FrequencyOptions {
            threads: options.threads,
            memory: MEMORY,
            min_pages: self.needs.min_pages,
            by_host: self.needs.by_host,
            allow_failed: false,
        };
        let progress = interrupt::run(Left::Nothing);
        let watch = (!quiet).then(|| Watch::inputs(&progress, self.inputs, format));
        let counted = count_frequencies(self.inputs, self.pipeline, &counting, place, &progress);
        drop(watch);
        let summary = counted?;
        if let Some(failed) = summary.failed.into_iter().next() {
            tracing::error!(
                "the table needs all inputs; leave {} out, or {} --allow-failed",
                failed.name,
                self.by_hand()
            );
            return Err(failed.error);
        }
        let Some(bytes) = summary.bytes.filter(|_| summary.counted.pages > 0) else {
            remove(place)?;
            return Ok(false);
        };
        if bytes > MAX_TABLE_BYTES {
            remove(place)?;
            return Err(Error::Invalid(format!(
                "the table has {bytes} bytes, more than {MAX_TABLE_BYTES}; raise host_pages or pages, so that it has fewer texts"
            )));
        }
        let lines: String = self
            .inputs
            .iter()
            .map(|input| self.line(input) + "\n")
            .collect();
        let at = self.counted_at();
        fs::write(&at, lines).map_err(|e| Error::io(&at, e))?;
        Ok(true)
    }
}

fn remove(file: &Path) -> Result<()> {
    match fs::remove_file(file) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(Error::io(file, e)),
        _ => Ok(()),
    }
}
