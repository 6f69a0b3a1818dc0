//! The commands of a task, filled in before the first of them is run.

use crate::fill;
use crate::task::{Key, Step, Task};
use crate::tasks;
use crate::values::Values;

/// A command that is ready to be run.
#[derive(Debug, PartialEq, Eq)]
pub struct Ready {
    /// Variables of its environment.
    pub environment: Vec<(String, String)>,
    /// Modules and packages of the Python that runs it.
    pub python: Option<(&'static str, &'static str)>,
    /// The program and its arguments; a script and its arguments for Python.
    pub words: Vec<String>,
}

/// All commands of a task and of the tasks that are steps of it.
pub fn commands(task: &Task, values: &Values) -> Result<Vec<Ready>, String> {
    let mut commands = Vec::new();
    for step in task.steps {
        match step {
            Step::Task(name) => commands.extend(commands_of(name, values)?),
            step => commands.push(ready(step, values).map_err(|fill::Missing(key)| {
                format!("`{}` needs {key}=value: {}", task.name, help(task, &key))
            })?),
        }
    }
    Ok(commands)
}

/// Those of a task that a step names.
fn commands_of(name: &str, values: &Values) -> Result<Vec<Ready>, String> {
    let task = tasks::find(name).ok_or_else(|| format!("no task is called `{name}`"))?;
    commands(task, values)
}

fn ready(step: &Step, values: &Values) -> Result<Ready, fill::Missing> {
    let mut words = fill::words(&text(step), &|name| values.get(name))?;
    let first = words.iter().position(|word| variable(word).is_none());
    let command = words.split_off(first.unwrap_or(words.len()));
    Ok(Ready {
        environment: words.iter().filter_map(|word| variable(word)).collect(),
        python: match step {
            Step::Python {
                modules, packages, ..
            } => Some((modules, packages)),
            _ => None,
        },
        words: command,
    })
}

/// The command of a step, before it is filled in.
pub fn text(step: &Step) -> String {
    match step {
        Step::Run(text) | Step::Python { run: text, .. } => (*text).to_owned(),
        Step::Page { page, folder, more } => format!(
            "cargo run --release -p warcsieve-reproduce -- {page} {{shared}}/corpora {folder} target/reproduction {more}"
        ),
        Step::Task(_) => String::new(),
    }
}

/// A word `NAME=value`.
fn variable(word: &str) -> Option<(String, String)> {
    let (name, value) = word.split_once('=')?;
    let is_name = name.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    (is_name && !name.is_empty()).then(|| (name.to_owned(), value.to_owned()))
}

/// The options of a task and of the tasks that are steps of it, each once.
pub fn keys(task: &Task) -> Vec<Key> {
    let mut keys: Vec<Key> = task.keys.to_vec();
    for step in task.steps {
        if let Step::Task(name) = step {
            keys.extend(tasks::find(name).map(self::keys).unwrap_or_default());
        }
    }
    keys.sort_by_key(|key| key.name);
    keys.dedup_by_key(|key| key.name);
    keys
}

fn help(task: &Task, name: &str) -> String {
    let key = keys(task).into_iter().find(|key| key.name == name);
    key.map_or_else(String::new, |key| key.help.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures;
    use std::path::Path;

    fn plan(task: &Task, given: &[(&str, &str)]) -> Result<Vec<Ready>, String> {
        let mut pairs = vec![("SHARED", "/shared")];
        pairs.extend(given);
        let given = pairs
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect();
        commands(task, &Values::new(given, Path::new("/repository")))
    }

    fn line(ready: &Ready) -> String {
        ready.words.join(" ")
    }

    #[test]
    fn leading_variables_are_the_environment() {
        let plan = plan(tasks::find("python-hostile").unwrap(), &[("CALLS", "7")]).unwrap();
        let set = ("WARCSIEVE_HOSTILE_CALLS".to_owned(), "7".to_owned());
        assert_eq!(plan[0].environment, [set]);
        assert_eq!(plan[0].words[0], "target/python-test/bin/python");
    }

    #[test]
    fn pages_are_written_by_the_crate() {
        let plan = plan(figures::find("web2text-splits").unwrap(), &[]).unwrap();
        assert_eq!(
            line(&plan[0]),
            "cargo run --release -p warcsieve-reproduce -- web2text-splits /shared/corpora docs/reproduction target/reproduction"
        );
    }

    #[test]
    fn steps_that_are_tasks_come_with_their_commands_and_options() {
        let task = tasks::find("release-check").unwrap();
        let plan = plan(task, &[("PROFILE", "dev")]).unwrap();
        let lines: Vec<String> = plan.iter().map(line).collect();
        assert!(lines[0].contains("cargo build --profile dev"), "{lines:?}");
        assert!(
            lines[1].contains("target/pgo/") && lines[1].contains("/debug/warcsieve"),
            "{lines:?}"
        );
        assert!(lines.len() > 4, "{lines:?}");
        let names: Vec<&str> = keys(task).iter().map(|key| key.name).collect();
        assert_eq!(names, ["PGO", "PROFILE", "VERIFY"]);
    }

    #[test]
    fn what_a_task_lacks_is_said_before_anything_is_run() {
        let why = plan(figures::find("collection").unwrap(), &[]).unwrap_err();
        assert!(why.starts_with("`collection` needs CRAWL=value: "), "{why}");
    }

    #[test]
    fn python_comes_with_its_packages() {
        let plan = plan(tasks::find("agree-measures").unwrap(), &[]).unwrap();
        let script = plan.last().unwrap();
        let (modules, packages) = script.python.unwrap();
        assert_eq!((modules, packages), ("pytrec_eval", "pytrec_eval-terrier"));
        assert_eq!(script.words[0], "scripts/agree_measures.py");
    }
}
