//! Writes figures, one name after the other, and stamps their pages.

use crate::figures;
use crate::options::Given;
use crate::plan;
use crate::run;
use crate::stamp::{self, Hashes, Stamp};
use crate::task::Task;
use crate::values::Values;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Instant;

/// The name that stands for all that write a page.
pub const ALL: &str = "all";
/// Exit codes from here on are those of signals: whoever sent one means the whole.
const SIGNALS: u8 = 128;

/// Writes the figures of a name; the exit code of its last command.
pub fn one(task: &'static Task, given: Given, root: &Path) -> Result<u8, String> {
    if task.name == ALL {
        return all(&given, root);
    }
    let values = Values::new(given, root);
    let code = run::all(&plan::commands(task, &values)?, &values.shared);
    if code == 0 {
        stamp_pages(task.name, root).map_err(|why| format!("{}: {why}", task.name))?;
    }
    Ok(code)
}

/// Writes those that are of another default than the one that ships; with `FORCE` all.
fn all(given: &Given, root: &Path) -> Result<u8, String> {
    let is_forced = given.contains_key("FORCE");
    let shared = given.iter().filter(|(key, _)| *key == "SHARED");
    let shared: Given = shared.map(|(k, v)| (k.clone(), v.clone())).collect();
    let due = due(root, is_forced).map_err(|why| format!("docs: {why}"))?;
    let mut failed = Vec::new();
    for task in figures::all().filter(|task| due.contains(task.name)) {
        eprintln!("== {}, which takes {}", task.name, task.takes);
        let begun = Instant::now();
        let code = one(task, shared.clone(), root)?;
        eprintln!("== {}: {} s", task.name, begun.elapsed().as_secs());
        if code > SIGNALS {
            return Ok(code);
        }
        if code != 0 {
            failed.push((task.name, code));
        }
    }
    for (name, code) in &failed {
        eprintln!("xtask: `reproduce {name}` ended with {code}");
    }
    Ok(failed.first().map_or(0, |(_, code)| *code))
}

/// The names whose pages are to be written.
fn due(root: &Path, is_forced: bool) -> std::io::Result<BTreeSet<String>> {
    let ships = Hashes::that_ships(root)?;
    let mut due = BTreeSet::new();
    for page in stamp::pages(root)? {
        for part in stamp::parts(&fs::read_to_string(page)?) {
            let stamp = stamp_of(&part.name, &ships);
            if is_forced || part.stamp != Some(stamp) {
                due.insert(part.name);
            }
        }
    }
    Ok(due)
}

/// Lets the pages that a name wrote say of which default they are.
fn stamp_pages(name: &str, root: &Path) -> std::io::Result<()> {
    let stamp = stamp_of(name, &Hashes::that_ships(root)?);
    for path in stamp::pages(root)? {
        let page = fs::read_to_string(&path)?;
        let stamped = stamp::stamped(&page, name, &stamp);
        if stamped != page {
            fs::write(&path, stamped)?;
        }
    }
    Ok(())
}

fn stamp_of(name: &str, ships: &Hashes) -> Stamp {
    (!figures::WITHOUT_DEFAULT.contains(&name)).then(|| ships.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAMPED: &str =
        "\n\nNo figure here depends on the model or the pipeline of the default.\n";

    #[test]
    fn pages_of_the_default_that_ships_are_not_written_again() {
        let root = std::env::temp_dir().join(format!("xtask-due-{}", std::process::id()));
        for folder in ["models", "pipelines", "docs/more"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        for (file, text) in [
            ("models/default.forest", "model"),
            ("pipelines/default.toml", "a = 1"),
            (
                "docs/a.md",
                "Written by `cargo xtask reproduce accuracy`.\n",
            ),
            (
                "docs/more/n.md",
                &format!("Written by `cargo xtask reproduce noise`.{STAMPED}"),
            ),
            (
                "docs/more/d.md",
                "Written by `cargo xtask reproduce density`.\n",
            ),
        ] {
            fs::write(root.join(file), text).unwrap();
        }
        let due = |is_forced| -> Vec<String> {
            super::due(&root, is_forced).unwrap().into_iter().collect()
        };
        assert_eq!(due(false), ["accuracy", "density"]);
        stamp_pages("accuracy", &root).unwrap();
        stamp_pages("density", &root).unwrap();
        assert_eq!(due(false), [""; 0]);
        assert_eq!(due(true), ["accuracy", "density", "noise"]);
        fs::write(root.join("models/default.forest"), "another").unwrap();
        assert_eq!(due(false), ["accuracy"]);
        fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn every_name_on_a_page_can_be_reproduced() {
        let root = crate::root();
        for page in stamp::pages(&root).unwrap() {
            for part in stamp::parts(&fs::read_to_string(&page).unwrap()) {
                let found = figures::find(&part.name);
                assert!(found.is_some(), "{}: {}", page.display(), part.name);
            }
        }
        for name in figures::WITHOUT_DEFAULT {
            assert!(figures::find(name).is_some(), "{name}");
        }
    }
}
