//! Inputs whose records an index selects.

use super::input::{Input, InputKind};
use super::list::Naming;
use super::name::refuse_duplicates;
use super::place::place;
use super::wacz;
use crate::cdx::{Ranges, Selection};
use std::path::Path;
use std::sync::Arc;
use warcsieve_common::{Error, Result};
use warcsieve_store::{Stores, is_address};

/// The inputs with selected records, each with its ranges, and the names of files in the selection
/// that no input has, sorted.
///
/// # Errors
/// [`Error::Invalid`] if a file of the selection could be several inputs, if standard input is one,
/// or if nothing of any input is selected.
pub fn select(inputs: Vec<Input>, selection: &Selection) -> Result<(Vec<Input>, Vec<String>)> {
    if inputs.iter().any(|i| i.kind == InputKind::Stdin) {
        let why = "records cannot be selected in standard input (`-`); give files or objects";
        return Err(Error::Invalid(why.to_owned()));
    }
    refuse_empty(selection)?;
    let names: Vec<_> = inputs.iter().map(|i| i.name.as_str()).collect();
    let selected = selection.of_inputs(&names)?;
    let unknown = selected.unknown.iter().map(|n| (*n).to_owned()).collect();
    let ranges: Vec<_> = selected.ranges.into_iter().map(|r| r.cloned()).collect();
    if ranges.iter().all(Option::is_none) {
        let why = "the index names no record of the inputs; names are paths below --base";
        return Err(Error::Invalid(why.to_owned()));
    }
    let with_ranges = inputs
        .into_iter()
        .zip(ranges)
        .filter_map(|(input, ranges)| {
            Some(Input {
                selected: Some(Arc::new(ranges?)),
                ..input
            })
        });
    Ok((with_ranges.collect(), unknown))
}

/// The files that a selection names, as inputs. Their names in the selection are paths below
/// `naming.root`; the inputs are named by their paths below the base. Sorted by name.
///
/// # Errors
/// [`Error::Invalid`] where a name is not usable or not unique, or the selection is empty.
pub fn selected_files(
    selection: &Selection,
    naming: &Naming<'_>,
    stores: &Stores,
) -> Result<Vec<Input>> {
    refuse_empty(selection)?;
    let root = place(naming.root.unwrap_or(Path::new(".")))?;
    let base = naming.base.map_or(Ok(root.clone()), place)?;
    let input = |(file, ranges): (&str, &Ranges)| {
        let path = match is_address(file) {
            true => place(Path::new(file))?,
            false => place(&root.join(file))?,
        };
        Ok(Input {
            selected: Some(Arc::new(ranges.clone())),
            ..Input::at(&base, path, stores)?
        })
    };
    let inputs = selection.files().map(input).collect::<Result<Vec<_>>>()?;
    let mut inputs = wacz::expand(inputs, stores)?;
    inputs.sort_by(|a, b| a.name.cmp(&b.name));
    refuse_duplicates(&inputs)?;
    Ok(inputs)
}

fn refuse_empty(selection: &Selection) -> Result<()> {
    match selection.files().next() {
        Some(_) => Ok(()),
        None => Err(Error::Invalid("the index names no record".to_owned())),
    }
}
