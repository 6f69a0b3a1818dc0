//! Inputs that are texts of others: a JSON object a line.

use flate2::read::MultiGzDecoder;
use std::fs;
use std::io::{self, Read};
use std::path::Path;
use warcsieve_warc::begins_like_clueweb22_text;

const ENDINGS: &[&str] = &[".jsonl", ".ndjson", ".json"];
const PACKED: &[&str] = &[".gz", ".zst"];

/// Bytes of text, before it is packed, that tell whose it is.
const BEGINNING: u64 = 64 << 10;

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
    // A pipe would wait for what is written to it.
    path.to_str().is_some_and(is_named_texts)
        && fs::metadata(path).is_ok_and(|there| there.is_file())
        && beginning(path).is_ok_and(|text| begins_like_clueweb22_text(&text))
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
