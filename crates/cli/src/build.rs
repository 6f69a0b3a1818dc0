//! How the program was built.

/// Whether this is a debug build, which is many times slower.
pub const IS_SLOW: bool = cfg!(debug_assertions);

/// The version. A debug build says so.
pub const VERSION: &str = if IS_SLOW {
    concat!(env!("CARGO_PKG_VERSION"), " (not optimised)")
} else {
    env!("CARGO_PKG_VERSION")
};

/// Warns that a debug build is too slow for large crawls.
pub fn warn_if_slow() {
    if IS_SLOW {
        tracing::warn!(
            "this program is not optimised, and many times slower than what `make install` builds"
        );
    }
}
