//! Why pages are duplicates.

/// The rule by which pages are duplicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rule {
    Url,
    Text,
    Near,
}

impl Rule {
    pub(super) const ALL: [Self; 3] = [Self::Url, Self::Text, Self::Near];

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Url => "url",
            Self::Text => "text",
            Self::Near => "near",
        }
    }
}
