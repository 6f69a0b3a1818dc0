//! Measuring methods against gold.
//!
//! [`gold`] reads what pages should say, [`pages`] finds the pages, [`align`] carries gold
//! texts over to blocks, [`page_score`] measures a pipeline on a page, [`summary`] over all
//! pages, and [`report`] writes it down.

pub mod align;
pub mod annotated;
pub mod bag;
pub mod blocks;
pub mod choice;
pub mod domain;
pub mod fit;
pub mod gold;
pub mod histogram;
pub mod lcs;
pub(crate) mod lines;
pub mod page_score;
pub mod pages;
pub mod report;
pub mod roc;
pub mod run;
pub mod score;
pub mod stats;
pub mod summary;
pub mod words;
