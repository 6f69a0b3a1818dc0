//! A page as a server sent it.

/// What a server sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchedPage {
    /// Where it was in the end, after redirects.
    pub address: String,
    /// Its `Content-Type`.
    pub content_type: Option<String>,
    /// Its `Content-Encoding`: the bytes are as they were sent.
    pub content_encoding: Option<String>,
    /// Its bytes.
    pub body: Vec<u8>,
}
