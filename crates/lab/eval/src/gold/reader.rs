//! Reads a gold file line by line.

use super::{GoldOptions, GoldPage, GoldSet, line, markup};
use crate::lines::{open, read_lines};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::Read;
use std::path::{Path, PathBuf};
use warcsieve_common::{Error, Result};

/// Reads a gold file.
///
/// Memory: the set, plus twice the longest line.
///
/// # Errors
/// The file cannot be opened; or [`Error::Invalid`] with a message of the first three broken lines,
/// each `file:line: what is wrong; what to do`: not a JSON object, an id that is missing, empty or
/// repeated, a missing text that the variant requires, a field that is not a string, invalid UTF-8.
/// A file without pages, or with a damaged gzip stream, is also an error. A set never contains only
/// a part of its file.
pub fn read(path: &Path, options: GoldOptions) -> Result<GoldSet> {
    open(path, |name, file| read_from(name, file, options))
}

/// Reads gold files as one.
///
/// # Errors
/// Those of [`read`]; also if no file is named, or if a page is in two of them.
pub fn read_all(paths: &[PathBuf], options: GoldOptions) -> Result<GoldSet> {
    let mut all: Option<GoldSet> = None;
    for path in paths {
        let set = read(path, options)?;
        match &mut all {
            None => all = Some(set),
            Some(all) => all.append(set).map_err(Error::Invalid)?,
        }
    }
    all.ok_or_else(|| Error::Invalid("no gold was given".to_owned()))
}

/// Reads the gold of an input that messages call `name`.
///
/// # Errors
/// Those of [`read`].
pub fn read_from(name: &str, input: impl Read, options: GoldOptions) -> Result<GoldSet> {
    let mut pages = Vec::new();
    let mut by_id = HashMap::new();
    read_lines(name, input, |number, text| {
        if text.as_bytes().trim_ascii().is_empty() {
            return Ok(());
        }
        let page = line::parse(text, number, options.variant)?;
        add(page, &mut pages, &mut by_id)
    })?;
    if pages.is_empty() {
        let what = format!("{name}:1: no pages; write one JSON object a page");
        return Err(Error::Invalid(what));
    }
    let markup = markup::apply(options.markup, &mut pages);
    Ok(GoldSet {
        pages,
        files: vec![name.to_owned()],
        markup,
        by_id,
    })
}

fn add(
    page: GoldPage,
    pages: &mut Vec<GoldPage>,
    by_id: &mut HashMap<String, usize>,
) -> Result<(), String> {
    match by_id.entry(page.id.clone()) {
        Entry::Occupied(first) => {
            let (id, first) = (first.key(), pages[*first.get()].line);
            return Err(format!(
                "page {id} is in line {first} already; keep one of the two"
            ));
        }
        Entry::Vacant(place) => place.insert(pages.len()),
    };
    pages.push(page);
    Ok(())
}
