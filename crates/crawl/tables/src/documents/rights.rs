//! Columns of `documents` with what pages say about the use of their content.

use super::row::{Column, Row};
use arrow_array::builder::BooleanBuilder;
use arrow_schema::{DataType, Field};
use warcsieve_extract::{Licence, Rights};

/// The columns.
pub fn columns() -> Vec<Column> {
    let robots_meta = Column::maybe_text(
        "robots_meta",
        "what `meta name=robots` says; several are joined by `, `",
        |row| row.view.rights().robots_meta.as_deref(),
    );
    let x_robots_tag = Column::maybe_text(
        "x_robots_tag",
        "the HTTP header `X-Robots-Tag`; several are joined by `, `",
        |row| row.view.rights().x_robots_tag.as_deref(),
    );
    let licence = Column::maybe_text("licence", "the address of the licence, absolute", |row| {
        licence_of(row).map(|licence| licence.address.as_str())
    });
    let source = Column::maybe_text(
        "licence_source",
        "where the page names the licence: `link` (`link rel=license`), `meta` (Dublin Core), `rel` (`a rel=license`), \
         `address` (another link to Creative Commons, which may be about a picture)",
        |row| licence_of(row).map(|licence| licence.source.as_str()),
    );
    vec![
        robots_meta.sized(),
        x_robots_tag.sized(),
        flag(
            "noindex",
            "whether one of these says `noindex` or `none` to all robots",
            |rights| Some(rights.noindex),
        ),
        flag(
            "noai",
            "whether one of these says `noai` or `noml` to all robots",
            |rights| Some(rights.noai),
        ),
        flag(
            "tdm_reservation",
            "whether the right to mine the page is reserved, by the HTTP header `TDM-Reservation`, else by the `meta` of \
             this name; null if neither says it",
            |rights| rights.tdm_reservation,
        ),
        licence.sized(),
        source,
    ]
}

fn licence_of<'r>(row: &'r Row<'_>) -> Option<&'r Licence> {
    row.view.rights().licence.as_ref()
}

fn flag(name: &str, doc: &'static str, read: fn(&Rights) -> Option<bool>) -> Column {
    let field = Field::new(name, DataType::Boolean, true);
    Column::new(field, doc, BooleanBuilder::new(), move |row, values| {
        values.append_option(read(row.view.rights()));
        1
    })
}
