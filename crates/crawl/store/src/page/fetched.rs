//! A page as a server sent it.

/// What a server sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchedPage {
    /// Its final address, after redirects.
    pub address: String,
    /// Its `Content-Type`.
    pub content_type: Option<String>,
    /// Its `Content-Encoding`. The body is not decoded.
    pub content_encoding: Option<String>,
    /// Its bytes, as they were sent.
    pub body: Vec<u8>,
}
