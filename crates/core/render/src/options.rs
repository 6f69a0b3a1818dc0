//! What a rendering has besides the content's text.

use serde::{Deserialize, Serialize};

/// How links, images and tables are rendered. The default keeps links as the page has them, leaves
/// images out of Markdown and writes its tables with pipes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RenderOptions {
    /// The addresses of links and images.
    pub links: Links,
    /// Whether Markdown shows the images between two pieces of content; HTML always does.
    pub images: bool,
    /// The tables of data in Markdown.
    pub tables: TableForm,
    /// Whether Markdown has a rule before each [post](warcsieve_classify::Posts) of a thread, where
    /// something is before it and it is in no item of a list and no quote.
    pub posts: bool,
    /// Whether Markdown that has no heading of level 1 [waits](crate::Renderer::lacks_headline) for the page's headline.
    pub title: bool,
    /// Whether Markdown leaves out what is beside the text for somebody with a browser: links of headings to themselves
    /// and to their source, links that share the page, `Advertisement`, the numbers of posts.
    pub tidy: bool,
}

/// The addresses of links and images.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Links {
    /// As the page has them.
    #[default]
    Page,
    /// Relative ones are completed by the page's `<base>` and address, where these are known.
    Absolute,
}

impl Links {
    /// Whether they are as the page has them.
    pub fn is_page(&self) -> bool {
        *self == Self::Page
    }
}

/// How Markdown has a table of data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TableForm {
    /// As GitHub's tables; a cell over several rows or columns is followed by empty ones.
    #[default]
    Pipes,
    /// As HTML, with `colspan` and `rowspan`.
    Html,
}

impl TableForm {
    /// Whether it is GitHub's.
    pub fn is_pipes(&self) -> bool {
        *self == Self::Pipes
    }
}
