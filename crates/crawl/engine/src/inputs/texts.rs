//! Inputs that are texts from other programs: one JSON object per line.

use flate2::read::MultiGzDecoder;
use std::fs;
use std::io::{self, Read};
use std::path::Path;
use warcsieve_common::files::is_file;
use warcsieve_common::{Error, Result, is_lasting};
use warcsieve_warc::begins_like_clueweb22_text;

const ENDINGS: &[&str] = &[".jsonl", ".ndjson", ".json"];
const PACKED: &[&str] = &[".gz", ".zst"];

/// Number of first bytes of text, after decompression, that show which format it is.
const BEGINNING: u64 = 64 << 10;

/// Whether a name has the ending of JSON lines, compressed or not.
pub fn is_named_texts(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let plain = PACKED.iter().find_map(|packed| lower.strip_suffix(packed));
    let plain = plain.unwrap_or(&lower);
    ENDINGS.iter().any(|ending| plain.ends_with(ending))
}

/// Whether a file in a folder is a text file of ClueWeb22. Other files of JSON lines, such as gold
/// next to its pages, must be named one by one.
pub(super) fn is_clueweb22_text(path: &Path) -> Result<bool> {
    // Reading a pipe would wait until something is written to it.
    if !path.to_str().is_some_and(is_named_texts) || !is_file(path)? {
        return Ok(false);
    }
    match beginning(path) {
        Ok(text) => Ok(begins_like_clueweb22_text(&text)),
        // Its compression is damaged, or it is not ours to read.
        Err(e) if e.raw_os_error().is_none() || is_lasting(&e) => Ok(false),
        Err(e) => Err(Error::io(path, e)),
    }
}

fn beginning(path: &Path) -> io::Result<Vec<u8>> {
    let file = fs::File::open(path)?;
    let bytes: Box<dyn Read> = match path.extension().and_then(|ending| ending.to_str()) {
        Some(ending) if ending.eq_ignore_ascii_case("gz") => Box::new(MultiGzDecoder::new(file)),
        Some(ending) if ending.eq_ignore_ascii_case("zst") => {
            Box::new(zstd::stream::read::Decoder::new(file)?)
        }
        _ => Box::new(file),
    };
    let mut text = Vec::new();
    bytes.take(BEGINNING).read_to_end(&mut text)?;
    Ok(text)
}
