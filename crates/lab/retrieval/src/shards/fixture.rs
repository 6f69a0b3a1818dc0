//! Shards written by the real pipeline.

use super::{Listing, Pages, Parts, Shard, ShardPage, list_shards};
use std::fs;
use std::path::Path;
use warcsieve_common::Result;
use warcsieve_engine::{Naming, Progress, list_inputs};
use warcsieve_extract::Pipeline;
use warcsieve_run::{OutputFolder, RunOptions, clean};
use warcsieve_store::Stores;

/// Cleans `testdata/crawl` into `folder`; `settings` are put at the top of the pipeline file.
pub fn shards(folder: &Path, settings: &str) -> Listing {
    let crawl = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../testdata/crawl");
    shards_of(Path::new(crawl), folder, settings)
}

/// Cleans a crawl of one file, `00.warc`, with these pages, named 1, 2, ….
pub fn shard_of(pages: &[&str], folder: &Path, settings: &str) -> Shard {
    let records = pages.iter().zip(1..).map(|(page, id)| {
        format!(
            "WARC/1.0\r\nWARC-Type: resource\r\nWARC-TREC-ID: {id}\r\nContent-Type: text/html\r\n\
             Content-Length: {}\r\n\r\n{page}\r\n\r\n",
            page.len()
        )
    });
    let crawl = folder.join("crawl");
    fs::create_dir_all(&crawl).unwrap();
    fs::write(crawl.join("00.warc"), records.collect::<String>()).unwrap();
    shards_of(&crawl, &folder.join("out"), settings)
        .shards
        .remove(0)
}

fn shards_of(crawl: &Path, folder: &Path, settings: &str) -> Listing {
    let text = format!("{settings}\n[[step]]\nmethod = 'numwords'\n");
    let pipeline = Pipeline::parse(&warcsieve_papers::METHODS, "test", &text).unwrap();
    let inputs = list_inputs(
        &[crawl.display().to_string()],
        &Naming::default(),
        &Stores::default(),
    )
    .unwrap();
    let options = RunOptions::default();
    let out = OutputFolder::new(folder);
    clean(
        &inputs,
        &pipeline,
        &out,
        &options,
        &Progress::default().into(),
    )
    .unwrap();
    list_shards(folder).unwrap()
}

/// All pages of a shard.
pub fn pages(shard: &Shard, parts: Parts) -> Result<Vec<ShardPage>> {
    let mut reader = Pages::open(shard, parts)?;
    let (mut page, mut pages) = (ShardPage::default(), Vec::new());
    while reader.read_page(&mut page)? {
        pages.push(page.clone());
    }
    Ok(pages)
}
