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

/// Every target.
pub const TARGETS: &[Target] = &[
    warc::TARGET,
    members::TARGET,
    http::TARGET,
    charset::TARGET,
    html::TARGET,
    clean::TARGET,
    markdown::TARGET,
    cleaned::TARGET,
    cdx::TARGET,
    parquet::TARGET,
    pipeline::TARGET,
    model::TARGET,
    experiment::TARGET,
    manifest::TARGET,
    address::TARGET,
];
