//! The data of a row of `documents`.

use crate::columns::{self, Table};
use warcsieve_extract::PageView;
use warcsieve_warc::Location;

/// The `documents` table: one row per page.
pub struct Documents;

/// A page, and where it comes from.
pub struct Row<'a> {
    /// The input's path below `--base`.
    pub input: &'a str,
    pub location: &'a Location,
    pub view: &'a PageView<'a>,
}

impl Table for Documents {
    type Row<'a> = Row<'a>;
}

/// A column of the table.
pub type Column = columns::Column<Documents>;
