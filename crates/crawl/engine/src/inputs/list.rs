//! Lists the inputs that arguments name.

use super::endings::{CRAWL_ENDINGS, PAGE_ENDINGS, WACZ_ENDING, is_named_input};
use super::input::{Input, InputKind};
use super::name::{checked_name, common_folder, refuse_duplicates};
use super::page::{BEGINNING, begins_like_page, is_page_address, is_program};
use super::texts::{is_clueweb22_text, is_named_texts};
use super::{listed, wacz};
use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use tracing::{info, warn};
use warcsieve_common::{Error, Result, counted};
use warcsieve_store::{Stores, check_place, is_address, is_web};

/// How inputs are named, and where relative paths of lists begin.
#[derive(Clone, Copy, Debug, Default)]
pub struct Naming<'a> {
    /// Folder that names start from.
    pub base: Option<&'a Path>,
    /// Folder that relative paths of lists are below; for a list that is the only argument also the
    /// default of `base`. Default: the working folder.
    pub root: Option<&'a Path>,
    /// The name of standard input.
    pub stdin: Option<&'a str>,
}

/// Lists the inputs that the arguments name, sorted by name.
///
/// An argument is a file, a folder (all WARC, ARC, WACZ and HTML files below it, by their names; those without an
/// ending, or with a query in the name, and texts of ClueWeb22, by their first bytes), a glob pattern, `@FILE` (a
/// list, plain or gzip: one path per line, as [`list_line`](super::list_line) writes it; empty lines
/// and lines that start with `#` are skipped) or `-` (standard input, which needs a name). Files, folders, patterns and lists may be addresses
/// of object stores. The names are paths below the base; its default is the folder given, the
/// longest literal prefix of a pattern, the folder of a file named alone, and else the longest
/// common folder of all inputs.
///
/// # Errors
/// [`Error::Invalid`] where nothing matches, a name would not be unique or usable, or an input is not
/// below the base; [`Error::Io`] where a list or folder cannot be read. A listed file that does not
/// exist is no error here: it fails alone when opened. Of a WACZ file the crawls inside are the
/// inputs.
pub fn list_inputs(
    arguments: &[String],
    naming: &Naming<'_>,
    stores: &Stores,
) -> Result<Vec<Input>> {
    let mut paths = Vec::new();
    let mut stdin = 0;
    let mut own_base = None;
    for argument in arguments {
        if argument == "-" {
            stdin += 1;
            continue;
        }
        let (found, folder) = expand(argument, naming.root, stores)?;
        paths.extend(found);
        own_base = (arguments.len() == 1).then_some(folder).flatten();
    }
    let base = match (naming.base, own_base) {
        (Some(base), _) => place(base)?,
        (None, Some(folder)) => folder,
        (None, None) => common_folder(&paths),
    };
    let mut inputs = paths
        .into_iter()
        .map(|path| Input::at(&base, path, stores))
        .collect::<Result<Vec<_>>>()?;
    inputs = wacz::expand(inputs, stores);
    if stdin == 0 && naming.stdin.is_some() {
        let why = "--name is for standard input, and `-` is not among the inputs";
        return Err(Error::Invalid(why.to_owned()));
    }
    for _ in 0..stdin {
        let name = naming.stdin.ok_or_else(|| {
            Error::Invalid(
                "`-` (standard input) needs --name, which its outputs are called by".into(),
            )
        })?;
        check_place(name)?;
        inputs.push(Input {
            kind: InputKind::Stdin,
            name: checked_name(Path::new(name))?,
            selected: None,
        });
    }
    inputs.sort_by(|a, b| a.name.cmp(&b.name));
    refuse_duplicates(&inputs)?;
    Ok(inputs)
}

/// The `part`-th of `parts` shares of the inputs, from 1.
pub fn shard(inputs: &[Input], part: usize, parts: usize) -> Vec<Input> {
    inputs
        .iter()
        .skip(part.saturating_sub(1))
        .step_by(parts.max(1))
        .cloned()
        .collect()
}

/// The paths an argument stands for, and the base of their names if it is the only argument
/// (`None`: their common folder).
fn expand(
    argument: &str,
    root: Option<&Path>,
    stores: &Stores,
) -> Result<(Vec<PathBuf>, Option<PathBuf>)> {
    if let Some(list) = argument.strip_prefix('@') {
        let root = root.map(place).transpose()?;
        let lines = listed::paths(list, stores)?;
        if let Some(page) = lines.iter().find(|line| is_page_address(line)) {
            return Err(Error::Invalid(format!(
                "{list}: {page} is the address of a page or folder; save the pages (as `wget -x -i \
                 {list}` does), and give their folder"
            )));
        }
        let paths = lines
            .iter()
            .map(|path| match &root {
                Some(root) if !is_address(path) => place(&root.join(path)),
                _ => place(Path::new(path)),
            })
            .collect::<Result<Vec<_>>>()?;
        if paths.is_empty() {
            return Err(Error::Invalid(format!("{list} lists no input")));
        }
        return Ok((paths, root));
    }
    if is_address(argument) {
        check_place(argument)?;
        if is_page_address(argument) {
            return Err(Error::Invalid(format!(
                "{argument} is the address of a page, or of a folder, and web servers list no \
                 folders: one page comes out of `warcsieve extract ADDRESS`; of crawls give the \
                 files, or a list of them as @LIST"
            )));
        }
        return expand_address(argument, stores);
    }
    let path = place(Path::new(argument))?;
    if path.is_dir() {
        let mut found = Vec::new();
        walk(&path, &mut found)?;
        if found.is_empty() {
            return Err(nothing_below(argument));
        }
        return Ok((found, Some(path)));
    }
    if !path.exists() && argument.contains(['*', '?', '[']) {
        return expand_pattern(argument);
    }
    let folder = path.parent().map(Path::to_owned);
    Ok((vec![path], folder))
}

