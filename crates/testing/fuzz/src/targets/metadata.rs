//! What a page says about itself: metadata, rights and product, above all in JSON-LD.
//!
//! Texts are not empty, bounded, and have no control characters; dates are dates; each text has a
//! source. A used engine says the same as a fresh one.
//!
//! The first byte selects what surrounds the rest: nothing, or a script of JSON-LD.

use crate::Target;
use crate::digest::{choice, is_sampled};
use crate::seeds::{files, pages};
use std::cell::RefCell;
use std::fmt::Write;
use warcsieve_extract::{
    Engine, FactColumn, FactValue, MetadataField, PRODUCT, PageView, Pipeline, RIGHTS,
};
use warcsieve_papers::METHODS;
use warcsieve_warc::Record;

/// The target.
pub const TARGET: Target = Target {
    name: "metadata",
    check,
    seeds,
    max_len: 4096,
    fair: 4000.0,
};

thread_local! {
    static USED: RefCell<Engine> = RefCell::new(engine());
}

fn engine() -> Engine {
    let mut pipeline = Pipeline::built_in(&METHODS, "keep-all").unwrap();
    pipeline.settings.metadata = true;
    pipeline.settings.rights = true;
    pipeline.settings.product = true;
    Engine::new(&pipeline)
}

fn check(input: &[u8]) {
    let (how, rest) = choice(input);
    let page = match how % 2 {
        0 => rest.to_vec(),
        _ => [
            &b"<script type=application/ld+json>"[..],
            rest,
            b"</script>",
        ]
        .concat(),
    };
    let headers = [
        ("WARC-Type", "resource"),
        ("WARC-Target-URI", "http://host.example/a"),
        ("Content-Type", "text/html"),
    ];
    let record = Record::from_parts(&headers, &page);
    USED.with_borrow_mut(|used| {
        let said = used.record("x", &record).ok().map(|view| said(&view));
        if is_sampled(input, 16) {
            let again = engine()
                .record("x", &record)
                .ok()
                .map(|view| self::said(&view));
            assert_eq!(again, said, "a used engine differs");
        }
    });
}

/// All that a page says, as text.
fn said(view: &PageView<'_>) -> String {
    let (metadata, mut said) = (view.metadata(), String::new());
    for field in MetadataField::ALL {
        if let Some(text) = metadata.get(field) {
            assert_plain(text);
            assert!(metadata.source(field).is_some());
            if matches!(field, MetadataField::Published | MetadataField::Modified) {
                let day = text.get(..10).unwrap_or_default().bytes().enumerate();
                let is_day = day.map(|(i, b)| {
                    if i == 4 || i == 7 {
                        b == b'-'
                    } else {
                        b.is_ascii_digit()
                    }
                });
                assert!(
                    text.len() >= 10 && is_day.fold(true, |all, is| all & is),
                    "{text}"
                );
            }
            writeln!(said, "{} {text}", field.as_str()).unwrap();
        }
    }
    for tag in metadata.tags() {
        assert_plain(tag);
        writeln!(said, "tag {tag}").unwrap();
    }
    facts(&RIGHTS, view.rights(), &mut said);
    facts(&PRODUCT, view.product(), &mut said);
    said
}

fn facts<T>(columns: &[FactColumn<T>], of: &T, said: &mut String) {
    for column in columns {
        let value = match column.value {
            FactValue::Text(value) => value(of)
                .inspect(|text| assert_plain(text))
                .map(str::to_owned),
            FactValue::Word(value) => value(of).map(str::to_owned),
            FactValue::Flag(value) => value(of).map(|flag| flag.to_string()),
            FactValue::Number(value) => value(of).map(|number| {
                assert!(number.is_finite());
                number.to_string()
            }),
        };
        writeln!(said, "{} {value:?}", column.name).unwrap();
    }
}

fn assert_plain(text: &str) {
    assert!(!text.is_empty() && text.len() <= 64 << 10);
    assert!(!text.contains(char::is_control), "{text:?}");
}

fn seeds() -> Vec<Vec<u8>> {
    let scripts = [
        r#"{"@context":"https://schema.org","@type":"NewsArticle","headline":"A \u0041 title","author":[{"@type":"Person","name":"Jo"}],"datePublished":"2024-02-29T10:00:00+02:00","dateModified":"2024-03-01","keywords":"a, b","publisher":{"name":"P"},"license":"https://creativecommons.org/licenses/by/4.0/"}"#,
        r##"{"@graph":[{"@id":"#a","@type":"Product","name":"Box","sku":"1","gtin13":"4006381333931","brand":{"name":"B"},"offers":{"@type":"AggregateOffer","lowPrice":"1,299.00","priceCurrency":"EUR","availability":"https://schema.org/InStock"},"aggregateRating":{"ratingValue":4.5,"reviewCount":"12"}},{"@type":"WebPage","mainEntity":{"@id":"#a"}}]}"##,
    ];
    let heads = [
        "<html lang=de><title>T – Site</title><meta name=author content=Jo><meta property=og:title content=T><meta property=article:published_time content=2024-01-02T03:04:05Z><link rel=canonical href=/x><meta name=robots content='noindex, noai'><meta name=tdm-reservation content=1><a rel=license href=https://creativecommons.org/licenses/by-sa/3.0/>CC</a>",
        "<article itemscope itemtype=http://schema.org/Product><h1 itemprop=name>N</h1><span itemprop=price content=9.5>9,50 €</span><time itemprop=datePublished datetime=2020-12-31>31. Dezember 2020</time><span class='vcard author'><b class=fn>Jo Doe</b></span>",
    ];
    let mut seeds: Vec<Vec<u8>> = pages()
        .into_iter()
        .step_by(4)
        .map(|page| [&[0], &page[..]].concat())
        .collect();
    let whole = files("testdata/pages").into_iter();
    seeds.extend(whole.map(|(_, page)| [&[0], &page[..page.len().min(4000)]].concat()));
    seeds.extend(heads.map(|head| [&[0], head.as_bytes()].concat()));
    seeds.extend(scripts.map(|script| [&[1], script.as_bytes()].concat()));
    seeds
}
