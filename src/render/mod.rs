//! What of a labelled page is handed on: its content as plain text, or as HTML that keeps
//! the page's structure.

mod html;
mod page;
mod text;

use crate::classify::Label;
use crate::document::Document;
use crate::html::Segmentation;
use page::Page;
use serde::Deserialize;

pub use text::content_text;

/// Form of a cleaned page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Output {
    /// The content blocks' texts, joined by line ends.
    #[default]
    Text,
    /// The content blocks with all elements around them, as HTML.
    Html,
}

impl Output {
    /// The name pipeline files use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Html => "html",
        }
    }
}

/// Prints the content of labelled pages, one at a time, through buffers it keeps.
///
/// Time is linear in the page's text, blocks and elements, without recursion. Memory: for
/// HTML a byte an element, kept for the next page.
#[derive(Debug)]
pub struct Renderer {
    form: Form,
    limit: usize,
}

/// A page's output would be longer than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("output of more than {limit} bytes")]
pub struct TooLong {
    /// The most bytes it may have.
    pub limit: usize,
}

#[derive(Debug)]
enum Form {
    Text,
    Html(Box<html::Writer>),
}

impl Renderer {
    /// A renderer for pages of that segmentation, whose outputs have at most `limit` bytes.
    pub fn new(output: Output, segmentation: Segmentation, limit: usize) -> Self {
        Self {
            form: match output {
                Output::Text => Form::Text,
                Output::Html => Form::Html(Box::new(html::Writer::new(segmentation))),
            },
            limit,
        }
    }

    /// Puts the content of `doc` into `out`, in place of what it held: nothing where no block is
    /// content. `labels` are as many as `doc` has blocks.
    ///
    /// HTML is at most five times as long as the page's text and six times as long as its
    /// attributes, and beside that 40 bytes an element and block.
    ///
    /// # Errors
    /// The output would be longer than the limit; `out` then holds a part of it.
    pub fn render(
        &mut self,
        doc: &Document,
        labels: &[Label],
        out: &mut String,
    ) -> Result<(), TooLong> {
        out.clear();
        let mut page = Page::new(out, self.limit);
        match &mut self.form {
            Form::Text => content_text(doc, labels, |text| page.push_str(text)),
            Form::Html(writer) => writer.write(doc, labels, &mut page),
        }
        if page.is_full() {
            return Err(TooLong { limit: self.limit });
        }
        Ok(())
    }
}
