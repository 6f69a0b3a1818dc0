//! Renders Markdown: CommonMark with GitHub's tables.
//!
//! Each content block keeps its heading, paragraph, item, quote, cell or fence. Other elements have
//! no Markdown of their own: sections, forms, captions, terms and descriptions become paragraphs,
//! and so does the content of layout tables.

mod chrome;
mod containers;
mod escape;
mod formula;
mod headed;
mod headline;
mod image;
mod inline;
mod link;
mod marks;
mod printing;
mod reference;
mod rows;
mod tagged;
#[cfg(test)]
mod tests;

use super::address::Base;
use super::options::{Links, RenderOptions};
use super::page::Page;
use super::tables::Tables;
use super::walk::Walk;
use containers::Containers;
use headed::HeadedLinks;
use headline::Printed;
use inline::Leaf;
use printing::{Frame, Grid, Printing};
use warcsieve_classify::{Label, Posts};
use warcsieve_html::Segmentation;
use warcsieve_html::document::Document;

#[derive(Debug)]
pub(super) struct Writer {
    segmentation: Segmentation,
    options: RenderOptions,
    /// Completes addresses.
    base: Base,
    tables: Tables,
    walk: Walk<Frame>,
    containers: Containers,
    leaf: Leaf,
    headed: HeadedLinks,
    /// Text of the open `pre`.
    code: String,
    /// What was printed of the last page.
    printed: Printed,
}

impl Writer {
    pub fn new(segmentation: Segmentation) -> Self {
        Self {
            segmentation,
            options: RenderOptions::default(),
            base: Base::default(),
            tables: Tables::default(),
            walk: Walk::default(),
            containers: Containers::default(),
            leaf: Leaf::default(),
            headed: HeadedLinks::default(),
            code: String::new(),
            printed: Printed::default(),
        }
    }

    pub fn set_options(&mut self, options: RenderOptions) {
        self.options = options;
    }

    /// Sets the base for addresses of the next page.
    pub fn set_base(&mut self, base: Base) {
        self.base = base;
    }

    /// Whether the last page has content but no heading of level 1.
    pub fn lacks_headline(&self) -> bool {
        self.options.title && !self.printed.has_h1 && !self.containers.is_empty()
    }

    /// Adds the headline of the last page.
    pub fn add_headline(&self, doc: &Document, labels: &[Label], headline: &str, out: &mut String) {
        self.printed.add_headline(doc, labels, headline, out);
    }

    pub fn write(&mut self, doc: &Document, labels: &[Label], out: &mut Page<'_>) {
        self.tables.find(doc, labels);
        self.containers.clear();
        self.leaf.clear();
        // They are dropped when they are printed: what only makes sense in a browser is recognised by them.
        if self.options.links != Links::None {
            self.headed.find(doc, labels);
        }
        warcsieve_common::shrink_text(&mut self.code);
        let posts = match self.options.posts {
            true => Posts::of(doc),
            false => Posts::default(),
        };
        let mut printing = Printing {
            doc,
            posts: &posts,
            border: false,
            segmentation: self.segmentation,
            options: self.options,
            base: &self.base,
            tables: &self.tables,
            containers: &mut self.containers,
            leaf: &mut self.leaf,
            headed: &self.headed,
            code: &mut self.code,
            language: None,
            out,
            printed: Printed::default(),
            heading: 0,
            term: false,
            task: None,
            pre: 0,
            rows: Grid::None,
            last: None,
            line_break: false,
        };
        self.walk.walk(doc, labels, &mut printing);
        printing.flush();
        self.printed = printing.printed;
    }
}
