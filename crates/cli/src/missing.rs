//! Refuses missing inputs when a command begins.

use std::fs;
use std::path::Path;
use warcsieve_common::{Error, Result, counted, did_you_mean};
use warcsieve_engine::{Input, shard};
use warcsieve_run::{OutputFolder, RunOptions};

/// Refuses missing files of a run's share, before the run writes anything. A run without a seal is
/// a part of a larger job, so another machine may have the files.
///
/// # Errors
/// [`Error::Invalid`] if files are missing; [`Error::Io`].
pub fn refuse_missing_of_run(
    inputs: &[Input],
    out: &OutputFolder,
    options: &RunOptions,
) -> Result<()> {
    match options.seal {
        true => refuse_missing(&shard(inputs, options.shard.0, options.shard.1), Some(out)),
        false => Ok(()),
    }
}

/// Refuses missing files before anything is written. Otherwise the output folder would list them
/// and wait for them. If `out` has outputs of a file, the file may be gone.
pub fn refuse_missing(inputs: &[Input], out: Option<&OutputFolder>) -> Result<()> {
    let mut missing: Vec<_> = inputs.iter().filter(|i| i.is_missing()).collect();
    if let (Some(out), false) = (out, missing.is_empty()) {
        let done = out.done_inputs()?;
        missing.retain(|input| done.binary_search(&input.name).is_err());
    }
    refuse(&missing, "; nothing is written")
}

/// Refuses inputs if all files are missing, for commands that skip single missing files. `writes`
/// says whether the command would write files.
///
/// # Errors
/// [`Error::Invalid`].
pub fn refuse_all_missing(inputs: &[Input], writes: bool) -> Result<()> {
    let missing: Vec<_> = inputs.iter().filter(|i| i.is_missing()).collect();
    match (missing.len() == inputs.len(), writes) {
        (true, true) => refuse(&missing, "; nothing is written"),
        (true, false) => refuse(&missing, ""),
        (false, _) => Ok(()),
    }
}

/// Refuses these files if there are any. `follows` is the end of the message.
fn refuse(missing: &[&Input], follows: &str) -> Result<()> {
    let Some(first) = missing.first() else {
        return Ok(());
    };
    let more = match missing.len() - 1 {
        0 => String::new(),
        more => format!(", nor {}", counted(more, "other input", "other inputs")),
    };
    let meant = first.path().map_or_else(String::new, meant_path);
    Err(Error::Invalid(format!(
        "{}: No such file or folder{meant}{more}{follows}",
        first.origin()
    )))
}

/// A suggestion for a missing path: a name in the same folder with the same digits, because files
/// are usually numbered.
fn meant_path(path: &Path) -> String {
    let is_there = |path: &&Path| path.as_os_str().is_empty() || path.exists();
    let Some(folder) = path.ancestors().skip(1).find(is_there) else {
        return String::new();
    };
    let rest = path.strip_prefix(folder).unwrap_or(path);
    let Some(wrong) = rest.iter().next().and_then(|name| name.to_str()) else {
        return String::new();
    };
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let digits = |name: &str| {
        name.matches(|c: char| c.is_ascii_digit())
            .collect::<String>()
    };
    let beside = fs::read_dir(folder).into_iter().flatten().flatten();
    let beside = beside.filter_map(|entry| entry.file_name().into_string().ok());
    let beside: Vec<_> = beside
        .filter(|name| digits(name) == digits(wrong))
        .collect();
    did_you_mean(wrong, beside.iter().map(String::as_str))
}
