//! Where the elements of a page are on a screen.
//!
//! [`Layouter`] sends pages to an engine in a child process, and gets back the box of each element.
//! Each layouter has its own engine. The engine is a process because a thread that lays out a
//! hostile page could not be ended, and because a stack overflow ends its whole process. There are
//! two engines:
//!
//! * Blitz: the child process runs this program again. The program says by [`offer`] how to start
//!   it, and the child calls `blitz::serve`.
//! * Chromium, if it is installed (`browser`): the child process is a headless browser.
//!
//! No engine is needed if a [`LayoutSource`] has the layouts: an earlier run stored them, or they
//! came with the pages.
//!
//! Nothing is fetched. [`Resources`] are style sheets and pictures that came with the pages. The
//! cost of a page is bounded before it is laid out, by numbers that depend only on the page. Time
//! and memory of the child process are bounded too, but the bounds are higher. A page has all its
//! boxes or none.

#[cfg(feature = "blitz")]
pub mod blitz;
#[cfg(any(feature = "blitz", feature = "browser", test))]
mod boxes;
#[cfg(all(feature = "browser", unix))]
pub mod browser;
mod child;
mod engine;
mod kept;
mod layout_source;
mod layouter;
mod limits;
mod marks;
mod message;
mod page;
mod resources;
mod screen;
mod vdom;

pub use child::{Program, is_offered, offer};
pub use kept::{Kept, KeptPage};
pub use layout_source::LayoutSource;
pub use layouter::Layouter;
pub use limits::{MAX_DEPTH, MAX_ELEMENTS, MAX_PAGE_BYTES};
pub use page::LayoutPage;
pub use resources::{MAX_RESOURCE_BYTES, ResourceKind, Resources};
pub use screen::VIEWPORT_WIDTH;
pub use vdom::{Find, Vdom};

/// Whether a headless Chromium is installed and works.
///
/// # Errors
/// What is missing, in a message for the user.
pub fn check_chromium() -> Result<(), String> {
    #[cfg(all(feature = "browser", unix))]
    return browser::Browser::start(false).map(drop);
    #[cfg(not(all(feature = "browser", unix)))]
    Err("this build has no client for it; build it with `--features browser`".to_owned())
}

/// Blitz with its version.
pub const BLITZ: &str = "blitz 0.3.0-beta.4";
