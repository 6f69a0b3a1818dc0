//! The inputs below a folder.

use super::endings::is_named_input;
use super::page::{BEGINNING, begins_like_page, is_program};
use super::texts::is_clueweb22_text;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use tracing::{info, warn};
use warcsieve_common::files::{is_file, metadata};
use warcsieve_common::{Error, Result, counted, is_lasting};

/// The file in an output folder that says how the outputs were made.
pub const RECIPE: &str = "_recipe.json";

/// The folder inside a corpus folder that holds its cleaned inputs.
pub const CLEANED: &str = "cleaned";

/// Whether this program writes the folder: as the output of a run, or as a corpus.
pub(super) fn is_output(folder: &Path) -> Result<bool> {
    Ok(is_file(&folder.join(RECIPE))? || is_file(&folder.join(CLEANED).join(RECIPE))?)
}

/// All inputs below a folder. Left out are files with hidden names, and output folders below it:
/// their files of pages would be read as pages again. Links to folders are not followed, so a loop
/// of links cannot trap the walk.
pub(super) fn walk(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    let mut folders = vec![folder.to_owned()];
    let mut others = 0;
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(|e| Error::io(&folder, e))? {
            let entry = entry.map_err(|e| Error::io(&folder, e))?;
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with(['.', '_']) {
                if is_named_input(&name) {
                    warn!(path = %path.display(), "hidden by its name, passed over");
                }
            } else if entry.file_type().map_err(|e| Error::io(&path, e))?.is_dir() {
                match is_output(&path)? {
                    true => info!(path = %path.display(), "an output folder, passed over"),
                    false => folders.push(path),
                }
            } else if is_clueweb22_text(&path)? {
                texts.push(path);
            } else if is_named_input(&name) || may_be_saved_page(&name) && begins_page(&path)? {
                // Reading a pipe without a writer would block the run.
                if metadata(&path)?.is_some_and(|there| !there.is_file()) {
                    warn!(path = %path.display(), "not a file, passed over");
                } else {
                    found.push(path);
                }
            } else {
                others += 1;
            }
        }
    }
    // Next to the pages, the texts of ClueWeb22 would be the same pages again.
    if found.is_empty() {
        found.append(&mut texts);
    }
    if !texts.is_empty() {
        warn!(
            "below {}: {} of ClueWeb22 passed over, because there are crawls or pages; give their folder to read them",
            folder.display(),
            counted(texts.len(), "file of texts", "files of texts")
        );
    }
    // If nothing is found, the error says what was looked for.
    if others > 0 && !found.is_empty() {
        let folder = folder.display();
        info!(
            "below {folder}: {} passed over, because of names that do not end like those of crawls or pages",
            counted(others, "file", "files")
        );
    }
    Ok(())
}

/// Whether a page may have this name if a program saved it that mirrors sites. Such names have no
/// ending, the ending of a program, or the query of the address at their end, such as `news`,
/// `index.php`, `index.html@p=2`.
fn may_be_saved_page(name: &str) -> bool {
    let is_ending = |ending: &str| {
        (1..=5).contains(&ending.len()) && ending.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    let has_ending = |(_, ending)| is_ending(ending) && !is_program(ending);
    !name.rsplit_once('.').is_some_and(has_ending) || name.contains(['?', '@'])
}

/// Whether a regular file begins like a web page.
fn begins_page(path: &Path) -> Result<bool> {
    let mut beginning = Vec::new();
    // Reading a pipe would wait until something is written to it.
    if !is_file(path)? {
        return Ok(false);
    }
    let file = fs::File::open(path);
    match file.and_then(|file| file.take(BEGINNING as u64).read_to_end(&mut beginning)) {
        Ok(_) => Ok(begins_like_page(&beginning)),
        Err(e) if is_lasting(&e) => Ok(false),
        Err(e) => Err(Error::io(path, e)),
    }
}
