//! The settings of a pipeline file: all keys except its steps.

use serde::{Deserialize, Serialize};
use warcsieve_html::{Segmentation, Segmenter, SegmenterOptions, Tokenizer};
use warcsieve_layout::LayoutSource;
use warcsieve_page::{PageOptions, PageRecord};
use warcsieve_render::{Links, RenderOptions, TableForm, TextFormat};
use warcsieve_warc::{Limits, Reader};

/// All settings of a pipeline file except its steps.
///
/// A key that is "not written by default" is left out of the settings in output files while it has
/// its default, so that the bytes of outputs do not change when a key is added.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Overrides the segmentation of the first step's method.
    pub segmentation: Option<Segmentation>,
    /// The reader of crawls. Not written by default.
    #[serde(skip_serializing_if = "Reader::is_builtin")]
    pub reader: Reader,
    /// The tokenizer for the markup of pages.
    pub tokenizer: Tokenizer,
    /// Record types that are read as pages.
    pub records: Vec<PageRecord>,
    /// Accept pages with any HTTP status. By default, only 200 to 299.
    pub any_status: bool,
    /// Read payloads of any media type as HTML (plain text stays plain text). By default, only
    /// HTML, XHTML and plain text.
    pub any_content_type: bool,
    /// Maximum size of a page in bytes: stored, decoded, in UTF-8, and as cleaned HTML. Larger
    /// pages are skipped as `too_large`.
    pub max_page_bytes: usize,
    /// Maximum number of elements, and of blocks. Pages with more are skipped as `too_large`.
    pub max_elements: usize,
    /// Maximum depth of elements. Deeper ones are attached to their ancestor at this depth.
    pub max_depth: usize,
    /// The engine that computes where elements are on a screen. Not written by default.
    #[serde(skip_serializing_if = "LayoutEngine::is_none")]
    pub layout: LayoutEngine,
    /// Keep a picture of the top of each page; only Chromium makes them. Not written by default.
    #[serde(skip_serializing_if = "is_false")]
    pub screenshots: bool,
    /// What to do with copies of content. Not written by default.
    #[serde(skip_serializing_if = "Extras::are_labels")]
    pub copies: Extras,
    /// What to do with text outside of a declared article. Not written by default.
    #[serde(skip_serializing_if = "Extras::are_labels")]
    pub outside: Extras,
    /// Whether the headline of the content is content, whatever the steps say.
    pub headline: Headline,
    /// Whether the authors of posts are content. Not written by default.
    #[serde(skip_serializing_if = "is_false")]
    pub posts: bool,
    /// Whether rows of tables are content as a whole. Not written by default.
    #[serde(skip_serializing_if = "Rows::is_labels")]
    pub rows: Rows,
    /// Whether code next to content is content. Not written by default.
    #[serde(skip_serializing_if = "Code::is_labels")]
    pub code: Code,
    /// CSS selectors of elements whose blocks are content, whatever the steps say. Not written by default.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keep: Vec<String>,
    /// CSS selectors of elements whose blocks are boilerplate. Not written by default.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub drop: Vec<String>,
    /// Keep the boxes of all elements in `documents`, for later runs. Not written by default.
    #[serde(skip_serializing_if = "is_false")]
    pub boxes: bool,
    /// The place of the layouts for `layout = "kept"` and `"vdom"`. Not written by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layouts: Option<GivenLayouts>,
    /// Whether digests in records are compared with the bytes.
    pub digests: DigestMode,
    /// The form of the content in `documents.text`.
    pub output: TextFormat,
    /// Further forms of the content, each in a column of `documents` with its name. Like `links` not written where there
    /// are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forms: Vec<TextFormat>,
    /// Whether Markdown without a heading of level 1 begins with the headline from the `metadata`.
    /// Not written by default.
    #[serde(skip_serializing_if = "Title::is_add")]
    pub title: Title,
    /// The addresses of links and images, in HTML and Markdown. Not written by default.
    #[serde(skip_serializing_if = "Links::is_page")]
    pub links: Links,
    /// Whether Markdown shows images. Not written by default.
    #[serde(skip_serializing_if = "is_false")]
    pub images: bool,
    /// The form of data tables in Markdown. Not written by default.
    #[serde(skip_serializing_if = "TableForm::is_pipes")]
    pub tables: TableForm,
    /// Whether metadata are read from pages.
    pub metadata: bool,
    /// Whether `documents` has what pages say about the use of their content. Not written by default.
    #[serde(skip_serializing_if = "is_false")]
    pub rights: bool,
    /// Whether `documents` has the facts of the product that a page is about. Not written by default.
    #[serde(skip_serializing_if = "is_false")]
    pub product: bool,
    /// Names of HTTP headers that become columns of `documents`. Not written by default.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub http_headers: Vec<String>,
    /// Signals that become columns of `documents`, by name or family. Not written by default.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub signals: Vec<String>,
    /// Which blocks have their text in the table `blocks`.
    pub block_text: BlockText,
    /// Which feature columns the table `blocks` has.
    pub features: FeatureSet,
    /// What the table `blocks` has about the page's elements.
    pub tree: TreeColumns,
    /// Whether the table `blocks` has the path of each block. Not written by default.
    #[serde(skip_serializing_if = "is_false")]
    pub xpath: bool,
    /// Whether to write the table `blocks`.
    pub blocks: bool,
    /// Whether to write the table `links`. Not written by default.
    #[serde(skip_serializing_if = "is_false")]
    pub link_table: bool,
    /// zstd level of the Parquet pages, 1 to 22.
    pub zstd: i32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            segmentation: None,
            reader: Reader::Builtin,
            tokenizer: Tokenizer::Builtin,
            records: vec![PageRecord::Response, PageRecord::Resource],
            any_status: false,
            any_content_type: false,
            max_page_bytes: 16 << 20,
            max_elements: 1_000_000,
            max_depth: 512,
            layout: LayoutEngine::None,
            screenshots: false,
            copies: Extras::Labels,
            outside: Extras::Labels,
            headline: Headline::Drop,
            posts: false,
            rows: Rows::Labels,
            code: Code::Labels,
            keep: Vec::new(),
            drop: Vec::new(),
            boxes: false,
            layouts: None,
            digests: DigestMode::Ignore,
            output: TextFormat::Text,
            forms: Vec::new(),
            title: Title::Add,
            links: Links::Page,
            images: false,
            tables: TableForm::Pipes,
            metadata: true,
            rights: false,
            product: false,
            http_headers: Vec::new(),
            signals: Vec::new(),
            block_text: BlockText::All,
            features: FeatureSet::Core,
            tree: TreeColumns::Tags,
            xpath: false,
            blocks: true,
            link_table: false,
            zstd: 1,
        }
    }
}

