//! Whether there is a standard output.

use std::io::Stdout;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use warcsieve_common::{Error, Result};

/// The standard output's name in errors.
pub const NAME: &str = "standard output";

static CLOSED: AtomicBool = AtomicBool::new(false);

/// The standard library opens `/dev/null` in place of a closed standard output before `main`, and
/// what is printed would be lost without a word. So this is called earlier, by the loader.
#[cfg(target_os = "linux")]
#[allow(
    unsafe_code,
    reason = "the section holds pointers to such functions, and this one only asks the system"
)]
#[used]
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;

#[cfg(target_os = "linux")]
extern "C" fn look() {
    let open_files = Path::new("/proc/self/fd");
    CLOSED.store(
        open_files.exists() && open_files.join("1").symlink_metadata().is_err(),
        Relaxed,
    );
}

/// Whether the process was started without a standard output, as by `>&-`. Known on Linux.
pub fn is_closed() -> bool {
    CLOSED.load(Relaxed)
}

/// The standard output.
///
/// # Errors
/// [`Error::Invalid`] if it is closed.
pub fn open() -> Result<Stdout> {
    match is_closed() {
        true => Err(Error::Invalid(format!("{NAME} is closed"))),
        false => Ok(std::io::stdout()),
    }
}
