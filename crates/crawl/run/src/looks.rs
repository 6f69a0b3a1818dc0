//! Tells what a file without records looks like, so that the message can say what to do.

use flate2::read::MultiGzDecoder;
use std::io::{self, Read};
use warcsieve_engine::{Input, InputKind, begins_like_page};
use warcsieve_warc::ledger::{FaultKind, ReadLedger};

/// Number of bytes to examine.
const BEGINNING: u64 = 1024;

/// Adds to the fault of an input without records what the file looks like. Returns whether it is certainly no crawl.
/// Standard input cannot be read a second time, so it stays as it is.
pub fn explain(input: &Input, ledger: &mut ReadLedger) -> bool {
    let not_warc = |kind| kind == FaultKind::NotWarc;
    let Some(fault) = ledger.faults.iter_mut().find(|f| not_warc(f.kind)) else {
        return false;
    };
    if input.kind == InputKind::Stdin {
        return false;
    }
    let Ok(bytes) = beginning(input) else {
        return false;
    };
    let what = looks(&bytes);
    fault.message = format!("{}; {what}", fault.message);
    !MAY_BE_CRAWL.contains(&what)
}

/// The first bytes of an input, decompressed if they are gzip.
fn beginning(input: &Input) -> io::Result<Vec<u8>> {
    let read = |from: Box<dyn Read>| -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let read = from.take(BEGINNING).read_to_end(&mut bytes);
        // If the stream is damaged, use the bytes before the damage.
        read.map(|_| ()).or_else(|e| match bytes.is_empty() {
            true => Err(e),
            false => Ok(()),
        })?;
        Ok(bytes)
    };
    let open = || input.open().map(|(_, from)| from).map_err(io::Error::other);
    let bytes = read(open()?)?;
    match bytes.starts_with(&[0x1f, 0x8b]) {
        true => Ok(read(Box::new(MultiGzDecoder::new(open()?))).unwrap_or(bytes)),
        false => Ok(bytes),
    }
}

/// What is said of files that may be damaged crawls.
const MAY_BE_CRAWL: [&str; 3] = [
    "it begins like gzip, but nothing could be decompressed: download it again",
    "it begins like zstd, but nothing could be decompressed: download it again",
    "its format is not known",
];

/// What the bytes look like, and what to do with them.
fn looks(bytes: &[u8]) -> &'static str {
    const SIGNATURES: &[(&[u8], &str)] = &[
        (b"%PDF-", "it begins like a PDF, which is no crawl"),
        (
            b"PK\x03\x04",
            "it begins like a zip archive: unpack it, and give the files in it",
        ),
        (
            b"BZh",
            "it begins like bzip2: decompress it, or compress it again as gzip or zstd",
        ),
        (
            b"\xfd7zXZ\0",
            "it begins like xz: decompress it, or compress it again as gzip or zstd",
        ),
        (
            b"7z\xbc\xaf",
            "it begins like a 7z archive: unpack it, and give the files in it",
        ),
        (
            b"PAR1",
            "it begins like Parquet: give an index of a crawl with --select",
        ),
        (b"\x1f\x8b", MAY_BE_CRAWL[0]),
        (b"\x28\xb5\x2f\xfd", MAY_BE_CRAWL[1]),
    ];
    let text = bytes.trim_ascii_start();
    let begins = |with: &str| {
        let begin = text.get(..with.len());
        begin.is_some_and(|b| b.eq_ignore_ascii_case(with.as_bytes()))
    };
    if text.is_empty() {
        return "it is empty: download it again, or leave it out";
    }
    if let Some((_, what)) = SIGNATURES.iter().find(|(with, _)| bytes.starts_with(with)) {
        return what;
    }
    if bytes.get(257..262) == Some(b"ustar") {
        return "it begins like a tar archive: unpack it, and give the files in it";
    }
    if begins_like_page(bytes) {
        return "it begins like a web page: a server's message in place of the file, or a page whose \
                name ends like that of a crawl; rename such a page";
    }
    if begins("{") || begins("[") {
        return "it begins like JSON: a server's message, or an index; give an index with --select";
    }
    let is_text = |b: &u8| !b.is_ascii_control() || b.is_ascii_whitespace();
    match bytes.iter().all(is_text) {
        true => {
            "it is text: a list of files is given as @FILE; `warcsieve extract < FILE` reads any text as a page"
        }
        false => MAY_BE_CRAWL[2],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_known_by_their_first_bytes() {
        let mut tar = vec![b'a'; 300];
        tar[257..262].copy_from_slice(b"ustar");
        for (bytes, expected) in [
            (&b""[..], "empty"),
            (b"\n<!DOCTYPE html><p>", "web page"),
            (b"<HTML>", "web page"),
            (b"%PDF-1.7", "PDF"),
            (b"PK\x03\x04....", "zip"),
            (b"{\"error\": 1}", "JSON"),
            (b"crawl/00.warc.gz\n", "@FILE"),
            (&tar, "tar"),
            (b"\0\x01\x02", "not known"),
        ] {
            assert!(
                looks(bytes).contains(expected),
                "{expected}: {}",
                looks(bytes)
            );
        }
    }
}
