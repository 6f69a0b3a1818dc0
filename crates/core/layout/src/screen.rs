//! The screen that pages are laid out for.

/// Width of the window in CSS pixels.
pub const VIEWPORT_WIDTH: u32 = 1280;

/// Height of the window in CSS pixels, for styles that ask for it.
#[cfg(any(feature = "blitz", feature = "browser"))]
pub(crate) const VIEWPORT_HEIGHT: u32 = 1024;

/// Liberation Sans, as wide as Arial, under the Open Font License 1.1.
#[cfg(any(feature = "blitz", feature = "browser"))]
pub(crate) const FONT_FILE: &[u8] = include_bytes!("../fonts/LiberationSans-Regular.ttf");
