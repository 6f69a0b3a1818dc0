//! What the command line asks for.

use crate::options::{self, Given};
use crate::task::Task;
use crate::{figures, tasks};

/// The command whose names are figures.
pub const REPRODUCE: &str = "reproduce";

/// What to do.
pub enum Request {
    /// Print all tasks.
    List,
    /// Print what `reproduce` can write.
    ListFigures,
    /// Run a task.
    Run(&'static Task, Given),
    /// Write figures.
    Reproduce(&'static Task, Given),
}

impl Request {
    /// Understands the arguments; an error says what is wrong with them.
    pub fn read(arguments: &[String]) -> Result<Self, String> {
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        match words[..] {
            [] | ["--list" | "--help" | "-h" | "help"] => Ok(Self::List),
            [REPRODUCE] => Ok(Self::ListFigures),
            [REPRODUCE, name, ..] => match figures::find(name) {
                Some(task) => Ok(Self::Reproduce(task, options::read(task, &arguments[2..])?)),
                None => Err(format!(
                    "nothing is called `{name}` that can be reproduced; `cargo xtask reproduce` lists the names"
                )),
            },
            [name, ..] => match tasks::find(name) {
                Some(task) => Ok(Self::Run(task, options::read(task, &arguments[1..])?)),
                None if figures::find(name).is_some() => Err(format!(
                    "no task is called `{name}`; `cargo xtask reproduce {name}` writes figures"
                )),
                None => Err(format!(
                    "no task is called `{name}`; `cargo xtask --list` lists all"
                )),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Request, String> {
        let arguments: Vec<String> = words.iter().map(|&w| w.to_owned()).collect();
        Request::read(&arguments)
    }

    fn error(words: &[&str]) -> String {
        read(words).err().unwrap()
    }

    #[test]
    fn lists_are_what_no_name_asks_for() {
        assert!(matches!(read(&[]), Ok(Request::List)));
        assert!(matches!(read(&["--list"]), Ok(Request::List)));
        assert!(matches!(read(&["reproduce"]), Ok(Request::ListFigures)));
    }

    #[test]
    fn names_are_of_tasks_or_of_figures() {
        let Ok(Request::Run(task, given)) = read(&["soak", "PART=files"]) else {
            panic!("no soak");
        };
        assert_eq!((task.name, given["PART"].as_str()), ("soak", "files"));
        let Ok(Request::Reproduce(figure, _)) = read(&["reproduce", "accuracy"]) else {
            panic!("no accuracy");
        };
        assert_eq!(figure.name, "accuracy");
    }

    #[test]
    fn a_wrong_name_is_told_from_one_of_the_other_kind() {
        assert!(error(&["acuracy"]).contains("--list"));
        assert!(error(&["accuracy"]).contains("cargo xtask reproduce accuracy"));
        assert!(error(&["reproduce", "soak"]).contains("nothing is called `soak`"));
        assert!(error(&["soak", "x"]).contains("KEY=value"));
    }
}
