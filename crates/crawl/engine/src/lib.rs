//! Reads many inputs in parallel: files, lists of inputs, crawls inside WACZ files, pages, and
//! ranges chosen from indexes.
//!
//! [`run`] is the only driver that goes over the pages of a crawl. A [`Job`] says what is done with
//! the pages.

#![cfg_attr(
    not(feature = "object-store"),
    allow(
        unreachable_code,
        unused_variables,
        reason = "an object is then a type without values"
    )
)]

mod batch;
pub mod cdx;
mod driver;
mod inputs;
mod job;
mod lane;
mod map_inputs;
mod open;
mod positioned;
mod progress;
mod schedule;
mod source;
pub mod zip;

pub use batch::{Batch, BatchReader};
pub use driver::run;
pub use inputs::{
    CLEANED, Input, InputKind, Naming, RECIPE, ZippedFile, begins_like_page, crawl_stem,
    is_named_page, is_named_texts, list_inputs, list_line, may_be_page_address, page_lists,
    page_stem, select, selected_files, shard,
};
pub use job::{Job, SplitCut, WholeInput};
pub use map_inputs::map_inputs;
pub use positioned::file_from;
pub use progress::Progress;
pub use source::InputReader;
