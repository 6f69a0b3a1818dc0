//! Measures content-extraction methods against gold.
//!
//! [`gold`] reads the expected texts, [`pages`] finds the pages, [`align`] turns gold texts into
//! labels of blocks, [`page_score`] measures a pipeline on one page, [`summary`] over all pages,
//! and [`report`] writes the results.

pub mod align;
pub mod annotated;
pub mod bag;
pub mod blocks;
pub mod choice;
pub mod domain;
pub mod gold;
pub mod lcs;
pub mod lines;
pub mod page_score;
pub mod pages;
pub mod report;
pub mod roc;
pub mod run;
pub mod score;
pub mod stats;
pub mod structure;
pub mod summary;
pub mod words;
