//! Measures whether cleaning helps search: Table 3 of Vogels et al. 2018 and Figure 7 of
//! Kohlschütter et al. 2010, on known items of the corpora, and on a crawl of your own with topics
//! and judgements.

mod cleaned_crawl;
mod collection;
mod figure7;
mod headlines;
mod held_out;
mod items;
mod judged;
mod known_item;
mod published;
mod runs;
mod soft;
mod weights;

pub use collection::write as collection;
pub use judged::write as judged;
pub use known_item::write as known_item;
pub use soft::write as soft;
