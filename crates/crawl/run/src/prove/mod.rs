//! Finds blocks of an output folder again in the crawl.

mod compare;
mod picks;

use crate::manifest::ManifestRow;
use crate::output::OutputFolder;
use compare::Again;
use picks::Picked;
use std::collections::HashMap;
use warcsieve_common::{Error, Result};
use warcsieve_engine::{Input, Progress};
use warcsieve_store::refuse_address;

/// What was found.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Proved {
    /// Blocks that were picked.
    pub blocks: u64,
    /// Blocks that are in the crawl: segmenting the page again gives a block with the same number,
    /// range and text.
    pub found: u64,
    /// Those of them whose text is in the page byte for byte, between white space. The others have
    /// markup, character references or white space in them.
    pub verbatim: u64,
    /// Those of them in which personal data is masked, so that only their range is compared.
    pub masked: u64,
    /// What differs, a line for each block that was not found, at most 100.
    pub differences: Vec<String>,
}

/// Most lines of differences.
const MAX_LISTED: usize = 100;

/// Picks this many content blocks of a local output folder by chance, equally likely, and reads their
/// pages from the crawl again. `inputs` are those that were cleaned. Equal seeds pick equal blocks.
///
/// Memory: 100 bytes per block and its text, and a page.
///
/// # Errors
/// [`Error::Invalid`] if the folder has no texts of blocks, or an input is not among `inputs`;
/// [`Error::Integrity`] if a table is not as it was written; [`Error::Io`]; [`Error::Stopped`].
pub fn prove(
    out: &OutputFolder,
    inputs: &[Input],
    (blocks, seed): (u64, u64),
    progress: &Progress,
) -> Result<Proved> {
    refuse_address(out.path())?;
    out.must_have_manifest()?;
    let mut rows = Vec::new();
    for name in out.done_inputs()? {
        progress.go_on()?;
        rows.extend(out.row(&name)?.map(|row| (name, row.pages.content_blocks)));
    }
    let sizes: Vec<u64> = rows.iter().map(|(_, blocks)| *blocks).collect();
    let given: HashMap<&str, &Input> = inputs.iter().map(|i| (i.name.as_str(), i)).collect();
    let mut proved = Proved::default();
    for (at, numbers) in picks::by_shard(&sizes, blocks, seed) {
        let (name, _) = &rows[at];
        let Some(row) = out.row(name)? else { continue };
        let input = given.get(name.as_str()).ok_or_else(|| {
            Error::Invalid(format!("{name} was cleaned, and is not among the inputs"))
        })?;
        let picked = picks::read(out, &row, &numbers, progress)?;
        proved.blocks += picked
            .iter()
            .map(|page| page.blocks.len() as u64)
            .sum::<u64>();
        shard(out, &row, input, picked, progress, &mut proved)?;
    }
    Ok(proved)
}

/// Looks for the blocks of one input.
fn shard(
    out: &OutputFolder,
    row: &ManifestRow,
    input: &Input,
    picked: Vec<Picked>,
    progress: &Progress,
    proved: &mut Proved,
) -> Result<()> {
    let mut again = Again::new(out, row, input)?;
    for page in picked {
        progress.go_on()?;
        let found = again.page(&page)?;
        for (block, found) in page.blocks.iter().zip(found) {
            match found {
                Ok(how) => {
                    proved.found += 1;
                    proved.verbatim += u64::from(how == compare::How::Verbatim);
                    proved.masked += u64::from(how == compare::How::Masked);
                }
                Err(what) => {
                    let place = format!("{} at byte {}", row.input, page.offset);
                    let line = format!("{place}, page {}, block {}: {what}", page.id, block.number);
                    if proved.differences.len() < MAX_LISTED {
                        proved.differences.push(line);
                    }
                }
            }
        }
    }
    Ok(())
}
