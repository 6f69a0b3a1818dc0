//! Turns web crawls into clean text, and says of every block why it was kept or dropped.
//!
//! One page:
//!
//! ```
//! let page = warcsieve::extract("<nav><a href=/>Home</a></nav><p>Cod spawn from January to April, in water of \
//!     four to six degrees, and the largest shoals are met off the Lofoten islands, where cod has been fished \
//!     for a thousand years.")?;
//! println!("{}\n{}", page.title(), page.text());
//! for block in page.blocks() {
//!     println!("{} {:.2} {}: {}", block.label.content, block.label.score, block.reason, block.text);
//! }
//! # assert!(page.text().starts_with("Cod spawn"));
//! # Ok::<(), warcsieve::Skip>(())
//! ```
//!
//! A crawl, record by record, damaged or not:
//!
//! ```
//! use warcsieve::{Engine, METHODS, Pipeline, WarcReader};
//!
//! let mut engine = Engine::new(&Pipeline::built_in(&METHODS, "default")?);
//! let mut kept = 0;
//! for record in WarcReader::open("testdata/crawl/en0000/00.warc.gz")? {
//!     let record = record?;
//!     if engine.selects(&record) {
//!         match engine.record("00.warc.gz", &record) {
//!             Ok(page) => kept += page.text.len(),
//!             Err(skip) => eprintln!("{}: {}", skip.reason.as_str(), skip.detail),
//!         }
//!     }
//! }
//! # assert!(kept > 1000);
//! # Ok::<(), warcsieve::Error>(())
//! ```
//!
//! Whole crawls, on all cores, into Parquet: the program `warcsieve clean`, or [`clean`] with the
//! feature `crawl`.
//!
//! # Features
//! | feature | what it adds | default |
//! |---|---|---|
//! | `libdeflate` | gzip members inflated by libdeflate, in C, a third faster | yes |
//! | `lol-html` | `tokenizer = "lol_html"` in pipeline files | yes |
//! | `warc` | `reader = "warc"` in pipeline files, and conversion of records to those of the crate `warc` | yes |
//! | `cli` | the program; a library does not need it | yes |
//! | `crawl` | [`clean`]: crawls to Parquet shards | with `cli` |
//! | `object-store` | inputs and outputs in S3, Google Cloud Storage, Azure, on web servers | no |
//! | `lab` | the program's commands for experiments: train, index, search, measure, export | no |
//!
//! Everything is bounded in memory by a page's size, and nothing that reads a crawl panics on any
//! input. ARCHITECTURE.md of the repository says which crate holds what; the crates under this one
//! may change in any release.

pub use warcsieve_classify::{Label, Method, Methods};
#[cfg(feature = "cli")]
pub use warcsieve_cli as cli;
pub use warcsieve_common::{Error, Result};
pub use warcsieve_extract::{
    Engine, Extraction, LabelledBlock, Licence, LicenceSource, Metadata, MetadataField, PageView,
    Pipeline, Product, Rights, Settings, extract,
};
pub use warcsieve_html::document::{Block, Document};
pub use warcsieve_html::{
    SegmentError, Segmentation, Segmenter, SegmenterOptions, Tokenizer, XPaths,
};
pub use warcsieve_page::{Page, Skip, SkipReason, charset};
pub use warcsieve_papers::METHODS;
pub use warcsieve_render::TextFormat;
#[cfg(feature = "warc")]
pub use warcsieve_warc::StrictReader;
pub use warcsieve_warc::ledger::{Fault, FaultKind, ReadLedger};
pub use warcsieve_warc::{Limits, Reader, Record, RecordType, Source, WarcReader};

#[cfg(feature = "crawl")]
pub use warcsieve_engine::{Input, InputReader, Naming, Progress, list_inputs};
#[cfg(feature = "crawl")]
pub use warcsieve_run::{
    FailedInput, ManifestRow, OutputFolder, PageLayout, PageNames, PageTally, RowReader,
    RunOptions, SkippedPage, Summary, Totals, Unsealed, blocks_schema, clean, documents_schema,
    load_pipeline, parse_pipeline,
};
#[cfg(feature = "crawl")]
pub use warcsieve_store::Stores;