fn nothing_below(folder: &str) -> Error {
    let endings = [CRAWL_ENDINGS, PAGE_ENDINGS, &[WACZ_ENDING]]
        .concat()
        .join(", ");
    Error::Invalid(format!(
        "no file below {folder} ends in {endings}; files of JSON lines are given by their names, as '{folder}/*.jsonl'"
    ))
}

/// An object, all WARC and ARC objects below an address, or those that match a pattern.
fn expand_address(argument: &str, stores: &Stores) -> Result<(Vec<PathBuf>, Option<PathBuf>)> {
    // The brackets of an IPv6 address do not make a pattern.
    let begin = argument.find("://").map_or(0, |at| at + "://".len());
    let begin = argument[begin..]
        .find('/')
        .map_or(argument.len(), |at| begin + at);
    let wild = argument[begin..].find(['*', '[']).map(|at| begin + at);
    let is_pattern = wild.is_some();
    let is_file = match is_web(argument) {
        // Web servers do not list folders, and a file may have any name.
        true => !argument.ends_with('/'),
        false => is_named_input(argument) || is_named_texts(argument),
    };
    if is_file && !is_pattern {
        let path = place(Path::new(argument))?;
        let folder = path.parent().map(Path::to_owned);
        return Ok((vec![path], folder));
    }
    let pattern = match is_pattern {
        true => Some(
            glob::Pattern::new(argument)
                .map_err(|e| Error::Invalid(format!("pattern `{argument}`: {e}")))?,
        ),
        false => None,
    };
    let folder = match wild {
        Some(at) => &argument[..argument[..at].rfind('/').unwrap_or(at)],
        None => argument.trim_end_matches('/'),
    };
    let mut found = Vec::new();
    for listed in stores.list(folder)? {
        let name = listed.address.strip_prefix(folder).unwrap_or_default();
        let is_hidden = name.split('/').any(|part| part.starts_with(['.', '_']));
        let is_wanted = match &pattern {
            Some(pattern) => pattern.matches_with(&listed.address, MATCH),
            None => is_named_input(name),
        };
        if is_wanted && is_hidden {
            warn!(address = listed.address, "hidden by its name, passed over");
        } else if is_wanted {
            found.push(listed.address.into());
        }
    }
    match (found.is_empty(), is_pattern) {
        (false, _) => Ok((found, Some(folder.into()))),
        (true, true) => Err(Error::Invalid(format!("no object matches `{argument}`"))),
        (true, false) => Err(nothing_below(argument)),
    }
}

/// As a shell matches paths.
const MATCH: glob::MatchOptions = glob::MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};

fn expand_pattern(pattern: &str) -> Result<(Vec<PathBuf>, Option<PathBuf>)> {
    let bad = |e: &dyn std::fmt::Display| Error::Invalid(format!("pattern `{pattern}`: {e}"));
    let literal = &pattern[..pattern.find(['*', '?', '[']).unwrap_or(pattern.len())];
    let folder = Path::new(literal.rfind('/').map_or(".", |at| &literal[..=at]));
    // As below a folder, what is in output folders is passed over.
    let (mut found, mut outputs) = (Vec::new(), HashMap::new());
    for path in glob::glob(pattern).map_err(|e| bad(&e))? {
        let path = path.map_err(|e| Error::io(e.path(), std::io::Error::other(e.to_string())))?;
        let below = path.strip_prefix(folder).unwrap_or(&path).components();
        // What the pattern names itself is refused with the reason.
        let named = &pattern[literal.rfind('/').map_or(0, |at| at + 1)..];
        let is_hidden = |part: Component| match part {
            Component::Normal(part) => part.to_string_lossy().starts_with(['.', '_']),
            _ => false,
        };
        let names_hidden = named.split('/').any(|part| part.starts_with(['.', '_']));
        if path.is_file() && !names_hidden && below.into_iter().any(is_hidden) {
            warn!(path = %path.display(), "hidden by its name, passed over");
            continue;
        }
        let mut above = path.ancestors().skip(1).take_while(|above| {
            // A pattern in the working folder has no folder before it.
            *above != folder && !above.as_os_str().is_empty()
        });
        let mut is_known_output = |above: &Path| {
            let known = outputs.entry(above.to_owned());
            *known.or_insert_with(|| is_output(above))
        };
        if path.is_file() && !above.any(&mut is_known_output) {
            found.push(place(&path)?);
        }
    }
    if found.is_empty() {
        return Err(Error::Invalid(format!("no file matches `{pattern}`")));
    }
    Ok((found, Some(place(folder)?)))
}

