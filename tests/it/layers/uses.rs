//! Which file of a crate uses which other file of it, read from paths in the source text.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The path of a module from its crate's root; the root itself is empty.
pub type Module = Vec<String>;

/// For each file, as the module it holds: the files that its code names.
pub type Uses = BTreeMap<Module, BTreeSet<Module>>;

/// The code of a file that is not a test, by module.
type Files = BTreeMap<Module, String>;

/// What the files below `source` use of each other. A name that a file hands on (`pub use`) counts as one of the
/// file that defines it.
pub fn uses(source: &Path) -> Uses {
    let files = read(source);
    let parsed: BTreeMap<_, _> = files.iter().map(|(m, code)| (m, paths(m, code))).collect();
    let handed_on: BTreeMap<&Module, &BTreeMap<String, Module>> = parsed
        .iter()
        .map(|(m, found)| (*m, &found.handed_on))
        .collect();
    let used = |module: &Module, found: &Found| {
        let targets = found
            .used
            .iter()
            .filter_map(|path| file_of(path, &files, &handed_on));
        targets.filter(|target| target != module).collect()
    };
    parsed
        .iter()
        .map(|(module, found)| ((*module).clone(), used(module, found)))
        .collect()
}

/// The groups of files that use each other in a circle, directly or not.
pub fn circles(uses: &Uses) -> Vec<BTreeSet<Module>> {
    let reached = |from: &Module| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![from]);
        while let Some(module) = next.pop() {
            for used in uses.get(module).into_iter().flatten() {
                if seen.insert(used) {
                    next.push(used);
                }
            }
        }
        seen
    };
    let all: BTreeMap<_, _> = uses
        .keys()
        .map(|module| (module, reached(module)))
        .collect();
    let circle = |module: &Module| -> BTreeSet<Module> {
        let both = all[module]
            .iter()
            .filter(|other| all[**other].contains(module));
        both.map(|other| (*other).clone()).collect()
    };
    let found: BTreeSet<_> = uses
        .keys()
        .map(circle)
        .filter(|found| !found.is_empty())
        .collect();
    found.into_iter().collect()
}

/// Paths in a file, from the crate's root.
#[derive(Default)]
struct Found {
    used: BTreeSet<Module>,
    /// Names that the file hands on, and what they stand for.
    handed_on: BTreeMap<String, Module>,
}

fn read(source: &Path) -> Files {
    let (mut files, mut folders) = (Files::new(), vec![source.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let stem = path.file_stem().unwrap().to_str().unwrap();
            if ["tests", "fixture"].contains(&stem) {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") && stem != "main" {
                let inside = path.strip_prefix(source).unwrap().with_extension("");
                let parts = inside.iter().map(|part| part.to_str().unwrap().to_owned());
                let module = parts.filter(|part| !["mod", "lib"].contains(&part.as_str()));
                files.insert(module.collect(), code(&fs::read_to_string(&path).unwrap()));
            }
        }
    }
    files
}

/// A file's text without comments and without its tests.
fn code(text: &str) -> String {
    let lines = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    let text = lines.collect::<Vec<_>>().join("\n");
    let tests = text.find("#[cfg(test)]\nmod tests {");
    text[..tests.unwrap_or(text.len())].to_owned()
}

fn paths(module: &Module, code: &str) -> Found {
    let mut found = Found::default();
    let children: Vec<_> = code
        .split("mod ")
        .skip(1)
        .filter_map(|rest| rest.split_once([';', '{', ' ']))
        .map(|(name, _)| name)
        .collect();
    let absolute = |path: &[String]| absolute(module, &children, path);
    let mut rest = String::new();
    let mut after = code;
    while let Some(at) = find_word(after, "use ") {
        rest += &after[..at];
        let statement = &after[at + 4..];
        let end = statement.find(';').unwrap_or(statement.len());
        let line = after[..at].lines().last();
        let is_handed_on = line.is_some_and(|line| line.trim_start().starts_with("pub"));
        for (path, name) in leaves(&statement[..end]) {
            match absolute(&path) {
                Some(path) if is_handed_on => drop(found.handed_on.insert(name, path)),
                Some(path) => drop(found.used.insert(path)),
                None => {}
            }
        }
        after = &statement[end..];
    }
    rest += after;
    let in_name = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    for path in rest
        .split(|c| !in_name(c))
        .filter(|path| path.contains("::"))
    {
        let path: Vec<_> = path.split("::").map(str::to_owned).collect();
        found.used.extend(absolute(&path));
    }
    found
}

/// Where `word` stands as a word of its own.
fn find_word(text: &str, word: &str) -> Option<usize> {
    let mut places = text.match_indices(word).map(|(at, _)| at);
    places.find(|at| {
        text[..*at]
            .chars()
            .next_back()
            .is_none_or(|c| !c.is_alphanumeric() && c != '_')
    })
}

/// The paths of a `use` tree, each with the name it gets.
fn leaves(tree: &str) -> Vec<(Vec<String>, String)> {
    let tree = tree.trim();
    if let Some(list) = tree
        .strip_prefix('{')
        .and_then(|list| list.strip_suffix('}'))
    {
        let mut depth = 0;
        let items = list.split(|c| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            c == ',' && depth == 0
        });
        return items
            .filter(|item| !item.trim().is_empty())
            .flat_map(leaves)
            .collect();
    }
    if let Some((first, rest)) = tree.split_once("::") {
        let first = first.trim().to_owned();
        return leaves(rest)
            .into_iter()
            .map(|(mut path, name)| {
                // `a::{self}` is `a`.
                if path == ["self"] {
                    path.clear();
                }
                let name = if name == "self" { first.clone() } else { name };
                path.insert(0, first.clone());
                (path, name)
            })
            .collect();
    }
    let (path, name) = tree.split_once(" as ").unwrap_or((tree, tree));
    vec![(vec![path.trim().to_owned()], name.trim().to_owned())]
}

/// A path as seen from the crate's root; `None` if it leads out of the crate or begins with a name of the file.
fn absolute(module: &Module, children: &[&str], path: &[String]) -> Option<Module> {
    let (mut base, mut rest) = (module.clone(), path);
    match path.first()?.as_str() {
        "crate" => return Some(path[1..].to_vec()),
        "super" | "self" => {
            while let Some((first, others)) = rest.split_first() {
                match first.as_str() {
                    "super" => drop(base.pop()?),
                    "self" => {}
                    _ => break,
                }
                rest = others;
            }
        }
        first if children.contains(&first) => {}
        _ => return None,
    }
    base.extend_from_slice(rest);
    Some(base)
}

/// The file that defines what a path names.
fn file_of(
    path: &[String],
    files: &Files,
    handed_on: &BTreeMap<&Module, &BTreeMap<String, Module>>,
) -> Option<Module> {
    let mut path = path.to_vec();
    for _ in 0..8 {
        let known = (0..=path.len())
            .rev()
            .find(|n| files.contains_key(&path[..*n]))?;
        let module = path[..known].to_vec();
        match path
            .get(known)
            .and_then(|name| handed_on.get(&module)?.get(name))
        {
            Some(origin) => path = origin.iter().chain(&path[known + 1..]).cloned().collect(),
            None => return Some(module),
        }
    }
    None
}
