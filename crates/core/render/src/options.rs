//! Options of rendering.

use serde::{Deserialize, Serialize};

/// How links, images and tables are rendered. By default, links stay as in the page, Markdown has
/// no images, and tables are written with pipes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RenderOptions {
    /// Links in HTML and Markdown, and the addresses of links and images.
    pub links: Links,
    /// Whether Markdown shows images between two pieces of content. HTML always does.
    pub images: bool,
    /// The form of data tables in Markdown.
    pub tables: TableForm,
    /// Whether Markdown has a rule before each [post](warcsieve_classify::Posts) of a thread. There
    /// is none at the beginning, in an item, or in a quote.
    pub posts: bool,
    /// Whether Markdown without a heading of level 1 [asks](crate::Renderer::lacks_headline) for
    /// the page's headline.
    pub title: bool,
    /// Whether Markdown leaves out what only makes sense in a browser: links of headings to
    /// themselves and to their source, their buttons that are signs or copy such links, links to share the page, `Advertisement`, and numbers of
    /// posts.
    pub tidy: bool,
}

/// The addresses of links and images.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Links {
    /// As in the page.
    #[default]
    Page,
    /// Relative addresses are completed with the page's `<base>` and address, if these are known.
    Absolute,
    /// Links are not marked: their texts are like other texts.
    None,
}

impl Links {
    /// Whether addresses are as in the page.
    pub fn is_page(&self) -> bool {
        *self == Self::Page
    }
}

/// The form of data tables in Markdown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TableForm {
    /// GitHub's tables. A cell over several rows or columns is followed by empty cells.
    #[default]
    Pipes,
    /// HTML with `colspan` and `rowspan`.
    Html,
}

impl TableForm {
    /// Whether tables are GitHub's.
    pub fn is_pipes(&self) -> bool {
        *self == Self::Pipes
    }
}
