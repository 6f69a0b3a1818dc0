//! Reads the shards back: what share of each page's text was kept, and which
//! reasons labelled most words boilerplate.
//!
//! Usage: cargo run --release --example query -- OUT
//!
//! The same in DuckDB:
//!     SELECT id, n_content_blocks, n_blocks, text_bytes FROM 'OUT/documents/**/*.parquet';

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(std::env::args().nth(1).ok_or("usage: query OUT")?);
    println!(
        "{:<28} {:>14} {:>10}  title",
        "id", "content/blocks", "text bytes"
    );
    for file in shards(&out.join("documents"))? {
        for batch in ParquetRecordBatchReaderBuilder::try_new(File::open(file)?)?.build()? {
            let batch = batch?;
            let text = |name| batch.column_by_name(name).map(|c| c.as_string::<i32>());
            let count = |name| {
                batch
                    .column_by_name(name)
                    .map(|c| c.as_primitive::<Int32Type>())
            };
            let (Some(id), Some(title)) = (text("id"), text("title")) else {
                return Err("not a documents shard".into());
            };
            let (Some(content), Some(blocks), Some(bytes)) = (
                count("n_content_blocks"),
                count("n_blocks"),
                count("text_bytes"),
            ) else {
                return Err("not a documents shard".into());
            };
            for row in 0..batch.num_rows() {
                println!(
                    "{:<28} {:>7}/{:<6} {:>10}  {}",
                    id.value(row),
                    content.value(row),
                    blocks.value(row),
                    bytes.value(row),
                    title.value(row).chars().take(40).collect::<String>()
                );
            }
        }
    }

    let mut words_by_reason = BTreeMap::<(String, String), i64>::new();
    for file in shards(&out.join("blocks"))? {
        for batch in ParquetRecordBatchReaderBuilder::try_new(File::open(file)?)?.build()? {
            let batch = batch?;
            let text = |name| batch.column_by_name(name).map(|c| c.as_string::<i32>());
            let (Some(label), Some(reason)) = (text("label"), text("reason")) else {
                return Err("not a blocks shard".into());
            };
            let Some(words) = batch.column_by_name("words") else {
                return Err("the pipeline wrote no features".into());
            };
            for row in 0..batch.num_rows() {
                let key = (label.value(row).to_owned(), reason.value(row).to_owned());
                *words_by_reason.entry(key).or_default() +=
                    i64::from(words.as_primitive::<Int32Type>().value(row));
            }
        }
    }
    let mut rows: Vec<_> = words_by_reason.into_iter().collect();
    rows.sort_by_key(|(_, words)| -words);
    println!("\n{:>8}  {:<12} reason", "words", "label");
    for ((label, reason), words) in rows {
        println!("{words:>8}  {label:<12} {reason}");
    }
    Ok(())
}

/// All Parquet files below a folder, in order of their names.
fn shards(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "parquet") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
