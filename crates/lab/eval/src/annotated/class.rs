//! Classes of text (Kohlschütter et al. 2010, §4.2 and Table 1).

/// The class that an annotator gave to a text. Its number is the one in the annotation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextClass {
    /// Not content, or not annotated.
    #[default]
    Boilerplate,
    /// Headline of the article.
    Headline,
    /// The article.
    FullText,
    /// Belongs to the article but is not its text: captions, dates.
    Supplemental,
    /// Links to other articles and similar text.
    Related,
    /// Comments of readers.
    Comments,
}

/// The classes of the paper's four-class problem (§4.3.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FourClass {
    /// Everything else, including related content.
    #[default]
    Boilerplate,
    /// Full text and comments.
    FullText,
    /// Headline.
    Headline,
    /// Supplemental.
    Supplemental,
}

impl TextClass {
    /// All classes, by number.
    pub const ALL: [Self; 6] = [
        Self::Boilerplate,
        Self::Headline,
        Self::FullText,
        Self::Supplemental,
        Self::Related,
        Self::Comments,
    ];

    /// The stable name in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Boilerplate => "boilerplate",
            Self::Headline => "headline",
            Self::FullText => "full_text",
            Self::Supplemental => "supplemental",
            Self::Related => "related",
            Self::Comments => "comments",
        }
    }

    /// The two-class problem: everything except boilerplate is content.
    pub fn is_content(self) -> bool {
        self != Self::Boilerplate
    }

    /// The four-class problem.
    pub fn four(self) -> FourClass {
        match self {
            Self::Boilerplate | Self::Related => FourClass::Boilerplate,
            Self::FullText | Self::Comments => FourClass::FullText,
            Self::Headline => FourClass::Headline,
            Self::Supplemental => FourClass::Supplemental,
        }
    }
}

impl FourClass {
    /// All classes, in order.
    pub const ALL: [Self; 4] = [
        Self::Boilerplate,
        Self::FullText,
        Self::Headline,
        Self::Supplemental,
    ];

    /// The stable name in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Boilerplate => "boilerplate",
            Self::FullText => "full_text",
            Self::Headline => "headline",
            Self::Supplemental => "supplemental",
        }
    }
}
