//! The seal `_SUCCESS`: if it exists, every input is done and all counts add up.

use super::{MANIFEST, OutputFolder, SUCCESS};
use crate::manifest::Recipe;
use std::collections::{BTreeSet, HashSet};
use std::fmt;
use warcsieve_common::{Error, Result, counted};
use warcsieve_engine::{Input, InputKind};
use warcsieve_tables::{NAMES, path_of};

/// Why a folder is not sealed.
#[derive(Debug)]
#[non_exhaustive]
pub enum Unsealed {
    /// These given inputs are not done, or their outputs are lost; sorted by name.
    Open(Vec<String>),
    /// The given inputs are done, but these inputs of other runs are not.
    Others(Vec<String>),
    /// No input holds a record.
    Empty,
    /// The folder or an input has changed since the runs.
    Refused(Error),
}

impl fmt::Display for Unsealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open(names) => write!(
                f,
                "{} not done, such as {}",
                counted(names.len(), "input is", "inputs are"),
                names.first().map_or("", String::as_str)
            ),
            Self::Others(names) => {
                let (what, shown) = (
                    counted(names.len(), "input", "inputs"),
                    names.iter().take(SHOWN),
                );
                let shown = shown.map(String::as_str).collect::<Vec<_>>().join(", ");
                let more = match names.len().saturating_sub(SHOWN) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                write!(
                    f,
                    "another run was given {what} not done yet: {shown}{more}"
                )
            }
            Self::Empty => f.write_str("no input holds a record; --allow-empty seals nevertheless"),
            Self::Refused(error) => error.fmt(f),
        }
    }
}

/// Maximum number of names in the message about inputs of other runs.
const SHOWN: usize = 3;

/// Number of rows in memory at once.
const ROWS_AT_ONCE: usize = 256;

/// What the seal needs to know of a row without faults.
struct Sound {
    records: u64,
    /// Files of tables that the input does not have.
    lacking: Vec<String>,
}

