//! Labelled pages, cleaned in every segmentation.

use super::shared;
use std::fs::File;
use std::sync::Arc;
use warcsieve_extract::Pipeline;
use warcsieve_extract::{Engine, PageView};
use warcsieve_html::Segmentation;
use warcsieve_warc::{Limits, Record, Source, WarcReader};

/// Shows pages of the labelled corpora, where they are at hand, under pipelines of every
/// segmentation: all of them with `WARCSIEVE_FULL`, otherwise a few.
pub fn each_cleaned(mut check: impl FnMut(&PageView<'_>, Segmentation)) {
    let Some(folder) = shared("corpora") else {
        return;
    };
    let full = std::env::var_os("WARCSIEVE_FULL").is_some();
    for (name, every) in [
        ("cleaneval-test", 40),
        ("l3s-gn1", 40),
        ("dragnet-a", 40),
        ("wcxb-dev", 100),
    ] {
        let file = File::open(folder.join(format!("{name}.warc.gz"))).unwrap();
        let mut source = WarcReader::new(name, Box::new(file), Limits::default());
        let mut engines = ["default", "bte", "justext", "cectd"].map(|name| {
            let pipeline = Arc::new(Pipeline::built_in(&warcsieve_papers::METHODS, name).unwrap());
            (Engine::new(&pipeline), pipeline.segmentation)
        });
        let (mut record, mut records, mut pages) = (Record::default(), 0, 0);
        while source.read_record(&mut record).unwrap() {
            records += 1;
            if !full && records % every != 0 {
                continue;
            }
            for (engine, segmentation) in &mut engines {
                if let Ok(page) = engine.record(name, &record) {
                    check(&page, *segmentation);
                    pages += 1;
                }
            }
        }
        assert!(pages > 0, "{name}");
        println!("{name}: {pages} pages checked");
    }
}
