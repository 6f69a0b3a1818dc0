//! Exit codes, and what each means for a scheduler.

use std::io::ErrorKind;
use std::process::ExitCode;
use warcsieve_base::Error;
use warcsieve_crawl::pipeline::{FailedInput, PageTally, Summary};
use warcsieve_warc::ledger::{FaultKind, ReadLedger};

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
        Error::Io { source, .. } if is_lasting(source.kind()) => Exit::Usage,
        Error::Io { .. } => Exit::Temporary,
        // A kind without a code of its own is a defect, as the others here are.
        _ => Exit::Integrity,
    }
}

/// The code for a run that ended without an error of its own.
pub fn of_run(summary: &Summary) -> Exit {
    let rows = summary.done.iter().chain(&summary.kept);
    of_inputs(rows.map(|r| (&r.read, &r.pages)), &summary.failed)
}

/// The code for inputs that were read, and others that could not be.
pub fn of_inputs<'a>(
    read: impl Iterator<Item = (&'a ReadLedger, &'a PageTally)> + Clone,
    failed: &[FailedInput],
) -> Exit {
    let temporary = failed.iter().any(|f| match &f.error {
        Error::Io { source, .. } => !is_lasting(source.kind()),
        _ => false,
    });
    if temporary {
        return Exit::Temporary;
    }
    let some = read.clone().next().is_some() || !failed.is_empty();
    if some && read.clone().all(|(read, _)| is_unusable(read)) {
        return Exit::Unusable;
    }
    let faulty =
        |(read, pages): (&ReadLedger, &PageTally)| read.fault_count > 0 || pages.faulty() > 0;
    if !failed.is_empty() || read.clone().any(faulty) {
        return Exit::Faulty;
    }
    Exit::Done
}

/// Whether the standard output was closed by its reader.
pub fn is_closed_pipe(error: &Error) -> bool {
    matches!(error, Error::Io { source, .. } if source.kind() == ErrorKind::BrokenPipe)
}

fn is_unusable(read: &ReadLedger) -> bool {
    read.records == 0 && read.faults.iter().any(|f| f.kind == FaultKind::NotWarc)
}

/// Whether a failure would occur again if the same command is repeated.
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