impl OutputFolder {
    /// Whether the folder is sealed.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn is_sealed(&self) -> Result<bool> {
        self.0.size(SUCCESS).map(|size| size.is_some())
    }

    /// Seals the folder if it is complete. Otherwise removes the seal and returns the reason.
    ///
    /// Complete means: all of `inputs`, and all inputs of other runs, have a row with the folder's
    /// recipe whose counts add up. No output is lost, and each output belongs to a row. A folder
    /// without a single record is sealed only with `allow_empty`.
    ///
    /// # Errors
    /// [`Error::Io`] if a row cannot be read or the seal cannot be written. [`Error::Integrity`] if
    /// a list of inputs cannot be parsed.
    pub fn seal(&self, inputs: &[Input], allow_empty: bool) -> Result<Option<Unsealed>> {
        match self.refuse_half_forgotten() {
            Err(error @ Error::Invalid(_)) => Ok(Some(Unsealed::Refused(error))),
            checked => checked.and_then(|()| self.seal_whole(inputs, allow_empty)),
        }
    }

    /// [`seal`](Self::seal) for a run that has forgotten all pages and must still note that it ended.
    pub(crate) fn seal_whole(
        &self,
        inputs: &[Input],
        allow_empty: bool,
    ) -> Result<Option<Unsealed>> {
        // Another process may complete an input after our check and seal the folder. So the seal is
        // removed only if it was there before, and a second check gives the same result.
        let was_sealed = self.is_sealed()?;
        let Some(why) = self.why_not(inputs, allow_empty)? else {
            if was_sealed {
                return Ok(None);
            }
            self.sweep(self.known_inputs()?.iter().map(String::as_str), &[])?;
            self.0.write(SUCCESS, b"")?;
            // Another run may have listed more inputs after our check, when there was no seal to
            // remove.
            let Some(open) = self.without_row(inputs)? else {
                return Ok(None);
            };
            self.unseal()?;
            return Ok(Some(open));
        };
        if was_sealed && let Some(why) = self.why_not(inputs, allow_empty)? {
            self.unseal()?;
            return Ok(Some(why));
        }
        Ok(Some(why))
    }

    /// Whether the folder has lost one of these open inputs: it is listed but has no row, or it has
    /// a row but an output is missing. An input that is always open, such as a stream, may be
    /// intact.
    ///
    /// # Errors
    /// [`Error::Io`], or [`Error::Integrity`] if a list or a row cannot be parsed.
    pub(crate) fn has_lost(&self, open: &[Input]) -> Result<bool> {
        let listed = match self.0.has_listing() {
            true => self.listed_inputs()?,
            false => Vec::new(),
        };
        for input in open {
            let is_lost = match self.row(&input.name)? {
                Some(row) => !self.has_all_outputs(&row)?,
                None => listed.binary_search(&input.name).is_ok(),
            };
            if is_lost {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Parquet files that belong to no row and that no listed input will replace, sorted.
    /// `lacking` are the files of tables that inputs with rows do not have
    /// ([`lacking`](crate::manifest::ManifestRow::lacking)).
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn strays(&self, lacking: &BTreeSet<String>) -> Result<Vec<String>> {
        let known: HashSet<_> = self.known_inputs()?.into_iter().collect();
        let mut strays = Vec::new();
        for table in NAMES.all() {
            for name in self.0.names(table, ".parquet")? {
                let file = path_of(table, &name);
                if lacking.contains(&file) || !known.contains(&name) {
                    strays.push(file);
                }
            }
        }
        strays.sort();
        Ok(strays)
    }

    /// Inputs without a row: among `inputs`, or if there are none, among all that are listed.
    fn without_row(&self, inputs: &[Input]) -> Result<Option<Unsealed>> {
        // One listing shows quickly whether inputs are left. Reading each row may take hours.
        let done = self.done_inputs()?;
        let open = |names: BTreeSet<String>| {
            let names = names.into_iter();
            let open = names.filter(|name| done.binary_search(name).is_err());
            let open: Vec<_> = open.collect();
            (!open.is_empty()).then_some(open)
        };
        let given = open(inputs.iter().map(|input| input.name.clone()).collect());
        if let Some(given) = given {
            return Ok(Some(Unsealed::Open(given)));
        }
        let listed = self.listed_inputs()?.into_iter().collect();
        Ok(open(listed).map(Unsealed::Others))
    }

    fn why_not(&self, inputs: &[Input], allow_empty: bool) -> Result<Option<Unsealed>> {
        if let Some(open) = self.without_row(inputs)? {
            return Ok(Some(open));
        }
        let Some(recipe) = self.recipe()? else {
            return Ok(Some(Unsealed::Empty));
        };
        let given: HashSet<_> = inputs.iter().map(|input| input.name.as_str()).collect();
        let mut others = self.done_inputs()?;
        others.retain(|name| !given.contains(name.as_str()));
        let others: Vec<_> = others.into_iter().map(|name| self.stand_in(name)).collect();
        let (mut records, mut lacking) = (0, BTreeSet::new());
        for (inputs, are_given) in [(inputs, true), (&others, false)] {
            for inputs in inputs.chunks(ROWS_AT_ONCE) {
                let found = self.map_inputs(inputs, |i| self.sound(i, are_given, &recipe));
                for found in found {
                    let found = match found {
                        Err(error @ Error::Integrity { .. }) => Err(Unsealed::Refused(error)),
                        found => found?,
                    };
                    match found {
                        Ok(sound) => {
                            records += sound.records;
                            lacking.extend(sound.lacking);
                        }
                        Err(why) => return Ok(Some(why)),
                    }
                }
            }
        }
        if let Some(stray) = self.strays(&lacking)?.first() {
            return Ok(Some(Unsealed::Refused(Error::Invalid(format!(
                "{}: no row of {MANIFEST} lists it; move it away, or clean its input",
                self.0.file(stray).display()
            )))));
        }
        Ok((records == 0 && !allow_empty).then_some(Unsealed::Empty))
    }

    /// A substitute for an input of which only the name is known.
    pub fn stand_in(&self, name: String) -> Input {
        Input {
            kind: InputKind::File(self.manifest_path(&name)),
            name,
            selected: None,
        }
    }

    /// Checks the row of an input. The inner error says why the folder cannot be sealed.
    fn sound(
        &self,
        input: &Input,
        is_given: bool,
        recipe: &Recipe,
    ) -> Result<Result<Sound, Unsealed>> {
        let open = || {
            let names = vec![input.name.clone()];
            Ok(Err(match is_given {
                true => Unsealed::Open(names),
                false => Unsealed::Others(names),
            }))
        };
        let refuse = |what: String, remedy: &str| {
            let why = format!("{}: {what}; {remedy}", input.name);
            Ok(Err(Unsealed::Refused(Error::Invalid(why))))
        };
        let Some(row) = self.row(&input.name)? else {
            return open();
        };
        if let Some(error) = self.unbalanced(&row) {
            return Ok(Err(Unsealed::Refused(error)));
        }
        if let Some(what) = row.recipe.difference(recipe) {
            return refuse(what, "`clean --redo` with this input makes it anew");
        }
        if is_given && let Some(what) = row.changed_input(input) {
            return refuse(
                what,
                "it changed after it was read; `clean --redo` reads it again",
            );
        }
        if !self.has_all_outputs(&row)? {
            return open();
        }
        Ok(Ok(Sound {
            records: row.read.records,
            lacking: row.lacking().collect(),
        }))
    }
}
