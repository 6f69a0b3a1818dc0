//! What of a labelled page is handed on: its content as plain text, or as HTML or Markdown
//! that keeps the page's structure.

mod gap;
mod html;
mod markdown;
mod page;
mod tables;
mod text;
mod walk;

use crate::classify::Label;
use crate::document::Document;
use crate::html::Segmentation;
use page::Page;
use serde::Deserialize;

pub use text::PlainText;

/// Form of a cleaned page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Output {
    /// The content as [`PlainText`].
    #[default]
    Text,
    /// The content blocks with all elements around them, as HTML.
    Html,
    /// The content blocks with their headings, lists, tables, links and code, as Markdown.
    Markdown,
}

impl Output {
    /// The name pipeline files use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Html => "html",
            Self::Markdown => "markdown",
        }
    }
}

/// Prints the content of labelled pages, one at a time, through buffers it keeps.
///
/// Time is linear in the page's text, blocks and elements, without recursion. Memory: for
/// HTML a byte an element, for Markdown the addresses of links, kept for the next page.
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
    Text(Box<PlainText>),
    Html(Box<html::Writer>),
    Markdown(Box<markdown::Writer>),
}

impl Renderer {
    /// A renderer for pages of that segmentation, whose outputs have at most `limit` bytes.
    pub fn new(output: Output, segmentation: Segmentation, limit: usize) -> Self {
        Self {
            form: match output {
                Output::Text => Form::Text(Box::default()),
                Output::Html => Form::Html(Box::new(html::Writer::new(segmentation))),
                Output::Markdown => Form::Markdown(Box::new(markdown::Writer::new(segmentation))),
            },
            limit,
        }
    }

    /// Puts the content of `doc` into `out`, in place of what it held: nothing where no block is
    /// content. `labels` are as many as `doc` has blocks.
    ///
    /// Plain text and Markdown hold the words of the content blocks' texts, and HTML reads back to
    /// them. HTML is at most five times as long as the page's text and six times as long as its
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
            Form::Text(plain) => {
                plain.write(doc, labels);
                page.push_str(plain.as_str());
            }
            Form::Html(writer) => writer.write(doc, labels, &mut page),
            Form::Markdown(writer) => writer.write(doc, labels, &mut page),
        }
        if page.is_full() {
            return Err(TooLong { limit: self.limit });
        }
        Ok(())
    }
}
