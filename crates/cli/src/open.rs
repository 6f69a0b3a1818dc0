//! Opens a page that was written in the browser of this machine.

use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The program that opens a file as a click on it does.
const OPENER: &str = match () {
    () if cfg!(target_os = "macos") => "open",
    () if cfg!(windows) => "explorer",
    () => "xdg-open",
};

/// How long an opener may take to say that it failed. One that goes on is the browser itself.
const PATIENCE: Duration = Duration::from_secs(3);

/// Opens a page, or says where it is if nothing can open it: the page is written all the same.
pub fn in_browser(page: &Path) {
    let page = std::path::absolute(page).unwrap_or_else(|_| page.to_owned());
    let why = match start(&page).map(ended) {
        // The opener of Windows ends with 1 if all is well.
        Ok(Some(status)) if !status.success() && !cfg!(windows) => format!("{OPENER}: {status}"),
        Ok(_) => return,
        Err(error) => format!("{OPENER}: {error}"),
    };
    tracing::warn!(
        "nothing opened the page ({why}); open {} in a browser",
        page.display()
    );
}

fn start(page: &Path) -> std::io::Result<Child> {
    let mut opener = Command::new(OPENER);
    opener.arg(page).stdin(Stdio::null());
    opener.stdout(Stdio::null()).stderr(Stdio::null()).spawn()
}

/// How the opener ended, if it ended soon.
fn ended(mut opener: Child) -> Option<ExitStatus> {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        match opener.try_wait() {
            Ok(None) => std::thread::sleep(Duration::from_millis(20)),
            ended => return ended.ok().flatten(),
        }
    }
    None
}
