//! Which inputs are done already, by the manifest.

use crate::forget::Log;
use crate::manifest::{Recipe, Status};
use crate::output::OutputFolder;
use crate::totals::Totals;
use warcsieve_common::{Error, Result};
use warcsieve_engine::{Input, Progress};

/// Number of inputs whose rows are in memory at once.
const ROWS_AT_ONCE: usize = 256;

/// What the manifest says about the inputs of this process.
#[derive(Default)]
pub(super) struct Already {
    /// Sums over the inputs that are done.
    pub(super) kept: Totals,
    /// Inputs that must still be done.
    pub(super) open: Vec<Input>,
    /// Whether a row cannot be read, or its counts do not add up.
    pub(super) is_damaged: bool,
    /// The first reason to refuse the run.
    pub(super) refusal: Option<Error>,
}

/// Examines all inputs of this process, even after a reason to refuse the run was found.
pub(super) fn examine(
    ours: &[Input],
    recipe: &Recipe,
    out: &OutputFolder,
    redo: bool,
    progress: &Progress,
) -> Result<Already> {
    let mut already = Already::default();
    for inputs in ours.chunks(ROWS_AT_ONCE) {
        let statuses = out.map_inputs(inputs, |input| out.status(input, recipe));
        for (input, status) in inputs.iter().zip(statuses) {
            match status {
                Ok(Status::Done(row)) => {
                    already.kept.add(Totals::of(&row));
                    progress.input_done();
                }
                Ok(Status::Open) => already.open.push(input.clone()),
                Ok(Status::Differs(_)) | Err(Error::Integrity { .. }) if redo => {
                    already.open.push(input.clone());
                }
                Ok(Status::Differs(what)) => {
                    let refused = || {
                        Error::Invalid(format!(
                            "{} was cleaned into {} before, and {what}; use another --out, or --redo to clean it again \
                         in its place; if {} is another file of that name, --base tells them apart",
                            input.name,
                            out.path().display(),
                            input.origin()
                        ))
                    };
                    already.refusal.get_or_insert_with(refused);
                }
                Err(error @ Error::Integrity { .. }) => {
                    already.is_damaged = true;
                    already.refusal.get_or_insert(error);
                }
                Err(error) => return Err(error),
            }
        }
    }
    if already.refusal.is_none() {
        let open = already.open.iter().map(|input| input.name.as_str());
        already.refusal = Log::brought_back(open, out, redo)?;
    }
    Ok(already)
}
