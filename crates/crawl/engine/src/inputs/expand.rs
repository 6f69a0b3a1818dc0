//! The paths that an argument stands for: a file, a folder, a pattern, a list or an address.

use super::endings::{CRAWL_ENDINGS, PAGE_ENDINGS, WACZ_ENDING, is_named_input};
use super::listed;
use super::page::is_page_address;
use super::place::place;
use super::stored::check_device;
use super::texts::is_named_texts;
use super::walk::{is_output, walk};
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use tracing::warn;
use warcsieve_common::files::{is_file, is_folder, is_there};
use warcsieve_common::{Error, Result};
use warcsieve_store::{Stores, check_place, is_address, is_web};

/// The paths that an argument stands for. Also the base of their names if it is the only argument;
/// `None` means their common folder.
pub(super) fn expand(
    argument: &str,
    root: Option<&Path>,
    stores: &Stores,
) -> Result<(Vec<PathBuf>, Option<PathBuf>)> {
    if argument.is_empty() {
        let why = "an argument is empty; give a file, a folder or an address";
        return Err(Error::Invalid(why.to_owned()));
    }
    if let Some(list) = argument.strip_prefix('@') {
        let root = root.map(place).transpose()?;
        let lines = listed::paths(list, stores)?;
        if let Some(page) = lines.iter().find(|line| is_page_address(line)) {
            return Err(Error::Invalid(format!(
                "{list}: {page} is the address of a page or folder; save the pages (as `wget -x -i \
                 {list}` does), and give their folder"
            )));
        }
        let paths = lines
            .iter()
            .map(|path| match &root {
                Some(root) if !is_address(path) => place(&root.join(path)),
                _ => place(Path::new(path)),
            })
            .collect::<Result<Vec<_>>>()?;
        if paths.is_empty() {
            return Err(Error::Invalid(format!("{list} lists no input")));
        }
        return Ok((paths, root));
    }
    if is_address(argument) {
        check_place(argument)?;
        if is_page_address(argument) {
            return Err(Error::Invalid(format!(
                "{argument} is the address of a page or a folder, and web servers list no folders; \
                 for a page use `warcsieve extract ADDRESS`, for crawls give the files, or a list of \
                 them as @LIST"
            )));
        }
        return expand_address(argument, stores);
    }
    let path = place(Path::new(argument))?;
    if is_folder(&path)? {
        let mut found = Vec::new();
        walk(&path, &mut found)?;
        if found.is_empty() {
            return Err(nothing_below(argument));
        }
        return Ok((found, Some(path)));
    }
    if !is_there(&path)? && argument.contains(['*', '?', '[']) {
        return expand_pattern(argument);
    }
    check_device(&path)?;
    let folder = path.parent().map(Path::to_owned);
    Ok((vec![path], folder))
}

fn nothing_below(folder: &str) -> Error {
    let endings = [CRAWL_ENDINGS, PAGE_ENDINGS, &[WACZ_ENDING]]
        .concat()
        .join(", ");
    let hint = match Path::new(folder).join(super::walk::RECIPE).is_file() {
        true => {
            "it is an output folder of `clean`; give the crawl that it was made from".to_owned()
        }
        false => format!("give files of JSON lines by their names, such as '{folder}/*.jsonl'"),
    };
    Error::Invalid(format!("no file below {folder} ends in {endings}; {hint}"))
}

