//! The whole job against inflating the same file and nothing else, in turn, in
//! one run.
//!
//! Usage: cargo bench --bench ratio -- [FILE.warc.gz | members | stream] [ROUNDS]
//! `members` (the default) and `stream` are synthetic crawls made for the run, a gzip
//! member a record or one stream; 5 rounds.
//!
//! Prints for each variant the median seconds, MB/s of decoded input and the ratio
//! gunzip / whole job, as the median of the rounds' ratios.

#[path = "../tests/common/synthetic.rs"]
mod synthetic;

use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use warcsieve::config::Pipeline;
use warcsieve::pipeline::{OutputFolder, Progress, RunOptions, clean, list_inputs};

/// What is measured: a name, settings put before the pipeline `numwords`, threads.
const VARIANTS: &[(&str, &str, usize)] = &[
    ("block_text none", "block_text = \"none\"\n", 1),
    ("block_text all", "block_text = \"all\"\n", 1),
    ("documents only", "blocks = false\n", 1),
    ("block_text none, 2 threads", "block_text = \"none\"\n", 2),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect();
    let scratch = tempfile::tempdir()?;
    let synthetic = |layout| -> std::io::Result<PathBuf> {
        let path = scratch.path().join("synthetic.warc.gz");
        synthetic::write(File::create(&path)?, 20_000_000, layout)?;
        Ok(path)
    };
    let file = match arguments.first().map(String::as_str) {
        None | Some("members") => synthetic(synthetic::Layout::Members)?,
        Some("stream") => synthetic(synthetic::Layout::Stream)?,
        Some(path) => PathBuf::from(path),
    };
    let rounds: usize = arguments.get(1).map_or(Ok(5), |n| n.parse())?;
    let decoded = gunzip(&file)?.1;

    let mut base = Vec::new();
    let mut times = vec![Vec::new(); VARIANTS.len()];
    for round in 0..rounds {
        base.push(gunzip(&file)?.0);
        for (i, (_, settings, threads)) in VARIANTS.iter().enumerate() {
            let out = scratch.path().join(format!("{round}-{i}"));
            times[i].push(whole_job(&file, &out, settings, *threads)?);
            std::fs::remove_dir_all(out)?;
        }
    }
    let mb = decoded as f64 / 1e6;
    println!("{} ({mb:.0} MB decoded), {rounds} rounds", file.display());
    println!("{:<28} {:>9} {:>9} {:>7}", "", "seconds", "MB/s", "ratio");
    let row = |name: &str, times: &[f64], ratio: f64| {
        let t = median(times.to_vec());
        println!("{name:<28} {t:>9.3} {:>9.0} {ratio:>7.3}", mb / t);
    };
    row("gunzip alone", &base, 1.0);
    for ((name, ..), times) in VARIANTS.iter().zip(&times) {
        let ratios = base.iter().zip(times).map(|(b, t)| b / t).collect();
        row(name, times, median(ratios));
    }
    let speedup = times[0]
        .iter()
        .zip(&times[3])
        .map(|(one, two)| one / two)
        .collect();
    println!("two threads against one, wall: {:.2}", median(speedup));
    Ok(())
}

/// Seconds to inflate the whole file, and its decoded bytes.
fn gunzip(file: &Path) -> std::io::Result<(f64, u64)> {
    let start = Instant::now();
    let mut decoder = MultiGzDecoder::new(BufReader::with_capacity(1 << 17, File::open(file)?));
    let mut buffer = vec![0; 1 << 17];
    let mut total = 0;
    loop {
        match decoder.read(&mut buffer)? {
            0 => return Ok((start.elapsed().as_secs_f64(), total)),
            n => total += n as u64,
        }
    }
}

fn whole_job(
    file: &Path,
    out: &Path,
    settings: &str,
    threads: usize,
) -> Result<f64, Box<dyn std::error::Error>> {
    let numwords = include_str!("../pipelines/numwords.toml");
    let pipeline = Pipeline::parse("bench", &format!("{settings}{numwords}"))?;
    let inputs = list_inputs(&[file.display().to_string()], None, None)?;
    let options = RunOptions {
        threads,
        shard: (1, 1),
        seal: true,
        redo: false,
    };
    let start = Instant::now();
    clean(
        &inputs,
        &pipeline,
        &OutputFolder::new(out),
        &options,
        &Arc::new(Progress::default()),
    )?;
    Ok(start.elapsed().as_secs_f64())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
