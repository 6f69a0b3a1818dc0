//! Every pipeline that ships, on every page of the test crawl. The labels and reasons of all blocks
//! are files that can be read and compared.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::fmt::Write as _;
use std::fs::File;
use std::path::Path;
use warcsieve_extract::Engine;
use warcsieve_extract::Pipeline;
use warcsieve_warc::{Limits, Record, Source, WarcReader};

const CRAWL: &[&str] = &[
    "en0000/00.warc.gz",
    "en0000/01.warc.gz",
    "old/crawl.arc.gz",
    "zst/03.warc.zst",
];

fn labels(pipeline: &Pipeline) -> String {
    let mut engine = Engine::new(pipeline);
    let names = engine.names().clone();
    let mut record = Record::default();
    let mut text = String::new();
    for name in CRAWL {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../../testdata/crawl")
            .join(name);
        let file = File::open(path).unwrap();
        let mut source = WarcReader::new(name, Box::new(file), Limits::default());
        while source.read_record(&mut record).unwrap() {
            if !engine.selects(&record) {
                continue;
            }
            let page = match engine.record(name, &record) {
                Ok(page) => page,
                Err(skip) => {
                    let reason = skip.reason.as_str();
                    writeln!(text, "\n== {name}: skipped, {reason}: {}", skip.detail).unwrap();
                    continue;
                }
            };
            let warnings = page.page.warnings.join(",");
            writeln!(
                text,
                "\n== {} «{}» {warnings}",
                page.page.id, page.doc.title
            )
            .unwrap();
            for (block, label) in page.doc.blocks.iter().zip(page.labels) {
                let start: String = page.doc.block_text(block).chars().take(30).collect();
                let mark = if label.content { '+' } else { '-' };
                writeln!(text, "{mark} {start} [{}]", names.reason_of(label)).unwrap();
            }
        }
    }
    text
}

#[test]
fn labels_of_the_test_crawl() {
    for name in warcsieve_papers::METHODS
        .shipped()
        .map(|pipeline| pipeline.name)
    {
        insta::assert_snapshot!(
            name,
            labels(&Pipeline::built_in(&warcsieve_papers::METHODS, name).unwrap())
        );
    }
}
