//! The table of tasks: it has no task twice, and what it names exists.

use crate::plan;
use crate::reproduce::ALL;
use crate::task::{Step, Task, Theme};
use crate::tasks::check::SLOW;
use crate::values::Values;
use crate::{figures, root, tasks};
use std::collections::BTreeSet;
use std::fs;

fn themes() -> impl Iterator<Item = &'static Theme> {
    tasks::THEMES.iter().chain(&figures::THEMES)
}

fn every() -> impl Iterator<Item = &'static Task> {
    tasks::all().chain(figures::all())
}

fn texts(task: &Task) -> String {
    let texts: Vec<String> = task.steps.iter().map(plan::text).collect();
    texts.join(" ")
}

/// Names in the placeholders of a text.
fn placeholders(text: &str) -> BTreeSet<&str> {
    let pieces = text.split('{').skip(1);
    let names = pieces.filter_map(|piece| piece.split([':', '}', '*']).next());
    names.collect()
}

fn is_option(name: &&str) -> bool {
    name.chars().all(|c| c.is_ascii_uppercase())
}

#[test]
fn names_are_unique_and_sorted_in_their_theme() {
    for theme in themes() {
        let names: Vec<&str> = theme.tasks.iter().map(|task| task.name).collect();
        assert!(names.is_sorted(), "{names:?}");
    }
    for all in [
        tasks::all().collect::<Vec<_>>(),
        figures::all().collect::<Vec<_>>(),
    ] {
        let names: BTreeSet<&str> = all.iter().map(|task| task.name).collect();
        assert_eq!(names.len(), all.len());
        assert!(!names.contains("reproduce"));
    }
    for task in every() {
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(task.name.chars().all(is_plain), "{}", task.name);
    }
}

#[test]
fn every_task_says_what_it_does_and_runs_something() {
    for task in every() {
        let name = task.name;
        assert!(task.does.ends_with('.'), "{name}");
        assert!(task.does.starts_with(char::is_uppercase), "{name}");
        assert!(
            !task.takes.is_empty() && !task.takes.ends_with('.'),
            "{name}"
        );
        assert!(!task.steps.is_empty() || name == ALL, "{name}");
    }
}

#[test]
fn every_option_is_documented_and_used() {
    for task in every() {
        let text = texts(task);
        let used: BTreeSet<&str> = placeholders(&text).into_iter().filter(is_option).collect();
        // `{folder}` follows from it.
        let profile = text.contains("{folder}").then_some("PROFILE");
        let used: BTreeSet<&str> = used.into_iter().chain(profile).collect();
        // It runs tasks, and has an option of its own.
        let used = match task.name {
            ALL => BTreeSet::from(["FORCE"]),
            _ => used,
        };
        let documented: BTreeSet<&str> = task.keys.iter().map(|key| key.name).collect();
        assert_eq!(used, documented, "{}", task.name);
        assert!(task.keys.is_sorted_by_key(|key| key.name), "{}", task.name);
        assert!(
            task.keys.iter().all(|key| !key.help.is_empty()),
            "{}",
            task.name
        );
    }
}

#[test]
fn every_placeholder_has_a_value() {
    let values = Values::new(Default::default(), &root());
    for task in every() {
        for name in placeholders(&texts(task)) {
            assert!(
                is_option(&name) || values.get(name).is_some(),
                "{}: {name}",
                task.name
            );
        }
    }
}

#[test]
fn every_file_and_folder_that_a_task_names_exists() {
    let mut found = 0;
    for task in every() {
        for word in texts(task).split_whitespace() {
            let path = word.rsplit('=').next().unwrap();
            if path.contains('/') && !path.starts_with("target/") && !path.contains('{') {
                assert!(root().join(path).exists(), "{}: {path}", task.name);
                found += 1;
            }
        }
    }
    assert!(found > 40, "{found}");
}

#[test]
fn every_package_that_a_task_names_exists() {
    let lock = fs::read_to_string(root().join("Cargo.lock")).unwrap();
    for task in every() {
        let text = texts(task);
        let words: Vec<&str> = text.split_whitespace().collect();
        for pair in words.windows(2).filter(|pair| pair[0] == "-p") {
            let package = format!("\nname = \"{}\"\n", pair[1]);
            assert!(lock.contains(&package), "{}: {}", task.name, pair[1]);
        }
    }
}

#[test]
fn every_task_that_is_a_step_exists() {
    for task in every() {
        for step in task.steps {
            if let Step::Task(name) = step {
                assert!(tasks::find(name).is_some(), "{}: {name}", task.name);
            }
        }
    }
}

#[test]
fn every_module_that_is_slow_exists() {
    for name in SLOW {
        assert!(
            root().join(format!("tests/it/{name}.rs")).is_file(),
            "{name}"
        );
    }
    assert!(SLOW.is_sorted());
}

/// Targets of the Makefile, and the lines of their recipes.
fn makefile() -> Vec<(String, String)> {
    let text = fs::read_to_string(root().join("Makefile")).unwrap();
    let mut targets: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        let is_recipe = line.starts_with('\t');
        if let (true, Some((_, recipe))) = (is_recipe, targets.last_mut()) {
            recipe.push_str(line);
        } else if let Some((name, rest)) = line.split_once(':')
            && name.starts_with(|c: char| c.is_ascii_lowercase())
            && !name.contains(' ')
            && !rest.starts_with('=')
        {
            targets.push((name.to_owned(), String::new()));
        }
    }
    targets
}

#[test]
fn the_makefile_is_short_and_calls_tasks_that_exist() {
    let targets = makefile();
    assert!((12..=16).contains(&targets.len()), "{targets:?}");
    let mut called = 0;
    for (target, recipe) in &targets {
        let words: Vec<&str> = recipe.split_whitespace().collect();
        for pair in words.windows(2).filter(|pair| pair[0] == "xtask") {
            let is_known = ["reproduce", "--list"].contains(&pair[1]);
            let is_known = is_known || tasks::find(pair[1]).is_some();
            assert!(is_known, "{target}: {}", pair[1]);
            called += 1;
        }
    }
    assert!(called > 5, "{called}");
}
