//! Compares tokenizers on labelled pages if these are available.

use super::html5ever::Outcome;
use super::*;
use crate::document::Document;
use crate::tests::pieces::{in_pieces, whole};
use crate::{Segmenter, SegmenterOptions, Tokenizer};
use warcsieve_page::{PageOptions, PageReader};
use warcsieve_warc::{Limits, Record, Source, WarcReader};

const CORPORA: [(&str, usize); 7] = [
    ("cleaneval-train", 1),
    ("l3s-gn1", 20),
    ("cleaneval-test", 20),
    ("cleanportaleval", 10),
    ("readability", 10),
    ("dragnet-a", 20),
    ("wcxb-dev", 50),
];

/// Visits every `every`-th HTML page of a corpus; all if `WARCSIEVE_FULL` is set.
pub fn pages(name: &str, every: usize, mut page: impl FnMut(&str, &str)) -> usize {
    let shared = std::env::var_os("WARCSIEVE_SHARED").map_or_else(
        || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared"),
        Into::into,
    );
    let path = shared.join("corpora").join(format!("{name}.warc.gz"));
    let Ok(file) = std::fs::File::open(&path) else {
        println!("skipped: no {}", path.display());
        return 0;
    };
    let every = if every == 1 || std::env::var_os("WARCSIEVE_FULL").is_some() {
        1
    } else {
        every
    };
    let options = PageOptions {
        any_status: true,
        any_content_type: true,
        ..PageOptions::default()
    };
    let mut source = WarcReader::new(name, Box::new(file), Limits::default());
    let (mut record, mut reader) = (Record::default(), PageReader::default());
    let (mut seen, mut read) = (0, 0);
    while source.read_record(&mut record).unwrap() {
        if !options.selects(&record.record_type()) {
            continue;
        }
        seen += 1;
        if seen % every == 0
            && let Ok(found) = reader.read(&record, &options)
        {
            read += 1;
            page(&found.id, found.payload);
        }
    }
    read
}

/// With `WARCSIEVE_FULL`, of all corpora in the folder.
#[test]
fn labelled_pages_in_pieces_have_the_documents_of_the_whole_pages() {
    let mut random = 1_u64;
    let mut segmenter = Segmenter::new(SegmenterOptions::default());
    for (name, every) in CORPORA.into_iter().chain([("fundus", 50), ("harvest", 50)]) {
        let pages = pages(name, every, |id, html| {
            let sizes: Vec<usize> = (0..16)
                .map(|_| {
                    random = random
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1);
                    1 + (random >> 33) as usize % (1 << (random >> 60))
                })
                .collect();
            let divided = in_pieces(&mut segmenter, html.as_bytes(), &sizes);
            assert!(divided == whole(&mut segmenter, html.as_bytes()), "{id}");
        });
        println!("{name}: {pages} pages in pieces");
    }
}

#[test]
fn labelled_pages_agree() {
    let segmenter = |tokenizer| {
        Segmenter::new(SegmenterOptions {
            tokenizer,
            ..SegmenterOptions::default()
        })
    };
    let (mut builtin, mut lol_html) =
        (segmenter(Tokenizer::Builtin), segmenter(Tokenizer::LolHtml));
    let (mut ours, mut theirs) = (Document::default(), Document::default());
    let mut wrong = 0;
    for (name, every) in CORPORA {
        let (mut unclosed, mut documents, mut tokens, mut standards) = (0, 0, 0, 0);
        let pages = pages(name, every, |id, html| {
            let [by_lol_html, by_us] = lol_html::both(html);
            if by_lol_html != by_us {
                tokens += 1;
                println!("{id}: tokens differ from lol_html's");
            }
            match html5ever::compare(html) {
                Outcome::Same => {}
                Outcome::Unclosed => unclosed += 1,
                Outcome::Known(name) => println!("{id}: {name}"),
                Outcome::Differs(how) => {
                    standards += 1;
                    println!("{id}: {how}");
                }
            }
            builtin.segment_html(html, &mut ours).unwrap();
            lol_html.segment_html(html, &mut theirs).unwrap();
            if format!("{ours:?}") != format!("{theirs:?}") {
                documents += 1;
                println!("{id}: another document");
            }
        });
        println!(
            "{name}: of {pages} pages {unclosed} have unclosed raw text; {tokens} differ from lol_html, {standards} from html5ever, {documents} are other documents"
        );
        wrong += tokens + documents + standards;
    }
    assert_eq!(wrong, 0);
}
