//! Writes a synthetic crawl, to measure memory and speed on files of any size.
//!
//! Usage: cargo run --release --example synthetic_crawl -- FILE.warc.gz MEGABYTES [members|stream]

#[path = "../tests/it/common/synthetic.rs"]
mod synthetic;

use std::error::Error;
use std::fs::File;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, megabytes, rest @ ..] = arguments.as_slice() else {
        return Err("usage: synthetic_crawl FILE.warc.gz MEGABYTES [members|stream]".into());
    };
    let layout = match rest {
        [] => synthetic::Layout::Members,
        [one] if one == "members" => synthetic::Layout::Members,
        [one] if one == "stream" => synthetic::Layout::Stream,
        _ => return Err("the layout is members or stream".into()),
    };
    let pages = synthetic::write(
        File::create(file)?,
        megabytes.parse::<u64>()? * 1_000_000,
        layout,
    )?;
    println!("{pages} pages");
    Ok(())
}
