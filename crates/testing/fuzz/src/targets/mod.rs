//! The targets, a file each.

pub mod address;
pub mod cdx;
pub mod charset;
pub mod clean;
pub mod cleaned;
pub mod experiment;
pub mod html;
pub mod http;
pub mod manifest;
pub mod markdown;
pub mod members;
pub mod model;
pub mod parquet;
pub mod pipeline;
pub mod warc;

use crate::Target;

/// Every target, quick ones first: they leave time to the others.
pub const TARGETS: &[Target] = &[
    model::TARGET,
    address::TARGET,
    manifest::TARGET,
    experiment::TARGET,
    cdx::TARGET,
    http::TARGET,
    charset::TARGET,
    html::TARGET,
    warc::TARGET,
    members::TARGET,
    markdown::TARGET,
    cleaned::TARGET,
    parquet::TARGET,
    pipeline::TARGET,
    clean::TARGET,
];
