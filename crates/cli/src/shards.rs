//! Lists the shards in output folders of `clean`.

use crate::interrupt::{self, Left};
use crate::log::Format;
use crate::progress::Watch;
use std::path::PathBuf;
use warcsieve_common::{Error, Result};
use warcsieve_engine::Progress;
use warcsieve_run::shards::{Shard, list_shards};

/// Maximum number of files without a manifest row that are listed.
const SHOWN: usize = 5;

/// Runs `work` on these shards. Shows progress unless it is quiet. A signal stops the run and
/// prints what is left.
pub fn run<T>(
    shards: &[Shard],
    left: Left,
    quiet: bool,
    format: Format,
    work: impl FnOnce(&Progress) -> Result<T>,
) -> Result<T> {
    let progress = interrupt::run(left);
    let bytes = shards.iter().map(Shard::bytes).fold(0, u64::saturating_add);
    let watch = (!quiet).then(|| Watch::shards(&progress, shards.len(), bytes, format));
    let result = work(&progress);
    drop(watch);
    result
}

/// The shards of all folders, sorted by name. Warns about incomplete folders and files.
pub fn list(folders: &[PathBuf]) -> Result<Vec<Shard>> {
    let mut shards = Vec::new();
    for folder in folders {
        let listing = list_shards(folder)?;
        let name = folder.display();
        if !listing.sealed {
            tracing::warn!(
                "{name} has no _SUCCESS: inputs may be missing; `warcsieve status {name} --inputs …` \
                 says which"
            );
        }
        if let (true, Some(path)) = (listing.sealed, listing.unfinished.first()) {
            return Err(Error::Invalid(format!(
                "{}: it has no manifest row, though _SUCCESS says that all is done; run `clean` again",
                path.display()
            )));
        }
        for path in listing.unfinished.iter().take(SHOWN) {
            tracing::warn!("{}: no manifest row, so not done; left out", path.display());
        }
        let more = listing.unfinished.len().saturating_sub(SHOWN);
        if more > 0 {
            tracing::warn!("{name}: {more} more without a manifest row");
        }
        if listing.shards.is_empty() {
            return Err(Error::Invalid(format!(
                "{name} holds no shard that is done"
            )));
        }
        shards.extend(listing.shards);
    }
    shards.sort_by(|a, b| a.name.cmp(&b.name));
    match shards.windows(2).find(|pair| pair[0].name == pair[1].name) {
        None => Ok(shards),
        Some(pair) => Err(Error::Invalid(format!(
            "two shards are called {}; clean one of them with another --base",
            pair[0].name
        ))),
    }
}
