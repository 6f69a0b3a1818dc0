//! Exit codes, and their meaning for a scheduler.

use warcsieve_common::{Error, is_lasting};
use warcsieve_run::{FailedInput, PageTally, Summary, Totals, Unsealed};
use warcsieve_warc::ledger::ReadLedger;

/// Shown at the end of `--help`.
pub const HELP: &str = "\
Exit codes:
   0  all done
   1  what was written and what was counted disagree: a defect or a broken disk
   2  wrong usage, an input that is not there, a wrong pipeline file, or an
      output folder that cannot be used
  10  done, but inputs or records were faulty; they are listed in the manifest
  11  its inputs are done, but others that the output folder lists are not, so
      there is no _SUCCESS; a warning says which, and what to type
  42  none of the inputs is usable: do not retry
  75  a temporary failure: retry; what is done is kept
 130  stopped by Ctrl-C, 143 by SIGTERM: what is done is kept";

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Done = 0,
    Integrity = 1,
    Usage = 2,
    Faulty = 10,
    Unsealed = 11,
    Unusable = 42,
    Temporary = 75,
}

/// The exit code for an error that ended the command.
pub fn of(error: &Error) -> Exit {
    match error {
        Error::Invalid(_) | Error::Pipeline { .. } => Exit::Usage,
        Error::Io { source, .. } if is_lasting(source) => Exit::Usage,
        Error::Io { .. } => Exit::Temporary,
        // All other errors are defects.
        _ => Exit::Integrity,
    }
}

/// The exit code for a run that ended without an error of its own.
pub fn of_run(summary: &Summary) -> Exit {
    let sum = |f: fn(&Totals) -> u64| f(&summary.done) + f(&summary.kept);
    let exit = of_counts(
        &Counts {
            read: sum(|t| t.inputs),
            unusable: sum(|t| t.without_records),
            faulty: sum(|t| t.faulty.len() as u64),
        },
        &summary.failed,
    );
    match (&summary.unsealed, exit) {
        (Some(why @ Unsealed::Refused(_)), _)
        | (Some(why @ Unsealed::Others(_)), Exit::Done | Exit::Faulty) => of_unsealed(why),
        // The inputs decide. Inputs of other shares may still be running.
        _ => exit,
    }
}

/// The exit code if this reason alone prevents the seal.
pub fn of_unsealed(why: &Unsealed) -> Exit {
    match why {
        Unsealed::Others(_) => Exit::Unsealed,
        Unsealed::Empty => Exit::Unusable,
        Unsealed::Refused(error) => of(error),
        // Some inputs are not done.
        _ => Exit::Temporary,
    }
}

/// Numbers of inputs by result.
struct Counts {
    read: u64,
    unusable: u64,
    faulty: u64,
}

/// The exit code for inputs that were read, and for those that could not be read.
pub fn of_inputs<'a>(
    read: impl Iterator<Item = (&'a ReadLedger, &'a PageTally)> + Clone,
    failed: &[FailedInput],
) -> Exit {
    let faulty = |(read, pages): &(&ReadLedger, &PageTally)| {
        read.fault_count > 0 || pages.faulty() > 0 || pages.digest_faults() > 0
    };
    of_counts(
        &Counts {
            read: read.clone().count() as u64,
            unusable: read.clone().filter(|(read, _)| is_unusable(read)).count() as u64,
            faulty: read.filter(faulty).count() as u64,
        },
        failed,
    )
}

fn of_counts(counts: &Counts, failed: &[FailedInput]) -> Exit {
    if failed.iter().any(|f| of(&f.error) == Exit::Temporary) {
        return Exit::Temporary;
    }
    let some = counts.read > 0 || !failed.is_empty();
    if some && counts.unusable == counts.read {
        return Exit::Unusable;
    }
    match failed.is_empty() && counts.faulty == 0 {
        true => Exit::Done,
        false => Exit::Faulty,
    }
}

fn is_unusable(read: &ReadLedger) -> bool {
    read.no_crawl().is_some()
}
