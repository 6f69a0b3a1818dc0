//! Statements from indexes: how many records of each file an index names, and where.

use super::matching::matched;
use super::statements::{Form, Group, Places, Statement};
use std::path::PathBuf;
use warcsieve_common::{Error, Result};
use warcsieve_engine::cdx::{IndexReader, Names, Selection};

/// Reads indexes. Refuses tables of documents, because they leave out skipped pages.
pub(super) fn read(paths: &[PathBuf], names: &[&str]) -> Result<Group> {
    for path in paths {
        if IndexReader::open(path)?.has_record_ids() {
            return Err(Error::Invalid(format!(
                "{}: has `warc_record_id`, so it is a table of documents, which leaves out skipped \
                 pages and counts no records; `warcsieve status` holds documents against their \
                 manifest",
                path.display()
            )));
        }
    }
    let selection = Selection::read(paths)?;
    let place = match paths {
        [one] => one.display().to_string(),
        _ => format!("{} index files", paths.len()),
    };
    let statements = selection.into_files().map(|(name, ranges)| Statement {
        records: ranges.records(),
        place: place.clone(),
        places: Places::Ranges(ranges),
        name,
        last: None,
    });
    let mut notes = Vec::new();
    Ok(Group {
        form: Form::Index,
        statements: matched(statements, &Names::new(names.iter().copied()), &mut notes),
        notes,
    })
}
