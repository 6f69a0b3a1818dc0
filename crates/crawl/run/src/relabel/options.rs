//! How pages are labelled again.

/// How to label again.
#[derive(Clone, Copy, Debug)]
pub struct RelabelOptions {
    /// Threads, at least 1; each works on one input.
    pub threads: usize,
    /// Do inputs again that were done with another pipeline or from another cleaning.
    pub redo: bool,
}
