//! The code lies in wings and layers: a crate uses only crates of its wing that are listed before it and of the
//! wings before; folders of a crate use each other in one direction, and so do files.

mod uses;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use uses::{Module, Uses, circles};

/// The wings and their crates, lowest first.
const WINGS: [(&str, &[&str]); 4] = [
    (
        "core",
        &[
            "common", "warc", "html", "page", "features", "model", "language", "filters",
            "classify", "render", "layout", "extract",
        ],
    ),
    (
        "crawl",
        &["store", "tables", "engine", "run", "corpus", "plan"],
    ),
    (
        "lab",
        &["papers", "eval", "look", "train", "retrieval", "reproduce"],
    ),
    ("testing", &["fixture", "fuzz"]),
];

/// Crates that use none of ours.
const ALONE: [&str; 2] = ["common", "language"];

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("crates")
}

/// The folders of all crates with code in them, by their names in `crates/`.
fn sources() -> impl Iterator<Item = (String, PathBuf)> {
    let in_wings = WINGS
        .iter()
        .flat_map(|(wing, names)| names.iter().map(move |name| format!("{wing}/{name}")));
    let all = in_wings.chain(["cli".to_owned()]);
    all.map(|name| (name.clone(), crates().join(name).join("src")))
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

fn names_in(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn a_crate_uses_only_crates_below_it() {
    let wings: BTreeSet<_> = WINGS.iter().map(|(wing, _)| (*wing).to_owned()).collect();
    let mut found = names_in(&crates());
    assert!(found.remove("cli"));
    assert_eq!(found, wings);
    let mut below: Vec<&str> = Vec::new();
    for (wing, names) in WINGS {
        let listed: BTreeSet<_> = names.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(names_in(&crates().join(wing)), listed);
        for name in names {
            let manifest = crates().join(wing).join(name).join("Cargo.toml");
            let manifest = fs::read_to_string(manifest).unwrap();
            let used = dependencies(&manifest);
            assert_eq!(used.is_empty(), ALONE.contains(name), "{name}");
            for other in used {
                assert!(below.contains(&other), "{name} uses {other}");
            }
            below.push(name);
        }
    }
    let manifest = fs::read_to_string(crates().join("cli/Cargo.toml")).unwrap();
    for other in dependencies(&manifest) {
        let is_below = below.contains(&other) && !["reproduce", "fixture", "fuzz"].contains(&other);
        assert!(is_below, "cli uses {other}");
    }
}

/// What the folders of a crate use of each other, by the first part of a file's path.
fn of_folders(uses: &Uses, source: &Path) -> Uses {
    let folder = |module: &Module| {
        let first = module.first()?;
        source.join(first).is_dir().then(|| vec![first.clone()])
    };
    let mut folders = Uses::new();
    for (module, used) in uses {
        let Some(from) = folder(module) else { continue };
        let others = used.iter().filter_map(folder).filter(|to| *to != from);
        folders.entry(from.clone()).or_default().extend(others);
    }
    folders
}

#[test]
fn folders_of_a_crate_use_each_other_in_one_direction() {
    let mut folders = 0;
    for (name, source) in sources() {
        let uses = of_folders(&uses::uses(&source), &source);
        folders += uses.len();
        assert!(circles(&uses).is_empty(), "{name}: {:#?}", circles(&uses));
    }
    assert!(folders >= 50, "uses are found at all: {folders}");
}

#[test]
fn files_of_a_crate_use_each_other_in_one_direction() {
    let mut found = Vec::new();
    for (name, source) in sources() {
        for circle in circles(&uses::uses(&source)) {
            let files: Vec<_> = circle.iter().map(|module| module.join("::")).collect();
            found.push(format!("{name}: {}", files.join(", ")));
        }
    }
    assert!(
        found.is_empty(),
        "{} circles:\n{}",
        found.len(),
        found.join("\n")
    );
}

#[test]
fn a_circle_would_be_found() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, code: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, code).unwrap();
    };
    let found = || {
        let circles = circles(&uses::uses(folder.path()));
        let names =
            |circle: &BTreeSet<Module>| -> Vec<_> { circle.iter().map(|m| m.join("::")).collect() };
        circles.iter().map(names).collect::<Vec<_>>()
    };
    write(
        "a/mod.rs",
        "pub mod deep;\npub use deep::A;\nuse crate::{b::B, c};\n",
    );
    write("a/deep.rs", "pub struct A;\n");
    write(
        "b/mod.rs",
        "// crate::a\nfn f() -> crate::c::C {}\n#[cfg(test)]\nmod tests {\nuse crate::a;\n}\n",
    );
    write("c/mod.rs", "use std::fs;\nmod x;\n");
    assert_eq!(found(), [] as [Vec<String>; 0]);
    write("c/x.rs", "use crate::a::A;\n");
    assert_eq!(
        found(),
        [] as [Vec<String>; 0],
        "A is of a file that uses nothing"
    );
    write("a/deep.rs", "pub struct A(super::super::c::x::X);\n");
    assert_eq!(found(), [["a::deep", "c::x"]]);
    write("c/x.rs", "fn f() -> crate::a::G {}\n");
    write("c/mod.rs", "mod x;\nfn g() { x::f() }\n");
    assert_eq!(found(), [["a", "b", "c", "c::x"]]);
}
