//! Cleans many inputs into Parquet shards; indexes, counts and cost forecasts of crawls.

#![cfg_attr(
    not(feature = "object-store"),
    allow(
        unreachable_code,
        unused_variables,
        reason = "an object is then a type without values"
    )
)]

pub mod cdx;
pub mod corpus;
pub mod counts;
pub mod forecast;
pub mod layouts;
pub mod pipeline;
mod positioned;
mod progress;
mod resources;
pub mod shards;
pub mod sink;
pub mod table;
mod zip;
