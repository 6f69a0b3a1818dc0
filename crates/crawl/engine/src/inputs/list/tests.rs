use super::super::walk::{CLEANED, RECIPE};
use super::*;
use std::fs;

fn tree(files: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in files {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    folder
}

fn list(arguments: &[String], base: Option<&Path>, stdin: Option<&str>) -> Result<Vec<Input>> {
    let root = None;
    list_inputs(arguments, &Naming { base, root, stdin }, &Stores::default())
}

fn names(folder: &Path, arguments: &[&str]) -> Vec<String> {
    let arguments: Vec<_> = arguments
        .iter()
        .map(|a| match a.strip_prefix('@') {
            Some(list) => format!("@{}", folder.join(list).display()),
            None => folder.join(a).display().to_string(),
        })
        .collect();
    let inputs = list(&arguments, None, None).unwrap();
    inputs.into_iter().map(|i| i.name).collect()
}

#[test]
fn a_pattern_passes_over_what_a_folder_passes_over() {
    let folder = tree(&[
        "a.warc.gz",
        ".b.warc.gz",
        "_c.warc.gz",
        "d/.e/f.warc.gz",
        "g/h.warc.gz",
    ]);
    assert_eq!(names(folder.path(), &["*.warc.gz"]), ["a.warc.gz"]);
    assert_eq!(names(folder.path(), &["g/../*.warc.gz"]), ["a.warc.gz"]);
    assert_eq!(
        names(folder.path(), &["**/*.warc.gz"]),
        ["a.warc.gz", "g/h.warc.gz"]
    );
    assert_eq!(names(folder.path(), &["d/.e/*.warc.gz"]), ["f.warc.gz"]);
}

#[cfg(unix)]
#[test]
fn what_is_above_a_link_is_above_what_it_leads_to() {
    let folder = tree(&["a.warc.gz", "there/a.warc.gz", "there/x/y"]);
    let there = fs::canonicalize(folder.path().join("there")).unwrap();
    std::os::unix::fs::symlink(there.join("x"), folder.path().join("link")).unwrap();
    let argument = folder
        .path()
        .join("link/../a.warc.gz")
        .display()
        .to_string();
    let inputs = list(&[argument], None, None).unwrap();
    assert_eq!(inputs[0].kind, InputKind::File(there.join("a.warc.gz")));
}

#[cfg(unix)]
#[test]
fn sockets_in_a_folder_are_skipped() {
    let folder = tree(&["a.warc.gz"]);
    let socket = folder.path().join("b.warc.gz");
    let _socket = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let inputs = list(&[folder.path().display().to_string()], None, None).unwrap();
    assert_eq!(inputs.len(), 1);
    let named = Input {
        kind: InputKind::File(socket),
        name: "b.warc.gz".into(),
        selected: None,
    };
    assert!(named.open_file().unwrap().is_none(), "not read in splits");
}

#[test]
fn saved_pages_without_an_ending_are_found_by_their_first_bytes() {
    let folder = tree(&["a.html", "notes", "data.json"]);
    let saved = ["news", "view.php?id=1.5", "b/index.html@p=2", "index.php"];
    for name in saved.into_iter().chain(["page.txt"]) {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "<!doctype html><p>x").unwrap();
    }
    fs::write(folder.path().join("program.php"), "<?php echo 1;").unwrap();
    let found = names(folder.path(), &["."]);
    assert_eq!(
        found,
        [
            "a.html",
            "b/index.html@p=2",
            "index.php",
            "news",
            "view.php?id=1.5"
        ]
    );
}

#[test]
fn output_folders_below_a_folder_are_passed_over() {
    let folder = tree(&["a.html", "out/html/a.html.html", "b/c.html"]);
    assert_eq!(names(folder.path(), &["."]).len(), 3);
    fs::write(folder.path().join("out").join(RECIPE), "{}").unwrap();
    for argument in [".", "**/*.html"] {
        assert_eq!(names(folder.path(), &[argument]), ["a.html", "b/c.html"]);
    }
    let cleaned = folder.path().join("b").join(CLEANED);
    fs::create_dir(&cleaned).unwrap();
    fs::write(cleaned.join(RECIPE), "{}").unwrap();
    assert_eq!(names(folder.path(), &["."]), ["a.html"], "a corpus");
    assert_eq!(names(folder.path(), &["out"]), ["html/a.html.html"]);
}

