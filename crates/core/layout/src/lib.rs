//! Where the elements of a page are on a screen.
//!
//! [`Layouter`] gives pages to an engine in a child process, one for each layouter, and gets back
//! the box of each element: a thread that lays out a hostile page could not be ended, and a stack
//! that overflows ends its process. There are two engines:
//!
//! * Blitz: the child is this program again, which says by [`offer`] how it is started, and calls
//!   `blitz::serve`;
//! * Chromium, where it is installed (`browser`): the child is a headless browser.
//!
//! Or none is needed: [`Given`] layouts are there already, kept by an earlier run or handed out with
//! the pages.
//!
//! Nothing is fetched; [`Resources`] are style sheets and pictures that came with the pages. What a
//! page may cost is bounded before it is laid out, by numbers that depend on it alone; time and
//! memory of the child are bounded, too, but higher. A page has all its boxes or none.

#[cfg(feature = "blitz")]
pub mod blitz;
#[cfg(any(feature = "blitz", feature = "browser", test))]
mod boxes;
#[cfg(all(feature = "browser", unix))]
pub mod browser;
mod child;
mod engine;
mod given;
mod kept;
mod layouter;
mod limits;
mod marks;
mod message;
mod page;
mod resources;
mod screen;
mod vdom;

pub use child::{Program, is_offered, offer};
pub use given::Given;
pub use kept::{Kept, KeptPage};
pub use layouter::Layouter;
pub use limits::{DEEPEST, MOST_BYTES, MOST_ELEMENTS};
pub use page::LayoutPage;
pub use resources::{MOST_RESOURCE_BYTES, ResourceKind, Resources};
pub use screen::VIEWPORT_WIDTH;
pub use vdom::{Find, Vdom};

/// Whether a headless Chromium is there and works.
///
/// # Errors
/// What is missing, in words for the user.
pub fn check_chromium() -> Result<(), String> {
    #[cfg(all(feature = "browser", unix))]
    return browser::Browser::start(false).map(drop);
    #[cfg(not(all(feature = "browser", unix)))]
    Err("this build has no client for it; build it with `--features browser`".to_owned())
}

/// Blitz with its version.
pub const BLITZ: &str = "blitz 0.3.0-beta.4";
