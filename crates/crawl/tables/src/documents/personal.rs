//! Columns of `documents` that count the personal data on pages.

use super::row::{Column, Row};
use crate::builders::to_i32;
use warcsieve_filters::filter::Filters;
use warcsieve_filters::personal::Kind;

/// A column for each kind that filters look for.
pub fn columns(filters: &Filters) -> impl Iterator<Item = Column> {
    filters.kinds(false).into_iter().map(move |kind| {
        let (name, doc) = match kind {
            Kind::Email => ("n_emails", "e-mail addresses that the text had"),
            Kind::Ip => ("n_ips", "public IPv4 addresses that the text had"),
            Kind::Phone => ("n_phones", "phone numbers that the text had"),
        };
        let count = move |row: &Row<'_>| {
            let found = row.view.personal().find(|(found, _)| *found == kind);
            to_i32(found.map_or(0, |(_, n)| usize::try_from(n).unwrap_or(usize::MAX)))
        };
        Column::number(name, doc, count).sized()
    })
}
