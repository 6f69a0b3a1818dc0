//! The code, formulas and tables of Markdown.

use super::teds::Table;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use warcsieve_html::document::Document;
use warcsieve_html::{Segmentation, Segmenter, SegmenterOptions, Tag as Element, attribute};

/// The parts of a page, each kind in order.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub code: Vec<String>,
    pub formulas: Vec<String>,
    pub tables: Vec<Table>,
}

impl Parts {
    pub fn of(markdown: &str) -> Self {
        let mut parts = Self::default();
        let (mut block, mut table, mut html) = (None::<String>, None::<Table>, String::new());
        for event in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_MATH) {
            match event {
                Event::Start(Tag::CodeBlock(_)) => block = Some(String::new()),
                Event::End(TagEnd::CodeBlock) => {
                    let code = block.take().unwrap_or_default();
                    parts.code.push(code.trim_end_matches('\n').to_owned());
                }
                Event::Start(Tag::Table(_)) => table = Some(Table::default()),
                Event::End(TagEnd::Table) => parts.tables.extend(table.take()),
                Event::Start(Tag::TableHead | Tag::TableRow) => {
                    if let Some(table) = &mut table {
                        table.row();
                    }
                }
                Event::Start(Tag::TableCell) => {
                    if let Some(table) = &mut table {
                        table.cell(1, 1);
                    }
                }
                Event::Code(code) => {
                    text(&mut table, &code);
                    parts.code.push(code.into_string());
                }
                Event::InlineMath(tex) | Event::DisplayMath(tex) => {
                    text(&mut table, &tex);
                    parts.formulas.push(tex.trim().to_owned());
                }
                Event::Text(words) => match &mut block {
                    Some(code) => code.push_str(&words),
                    None => text(&mut table, &words),
                },
                Event::SoftBreak | Event::HardBreak => text(&mut table, " "),
                Event::Html(part) => html.push_str(&part),
                _ => {}
            }
        }
        if html.contains("<t") {
            parts.tables.extend(of_html(&html));
        }
        parts
    }
}

fn text(table: &mut Option<Table>, text: &str) {
    if let Some(table) = table {
        table.text(text);
    }
}

/// The outermost tables of HTML.
fn of_html(html: &str) -> Vec<Table> {
    let mut doc = Document::default();
    let mut segmenter = Segmenter::new(SegmenterOptions {
        segmentation: Segmentation::Inline,
        ..SegmenterOptions::default()
    });
    if segmenter.segment_html(html, &mut doc).is_err() {
        return Vec::new();
    }
    let mut tables: Vec<Table> = Vec::new();
    let (mut end, mut blocks) = (0, doc.blocks.iter().peekable());
    for (id, element) in (0..).zip(&doc.tree.elements) {
        if element.tag == Element::Table && id >= end {
            end = element.end;
            tables.push(Table::default());
        }
        let Some(table) = tables.last_mut().filter(|_| id < end) else {
            continue;
        };
        match element.tag {
            Element::Tr => table.row(),
            Element::Td | Element::Th => {
                let span = |name| {
                    let value = attribute(doc.attributes(element), name)
                        .and_then(|v| v.trim().parse().ok());
                    value.unwrap_or(1)
                };
                table.cell(span("colspan"), span("rowspan"));
                let inside = |element_of: u32| (id..element.end).contains(&element_of);
                while blocks.next_if(|block| block.element < id).is_some() {}
                while let Some(block) = blocks.next_if(|block| inside(block.element)) {
                    table.text(doc.block_text(block));
                    table.text(" ");
                }
            }
            _ => {}
        }
    }
    tables
}
