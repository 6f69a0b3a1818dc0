//! Runs commands.

use crate::plan::Ready;
use std::ffi::OsString;
use std::io;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Instant;

/// The exit code where a program cannot be started, as shells have it.
const NOT_FOUND: u8 = 127;

/// Variables that cargo set for this program alone. Its own commands are not to see them.
const OURS: [&str; 4] = [
    "CARGO_BIN_",
    "CARGO_CRATE_",
    "CARGO_MANIFEST_",
    "CARGO_PKG_",
];

/// Runs the commands until one fails; its exit code, or 0.
pub fn all(commands: &[Ready], shared: &str) -> u8 {
    for command in commands {
        eprintln!("$ {}", shown(command));
        let begun = Instant::now();
        let code = one(command, shared).unwrap_or_else(|why| {
            eprintln!("xtask: {}: {why}", shown(command));
            NOT_FOUND
        });
        if code != 0 {
            eprintln!("xtask: ended with {code}: {}", shown(command));
            return code;
        }
        if commands.len() > 1 {
            eprintln!("  {} s", begun.elapsed().as_secs());
        }
    }
    0
}

fn one(ready: &Ready, shared: &str) -> io::Result<u8> {
    let (program, arguments): (OsString, &[String]) = match (&ready.python, &ready.words[..]) {
        (Some((modules, packages)), words) => match python(modules, packages)? {
            Ok(program) => (program.into(), words),
            Err(code) => return Ok(code),
        },
        (None, [name, arguments @ ..]) if name == "cargo" => (cargo(), arguments),
        (None, [name, arguments @ ..]) => (name.into(), arguments),
        (None, []) => return Ok(0),
    };
    let mut command = clean(program);
    command.args(arguments);
    command.env("WARCSIEVE_SHARED", shared);
    command.envs(ready.environment.iter().map(|(name, value)| (name, value)));
    Ok(code(command.status()?))
}

/// A command whose environment is that which we were called in.
fn clean(program: OsString) -> Command {
    let mut command = Command::new(program);
    let names = std::env::vars_os().map(|(name, _)| name);
    for name in names.filter(|name| name.to_str().is_some_and(is_ours)) {
        command.env_remove(name);
    }
    command
}

fn is_ours(name: &str) -> bool {
    OURS.iter().any(|ours| name.starts_with(ours))
}

/// The cargo that called us.
fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// The Python that can import the modules; the exit code where there is none.
fn python(modules: &str, packages: &str) -> io::Result<Result<String, u8>> {
    let output = clean("sh".into())
        .args(["scripts/python.sh", modules, packages])
        .stderr(Stdio::inherit())
        .output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    Ok(match code(output.status) {
        0 => Ok(said.trim().to_owned()),
        code => Err(code),
    })
}

/// The exit code of a program; one that a signal ended has that of a shell, 128 and the signal.
fn code(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let signal = None;
    let code = status.code().or(signal.map(|signal: i32| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

/// The command as it would be typed.
fn shown(ready: &Ready) -> String {
    let variables = ready.environment.iter();
    let variables = variables.map(|(name, value)| format!("{name}={}", quoted(value)));
    let python = ready.python.map(|_| "python".to_owned());
    let words = ready.words.iter().map(|word| quoted(word));
    let all: Vec<String> = variables.chain(python).chain(words).collect();
    all.join(" ")
}

fn quoted(word: &str) -> String {
    if word.contains(|c: char| c.is_whitespace() || "'\"$*?;&|()<>".contains(c)) {
        format!("'{}'", word.replace('\'', "'\\''"))
    } else {
        word.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Ready {
        Ready {
            environment: vec![("CODE".to_owned(), "7".to_owned())],
            python: None,
            words: ["sh", "-c", script].map(str::to_owned).into(),
        }
    }

    #[test]
    fn the_first_failure_ends_the_task_with_its_code() {
        assert_eq!(all(&[shell("true"), shell("true")], "/shared"), 0);
        assert_eq!(all(&[shell("exit $CODE"), shell("exit 3")], "/shared"), 7);
    }

    #[test]
    fn commands_see_where_the_corpora_are_and_nothing_of_our_own_build() {
        let sees = "test \"$WARCSIEVE_SHARED\" = /shared && test -z \"${CARGO_MANIFEST_DIR:-}\"";
        assert_eq!(all(&[shell(sees)], "/shared"), 0);
    }

    #[test]
    fn a_program_that_is_not_there_is_an_error() {
        let mut none = shell("");
        none.words = vec!["no-such-program".to_owned()];
        assert_eq!(all(&[none], "/shared"), NOT_FOUND);
    }

    #[cfg(unix)]
    #[test]
    fn a_signal_has_the_code_that_shells_give_it() {
        assert_eq!(all(&[shell("kill -9 $$")], "/shared"), 128 + 9);
    }

    #[test]
    fn commands_are_shown_as_they_would_be_typed() {
        assert_eq!(shown(&shell("it's")), "CODE=7 sh -c 'it'\\''s'");
    }
}