/// The keys that say how the blocks of a page are made and labelled.
pub(crate) const LABELLING: [&str; 7] = [
    "segmentation",
    "headline",
    "posts",
    "rows",
    "code",
    "copies",
    "outside",
];

impl Settings {
    /// The same settings with the keys in [`LABELLING`] of others.
    pub(crate) fn labelling_like(&self, other: &Self) -> Self {
        Self {
            segmentation: other.segmentation,
            headline: other.headline,
            posts: other.posts,
            rows: other.rows,
            code: other.code,
            copies: other.copies,
            outside: other.outside,
            ..self.clone()
        }
    }

    /// A segmenter with these limits.
    pub fn segmenter(&self, segmentation: Segmentation) -> Segmenter {
        Segmenter::new(SegmenterOptions {
            segmentation,
            tokenizer: self.tokenizer,
            max_depth: self.max_depth,
            max_elements: self.max_elements,
            max_page_bytes: self.max_page_bytes,
        })
    }

    /// The reader of crawls and its bounds.
    pub fn limits(&self) -> Limits {
        Limits {
            reader: self.reader,
            ..Limits::for_pages(self.max_page_bytes)
        }
    }

    /// How links, images and tables are rendered.
    pub fn render_options(&self) -> RenderOptions {
        RenderOptions {
            links: self.links,
            images: self.images,
            tables: self.tables,
            posts: true,
            title: self.title.is_add(),
            tidy: true,
        }
    }

    /// The forms of the content that are rendered: that of `documents.text` and the further ones. Plain text, which
    /// every page has, is none of them.
    pub fn rendered_forms(&self) -> impl Iterator<Item = TextFormat> {
        let is_wanted = |form: &TextFormat| *form == self.output || self.forms.contains(form);
        let forms = TextFormat::ALL.into_iter().filter(is_wanted);
        forms.filter(|form| *form != TextFormat::Text)
    }

    /// Writes these forms of the content, beside those of the key `forms`. `documents.text` is plain text if one of all is,
    /// and else the first of these.
    pub fn write_forms(&mut self, forms: &[TextFormat]) {
        let Some(first) = forms.first() else { return };
        let is_asked = |form: &TextFormat| forms.contains(form) || self.forms.contains(form);
        let all: Vec<_> = TextFormat::ALL.into_iter().filter(is_asked).collect();
        self.output = match all.contains(&TextFormat::Text) {
            true => TextFormat::Text,
            false => *first,
        };
        self.forms = all;
        self.forms.retain(|form| *form != self.output);
    }

