//! Lists the inputs that arguments name.

use super::expand::expand;
use super::input::{Input, InputKind};
use super::name::{checked_name, common_folder, refuse_duplicates};
use super::place::place;
use super::wacz;
use std::path::Path;
use warcsieve_common::{Error, Result};
use warcsieve_store::{Stores, check_place};

/// How inputs are named, and where relative paths in lists begin.
#[derive(Clone, Copy, Debug, Default)]
pub struct Naming<'a> {
    /// Folder that names start from.
    pub base: Option<&'a Path>,
    /// Folder for the relative paths in lists. If a list is the only argument, it is also the
    /// default of `base`. Default: the working folder.
    pub root: Option<&'a Path>,
    /// The name of standard input.
    pub stdin: Option<&'a str>,
}

/// Lists the inputs that the arguments name, sorted by name.
///
/// An argument is one of these:
///
/// * a file;
/// * a folder: all WARC, ARC, WACZ and HTML files below it, by their names. Files without an ending, or
///   with a query in the name, and texts of ClueWeb22 are found by their first bytes;
/// * a glob pattern;
/// * `@FILE`: a list, plain or gzip, with one path per line as [`list_line`](super::list_line) writes
///   it. Empty lines and lines that start with `#` are skipped;
/// * `-`: standard input, which needs a name.
///
/// Files, folders, patterns and lists may be addresses of object stores. The crawls inside a WACZ
/// file are inputs of their own.
///
/// Names are paths below the base. Its default is the folder that is the only argument, the longest
/// literal prefix of a pattern, the folder of a file that is the only argument, and otherwise the
/// longest common folder of all inputs.
///
/// # Errors
/// [`Error::Invalid`] if nothing matches, if a name would not be unique or usable, or if an input
/// is not below the base. [`Error::Io`] if a list or folder cannot be read. A listed file that does
/// not exist is no error here: it fails alone when it is opened.
pub fn list_inputs(
    arguments: &[String],
    naming: &Naming<'_>,
    stores: &Stores,
) -> Result<Vec<Input>> {
    let mut paths = Vec::new();
    let mut stdin = 0;
    let mut own_base = None;
    for argument in arguments {
        if argument == "-" {
            stdin += 1;
            continue;
        }
        let (found, folder) = expand(argument, naming.root, stores)?;
        paths.extend(found);
        own_base = (arguments.len() == 1).then_some(folder).flatten();
    }
    let base = match (naming.base, own_base) {
        (Some(base), _) => place(base)?,
        (None, Some(folder)) => folder,
        (None, None) => common_folder(&paths),
    };
    let mut inputs = paths
        .into_iter()
        .map(|path| Input::at(&base, path, stores))
        .collect::<Result<Vec<_>>>()?;
    inputs = wacz::expand(inputs, stores)?;
    if stdin == 0 && naming.stdin.is_some() {
        let why = "--name is for standard input, and `-` is not among the inputs";
        return Err(Error::Invalid(why.to_owned()));
    }
    for _ in 0..stdin {
        let name = naming.stdin.ok_or_else(|| {
            Error::Invalid("`-` (standard input) needs --name: a name for its outputs".into())
        })?;
        check_place(name)?;
        inputs.push(Input {
            kind: InputKind::Stdin,
            name: checked_name(Path::new(name))?,
            selected: None,
        });
    }
    inputs.sort_by(|a, b| a.name.cmp(&b.name));
    refuse_duplicates(&inputs)?;
    Ok(inputs)
}

/// The `part`-th of `parts` shares of the inputs, from 1.
pub fn shard(inputs: &[Input], part: usize, parts: usize) -> Vec<Input> {
    inputs
        .iter()
        .skip(part.saturating_sub(1))
        .step_by(parts.max(1))
        .cloned()
        .collect()
}

#[cfg(test)]
mod tests;
