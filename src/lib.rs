//! Turns web crawls into clean text.
//!
//! WARC records come in ([`warc`]), become pages ([`page`]), are cut into text
//! blocks ([`html`], [`document`]), every block is labelled content or
//! boilerplate ([`classify`]), and documents and blocks leave as Parquet
//! (`sink`, `pipeline`; feature `parquet`). From there they go on to search
//! experiments (`retrieval`; feature `retrieval`). Indexes say which record stands
//! where (`cdx`), and what others counted is held against a crawl (`counts`). Every byte and every page read is
//! accounted for in a [`ledger`].
#![cfg_attr(
    not(feature = "object-store"),
    allow(
        unreachable_code,
        unused_variables,
        reason = "an object is then a type without values"
    )
)]

#[cfg(feature = "parquet")]
pub mod cdx;
pub mod charset;
pub mod classify;
pub mod clean;
pub mod config;
#[cfg(feature = "parquet")]
pub mod counts;
pub mod document;
pub mod error;
#[cfg(feature = "train")]
pub mod eval;
pub mod features;
#[cfg(feature = "parquet")]
pub mod forecast;
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
#[cfg(feature = "parquet")]
pub mod store;
#[cfg(feature = "train")]
pub mod train;
mod unspaced;
pub mod warc;
