//! The file that is measured, and what inflating it takes: the base of all ratios.

use super::Result;
use super::clock::{Time, time};
use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

pub fn open(file: &Path) -> Result<File> {
    Ok(File::open(file).map_err(|e| format!("{}: {e}", file.display()))?)
}

/// Inflates the whole file with flate2 on zlib-rs and does nothing with it. Returns its decoded
/// bytes, too.
pub fn gunzip(file: &Path) -> Result<(Time, u64)> {
    let input = open(file)?;
    let inflated = time(|| {
        let mut decoder = MultiGzDecoder::new(BufReader::with_capacity(1 << 17, input));
        let mut buffer = vec![0; 1 << 17];
        let mut total = 0;
        loop {
            match decoder.read(&mut buffer)? {
                0 => return Ok(total),
                n => total += n as u64,
            }
        }
    });
    Ok(inflated.map_err(|e: io::Error| {
        let file = file.display();
        format!("{file}: {e}; speed is measured on whole gzip files, against inflating them")
    })?)
}
