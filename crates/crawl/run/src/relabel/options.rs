//! Options for labelling pages again.

/// How to label again.
#[derive(Clone, Copy, Debug)]
pub struct RelabelOptions {
    /// Number of threads, at least 1. Each thread works on one input.
    pub threads: usize,
    /// Label inputs again that were labelled with another pipeline or from another cleaning.
    pub redo: bool,
}
