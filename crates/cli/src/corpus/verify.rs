//! `corpus --verify`: checks that a corpus is unchanged.

use super::make::{SUCCESS, steps};
use crate::exit::Exit;
use crate::{print, status};
use std::path::Path;
use warcsieve_common::{Error, Result, counted};
use warcsieve_engine::CLEANED;
use warcsieve_run::OutputFolder;

/// Prints a line for each file that has changed.
///
/// # Errors
/// [`Error::Invalid`] if there is no corpus; [`Error::Io`].
pub(super) fn verify(out: &Path) -> Result<Exit> {
    let cleaned = OutputFolder::new(out.join(CLEANED));
    if !cleaned.has_manifest() {
        let why = "no corpus is there; the same command without --verify makes it";
        return Err(Error::Invalid(format!("{}: {why}", out.display())));
    }
    let mut lines = Vec::new();
    for name in cleaned.done_inputs()? {
        let row = match cleaned.row(&name) {
            Err(Error::Integrity { path, message }) => {
                lines.push(format!("{}: {message}", path.display()));
                continue;
            }
            row => row?,
        };
        let Some(row) = row else { continue };
        let lost = cleaned.lost_outputs(&row)?;
        let is_lost = !lost.is_empty();
        lines.extend(lost.iter().map(|file| {
            let bytes = counted(file.bytes, "byte", "bytes");
            format!("{CLEANED}/{}: gone, or not of {bytes}", file.path)
        }));
        if !is_lost {
            let altered = status::altered_outputs(&cleaned, &row)?;
            lines.extend(altered.iter().map(|line| format!("{CLEANED}/{line}")));
        }
    }
    for step in steps(out) {
        if step.is_noted() || step.is_needed() {
            lines.extend(step.troubles()?);
        }
    }
    let is_sealed = out.join(SUCCESS).exists();
    let exit = match (lines.is_empty(), is_sealed) {
        (false, _) => Exit::Integrity,
        (true, false) => Exit::Temporary,
        (true, true) => Exit::Done,
    };
    if !is_sealed {
        lines.push(format!(
            "{SUCCESS}: it is not there; the same command without --verify makes the rest"
        ));
    }
    if lines.is_empty() {
        lines.push("each file is as it was written".to_owned());
    }
    print::text(&(lines.join("\n") + "\n"))?;
    Ok(exit)
}
