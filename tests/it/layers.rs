//! The code lies in layers: a crate uses only crates before it in the list, and folders use each
//! other in one direction.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The crates, lowest first. A crate uses only those before it.
const CRATES: [&str; 21] = [
    "base",
    "warc",
    "html",
    "layout",
    "fixture",
    "page",
    "features",
    "model",
    "language",
    "corpus",
    "classify",
    "render",
    "clean",
    "store",
    "crawl",
    "eval",
    "look",
    "train",
    "retrieval",
    "reproduce",
    "fuzz",
];

/// What each folder or file uses: by name, the names and an example.
type Uses = BTreeMap<String, BTreeMap<String, String>>;

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("crates")
}

/// The names of the table `[dependencies]` that begin with `warcsieve-`.
fn dependencies(manifest: &str) -> BTreeSet<&str> {
    let tables = manifest
        .split("\n[")
        .filter(|t| t.starts_with("dependencies]"));
    let lines = tables.flat_map(str::lines);
    lines
        .filter_map(|line| line.strip_prefix("warcsieve-"))
        .map(|line| line.split(['.', ' ']).next().unwrap())
        .collect()
}

#[test]
fn a_crate_uses_only_crates_below_it() {
    let mut found: Vec<_> = fs::read_dir(crates())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    found.sort();
    let mut listed = CRATES.map(str::to_owned).to_vec();
    listed.sort();
    assert_eq!(found, listed);
    for (at, name) in CRATES.iter().enumerate() {
        let manifest = fs::read_to_string(crates().join(name).join("Cargo.toml")).unwrap();
        let used = dependencies(&manifest);
        let alone = ["base", "language"].contains(name);
        assert_eq!(used.is_empty(), alone, "{name}");
        for other in used {
            assert!(CRATES[..at].contains(&other), "{name} uses {other}");
        }
    }
}

/// Rust files below a folder but those of tests, by their path in it.
fn files(folder: &Path) -> Vec<(PathBuf, String)> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let stem = path.file_stem().unwrap().to_str().unwrap();
            if stem == "tests" || stem == "fixture" {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
                let lines = code.lines().filter(|l| !l.trim_start().starts_with("//"));
                let code = lines.collect::<Vec<_>>().join("\n");
                found.push((path.strip_prefix(folder).unwrap().to_owned(), code));
            }
        }
    }
    found
}

/// The first names of paths that begin with `crate::`.
fn names(code: &str) -> impl Iterator<Item = &str> {
    let word = |text: &str| text.find(|c: char| !c.is_alphanumeric() && c != '_');
    code.match_indices("crate::").flat_map(move |(at, start)| {
        let rest = &code[at + start.len()..];
        let list = match rest.strip_prefix('{') {
            Some(list) => &list[..list.find("};").unwrap_or(0)],
            None => &rest[..word(rest).unwrap_or(rest.len())],
        };
        list.split(',').map(move |item| {
            let item = item.trim();
            &item[..word(item).unwrap_or(item.len())]
        })
    })
}

/// What the folders of a crate use of each other.
fn uses(source: &Path) -> Uses {
    let is_folder = |name: &str| source.join(name).is_dir();
    let mut uses = Uses::new();
    for (path, code) in files(source) {
        let first = path.iter().next().unwrap().to_str().unwrap();
        let from = first.trim_end_matches(".rs");
        for name in names(&code).filter(|name| *name != from && is_folder(from) && is_folder(name))
        {
            let used = uses.entry(from.to_owned()).or_default();
            used.insert(name.to_owned(), path.display().to_string());
        }
    }
    uses
}

/// A circle, if there is one: the folders on it.
fn circle(uses: &Uses) -> Option<Vec<String>> {
    let mut left: BTreeSet<&String> = uses.keys().collect();
    loop {
        let free = |name: &&&String| !uses[**name].keys().any(|used| left.contains(used));
        match left.iter().find(free).copied() {
            Some(name) => left.remove(name),
            None if left.is_empty() => return None,
            None => return Some(left.into_iter().cloned().collect()),
        };
    }
}

#[test]
fn folders_of_a_crate_use_each_other_in_one_direction() {
    let mut folders = 0;
    for name in CRATES {
        let uses = uses(&crates().join(name).join("src"));
        folders += uses.len();
        assert_eq!(circle(&uses), None, "{name}: {uses:#?}");
    }
    assert!(folders >= 5, "uses are found at all: {folders}");
}

#[test]
fn a_circle_would_be_found() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, code: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, code).unwrap();
    };
    write("a/mod.rs", "use crate::{b::B, c};\n");
    write(
        "b/mod.rs",
        "// crate::a\nfn f() -> crate::c::C {}\n#[cfg(test)]\nmod tests {\nuse crate::a;\n}\n",
    );
    write("c/deep/x.rs", "use std::fs;\n");
    assert_eq!(circle(&uses(folder.path())), None);
    write("c/deep/y.rs", "use crate::a::A;\n");
    let expected = ["a", "b", "c"].map(str::to_owned).to_vec();
    assert_eq!(circle(&uses(folder.path())), Some(expected));
}
