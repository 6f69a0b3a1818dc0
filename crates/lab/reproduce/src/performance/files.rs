//! The time of a whole job, by file size and by number of threads.

use super::crawls::by_default;
use crate::measure::jobs::{Done, run};
use crate::measure::{cell, input, median, memory};
use crate::plot::{Corner, frame, over_powers, series};
use crate::{Job, Result, row, table};
use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use warcsieve_warc::{Limits, Record, Source, WarcReader};

const ROUNDS: usize = 3;

pub fn measure(job: &Job, file: &Path, scratch: &Path) -> Result<String> {
    let folder = tempfile::tempdir_in(scratch)?;
    let mut rows = Vec::new();
    let mut lines = ["one thread", "two threads"].map(|name| series(name, []));
    for (name, is_stream, file) in files(file, folder.path())? {
        let mut done: [Vec<Done>; 2] = Default::default();
        for _ in 0..ROUNDS {
            for (threads, done) in (1..).zip(&mut done) {
                done.push(run(&file, folder.path(), &by_default(threads))?);
            }
        }
        for (threads, (done, line)) in (1..).zip(done.iter().zip(&mut lines)) {
            let wall = median(done.iter().map(|d| d.time.wall));
            let cpu = median(done.iter().map(|d| d.time.cpu));
            let html = done.first().map_or(0, |d| d.html_bytes) as f64;
            let out = tempfile::tempdir_in(folder.path())?;
            let peak = memory::peak(&file, out.path(), threads)?;
            if !is_stream {
                line.points.push((html, html / 1e6 / wall));
            }
            let cells = [
                cell(html / 1e6, 0),
                threads.to_string(),
                cell(wall, 2),
                cell(cpu, 2),
                cell(html / 1e6 / wall, 0),
                cell(1e9 * wall / html, 2),
                cell(peak / f64::from(1 << 20), 0),
            ];
            rows.push(row(name, cells));
        }
    }
    let (x, y) = ("bytes of HTML in the file", "MB of HTML per second");
    let frame = frame("Speed by size of the file", x, y);
    let plot = over_powers(&frame, Corner::LowerRight, &lines);
    job.plot("performance/file-size.svg", &plot)?;
    let head = "file | MB of HTML | threads | seconds | CPU seconds | MB/s of HTML | ns per byte | peak, MiB";
    Ok(table(head, rows))
}

/// The files derived from one: name, whether it is one gzip stream, and path.
fn files(file: &Path, folder: &Path) -> Result<[(&'static str, bool, PathBuf); 5]> {
    let [cut, more, thrice, stream] =
        ["64th", "8th", "thrice", "stream"].map(|name| folder.join(format!("{name}.warc.gz")));
    prefix(file, 64, &cut)?;
    prefix(file, 8, &more)?;
    let mut out = File::create(&thrice)?;
    for _ in 0..3 {
        io::copy(&mut input::open(file)?, &mut out)?;
    }
    let mut inflated = MultiGzDecoder::new(BufReader::new(input::open(file)?));
    let mut out = GzEncoder::new(File::create(&stream)?, Compression::default());
    io::copy(&mut inflated, &mut out)?;
    out.finish()?;
    Ok([
        ("a 64th", false, cut),
        ("an 8th", false, more),
        ("whole", false, file.to_owned()),
        ("three times", false, thrice),
        ("whole, one stream", true, stream),
    ])
}

/// Copies the first records of a file to another, up to `part` of its bytes.
fn prefix(file: &Path, part: u64, to: &Path) -> Result {
    let end = fs::metadata(file)?.len() / part;
    let mut source = WarcReader::new("prefix", Box::new(input::open(file)?), Limits::default());
    let mut record = Record::default();
    while source.read_record(&mut record)? && record.location.offset < end {}
    let mut head = Vec::new();
    let mut whole = input::open(file)?.take(record.location.offset);
    whole.read_to_end(&mut head)?;
    Ok(File::create(to)?.write_all(&head)?)
}
