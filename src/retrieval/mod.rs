//! From shards to measured search experiments.
//!
//! [`shards`] reads back what `clean` wrote, [`index`] puts pages into an inverted index of tantivy's, and
//! [`search`] ranks them for [`topics`]; [`measures`] holds the [`run`] against judgements ([`qrels`]).
//! [`export`] writes pages for other programs.

mod columns;
pub mod export;
pub mod index;
pub mod measures;
pub mod qrels;
pub mod run;
pub mod search;
pub mod shards;
pub mod topics;
