//! Columns of `blocks` for pages that were laid out: the box of the deepest element that holds the
//! block. All are null if there is no box.

use super::run::{Column, Run};
use arrow_array::builder::{BooleanBuilder, Float32Builder};
use arrow_schema::{DataType, Field};
use warcsieve_html::layout::ElementBox;

/// The columns.
pub fn columns() -> [Column; 6] {
    [
        number(
            "x",
            "left edge of the box of the deepest element that contains the block, in CSS pixels from the left edge of \
             the page",
            |b| b.x,
        ),
        number(
            "y",
            "upper edge of that box, in CSS pixels from the upper edge of the page",
            |b| b.y,
        ),
        number("width", "width of that box", |b| b.width),
        number("height", "height of that box", |b| b.height),
        number("font_size", "that element's font size in CSS pixels", |b| {
            b.font_size
        }),
        visible(),
    ]
}

fn number(name: &str, doc: &'static str, read: fn(&ElementBox) -> f32) -> Column {
    let field = Field::new(name, DataType::Float32, true);
    let values = Float32Builder::new();
    Column::new(field, doc, values, move |run, numbers| {
        each(run, |own| numbers.append_option(own.map(read)));
        0
    })
}

fn visible() -> Column {
    let field = Field::new("visible", DataType::Boolean, true);
    let doc = "false if styles hide the block or an element around it (`display`, `visibility`, `opacity`)";
    let values = BooleanBuilder::new();
    Column::new(field, doc, values, |run, values| {
        each(run, |own| values.append_option(own.map(|own| own.visible)));
        0
    })
}

/// Calls `push` with the box of each block.
fn each(run: &Run<'_>, mut push: impl FnMut(Option<&ElementBox>)) {
    let layout = run.doc().boxes();
    for block in run.blocks() {
        push(layout.and_then(|layout| layout.of(block.element)));
    }
}
