//! Search experiments on shards: indexing, ranking and measuring.
//!
//! [`shards`] reads the output of `clean`, [`index`] adds pages to an inverted index (tantivy), and [`search`] ranks
//! them for [`topics`]. [`measures`] compares the [`run`] with judgements ([`qrels`]), without the pages that [`omit`]
//! leaves out, and [`tune`] learns weights from both. [`export`] writes pages for other programs.

mod columns;
pub mod export;
pub mod index;
pub mod measures;
pub mod omit;
pub mod qrels;
pub mod run;
pub mod search;
pub mod shards;
pub mod topics;
pub mod tune;