/// The paths of an argument that is an address: an object, all WARC and ARC objects below it, or
/// those that match a pattern.
fn expand_address(argument: &str, stores: &Stores) -> Result<(Vec<PathBuf>, Option<PathBuf>)> {
    // The brackets of an IPv6 address do not make a pattern.
    let begin = argument.find("://").map_or(0, |at| at + "://".len());
    let begin = argument[begin..]
        .find('/')
        .map_or(argument.len(), |at| begin + at);
    let wild = argument[begin..].find(['*', '[']).map(|at| begin + at);
    let is_pattern = wild.is_some();
    let is_file = match is_web(argument) {
        // Web servers do not list folders, and a file may have any name.
        true => !argument.ends_with('/'),
        false => is_named_input(argument) || is_named_texts(argument),
    };
    if is_file && !is_pattern {
        let path = place(Path::new(argument))?;
        let folder = path.parent().map(Path::to_owned);
        return Ok((vec![path], folder));
    }
    let pattern = match is_pattern {
        true => Some(
            glob::Pattern::new(argument)
                .map_err(|e| Error::Invalid(format!("pattern `{argument}`: {e}")))?,
        ),
        false => None,
    };
    let folder = match wild {
        Some(at) => &argument[..argument[..at].rfind('/').unwrap_or(at)],
        None => argument.trim_end_matches('/'),
    };
    let mut found = Vec::new();
    for listed in stores.list(folder)? {
        let name = listed.address.strip_prefix(folder).unwrap_or_default();
        let is_hidden = name.split('/').any(|part| part.starts_with(['.', '_']));
        let is_wanted = match &pattern {
            Some(pattern) => pattern.matches_with(&listed.address, MATCH),
            None => is_named_input(name),
        };
        if is_wanted && is_hidden {
            warn!(address = listed.address, "hidden by its name, passed over");
        } else if is_wanted {
            found.push(listed.address.into());
        }
    }
    match (found.is_empty(), is_pattern) {
        (false, _) => Ok((found, Some(folder.into()))),
        (true, true) => Err(Error::Invalid(format!("no object matches `{argument}`"))),
        (true, false) => Err(nothing_below(argument)),
    }
}

/// Patterns match as in a shell.
const MATCH: glob::MatchOptions = glob::MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};

fn expand_pattern(pattern: &str) -> Result<(Vec<PathBuf>, Option<PathBuf>)> {
    let bad = |e: &dyn std::fmt::Display| Error::Invalid(format!("pattern `{pattern}`: {e}"));
    let literal = &pattern[..pattern.find(['*', '?', '[']).unwrap_or(pattern.len())];
    let folder = Path::new(literal.rfind('/').map_or(".", |at| &literal[..=at]));
    // Output folders are skipped, as they are below a folder.
    let (mut found, mut outputs) = (Vec::new(), HashMap::new());
    for path in glob::glob(pattern).map_err(|e| bad(&e))? {
        let path = path.map_err(|e| Error::io(e.path(), std::io::Error::other(e.to_string())))?;
        let below = path.strip_prefix(folder).unwrap_or(&path).components();
        // An output folder that the pattern itself names is refused with the reason.
        let named = &pattern[literal.rfind('/').map_or(0, |at| at + 1)..];
        let is_hidden = |part: Component| match part {
            Component::Normal(part) => part.to_string_lossy().starts_with(['.', '_']),
            _ => false,
        };
        let names_hidden = named.split('/').any(|part| part.starts_with(['.', '_']));
        if is_file(&path)? && !names_hidden && below.into_iter().any(is_hidden) {
            warn!(path = %path.display(), "hidden by its name, passed over");
            continue;
        }
        let above = path.ancestors().skip(1).take_while(|above| {
            // A pattern in the working folder has no folder before it.
            *above != folder && !above.as_os_str().is_empty()
        });
        let mut is_in_output = false;
        for above in above {
            is_in_output |= match outputs.get(above) {
                Some(known) => *known,
                None => {
                    let is_output = is_output(above)?;
                    outputs.insert(above.to_owned(), is_output);
                    is_output
                }
            };
        }
        if is_file(&path)? && !is_in_output {
            found.push(place(&path)?);
        }
    }
    if found.is_empty() {
        return Err(Error::Invalid(format!(
            "no file matches `{pattern}`; `**` stands for folders, and a folder is read with all below it"
        )));
    }
    Ok((found, Some(place(folder)?)))
}
