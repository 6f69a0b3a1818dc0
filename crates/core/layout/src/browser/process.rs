//! The browser's process: the program, its options and its environment.

use super::pipe::Pipe;
use crate::screen::{FONT_FILE, VIEWPORT_HEIGHT, VIEWPORT_WIDTH};
use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// The environment variable that names the browser's program.
pub const VARIABLE: &str = "WARCSIEVE_BROWSER";

/// Programs that are searched for. Those that are only headless come first.
const PROGRAMS: [&str; 6] = [
    "chromium-headless-shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
];

/// The user and group without rights on Linux.
const NOBODY: u32 = 65_534;

/// The browser's program: that of [`VARIABLE`], or the first one found in `PATH`.
///
/// # Errors
/// There is no browser, with a message for the user.
pub fn find() -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os(VARIABLE).filter(|path| !path.is_empty()) {
        let path = PathBuf::from(path);
        return match path.is_file() {
            true => Ok(path),
            false => Err(format!("{VARIABLE}: no file {}", path.display())),
        };
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&folders).collect();
    let found = PROGRAMS.iter().find_map(|name| {
        let paths = folders.iter().map(|folder| folder.join(name));
        paths.into_iter().find(|path| path.is_file())
    });
    found.ok_or_else(|| {
        format!(
            "no Chromium: none of {} is in PATH; install one (Debian: apt install {}), or set \
             {VARIABLE}=/path/to/it",
            PROGRAMS.join(", "),
            PROGRAMS[0]
        )
    })
}

/// A running browser, with the folder of its profile. Dropping it ends the browser and removes the
/// folder.
pub struct Process {
    child: Child,
    _folder: TempDir,
}

impl Process {
    /// Starts the program with one font, no environment variables and an empty profile. The
    /// browser's sandbox stays on. The sandbox does not work for root, so then the browser runs as
    /// `nobody`.
    pub fn start(program: &Path) -> io::Result<(Self, Pipe)> {
        let folder = tempfile::Builder::new()
            .prefix("warcsieve-browser-")
            .tempdir()?;
        let root = folder.path();
        fs::create_dir(root.join("fonts"))?;
        fs::write(root.join("fonts/LiberationSans-Regular.ttf"), FONT_FILE)?;
        fs::write(root.join("fonts.conf"), fonts(root))?;
        // The protocol uses the file descriptors 3 and 4. Without unsafe code, only a shell can
        // pass these to a program.
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null"])
            .arg(program)
            .args(OPTIONS)
            .arg(format!("--window-size={VIEWPORT_WIDTH},{VIEWPORT_HEIGHT}"))
            .arg(format!(
                "--user-data-dir={}",
                root.join("profile").display()
            ))
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", root)
            .env("TMPDIR", root)
            .env("FONTCONFIG_FILE", root.join("fonts.conf"))
            .current_dir(root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // Ctrl-C is meant for the parent. A process group also allows ending all processes of
            // the browser at once.
            .process_group(0);
        if rustix::process::geteuid().is_root() {
            for path in [root.to_owned(), root.join("fonts"), root.join("fonts.conf")] {
                std::os::unix::fs::chown(path, Some(NOBODY), Some(NOBODY))?;
            }
            command.uid(NOBODY).gid(NOBODY);
        }
        let mut child = command.spawn()?;
        let ends = child.stdin.take().zip(child.stdout.take());
        let process = Self {
            child,
            _folder: folder,
        };
        let (to, from) = ends.ok_or(io::ErrorKind::BrokenPipe)?;
        Ok((process, Pipe::new(to, from)))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(group) = rustix::process::Pid::from_raw(self.child.id() as i32) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Options that forbid actions of the browser itself, and that make the results depend on the page
/// alone.
const OPTIONS: [&str; 20] = [
    "--headless",
    "--remote-debugging-pipe",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-component-update",
    "--disable-crash-reporter",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-gpu",
    "--disable-lcd-text",
    "--disable-sync",
    "--font-render-hinting=none",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
    // Requests that this program does not see find no host.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--mute-audio",
    "--no-first-run",
    "--no-pings",
    "--password-store=basic",
];

/// A configuration of fontconfig with the one font.
fn fonts(root: &Path) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE fontconfig SYSTEM \"fonts.dtd\">\n<fontconfig>\n\
         <dir>{0}/fonts</dir>\n<cachedir>{0}/cache</cachedir>\n</fontconfig>\n",
        root.display()
    )
}
