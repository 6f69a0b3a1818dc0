//! Turns web crawls into clean text.
//!
//! WARC records come in ([`warc`]), become pages ([`page`]), are cut into text
//! blocks ([`html`], [`document`]), every block is labelled content or
//! boilerplate ([`classify`]), and documents and blocks leave as Parquet
//! (`sink`, `pipeline`; feature `parquet`). From there they go on to search
//! experiments (`retrieval`; feature `retrieval`). Every byte and every page read is
//! accounted for in a [`ledger`].

pub mod charset;
pub mod classify;
pub mod clean;
pub mod config;
pub mod document;
pub mod error;
#[cfg(feature = "train")]
pub mod eval;
pub mod features;
pub mod html;
pub mod ledger;
pub mod model;
pub mod page;
#[cfg(feature = "parquet")]
pub mod panics;
#[cfg(feature = "parquet")]
pub mod pipeline;
pub mod render;
#[cfg(feature = "retrieval")]
pub mod retrieval;
#[cfg(feature = "parquet")]
pub mod sink;
#[cfg(feature = "train")]
pub mod train;
mod unspaced;
pub mod warc;
