//! Runs pages through a pipeline, one at a time. The input is a record or HTML. The output is text,
//! blocks and labels.

mod address;
mod columns;
mod engine;
mod fallback;
mod filters;
mod links;
mod metadata;
mod one_page;
mod pipeline;
mod settings;

pub use address::stated_address;
pub use columns::{FactColumn, FactValue, PRODUCT, RIGHTS};
pub use engine::{
    Engine, Extraction, LabelledBlock, Labeller, MAX_ID, PageSegmenter, PageView, document_id,
    segment, set_address, skip,
};
pub use links::{Link, each_link};
pub use metadata::{
    Licence, LicenceSource, Metadata, MetadataField, MetadataSource, Product, ReadFacts, Rights,
};
pub use one_page::extract;
pub use pipeline::Pipeline;
pub use settings::{
    BlockText, Code, DigestMode, FeatureSet, GivenLayouts, Headline, LayoutEngine, Rows, Settings,
    TreeColumns,
};
