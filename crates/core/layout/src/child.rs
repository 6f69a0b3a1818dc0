//! Blitz in a child process, which runs this program again.

use crate::BLITZ;
use crate::engine::{Engine, Lost, MarkedPage};
use crate::message::{self, Answer, HELLO};
use std::io::{BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// How a child is started.
#[derive(Clone, Debug)]
pub struct Program {
    /// The program, usually this one.
    pub path: PathBuf,
    /// Arguments with which it calls `blitz::serve`.
    pub arguments: Vec<String>,
}

static PROGRAM: OnceLock<Program> = OnceLock::new();

/// Says how child processes are started. Only the first call counts.
pub fn offer(program: Program) {
    PROGRAM.get_or_init(|| program);
}

/// Whether this program has an engine.
pub fn is_offered() -> bool {
    PROGRAM.get().is_some()
}

/// How long a page may take, and how long a child may take to start. A child that computes ends
/// itself earlier, by its processor time. This bound is for a child that waits.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Most bytes of an address that is sent to a child.
const MAX_URL_BYTES: usize = 1 << 16;

/// A running child.
pub struct BlitzChild {
    child: Child,
    input: ChildStdin,
    answers: Receiver<Vec<u8>>,
}

impl Engine for BlitzChild {
    fn name(&self) -> &str {
        BLITZ
    }

    fn lay_out(&mut self, page: &MarkedPage<'_>) -> Result<Answer, Lost> {
        let url = &page.url.as_bytes()[..page.url.len().min(MAX_URL_BYTES)];
        let length = (url.len() as u32).to_le_bytes();
        let answer = self.ask(&[&length, url, page.html.as_bytes()])?;
        Answer::parse(&answer).ok_or(Lost::Ended)
    }
}

impl BlitzChild {
    /// Starts a child. `None` if there is no program for it, or if it does not answer.
    pub fn start() -> Option<Self> {
        Self::of(PROGRAM.get()?)
    }

    fn of(program: &Program) -> Option<Self> {
        let mut command = Command::new(&program.path);
        command
            .args(&program.arguments)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        #[cfg(unix)]
        {
            // Ctrl-C is meant for the parent. If it ended the child, this would look like a page
            // that ended its child.
            std::os::unix::process::CommandExt::process_group(&mut command, 0);
        }
        let mut child = command.spawn().ok()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return None;
        };
        let (send, answers) = sync_channel(1);
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Ok(Some(answer)) = message::read(&mut output) {
                if send.send(answer).is_err() {
                    break;
                }
            }
        });
        let engine = Self {
            child,
            input,
            answers,
        };
        let hello = engine.answers.recv_timeout(TIMEOUT).ok()?;
        hello.starts_with(HELLO).then_some(engine)
    }

    fn ask(&mut self, parts: &[&[u8]]) -> Result<Vec<u8>, Lost> {
        if message::write(&mut self.input, parts).is_err() {
            return Err(self.lost());
        }
        match self.answers.recv_timeout(TIMEOUT) {
            Ok(answer) => Ok(answer),
            Err(RecvTimeoutError::Timeout) => Err(Lost::Slow),
            Err(RecvTimeoutError::Disconnected) => Err(self.lost()),
        }
    }

    /// Why the child ended: by the signal for too much processor time, or otherwise.
    fn lost(&mut self) -> Lost {
        let _ = self.child.kill();
        let status = self.child.wait();
        #[cfg(unix)]
        {
            // SIGXCPU on every system on which this program runs.
            const TIME: i32 = 24;
            let signal = std::os::unix::process::ExitStatusExt::signal;
            if status.is_ok_and(|status| signal(&status) == Some(TIME)) {
                return Lost::Slow;
            }
        }
        #[cfg(not(unix))]
        let _ = status;
        Lost::Ended
    }
}

impl Drop for BlitzChild {
    fn drop(&mut self) {
        let _ = self.input.flush();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Option<BlitzChild> {
        BlitzChild::of(&Program {
            path: "/bin/sh".into(),
            arguments: vec!["-c".to_owned(), script.to_owned()],
        })
    }

    const GREET: &str = "printf '\\023\\000\\000\\000warcsieve layout 1 '";

    #[test]
    fn a_program_that_is_no_engine_is_none() {
        assert!(shell("echo hello").is_none());
        assert!(shell("exit 3").is_none());
        let missing = Program {
            path: "/nothing/here".into(),
            arguments: Vec::new(),
        };
        assert!(BlitzChild::of(&missing).is_none());
    }

    #[test]
    fn a_child_that_ends_is_lost_with_its_reason() {
        for (script, lost) in [
            ("read x; exit 0", Lost::Ended),
            ("read x; kill -KILL $$", Lost::Ended),
            ("read x; kill -XCPU $$", Lost::Slow),
        ] {
            let mut engine = shell(&format!("{GREET}; {script}")).unwrap();
            assert_eq!(engine.ask(&[b"page\n"]), Err(lost), "{script}");
        }
    }
}
