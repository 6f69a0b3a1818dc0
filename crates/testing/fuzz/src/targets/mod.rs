//! The targets, one file each.

pub mod address;
pub mod cdx;
pub mod charset;
pub mod clean;
pub mod cleaned;
pub mod edits;
pub mod experiment;
pub mod html;
pub mod http;
pub mod layout;
pub mod manifest;
pub mod markdown;
pub mod members;
pub mod metadata;
pub mod model;
pub mod parquet;
pub mod pipeline;
pub mod signals;
pub mod wacz;
pub mod warc;

use crate::Target;

/// Passes the names of all targets to a macro. Quick ones come first, so that the others have more
/// time.
#[macro_export]
macro_rules! for_each_target {
    ($do:ident) => {
        $do! {
            model address manifest experiment layout cdx http charset html metadata edits warc
            members markdown cleaned signals wacz parquet pipeline clean
        }
    };
}

macro_rules! list {
    ($($name:ident)*) => {
        /// Every target.
        pub const TARGETS: &[Target] = &[$($name::TARGET),*];
    };
}

for_each_target!(list);
