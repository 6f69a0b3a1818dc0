//! The first pass over a crawl, for pipelines that go by how many of its pages have a text.

use super::interrupt::{self, Left};
use super::log::Format;
use super::progress::Watch;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use warcsieve_base::{Error, Result, counted, files};
use warcsieve_clean::Pipeline;
use warcsieve_crawl::pipeline::{
    FrequencyOptions, Input, InputKind, OutputFolder, RunOptions, count_frequencies,
};
use warcsieve_features::Frequencies;

/// Memory for counts; more go to a temporary file next to the table.
const MEMORY: usize = 256 << 20;

/// Texts on fewer pages are left out: what `default-crawl` asks for.
const MIN_PAGES: u32 = 3;

/// Largest table, as pipelines have it that name one.
const LARGEST: u64 = 1 << 30;

/// Gives the pipeline the table of the crawl if it goes by one that it does not name: the file beside
/// the output folder, `corpus.freq` of `corpus/`. It is made if it is not there, or if all is done
/// again.
pub fn give(
    pipeline: &mut Pipeline,
    inputs: &[Input],
    out: &OutputFolder,
    options: &RunOptions,
    (quiet, format): (bool, Format),
) -> Result<()> {
    if !pipeline.lacks_table() {
        return Ok(());
    }
    let place = place(out)?;
    let is_share = options.shard != (1, 1);
    if !place.exists() || options.redo && !is_share {
        let by_hand = format!(
            "make it with `warcsieve freq --by-host --min-pages {MIN_PAGES} --out {} INPUT…`",
            place.display()
        );
        if is_share {
            let why = "of a share of the inputs no table of all is made";
            return Err(Error::Usage(format!("{why}; {by_hand}")));
        }
        if inputs.iter().any(|input| input.kind == InputKind::Stdin) {
            let why = "standard input cannot be read twice";
            return Err(Error::Usage(format!("{why}; {by_hand} from files")));
        }
        count(pipeline, inputs, &place, options.threads, (quiet, format)).map_err(|e| match e {
            Error::Usage(why) => Error::Usage(format!("{why}; {by_hand}")),
            other => other,
        })?;
    }
    let bytes = files::read(&place, LARGEST).map_err(|e| Error::io(&place, e))?;
    let table = Frequencies::from_bytes(&bytes)
        .map_err(|e| Error::Usage(format!("{}: {e}", place.display())))?;
    if !table.is_by_host() {
        let why = "its texts are not counted by host; make it with `warcsieve freq --by-host`";
        return Err(Error::Usage(format!("{}: {why}", place.display())));
    }
    let (pages, texts) = (table.pages(), table.len() as u64);
    tracing::info!(
        "{}: {} of {} are on {} pages or more of their host or of the crawl",
        place.display(),
        counted(texts, "text", "texts"),
        counted(pages, "page", "pages"),
        table.min_pages()
    );
    pipeline.give_table(table, HEXLOWER.encode(&Sha256::digest(&bytes)));
    Ok(())
}

/// Where the table is.
fn place(out: &OutputFolder) -> Result<PathBuf> {
    let folder = out.path();
    let name = folder
        .file_name()
        .filter(|_| !warcsieve_store::is_address(&folder.to_string_lossy()));
    match name {
        Some(name) => {
            let mut name = name.to_owned();
            name.push(".freq");
            Ok(folder.with_file_name(name))
        }
        None => Err(Error::Usage(format!(
            "{}: the table of the crawl is kept beside the output, and there is no place for it; make it with \
             `warcsieve freq --by-host`, and name it in a pipeline file: frequencies = \"crawl.freq\"",
            folder.display()
        ))),
    }
}

fn count(
    pipeline: &Pipeline,
    inputs: &[Input],
    place: &Path,
    threads: usize,
    (quiet, format): (bool, Format),
) -> Result<()> {
    if let Some(folder) = place.parent() {
        std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, e))?;
    }
    tracing::info!("first pass: on how many pages each text is");
    let options = FrequencyOptions {
        threads,
        memory: MEMORY,
        min_pages: MIN_PAGES,
        by_host: true,
        allow_failed: false,
    };
    let progress = interrupt::run(Left::Nothing);
    let watch = (!quiet).then(|| Watch::inputs(&progress, inputs, format));
    let counted = count_frequencies(inputs, pipeline, &options, place, &progress);
    drop(watch);
    let summary = counted?;
    match (summary.bytes, summary.failed.first()) {
        (Some(_), _) => Ok(()),
        (None, Some(failed)) => Err(Error::Usage(format!(
            "{} could not be read ({}), so its texts are not known; leave it out, or count without it (--allow-failed)",
            failed.name, failed.error
        ))),
        (None, None) => Err(Error::Usage("no input is a crawl or a page".to_owned())),
    }
}
