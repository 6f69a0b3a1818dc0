//! A page's blocks with the labels of a pipeline, next to its cleaned text and the texts it is compared with.
//!
//! `find` reads the pages, `named` tracks the requested ids and addresses, `page` prepares one page for display,
//! `reference` compares it word by word with a gold text or another pipeline, and `folder` writes files.

mod blocks;
mod find;
mod folder;
mod markdown;
mod named;
mod page;
mod pool;
mod reference;
mod worst;

pub use blocks::Blocks;
pub use find::{Found, FoundPages, Viewer, Which};
pub use folder::{FoundPage, IndexOrder, page_file, write_folder, write_page};
pub use named::Wanted;
pub use page::{Facts, ShownPage};
pub use reference::Measures;
pub use worst::{Worst, WorstPages, worst_pages};
