//! A topic.

/// A topic. White space in texts is collapsed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topic {
    /// Its number as in the file, with leading zeros; without white space.
    pub id: String,
    /// A few words: the query.
    pub title: String,
    /// The description, a sentence; may be empty.
    pub desc: String,
    /// The narrative: what is relevant; may be empty.
    pub narr: String,
}

/// A topic and the line where it begins.
pub(super) type Found = (usize, Topic);

/// A text with its white space collapsed.
pub(super) fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
