//! The time that the library itself takes for some pages, beside which `scripts/python_peers.py` puts that of Python.
//!
//! usage: library PAGES.jsonl ROUNDS; each line is a page as a JSON string. Prints the CPU seconds of each round.

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use warcsieve::{Engine, load_pipeline};

/// CPU seconds of this process, in user mode and in the kernel, as Linux counts them.
fn used() -> Result<f64, Box<dyn Error>> {
    let spent = fs::read_to_string("/proc/self/schedstat")?;
    let nanoseconds: f64 = spent.split(' ').next().unwrap_or_default().parse()?;
    Ok(nanoseconds / 1e9)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, rounds] = arguments.as_slice() else {
        return Err("usage: library PAGES.jsonl ROUNDS".into());
    };
    let mut pages: Vec<String> = Vec::new();
    for line in BufReader::new(File::open(path)?).lines() {
        pages.push(serde_json::from_str(&line?)?);
    }
    let mut engine = Engine::new(&load_pipeline("default")?);
    for _ in 0..rounds.parse::<u32>()? {
        let begun = used()?;
        let mut bytes = 0;
        for page in &pages {
            let view = engine.html(page, "");
            bytes += view.map_or(0, |view| view.text.to_owned().len());
        }
        println!("{} {bytes}", used()? - begun);
    }
    Ok(())
}
