//! Columns of `documents` for pages that were laid out. All are null for other pages.

use super::row::Column;
use crate::builders::to_i32;
use arrow_array::builder::BinaryBuilder;
use arrow_schema::{DataType, Field};
use std::borrow::Cow;
use warcsieve_extract::Settings;
use warcsieve_html::Tag;
use warcsieve_html::document::Document;
use warcsieve_html::layout::LayoutStatus;

/// The columns, with boxes and pictures if the pipeline keeps them.
pub fn columns(settings: &Settings) -> Vec<Column> {
    let mut columns = vec![
        Column::maybe_text(
            "render_engine",
            "the engine with its version, or `clueweb22 vdom`; null unless it laid out the page",
            |row| row.view.doc.boxes().map(|l| l.engine.as_ref()),
        ),
        Column::number(
            "viewport_width",
            "width of the window in CSS pixels; 1280 with Blitz and with the browser",
            |row| {
                let layout = row.view.doc.layout.as_deref();
                layout.map(|l| to_i32(l.viewport_width as usize))
            },
        ),
        Column::number(
            "page_height",
            "height of the page; null unless it was laid out",
            |row| row.view.doc.boxes().map(|l| l.page_height),
        ),
        Column::maybe_text(
            "layout_status",
            "`done`, or [why there is no layout](#when-there-is-no-layout)",
            |row| row.view.doc.layout.as_deref().map(|l| l.status.as_str()),
        ),
        Column::number(
            "css_missing",
            "number of style sheets that the page links to or imports and that were not available; null for plain text",
            |row| {
                let layout = row.view.doc.layout.as_deref();
                let is_html = layout.filter(|l| l.status != LayoutStatus::PlainText);
                is_html.map(|l| to_i32(l.css_missing as usize))
            },
        ),
    ];
    if settings.boxes {
        let doc = "all boxes of the page, 25 bytes each; null unless it was laid out";
        columns.push(binary("boxes", doc, |doc| boxes(doc).map(Cow::Owned)));
    }
    if settings.screenshots {
        let doc = "a WebP picture of the upper 2,560 CSS pixels of the page";
        columns.push(binary("screenshot", doc, |doc| {
            let layout = doc.layout.as_deref()?;
            layout.screenshot.as_deref().map(Cow::Borrowed)
        }));
    }
    columns
}

fn binary(
    name: &str,
    doc: &'static str,
    read: impl Fn(&Document) -> Option<Cow<'_, [u8]>> + Send + 'static,
) -> Column {
    let field = Field::new(name, DataType::Binary, true);
    let values = BinaryBuilder::new();
    let column = Column::new(field, doc, values, move |row, to| {
        let bytes = read(row.view.doc);
        let size = bytes.as_ref().map_or(0, |bytes| bytes.len());
        to.append_option(bytes);
        size
    });
    column.sized()
}

fn boxes(doc: &Document) -> Option<Vec<u8>> {
    let mut elements = (0..).zip(&doc.tree.elements);
    let body = elements.find(|(_, element)| element.tag == Tag::Body);
    let layout = doc.layout.as_deref()?;
    layout.packed(body.map(|(element, _)| element))
}