    /// Which records are read as pages.
    pub fn page_options(&self) -> PageOptions {
        PageOptions {
            records: self.records.clone(),
            any_status: self.any_status,
            any_content_type: self.any_content_type,
            max_page_bytes: self.max_page_bytes,
            http_headers: self.http_headers.clone(),
        }
    }

    /// Whether both settings read the same records as pages, with the same limits.
    pub fn reads_like(&self, other: &Self) -> bool {
        let key = |s: &Self| {
            let bounds = (s.max_page_bytes, s.max_elements, s.max_depth);
            let kinds = (s.any_status, s.any_content_type);
            (
                kinds,
                s.reader,
                s.tokenizer,
                s.layout,
                s.screenshots,
                bounds,
            )
        };
        let layouts = |s: &Self| s.layouts.as_ref().map(|given| given.place.clone());
        let is_alike = key(self) == key(other) && layouts(self) == layouts(other);
        is_alike && self.records == other.records && self.http_headers == other.http_headers
    }

    /// Finds a value that is out of range. The error has the key and the reason.
    pub(crate) fn check(&self) -> Result<(), (&'static str, String)> {
        let within = |key: &'static str, value: usize, low: usize, high: usize| {
            if (low..=high).contains(&value) {
                Ok(())
            } else {
                Err((
                    key,
                    format!("{key} = {value} is not within {low} to {high}"),
                ))
            }
        };
        within("max_page_bytes", self.max_page_bytes, 1 << 10, 1 << 30)?;
        within("max_elements", self.max_elements, 1, 100_000_000)?;
        within("max_depth", self.max_depth, 8, 4096)?;
        within("zstd", usize::try_from(self.zstd).unwrap_or(0), 1, 22)?;
        let refuse = |key, why: &str| Err((key, why.to_owned()));
        let has_pictures = [LayoutEngine::Chromium, LayoutEngine::Kept].contains(&self.layout);
        if self.screenshots && !has_pictures {
            let why = "screenshots = true needs layout = \"chromium\", or layouts kept with it";
            return refuse("screenshots", why);
        }
        if self.boxes && self.layout.is_none() {
            return refuse("boxes", "boxes = true needs a `layout`");
        }
        match (self.layout, &self.layouts) {
            (LayoutEngine::Kept, None) => {
                let why = "layout = \"kept\" needs `layouts`, the output folder of a run with boxes = true";
                return refuse("layout", why);
            }
            (LayoutEngine::Vdom, None) => {
                let why = "layout = \"vdom\" needs `layouts`, the folder `vdom` of ClueWeb22";
                return refuse("layout", why);
            }
            (LayoutEngine::Kept | LayoutEngine::Vdom, Some(_)) | (_, None) => {}
            (_, Some(_)) => {
                let why = "layouts needs layout = \"kept\" or \"vdom\"";
                return refuse("layouts", why);
            }
        }
        if self.records.is_empty() {
            return refuse("records", "records is empty: no record would be a page");
        }
        check_headers(&self.http_headers).map_err(|why| ("http_headers", why))
    }
}

/// Maximum number of HTTP headers that become columns.
const MAX_HTTP_HEADERS: usize = 32;

/// Finds a name that is not the name of an HTTP header, or that is given twice.
fn check_headers(names: &[String]) -> Result<(), String> {
    if names.len() > MAX_HTTP_HEADERS {
        let given = names.len();
        return Err(format!(
            "http_headers has {given} names; at most {MAX_HTTP_HEADERS} are read"
        ));
    }
    for (i, name) in names.iter().enumerate() {
        let is_part = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
        if name.is_empty() || !name.bytes().all(is_part) {
            return Err(format!(
                "http_headers: {name:?} is not the name of a header, such as \"Last-Modified\""
            ));
        }
        if names[..i]
            .iter()
            .any(|other| other.eq_ignore_ascii_case(name))
        {
            return Err(format!("http_headers: \"{name}\" is given twice"));
        }
    }
    Ok(())
}

/// The engine that computes where elements are on a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LayoutEngine {
    /// No layouts.
    None,
    /// Blitz, in child processes; needs the feature `layout`.
    Blitz,
    /// An installed headless Chromium; needs the feature `browser`.
    Chromium,
    /// No engine: layouts that an earlier run kept.
    Kept,
    /// No engine: the visual DOM in part B of ClueWeb22.
    Vdom,
}

