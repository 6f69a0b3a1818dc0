//! Detects a closed standard output.

use std::io::Stdout;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use warcsieve_common::{Error, Result};

/// The standard output's name in errors.
pub const NAME: &str = "standard output";

static CLOSED: AtomicBool = AtomicBool::new(false);

/// The standard library replaces a closed standard output with `/dev/null` before `main`, and
/// printed text would be lost without a report. So the loader calls this function earlier.
#[cfg(target_os = "linux")]
#[allow(
    unsafe_code,
    reason = "the section holds pointers to such functions, and this one only asks the system"
)]
#[used]
#[unsafe(link_section = ".init_array")]
static CHECK_OPEN: extern "C" fn() = check_open;

#[cfg(target_os = "linux")]
extern "C" fn check_open() {
    let open_files = Path::new("/proc/self/fd");
    CLOSED.store(
        open_files.exists() && open_files.join("1").symlink_metadata().is_err(),
        Relaxed,
    );
}

/// Whether the process was started without a standard output, as with `>&-`. Only known on Linux.
pub fn is_closed() -> bool {
    CLOSED.load(Relaxed)
}

/// Opens standard output.
///
/// # Errors
/// [`Error::Invalid`] if it is closed.
pub fn open() -> Result<Stdout> {
    match is_closed() {
        true => Err(Error::Invalid(format!("{NAME} is closed"))),
        false => Ok(std::io::stdout()),
    }
}
