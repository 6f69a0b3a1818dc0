//! What does the job cost? Its stages, and the whole of it against inflating the same file and
//! nothing else, in turn, in one run, medians of the rounds.
//!
//! Usage: cargo bench --bench speed -- stages|ratio [FILE.warc.gz | members | stream] [ROUNDS]
//! `members` (the default) and `stream` are synthetic crawls made for the run, a gzip
//! member a record or one stream; 5 rounds.

mod measure;
#[path = "../../tests/it/common/synthetic.rs"]
mod synthetic;

use measure::{Result, Table, jobs, stages};
use std::fs::File;
use std::path::PathBuf;
use synthetic::Layout;

/// Compressed bytes of a synthetic crawl.
const SYNTHETIC: u64 = 20_000_000;

fn main() -> Result {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect();
    let [what, rest @ ..] = &arguments[..] else {
        return Err("usage: speed stages|ratio [FILE.warc.gz | members | stream] [ROUNDS]".into());
    };
    let scratch = tempfile::tempdir()?;
    let synthetic = |layout| -> Result<PathBuf> {
        let path = scratch.path().join("synthetic.warc.gz");
        synthetic::write(File::create(&path)?, SYNTHETIC, layout)?;
        Ok(path)
    };
    let file = match rest.first().map(String::as_str) {
        None | Some("members") => synthetic(Layout::Members)?,
        Some("stream") => synthetic(Layout::Stream)?,
        Some(path) => PathBuf::from(path),
    };
    let rounds: usize = rest.get(1).map_or(Ok(5), |n| n.parse())?;
    println!("{}", file.display());
    match what.as_str() {
        "stages" => {
            let measured = stages::measure(&file, scratch.path(), rounds)?;
            print(&measured.table);
            println!("{}", measured.note);
        }
        "ratio" => {
            let measured = jobs::measure(&file, scratch.path(), rounds)?;
            print(&measured.table);
            measured.notes.iter().for_each(|note| println!("{note}"));
        }
        _ => return Err(format!("{what}: neither stages nor ratio").into()),
    }
    Ok(())
}

/// In columns, the numbers on the right.
fn print(table: &Table) {
    let head: Vec<String> = table.head.iter().map(|&h| h.to_owned()).collect();
    let lines = || std::iter::once(&head).chain(&table.rows);
    let width = |column: usize| lines().map(|l| l[column].chars().count()).max();
    let widths: Vec<usize> = (0..head.len()).filter_map(width).collect();
    for line in lines() {
        print!("{:<1$}", line[0], widths[0]);
        for (cell, width) in line.iter().zip(&widths).skip(1) {
            print!("  {cell:>width$}");
        }
        println!();
    }
}