/// Layouts that exist already.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct GivenLayouts {
    /// The output folder of the run that kept them, or one file of its documents; or the folder
    /// `vdom` of ClueWeb22. Relative to the pipeline's folder.
    pub place: String,
    /// The layouts, after they were opened.
    pub(crate) opened: Option<LayoutSource>,
}

impl From<String> for GivenLayouts {
    fn from(place: String) -> Self {
        Self {
            place,
            opened: None,
        }
    }
}

impl From<GivenLayouts> for String {
    fn from(given: GivenLayouts) -> Self {
        given.place
    }
}

impl LayoutEngine {
    /// Whether there are no layouts.
    pub fn is_none(&self) -> bool {
        *self == Self::None
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

/// What to do with content that is not the page's own: copies, and text outside of a declared
/// article.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Extras {
    /// The steps decide.
    Labels,
    /// It is boilerplate ([`DropCopies`](warcsieve_classify::DropCopies),
    /// [`DropOutside`](warcsieve_classify::DropOutside)).
    Drop,
}

impl Extras {
    /// Whether the steps decide.
    pub fn are_labels(&self) -> bool {
        *self == Self::Labels
    }
}

/// What to do with the headline of a page's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Headline {
    /// It is content: an `h1`, or the heading that repeats the title
    /// ([`Headings`](warcsieve_classify::Headings)).
    Keep,
    /// The steps decide.
    Drop,
}

/// What Markdown without a heading of level 1 begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Title {
    /// The headline from the metadata, unless the content already has it.
    Add,
    /// The content.
    None,
}

impl Title {
    /// Whether the headline is added.
    pub fn is_add(&self) -> bool {
        *self == Self::Add
    }
}

/// What to do with rows of data tables that are content only in part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rows {
    /// The steps decide for each cell.
    Labels,
    /// All cells are content ([`KeepRows`](warcsieve_classify::KeepRows)).
    Whole,
}

impl Rows {
    /// Whether the steps decide.
    pub fn is_labels(&self) -> bool {
        *self == Self::Labels
    }
}

/// What to do with `pre` text that is boilerplate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The steps decide.
    Labels,
    /// It is content if it is next to content ([`KeepCode`](warcsieve_classify::KeepCode)).
    Keep,
}

impl Code {
    /// Whether the steps decide.
    pub fn is_labels(&self) -> bool {
        *self == Self::Labels
    }
}

/// What to do with digests in records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DigestMode {
    /// Ignore them.
    Ignore,
    /// Compare them with the page's bytes, and write the result to a column of `documents`. The
    /// page is kept in any case.
    Verify,
}

/// Blocks whose text is written to the table `blocks`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockText {
    /// Every block.
    All,
    /// Blocks whose text is not in `documents.text`.
    Boilerplate,
    /// No block. The column is null.
    None,
}

/// Feature columns of the table `blocks`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FeatureSet {
    /// No features.
    None,
    /// Counts of the block, and the two densities.
    Core,
    /// `Core`, and the [shallow features](warcsieve_features::SHALLOW) except frequencies.
    Shallow,
    /// `Core`, and the [structure features](warcsieve_features::structure).
    Structure,
}

/// What the table `blocks` has about the page's elements, as [outlines](warcsieve_html::outline).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TreeColumns {
    /// Nothing.
    None,
    /// Their tags, and the white space of preformatted text.
    Tags,
    /// Also their attributes.
    Attributes,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_and_pictures_are_read_by_who_asks_for_them() {
        let kept = |place: &str| Settings {
            layout: LayoutEngine::Kept,
            layouts: Some(place.to_owned().into()),
            ..Settings::default()
        };
        assert!(kept("a").reads_like(&kept("a")));
        assert!(!kept("a").reads_like(&kept("b")));
        let pictured = Settings {
            screenshots: true,
            ..kept("a")
        };
        assert!(!pictured.reads_like(&kept("a")));
    }

    #[test]
    fn the_defaults_equal_those_of_segmenter_and_reader() {
        let options = SegmenterOptions::default();
        let settings = Settings::default();
        assert_eq!(options.tokenizer, settings.tokenizer);
        assert_eq!(options.max_depth, settings.max_depth);
        assert_eq!(options.max_elements, settings.max_elements);
        assert_eq!(options.max_page_bytes, settings.max_page_bytes);
        assert_eq!(settings.page_options(), PageOptions::default());
    }
}