/// The file in an output folder that says how its outputs were made.
pub const RECIPE: &str = "_recipe.json";

/// The folder in that of a corpus which its inputs are cleaned into.
pub const CLEANED: &str = "cleaned";

/// Whether a folder is one that this program writes: that of a run, or of a corpus.
fn is_output(folder: &Path) -> bool {
    let mut places = ["", CLEANED].iter().map(|below| folder.join(below));
    places.any(|place| place.join(RECIPE).is_file())
}

/// All inputs below a folder, except those that are hidden by their names and those in output folders
/// below it: files a page would be pages once more. Links to folders are not followed, so a loop of
/// links cannot trap the walk.
fn walk(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    let mut folders = vec![folder.to_owned()];
    let mut others = 0;
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(|e| Error::io(&folder, e))? {
            let entry = entry.map_err(|e| Error::io(&folder, e))?;
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with(['.', '_']) {
                if is_named_input(&name) {
                    warn!(path = %path.display(), "hidden by its name, passed over");
                }
            } else if entry.file_type().is_ok_and(|t| t.is_dir()) {
                match is_output(&path) {
                    true => info!(path = %path.display(), "an output folder, passed over"),
                    false => folders.push(path),
                }
            } else if is_clueweb22_text(&path) {
                texts.push(path);
            } else if is_named_input(&name) || may_be_saved_page(&name) && begins_page(&path) {
                // Reading a pipe without a writer would block the run.
                if fs::metadata(&path).is_ok_and(|m| !m.is_file()) {
                    warn!(path = %path.display(), "not a file, passed over");
                } else {
                    found.push(path);
                }
            } else {
                others += 1;
            }
        }
    }
    // Beside its pages, the texts of ClueWeb22 would be the same pages once more.
    if found.is_empty() {
        found.append(&mut texts);
    }
    if !texts.is_empty() {
        warn!(
            "below {}, {} of ClueWeb22 beside crawls or pages: passed over; give their folder to read them",
            folder.display(),
            counted(texts.len(), "file is of texts", "files are of texts")
        );
    }
    // Where nothing is found, the error says what is looked for.
    if others > 0 && !found.is_empty() {
        let folder = folder.display();
        info!(
            "below {folder}, {} not end as those of crawls or pages do: passed over",
            counted(
                others,
                "file has a name that does",
                "files have names that do"
            )
        );
    }
    Ok(())
}

/// Whether a name may be that of a page as programs save them that mirror sites: without an ending, with that of a
/// program, or with the query of its address behind it, such as `news`, `index.php`, `index.html@p=2`.
fn may_be_saved_page(name: &str) -> bool {
    let is_ending = |ending: &str| {
        (1..=5).contains(&ending.len()) && ending.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    let has_ending = |(_, ending)| is_ending(ending) && !is_program(ending);
    !name.rsplit_once('.').is_some_and(has_ending) || name.contains(['?', '@'])
}

/// Whether a regular file begins as a web page does.
fn begins_page(path: &Path) -> bool {
    let mut beginning = Vec::new();
    // A pipe would wait for what is written to it.
    fs::metadata(path).is_ok_and(|there| there.is_file())
        && fs::File::open(path).is_ok_and(|file| {
            let read = file.take(BEGINNING as u64).read_to_end(&mut beginning);
            read.is_ok() && begins_like_page(&beginning)
        })
}

/// The path as an address, if it is one.
fn address(path: &Path) -> Option<&str> {
    path.to_str().filter(|text| is_address(text))
}

/// An absolute path in one spelling, or an address.
pub(super) fn place(path: &Path) -> Result<PathBuf> {
    path.to_str().map_or(Ok(()), check_place)?;
    if let Some(address) = address(path) {
        return Ok(address.trim_end_matches('/').into());
    }
    let path = std::path::absolute(path).map_err(|e| Error::io(path, e))?;
    // `a/./b`, `a//b` and `a/c/../b` name one file; names must not depend on the spelling. What is above a link is above
    // what it leads to.
    let mut clean = PathBuf::new();
    for component in path.components() {
        if component == Component::ParentDir {
            // One that leads nowhere fails alone when it is opened.
            if let Some(there) = clean
                .is_symlink()
                .then(|| fs::canonicalize(&clean).ok())
                .flatten()
            {
                clean = there;
            }
            clean.pop();
        } else {
            clean.push(component);
        }
    }
    Ok(clean)
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
