//! Columns of `documents` with the facts of the product that a page is about.

use super::row::Column;
use arrow_array::builder::Float64Builder;
use arrow_schema::{DataType, Field};
use warcsieve_extract::Product;

/// The columns.
pub fn columns() -> Vec<Column> {
    let price = Field::new("price", DataType::Float64, true);
    let price = Column::new(
        price,
        "the price; of a range, the lowest",
        Float64Builder::new(),
        |row, prices| {
            prices.append_option(row.view.product().price);
            size_of::<f64>()
        },
    );
    vec![
        price,
        text("currency", "its currency: three letters (ISO 4217)", |p| {
            p.currency.as_deref()
        }),
        text("brand", "the brand", |p| p.brand.as_deref()),
        text("sku", "the number that the shop has for it", |p| {
            p.sku.as_deref()
        }),
        text("gtin", "the GTIN (EAN, UPC): 8, 12, 13 or 14 digits", |p| {
            p.gtin.as_deref()
        }),
        text("isbn", "the ISBN: 10 or 13 digits, without hyphens", |p| {
            p.isbn.as_deref()
        }),
    ]
}

fn text(name: &str, doc: &'static str, read: fn(&Product) -> Option<&str>) -> Column {
    Column::maybe_text(name, doc, move |row| read(row.view.product())).sized()
}
