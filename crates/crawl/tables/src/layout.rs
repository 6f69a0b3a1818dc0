//! Columns of pages that were laid out: of a page in `documents`, of boxes in `blocks`.

use super::documents::to_i32;
use arrow_array::ArrayRef;
use arrow_array::builder::{
    BinaryBuilder, BooleanBuilder, Float32Builder, Int32Builder, StringBuilder,
};
use arrow_schema::{DataType, Field};
use std::sync::Arc;
use warcsieve_extract::Settings;
use warcsieve_html::document::Document;
use warcsieve_html::layout::{ElementBox, LayoutStatus};
use warcsieve_html::{ElementId, Tag};

/// Columns of `documents`.
#[derive(Debug, Default)]
pub(super) struct LayoutRows {
    engine: StringBuilder,
    viewport_width: Int32Builder,
    page_height: Float32Builder,
    status: StringBuilder,
    css_missing: Int32Builder,
    /// If the pipeline keeps boxes.
    boxes: Option<BinaryBuilder>,
    /// If the pipeline asks for pictures.
    screenshot: Option<BinaryBuilder>,
}

impl LayoutRows {
    /// The columns, if the pipeline asks for layouts.
    pub fn of(settings: &Settings) -> Option<Self> {
        (!settings.layout.is_none()).then(|| Self {
            boxes: settings.boxes.then(BinaryBuilder::new),
            screenshot: settings.screenshots.then(BinaryBuilder::new),
            ..Self::default()
        })
    }

    /// Their fields, as [`of`](Self::of) has columns. All may be null: of pages that are not laid
    /// out.
    pub fn fields(settings: &Settings) -> impl Iterator<Item = Field> + use<> {
        let boxes = settings.boxes.then_some(("boxes", DataType::Binary));
        let screenshot = settings
            .screenshots
            .then_some(("screenshot", DataType::Binary));
        [
            ("render_engine", DataType::Utf8),
            ("viewport_width", DataType::Int32),
            ("page_height", DataType::Float32),
            ("layout_status", DataType::Utf8),
            ("css_missing", DataType::Int32),
        ]
        .into_iter()
        .chain(boxes)
        .chain(screenshot)
        .map(|(name, data_type)| Field::new(name, data_type, true))
    }

    /// Adds a page. Returns how many bytes its boxes and its picture have.
    pub fn push(&mut self, doc: &Document) -> usize {
        let layout = doc.layout.as_deref();
        let is_html = layout.filter(|l| l.status != LayoutStatus::PlainText);
        self.engine.append_option(doc.boxes().map(|l| &l.engine));
        self.viewport_width
            .append_option(layout.map(|l| to_i32(l.viewport_width as usize)));
        self.page_height
            .append_option(doc.boxes().map(|l| l.page_height));
        self.status.append_option(layout.map(|l| l.status.as_str()));
        self.css_missing
            .append_option(is_html.map(|l| to_i32(l.css_missing as usize)));
        let mut bytes = 0;
        if let Some(boxes) = &mut self.boxes {
            let body = (0..)
                .zip(&doc.tree.elements)
                .find(|(_, e)| e.tag == Tag::Body);
            let packed = layout.and_then(|l| l.packed(body.map(|(element, _)| element)));
            bytes += packed.as_ref().map_or(0, Vec::len);
            boxes.append_option(packed);
        }
        if let Some(screenshot) = &mut self.screenshot {
            let picture = layout.and_then(|l| l.screenshot.as_deref());
            bytes += picture.map_or(0, <[u8]>::len);
            screenshot.append_option(picture);
        }
        bytes
    }

    /// The values since the last call.
    pub fn finish(&mut self) -> Vec<ArrayRef> {
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(self.engine.finish()),
            Arc::new(self.viewport_width.finish()),
            Arc::new(self.page_height.finish()),
            Arc::new(self.status.finish()),
            Arc::new(self.css_missing.finish()),
        ];
        let more = self.boxes.iter_mut().chain(&mut self.screenshot);
        columns.extend(more.map(|column| -> ArrayRef { Arc::new(column.finish()) }));
        columns
    }
}

/// Columns of `blocks`: the box of the deepest element that holds the block.
#[derive(Debug, Default)]
pub(super) struct BoxColumns {
    numbers: [Float32Builder; 5],
    visible: BooleanBuilder,
}

/// A number of a box.
type Number = fn(&ElementBox) -> f32;

/// The numbers of a box, by the names of their columns.
const NUMBERS: [(&str, Number); 5] = [
    ("x", |b| b.x),
    ("y", |b| b.y),
    ("width", |b| b.width),
    ("height", |b| b.height),
    ("font_size", |b| b.font_size),
];

impl BoxColumns {
    /// The columns, if the pipeline asks for layouts.
    pub fn of(settings: &Settings) -> Option<Self> {
        (!settings.layout.is_none()).then(Self::default)
    }

    /// Their fields; all are null where there is no box.
    pub fn fields() -> impl Iterator<Item = Field> {
        let numbers = NUMBERS.map(|(name, _)| Field::new(name, DataType::Float32, true));
        let visible = Field::new("visible", DataType::Boolean, true);
        numbers.into_iter().chain([visible])
    }

    /// Adds a block of that element.
    pub fn push(&mut self, doc: &Document, element: ElementId) {
        let own = doc.boxes().and_then(|layout| layout.of(element));
        for (column, (_, read)) in self.numbers.iter_mut().zip(NUMBERS) {
            column.append_option(own.map(read));
        }
        self.visible.append_option(own.map(|own| own.visible));
    }

    /// The values since the last call.
    pub fn finish(&mut self) -> Vec<ArrayRef> {
        let numbers = self.numbers.iter_mut();
        let mut columns: Vec<ArrayRef> = numbers
            .map(|column| -> ArrayRef { Arc::new(column.finish()) })
            .collect();
        columns.push(Arc::new(self.visible.finish()));
        columns
    }
}
