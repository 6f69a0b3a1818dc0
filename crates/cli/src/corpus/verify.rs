//! `corpus --verify`: checks that a corpus is unchanged.

use super::make::{SUCCESS, steps};
use crate::exit::Exit;
use crate::{escape, print, status};
use std::path::Path;
use warcsieve_common::files::is_there;
use warcsieve_common::{Error, Result};
use warcsieve_engine::CLEANED;
use warcsieve_run::OutputFolder;

/// Prints a line for each file that has changed: as JSON, as warnings only (`quiet`), or as text.
///
/// # Errors
/// [`Error::Invalid`] if there is no corpus; [`Error::Io`].
pub(super) fn verify(out: &Path, json: bool, quiet: bool) -> Result<Exit> {
    let cleaned = OutputFolder::new(out.join(CLEANED));
    if !cleaned.has_manifest()? {
        let why = "no corpus is there; the same command without --verify makes it";
        return Err(Error::Invalid(format!("{}: {why}", out.display())));
    }
    let found = status::not_as_written(&cleaned)?.into_iter();
    let mut lines: Vec<String> = found.map(|line| format!("{CLEANED}/{line}")).collect();
    for step in steps(out) {
        if step.is_noted()? || step.is_needed() {
            lines.extend(step.troubles()?);
        }
    }
    let is_sealed = is_there(&out.join(SUCCESS))?;
    let exit = match (lines.is_empty(), is_sealed) {
        (false, _) => Exit::Integrity,
        // To look again would not help.
        (true, false) => Exit::Unsealed,
        (true, true) => Exit::Done,
    };
    if !is_sealed {
        lines.push(format!(
            "{SUCCESS}: it is not there; the same command without --verify makes the rest"
        ));
    }
    match (json, quiet) {
        (true, _) => {
            let result = serde_json::json!({ "verify": true, "not_as_written": lines });
            print::text(&print::result("corpus", exit, result))?;
        }
        (false, true) => {
            for line in &lines {
                tracing::warn!("{line}");
            }
        }
        (false, false) => {
            if lines.is_empty() {
                lines.push("each file is as it was written".to_owned());
            }
            let lines = lines.iter().map(|line| escape::line(line) + "\n");
            print::text(&lines.collect::<String>())?;
        }
    }
    Ok(exit)
}
