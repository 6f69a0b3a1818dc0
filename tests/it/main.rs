//! The program and the library as a whole: the command line, formats, faults, the same bytes every
//! time.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod common;
mod oracle;

mod again;
mod allocations;
mod anchors;
#[cfg(unix)]
mod blocks;
mod cdx;
mod charset;
mod cli;
mod clueweb22;
mod contributing;
mod corpus;
mod corpus_file;
mod crf;
mod default_crawl;
mod determinism;
#[cfg(target_os = "linux")]
mod disturbed;
mod docs;
mod eval;
#[cfg(target_os = "linux")]
mod exits;
mod export;
mod fallback;
mod faults;
#[cfg(target_os = "linux")]
mod foreign_texts;
mod forest;
mod forget;
mod freq;
mod gold;
mod help;
#[cfg(target_os = "linux")]
mod hostile;
#[cfg(unix)]
mod jobs;
mod layers;
mod layout;
mod look;
mod markdown;
mod markdown_cases;
mod measure;
mod measured_pages;
mod missing;
mod mistakes;
#[cfg(target_os = "linux")]
mod names;
mod omit;
mod output;
mod page_files;
mod pages;
mod pages_in;
mod plan;
mod prove;
mod readme_figures;
mod relabel;
mod render;
mod resume;
mod retrieval;
mod same_page;
mod segmentation;
mod selectors;
#[cfg(any(feature = "layout", all(feature = "browser", unix)))]
mod served;
mod shards;
#[cfg(unix)]
mod spark;
#[cfg(unix)]
mod stop;
mod store;
mod strict_reader;
mod terminal;
mod vdom;
mod verify_counts;
mod wacz;
mod web2text;
