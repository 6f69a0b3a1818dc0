//! Runs pages through a pipeline, one at a time: a record or HTML in; text, blocks and labels out.

mod address;
mod cleaner;
mod extract;
mod filters;
mod links;
mod metadata;
mod pipeline;
mod segmented;
mod settings;

pub use address::stated_address;
pub use cleaner::{Cleaned, Cleaner, Labeller, MAX_ID, document_id, segment, skip};
pub use extract::{Extracted, Extractor, LabelledBlock, extract};
pub use links::{Link, each_link};
pub use metadata::{Field, Metadata, MetadataSource};
pub use pipeline::Pipeline;
pub use segmented::PageSegmenter;
pub use settings::{
    BlockText, Code, DigestMode, FeatureSet, GivenLayouts, Headline, LayoutEngine, Rows, Settings,
    TreeColumns,
};
