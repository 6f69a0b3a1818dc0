//! dom_smoothie (Readability in Rust) over the pages of a WARC file, which warcsieve reads. Prints how many
//! pages there were and of how many it found no article. `scripts/peers.sh` builds it in a project of its own.

use dom_smoothie::Readability;
use std::error::Error;
use std::fs::File;
use std::hint::black_box;
use warcsieve_page::{PageOptions, PageReader};
use warcsieve_warc::{Limits, Record, Source, WarcReader};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: peers FILE.warc.gz")?;
    let mut source = WarcReader::new(&path, Box::new(File::open(&path)?), Limits::default());
    let (options, mut reader) = (PageOptions::default(), PageReader::default());
    let mut record = Record::default();
    let (mut pages, mut without) = (0, 0);
    while source.read_record(&mut record)? {
        if !options.selects(&record.record_type()) {
            continue;
        }
        let Ok(page) = reader.read(&record, &options) else {
            continue;
        };
        pages += 1;
        let article = Readability::new(page.payload, None, None).and_then(|mut page| page.parse());
        match article {
            Ok(article) => drop(black_box(article.text_content)),
            Err(_) => without += 1,
        }
    }
    println!("{pages} {without}");
    Ok(())
}
