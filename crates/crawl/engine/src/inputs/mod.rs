//! The inputs, their names in the output, and how they are opened.

mod endings;
mod expand;
mod input;
mod list;
mod listed;
mod name;
mod page;
mod place;
mod ranges;
mod reader;
mod selected;
mod stored;
mod texts;
mod wacz;
mod walk;
mod zipped;

pub use endings::{crawl_stem, is_named_page, page_stem};
pub use input::{Input, InputKind};
pub use list::{Naming, list_inputs, shard};
pub use listed::list_line;
pub use page::{begins_like_page, may_be_page_address};
pub use ranges::{Spans, of_object, of_ranges};
pub use selected::{select, selected_files};
pub use texts::is_named_texts;
pub use wacz::page_lists;
pub use walk::{CLEANED, RECIPE};
pub use zipped::ZippedFile;
