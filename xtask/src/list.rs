//! The list of tasks.

use crate::task::{Key, Task, Theme};
use crate::{figures, plan, tasks};

/// Columns of a line.
const WIDTH: usize = 110;

const HEAD: &str = "\
Usage: cargo xtask NAME [KEY=value…]
       cargo xtask reproduce NAME [KEY=value…]

Times are those of two cores. Paths begin at the top of the repository.
Every task has SHARED=folder: the folder with the labelled corpora (../shared if not given).
";

const FIGURES: &str = "\
Usage: cargo xtask reproduce NAME [KEY=value…]

Each name writes figures of the documentation again.
Every name has SHARED=folder: the folder with the labelled corpora (../shared if not given).
";

/// All tasks, and all names of `reproduce`.
pub fn everything() -> String {
    let tasks = tasks::THEMES.iter().map(|theme| listed(theme, ""));
    let figures = figures::THEMES
        .iter()
        .map(|theme| listed(theme, "reproduce "));
    HEAD.to_owned() + &tasks.chain(figures).collect::<String>()
}

/// The names of `reproduce`.
pub fn figures() -> String {
    let themes = figures::THEMES.iter().map(|theme| listed(theme, ""));
    FIGURES.to_owned() + &themes.collect::<String>()
}

fn listed(theme: &Theme, prefix: &str) -> String {
    let mut text = format!("\n{}\n", theme.title);
    for task in theme.tasks {
        text += &format!("\n  {prefix}{}\n", task.name);
        text += &wrapped(&about(task));
        for key in plan::keys(task) {
            text += &wrapped(&option(&key));
        }
    }
    text
}

fn about(task: &Task) -> String {
    let needs = match task.needs {
        [] => String::new(),
        needs => format!(" Needs {}.", needs.join(", ")),
    };
    format!("{}{needs} Takes {}.", task.does, task.takes)
}

fn option(key: &Key) -> String {
    format!("{}=… is {}.", key.name, key.help)
}

/// Lines of a text, indented.
fn wrapped(text: &str) -> String {
    const INDENT: &str = "      ";
    let mut lines = vec![INDENT.to_owned()];
    for word in text.split_whitespace() {
        let line = lines.last().map_or(0, |line| line.chars().count());
        if line > INDENT.len() && line + 1 + word.chars().count() > WIDTH {
            lines.push(INDENT.to_owned());
        }
        if let Some(line) = lines.last_mut() {
            if line.len() > INDENT.len() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_and_option_is_listed() {
        let list = everything();
        for task in tasks::all() {
            assert!(
                list.contains(&format!("\n  {}\n", task.name)),
                "{}",
                task.name
            );
        }
        for figure in figures::all() {
            let line = format!("\n  reproduce {}\n", figure.name);
            assert!(list.contains(&line), "{}", figure.name);
            assert!(figures().contains(&format!("\n  {}\n", figure.name)));
        }
        assert!(list.contains("PART=… is "));
    }

    #[test]
    fn lines_are_not_too_long() {
        let list = everything();
        let long = list.lines().find(|line| line.chars().count() > WIDTH);
        assert_eq!(long, None);
    }
}
