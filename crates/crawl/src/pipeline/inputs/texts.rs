//! Inputs that are texts of others: a JSON object a line.

use super::page::{BEGINNING, inflated};
use std::fs;
use std::io::Read;
use std::path::Path;
use warcsieve_warc::begins_like_clueweb22_text;

const ENDINGS: &[&str] = &[".jsonl", ".ndjson", ".json"];
const PACKED: &[&str] = &[".gz", ".zst"];

/// Whether a name ends as those of files of JSON lines do, compressed or not.
pub fn is_named_texts(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let plain = PACKED.iter().find_map(|packed| lower.strip_suffix(packed));
    let plain = plain.unwrap_or(&lower);
    ENDINGS.iter().any(|ending| plain.ends_with(ending))
}

/// Whether a file in a folder is one of the texts of ClueWeb22. Other files of JSON lines, such as
/// gold beside its pages, must be named one by one.
pub(super) fn is_clueweb22_text(path: &Path) -> bool {
    let is_named = path.to_str().is_some_and(is_named_texts);
    let mut beginning = Vec::new();
    // A pipe would wait for what is written to it.
    is_named
        && fs::metadata(path).is_ok_and(|there| there.is_file())
        && fs::File::open(path).is_ok_and(|file| {
            let read = file.take(BEGINNING as u64).read_to_end(&mut beginning);
            read.is_ok() && begins_like_clueweb22_text(&inflated(&beginning))
        })
}
