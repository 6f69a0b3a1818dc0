//! What a call of a decoder reports.

/// The state of a decoder after a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// In the middle. If nothing was read or written, it needs more input.
    More,
    /// At the end of the member; checksums match.
    End,
    /// At the end of the member; a checksum does not match.
    BadChecksum,
    /// The data cannot be decoded any further.
    Broken,
}

/// What one call of a decoder did.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    pub(super) read: usize,
    pub(super) written: usize,
    pub(super) state: State,
}

impl Progress {
    pub(super) fn new(read: usize, written: usize, state: State) -> Self {
        Self {
            read,
            written,
            state,
        }
    }
}
