//! Exit codes, and what each means to whoever schedules the program.

use std::io::ErrorKind;
use std::process::ExitCode;
use warcsieve::error::Error;
use warcsieve::ledger::FaultKind;
use warcsieve::pipeline::{ManifestRow, Summary};

/// Shown at the end of `--help`.
pub const HELP: &str = "\
Exit codes:
   0  all done
   1  what was written and what was counted disagree: a defect or a broken disk
   2  wrong usage, a wrong pipeline file, or an output folder that cannot be used
  10  done, but inputs or records were faulty; they are listed in the manifest
  42  none of the inputs is usable: do not retry
  75  a temporary failure: retry; what is done is kept";

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Done = 0,
    Integrity = 1,
    Usage = 2,
    Faulty = 10,
    Unusable = 42,
    Temporary = 75,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// The code for an error that ended the command.
pub fn of(error: &Error) -> Exit {
    match error {
        Error::Usage(_) | Error::Pipeline { .. } => Exit::Usage,
        Error::Integrity { .. } => Exit::Integrity,
        Error::Io { source, .. } if is_lasting(source.kind()) => Exit::Usage,
        Error::Io { .. } => Exit::Temporary,
    }
}

/// The code for a run that came to its end.
pub fn of_run(summary: &Summary) -> Exit {
    let temporary = summary.failed.iter().any(|f| match &f.error {
        Error::Io { source, .. } => !is_lasting(source.kind()),
        _ => false,
    });
    if temporary {
        return Exit::Temporary;
    }
    let rows = || summary.done.iter().chain(&summary.kept);
    if rows().all(is_unusable) && (rows().next().is_some() || !summary.failed.is_empty()) {
        return Exit::Unusable;
    }
    if !summary.failed.is_empty() || rows().any(ManifestRow::is_faulty) {
        return Exit::Faulty;
    }
    Exit::Done
}

/// Whether the standard output was closed by its reader.
pub fn is_closed_pipe(error: &Error) -> bool {
    matches!(error, Error::Io { source, .. } if source.kind() == ErrorKind::BrokenPipe)
}

fn is_unusable(row: &ManifestRow) -> bool {
    row.read.records == 0 && row.read.faults.iter().any(|f| f.kind == FaultKind::NotWarc)
}

/// Failures that stay when the command is run again as it is.
fn is_lasting(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::NotFound
            | ErrorKind::PermissionDenied
            | ErrorKind::AlreadyExists
            | ErrorKind::NotADirectory
            | ErrorKind::IsADirectory
            | ErrorKind::InvalidInput
            | ErrorKind::InvalidFilename
            | ErrorKind::ReadOnlyFilesystem
    )
}
