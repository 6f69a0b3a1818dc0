//! How the program was built.

/// Whether it is built to be built quickly, as for tests and the first look: many times slower.
pub const IS_SLOW: bool = cfg!(debug_assertions);

/// The version, and whether it is such a build.
pub const VERSION: &str = if IS_SLOW {
    concat!(env!("CARGO_PKG_VERSION"), " (not optimised)")
} else {
    env!("CARGO_PKG_VERSION")
};

/// Warns of a build that crawls are too large for.
pub fn warn_if_slow() {
    if IS_SLOW {
        tracing::warn!(
            "this program is not optimised, and many times slower than what `make install` builds"
        );
    }
}
