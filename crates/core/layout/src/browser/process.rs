//! The browser's process: which program, in which surroundings.

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

/// Programs that are looked for: first those that can do nothing else.
const PROGRAMS: [&str; 6] = [
    "chromium-headless-shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
];

/// The user and group that owns nothing, on Linux.
const NOBODY: u32 = 65_534;

/// The browser's program: [`VARIABLE`], or the first that `PATH` has.
///
/// # Errors
/// There is none, in words for the user.
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

/// A running browser, with the folder of its profile. Both go when it is dropped.
pub struct Process {
    child: Child,
    _folder: TempDir,
}

impl Process {
    /// Starts the program. It sees one font, no environment and an empty profile. Its sandbox stays
    /// on; as it works for no superuser, it runs as nobody then.
    pub fn start(program: &Path) -> io::Result<(Self, Pipe)> {
        let folder = tempfile::Builder::new()
            .prefix("warcsieve-browser-")
            .tempdir()?;
        let root = folder.path();
        fs::create_dir(root.join("fonts"))?;
        fs::write(root.join("fonts/LiberationSans-Regular.ttf"), FONT_FILE)?;
        fs::write(root.join("fonts.conf"), fonts(root))?;
        // The protocol is spoken on the descriptors 3 and 4, which only a shell gives to a program
        // without unsafe code here.
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
            // Ctrl-C is for the parent; and so all its processes can be ended at once.
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

/// What it must not do by itself, and what makes its results depend on the page alone.
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
    // Also what it would ask without our seeing it finds no host.
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
