//! The metadata fields, their sources, and the order in which sources are trusted.

use MetadataSource as S;

/// What a page says about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetadataField {
    /// Its title, without the name of the site.
    Headline,
    /// Its author. Several names are joined by `; `.
    Author,
    /// Date of publication: `YYYY-MM-DD`, with time and zone if the page has them.
    Published,
    /// Date of the last change, in the same form.
    Modified,
    /// The name of the site.
    Sitename,
    /// What it is about, in a sentence or two.
    Description,
    /// The address that the page prefers for itself.
    Canonical,
    /// The address of its picture.
    Image,
    /// The attribute `lang` of its `html`, as written.
    HtmlLang,
    /// The kind of page: the type in OpenGraph, else that of schema.org.
    PageType,
    /// Its keywords.
    Tags,
}

impl MetadataField {
    /// Number of fields except [`Tags`](Self::Tags).
    pub(super) const TEXTS: usize = 10;

    /// All fields, in the order of the columns.
    pub const ALL: [Self; Self::TEXTS + 1] = [
        Self::Headline,
        Self::Author,
        Self::Published,
        Self::Modified,
        Self::Sitename,
        Self::Description,
        Self::Canonical,
        Self::Image,
        Self::HtmlLang,
        Self::PageType,
        Self::Tags,
    ];

    /// The name of its column.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Headline => "headline",
            Self::Author => "author",
            Self::Published => "published",
            Self::Modified => "modified",
            Self::Sitename => "sitename",
            Self::Description => "description",
            Self::Canonical => "canonical",
            Self::Image => "image",
            Self::HtmlLang => "html_lang",
            Self::PageType => "page_type",
            Self::Tags => "tags",
        }
    }

    /// The sources of this field, the most trusted one first.
    pub fn trust(self) -> &'static [MetadataSource] {
        match self {
            Self::Headline => &[
                S::H1,
                S::OpenGraph,
                S::JsonLd,
                S::Citation,
                S::Twitter,
                S::Title,
            ],
            Self::Author => &[
                S::JsonLd,
                S::Citation,
                S::Meta,
                S::DublinCore,
                S::OpenGraph,
                S::Twitter,
                S::Microdata,
                S::Rel,
                S::Class,
            ],
            Self::Published => &[
                S::JsonLd,
                S::OpenGraph,
                S::Citation,
                S::Meta,
                S::DublinCore,
                S::Microdata,
                S::Time,
                S::Url,
                S::Class,
                S::Text,
                S::Modified,
            ],
            Self::Modified => &[
                S::JsonLd,
                S::OpenGraph,
                S::Meta,
                S::DublinCore,
                S::Microdata,
                S::Time,
            ],
            Self::Sitename => &[S::OpenGraph, S::JsonLd, S::Meta, S::DublinCore, S::Twitter],
            Self::Description => &[S::Meta, S::OpenGraph, S::JsonLd, S::DublinCore, S::Twitter],
            Self::Canonical => &[S::Link, S::OpenGraph],
            Self::Image => &[S::OpenGraph, S::Twitter, S::JsonLd, S::Link, S::Meta],
            Self::HtmlLang => &[S::Html],
            Self::PageType => &[S::OpenGraph, S::JsonLd, S::DublinCore],
            Self::Tags => &[S::JsonLd, S::OpenGraph, S::Meta, S::DublinCore, S::Citation],
        }
    }
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetadataSource {
    /// JSON-LD in the vocabulary of schema.org.
    JsonLd,
    /// `meta` elements of OpenGraph: `og:…`, `article:…`.
    OpenGraph,
    /// `meta` elements of scholarly papers: `citation_…`.
    Citation,
    /// `meta` elements of Dublin Core: `dc.…`, `dcterms.…`.
    DublinCore,
    /// `meta` elements for Twitter: `twitter:…`.
    Twitter,
    /// Other `meta` elements.
    Meta,
    /// `link` elements.
    Link,
    /// The `html` element.
    Html,
    /// Attributes `itemprop`.
    Microdata,
    /// Attributes `rel`.
    Rel,
    /// `time` elements.
    Time,
    /// Elements whose class or id tells what they contain.
    Class,
    /// The only or first `h1`.
    H1,
    /// The `title` element.
    Title,
    /// Text next to the headline.
    Text,
    /// The page's address.
    Url,
    /// The date of the last change, used as the date of publication if no other is known.
    Modified,
}

impl MetadataSource {
    pub(super) const COUNT: usize = 17;

    /// The name in the column `metadata_source`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::JsonLd => "json-ld",
            Self::OpenGraph => "opengraph",
            Self::Citation => "citation",
            Self::DublinCore => "dublin-core",
            Self::Twitter => "twitter",
            Self::Meta => "meta",
            Self::Link => "link",
            Self::Html => "html",
            Self::Microdata => "microdata",
            Self::Rel => "rel",
            Self::Time => "time",
            Self::Class => "class",
            Self::H1 => "h1",
            Self::Title => "title",
            Self::Text => "text",
            Self::Url => "url",
            Self::Modified => "modified",
        }
    }
}