#[test]
fn names_start_at_the_folder_pattern_file_or_common_folder() {
    let t = tree(&[
        "c/en0/00.warc.gz",
        "c/en0/01.warc.gz",
        "c/en1/00.warc.gz",
        "c/notes.txt",
    ]);
    let all = ["en0/00.warc.gz", "en0/01.warc.gz", "en1/00.warc.gz"];
    assert_eq!(names(t.path(), &["c"]), all);
    assert_eq!(names(t.path(), &["c/*/*.warc.gz"]), all);
    assert_eq!(
        names(t.path(), &["c/en0/0*.warc.gz"]),
        ["00.warc.gz", "01.warc.gz"]
    );
    assert_eq!(names(t.path(), &["c/en0/00.warc.gz"]), ["00.warc.gz"]);
    assert_eq!(
        names(t.path(), &["c/en1/00.warc.gz", "c/en0/00.warc.gz"]),
        ["en0/00.warc.gz", "en1/00.warc.gz"]
    );
    let list = t.path().join("list");
    let path = |n: &str| t.path().join("c").join(n).display().to_string();
    let listed = format!(
        "\u{feff}# two of three\n{}\r\n\n{}/../en1/00.warc.gz\n",
        path(all[0]),
        path("en0")
    );
    fs::write(&list, listed).unwrap();
    assert_eq!(names(t.path(), &["@list"]), [all[0], all[2]]);
}

#[test]
fn names_start_at_the_base_and_inputs_outside_are_refused() {
    let t = tree(&["c/en0/00.warc.gz"]);
    let file = t.path().join("c/en0/00.warc.gz").display().to_string();
    let named = list(std::slice::from_ref(&file), Some(t.path()), None).unwrap();
    assert_eq!(named[0].name, "c/en0/00.warc.gz");
    let elsewhere = t.path().join("d");
    assert!(list(&[file], Some(&elsewhere), None).is_err());
}

#[test]
fn unusable_names_are_refused() {
    let t = tree(&["c/00.warc.gz", "c/_x.warc.gz"]);
    let c = t.path().join("c/00.warc.gz").display().to_string();
    let twice = list(&[c.clone(), c], None, None).unwrap_err().to_string();
    assert!(twice.contains("00.warc.gz"), "{twice}");
    let hidden = t.path().join("c/_x.warc.gz").display().to_string();
    assert!(list(&[hidden], None, None).is_err());
    assert!(list(&["-".into()], None, None).is_err());
    assert!(list(&["-".into()], None, Some("../x")).is_err());
    assert!(list(&["-".into(), "-".into()], None, Some("x.warc")).is_err());
    assert!(
        list(
            &[t.path().join("c/00.warc.gz").display().to_string()],
            None,
            Some("x")
        )
        .is_err()
    );
    let stdin = list(&["-".into()], None, Some("a/x.warc")).unwrap();
    assert_eq!(stdin[0].kind, InputKind::Stdin);
}

#[test]
fn folders_and_patterns_without_inputs_are_errors() {
    let t = tree(&["c/notes.txt"]);
    let at = |n: &str| vec![t.path().join(n).display().to_string()];
    assert!(list(&at("c"), None, None).is_err());
    assert!(list(&at("c/*.warc.gz"), None, None).is_err());
    let missing = list(&at("missing.warc.gz"), None, None).unwrap();
    assert_eq!(missing[0].name, "missing.warc.gz");
}

#[test]
fn shards_share_the_inputs_without_overlap() {
    let t = tree(&["a.warc", "b.warc", "c.warc", "d.warc"]);
    let all = list(&[t.path().display().to_string()], None, None).unwrap();
    assert_eq!(shard(&all, 1, 1), all);
    let mut parts: Vec<_> = (1..=3).flat_map(|i| shard(&all, i, 3)).collect();
    assert_eq!(parts.len(), 4);
    parts.sort_by(|a, b| a.name.cmp(&b.name));
    assert_eq!(parts, all);
}
