//! Which inputs there are, and what each is called in the output.

use super::InputStamp;
use crate::error::{Error, Result};
use crate::ledger::ReadLedger;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use tracing::{info, warn};

/// One input and its name, from which the names of its outputs follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Where its bytes come from.
    pub kind: InputKind,
    /// Path below the base folder, `/` between components.
    pub name: String,
}

/// Where an input's bytes come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// A file.
    File(PathBuf),
    /// Standard input.
    Stdin,
}

/// Endings that make a file in a folder an input. What a file holds is told by its
/// first bytes, whatever it is called.
const ENDINGS: &[&str] = &[
    ".warc",
    ".warc.gz",
    ".warc.zst",
    ".arc",
    ".arc.gz",
    ".arc.zst",
];

/// Lists the inputs that the arguments name, sorted by name.
///
/// An argument is a file, a folder (all WARC and ARC files below it), a glob
/// pattern, `@FILE` (a list: a path a line, as seen from the working directory; empty lines
/// and lines that start with `#` are passed over) or `-` (standard input, which needs
/// `stdin_name`). The names are paths below `base`; its default is the folder given,
/// the longest literal prefix of a pattern, the folder of a file named alone, and
/// else the longest common folder of all inputs.
///
/// # Errors
/// [`Error::Usage`] where nothing matches, a name would not be unique or usable, or an
/// input does not stand below `base`; [`Error::Io`] where a list or folder cannot be read.
/// A listed file that does not exist is no error here: it fails alone when opened.
pub fn list_inputs(
    arguments: &[String],
    base: Option<&Path>,
    stdin_name: Option<&str>,
) -> Result<Vec<Input>> {
    let mut paths = Vec::new();
    let mut stdin = 0;
    let mut own_base = None;
    for argument in arguments {
        if argument == "-" {
            stdin += 1;
            continue;
        }
        let (found, folder) = expand(argument)?;
        paths.extend(found);
        own_base = (arguments.len() == 1).then_some(folder).flatten();
    }
    let base = match (base, own_base) {
        (Some(base), _) => absolute(base)?,
        (None, Some(folder)) => folder,
        (None, None) => common_folder(&paths),
    };
    let mut inputs = paths
        .into_iter()
        .map(|path| {
            let name = name_below(&base, &path)?;
            Ok(Input {
                kind: InputKind::File(path),
                name,
            })
        })
        .collect::<Result<Vec<_>>>()?;
    if stdin == 0 && stdin_name.is_some() {
        let why = "--name is for standard input, and `-` is not among the inputs";
        return Err(Error::Usage(why.to_owned()));
    }
    for _ in 0..stdin {
        let name = stdin_name.ok_or_else(|| {
            Error::Usage(
                "`-` (standard input) needs --name, which its outputs are called by".into(),
            )
        })?;
        inputs.push(Input {
            kind: InputKind::Stdin,
            name: checked_name(Path::new(name))?,
        });
    }
    inputs.sort_by(|a, b| a.name.cmp(&b.name));
    refuse_doubles(&inputs)?;
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

/// The paths an argument stands for, and the folder they are named from if it is
/// the only argument (`None`: their common folder).
fn expand(argument: &str) -> Result<(Vec<PathBuf>, Option<PathBuf>)> {
    if let Some(list) = argument.strip_prefix('@') {
        let text = fs::read_to_string(list).map_err(|e| Error::io(list, e))?;
        let paths = text
            .trim_start_matches('\u{feff}')
            .lines()
            .map(str::trim)
            .filter(|l| !l.is_empty() && !l.starts_with('#'))
            .map(|l| absolute(Path::new(l)))
            .collect::<Result<Vec<_>>>()?;
        if paths.is_empty() {
            return Err(Error::Usage(format!("{list} lists no input")));
        }
        return Ok((paths, None));
    }
    let path = absolute(Path::new(argument))?;
    if path.is_dir() {
        let mut found = Vec::new();
        walk(&path, &mut found)?;
        if found.is_empty() {
            return Err(Error::Usage(format!(
                "no file below {argument} ends in {}",
                ENDINGS.join(", ")
            )));
        }
        return Ok((found, Some(path)));
    }
    if !path.exists() && argument.contains(['*', '?', '[']) {
        return expand_pattern(argument);
    }
    let folder = path.parent().map(Path::to_owned);
    Ok((vec![path], folder))
}

fn expand_pattern(pattern: &str) -> Result<(Vec<PathBuf>, Option<PathBuf>)> {
    let bad = |e: &dyn std::fmt::Display| Error::Usage(format!("pattern `{pattern}`: {e}"));
    let mut found = Vec::new();
    for path in glob::glob(pattern).map_err(|e| bad(&e))? {
        let path = path.map_err(|e| Error::io(e.path(), std::io::Error::other(e.to_string())))?;
        if path.is_file() {
            found.push(absolute(&path)?);
        }
    }
    if found.is_empty() {
        return Err(Error::Usage(format!("no file matches `{pattern}`")));
    }
    let literal = &pattern[..pattern.find(['*', '?', '[']).unwrap_or(pattern.len())];
    let folder = literal.rfind('/').map_or(".", |at| &literal[..=at]);
    Ok((found, Some(absolute(Path::new(folder))?)))
}

/// All inputs below a folder, those that are hidden by their names left out. Links to folders are not followed, so a loop of
/// links cannot trap the walk.
fn walk(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    let mut folders = vec![folder.to_owned()];
    let mut others = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(|e| Error::io(&folder, e))? {
            let entry = entry.map_err(|e| Error::io(&folder, e))?;
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().to_ascii_lowercase();
            if name.starts_with(['.', '_']) {
                if ENDINGS.iter().any(|e| name.ends_with(e)) {
                    warn!(path = %path.display(), "hidden by its name, passed over");
                }
            } else if entry.file_type().is_ok_and(|t| t.is_dir()) {
                folders.push(path);
            } else if ENDINGS.iter().any(|e| name.ends_with(e)) {
                // A pipe that nobody writes to would stop the run.
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
    if others > 0 {
        let folder = folder.display();
        info!(
            "{others} files below {folder} passed over: their names do not end as WARC or ARC do"
        );
    }
    Ok(())
}

fn absolute(path: &Path) -> Result<PathBuf> {
    let path = std::path::absolute(path).map_err(|e| Error::io(path, e))?;
    // `a/./b`, `a//b` and `a/c/../b` name one file; names must not depend on the spelling.
    let mut clean = PathBuf::new();
    for component in path.components() {
        if component == Component::ParentDir {
            clean.pop();
        } else {
            clean.push(component);
        }
    }
    Ok(clean)
}

fn common_folder(paths: &[PathBuf]) -> PathBuf {
    let mut folders = paths.iter().filter_map(|p| p.parent());
    let Some(first) = folders.next() else {
        return PathBuf::new();
    };
    folders.fold(first.to_owned(), |common, folder| {
        common
            .components()
            .zip(folder.components())
            .take_while(|(a, b)| a == b)
            .map(|(a, _)| a)
            .collect()
    })
}

fn name_below(base: &Path, path: &Path) -> Result<String> {
    let below = path.strip_prefix(base).map_err(|_| {
        Error::Usage(format!(
            "{} does not stand below the base folder {}",
            path.display(),
            base.display()
        ))
    })?;
    checked_name(below)
}

/// A name that every reader of the output will see.
fn checked_name(path: &Path) -> Result<String> {
    let bad = |why: &str| {
        Err(Error::Usage(format!(
            "input name `{}`: {why}",
            path.display()
        )))
    };
    let mut parts = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(part) => match part.to_str() {
                Some(part) if part.starts_with(['_', '.']) => {
                    return bad(
                        "Spark and Hadoop take files and folders that start with `_` or `.` for \
                         hidden; rename it or choose another --base",
                    );
                }
                Some(part) => parts.push(part),
                None => return bad("is not UTF-8"),
            },
            Component::CurDir => {}
            _ => return bad("leads out of the base folder"),
        }
    }
    if parts.is_empty() {
        return bad("is empty");
    }
    Ok(parts.join("/"))
}

fn refuse_doubles(sorted: &[Input]) -> Result<()> {
    let mut seen: HashMap<&str, &Input> = HashMap::new();
    for input in sorted {
        if let Some(other) = seen.insert(&input.name, input) {
            return Err(Error::Usage(format!(
                "two inputs would both be called `{}`: {} and {}; name each once, or set --base",
                input.name,
                other.origin(),
                input.origin()
            )));
        }
    }
    Ok(())
}

/// Opens a file, and says what it is like now.
fn open_stamped(path: &Path) -> Result<(Option<InputStamp>, File)> {
    let error = |e| Error::io(path, e);
    let file = File::open(path).map_err(error)?;
    let metadata = file.metadata().map_err(error)?;
    Ok((InputStamp::from_metadata(&metadata), file))
}

impl Input {
    /// Opens the input, and says what its file is like now; a stream is like nothing.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn open(&self) -> Result<(Option<InputStamp>, Box<dyn Read + Send>)> {
        Ok(match &self.kind {
            InputKind::File(path) => {
                let (stamp, file) = open_stamped(path)?;
                (stamp, Box::new(file))
            }
            InputKind::Stdin => (None, Box::new(io::stdin())),
        })
    }

    /// Opens it as a file, whose size is known; `None` for anything else.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn open_file(&self) -> Result<Option<(InputStamp, File)>> {
        let InputKind::File(path) = &self.kind else {
            return Ok(None);
        };
        if !cfg!(any(unix, windows)) {
            // Nothing there reads a file from many places at once.
            return Ok(None);
        }
        // What is opened twice must not be a pipe.
        if !fs::metadata(path)
            .map_err(|e| Error::io(path, e))?
            .is_file()
        {
            return Ok(None);
        }
        let (stamp, file) = open_stamped(path)?;
        Ok(stamp.map(|stamp| (stamp, file)))
    }

    /// Whether as many bytes were read as the file had when it was opened.
    ///
    /// # Errors
    /// [`Error::Io`] where it changed meanwhile.
    pub fn check_whole(&self, opened: Option<InputStamp>, read: &ReadLedger) -> Result<()> {
        match opened {
            Some(stamp) if stamp.size != read.compressed_bytes => Err(Error::io(
                self.origin(),
                io::Error::other(format!(
                    "changed while it was read: it had {} bytes, and {} were read",
                    stamp.size, read.compressed_bytes
                )),
            )),
            _ => Ok(()),
        }
    }

    /// Whether the open file is what it was when it was opened.
    ///
    /// # Errors
    /// [`Error::Io`] where it changed meanwhile.
    pub(super) fn check_unchanged(&self, opened: InputStamp, file: &File) -> Result<()> {
        let error = |e| Error::io(self.origin(), e);
        let now = file.metadata().map_err(error)?;
        match InputStamp::from_metadata(&now).and_then(|now| opened.difference(now)) {
            Some(what) => Err(error(io::Error::other(format!(
                "changed while it was read: {what}"
            )))),
            None => Ok(()),
        }
    }

    /// Where the bytes come from, for messages.
    pub fn origin(&self) -> String {
        match &self.kind {
            InputKind::File(path) => path.display().to_string(),
            InputKind::Stdin => "standard input".to_owned(),
        }
    }
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

    fn names(folder: &Path, arguments: &[&str]) -> Vec<String> {
        let arguments: Vec<_> = arguments
            .iter()
            .map(|a| match a.strip_prefix('@') {
                Some(list) => format!("@{}", folder.join(list).display()),
                None => folder.join(a).display().to_string(),
            })
            .collect();
        let inputs = list_inputs(&arguments, None, None).unwrap();
        inputs.into_iter().map(|i| i.name).collect()
    }

    #[test]
    fn a_file_that_changes_while_it_is_open_is_told() {
        let folder = tree(&["a.warc.gz"]);
        let path = folder.path().join("a.warc.gz");
        let input = Input {
            kind: InputKind::File(path.clone()),
            name: "a.warc.gz".into(),
        };
        let (stamp, file) = input.open_file().unwrap().unwrap();
        input.check_unchanged(stamp, &file).unwrap();
        let writer = File::options().write(true).open(&path).unwrap();
        writer.set_modified(std::time::UNIX_EPOCH).unwrap();
        let error = input.check_unchanged(stamp, &file).unwrap_err().to_string();
        assert!(error.contains("modification time"), "{error}");
        writer.set_len(stamp.size + 1).unwrap();
        let error = input.check_unchanged(stamp, &file).unwrap_err().to_string();
        assert!(error.contains("size was"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_in_a_folder_is_passed_over() {
        let folder = tree(&["a.warc.gz"]);
        let socket = folder.path().join("b.warc.gz");
        let _socket = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        let inputs = list_inputs(&[folder.path().display().to_string()], None, None).unwrap();
        assert_eq!(inputs.len(), 1);
        let named = Input {
            kind: InputKind::File(socket),
            name: "b.warc.gz".into(),
        };
        assert!(named.open_file().unwrap().is_none(), "not read in splits");
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
    fn a_base_names_inputs_and_must_hold_them() {
        let t = tree(&["c/en0/00.warc.gz"]);
        let file = t.path().join("c/en0/00.warc.gz").display().to_string();
        let named = list_inputs(std::slice::from_ref(&file), Some(t.path()), None).unwrap();
        assert_eq!(named[0].name, "c/en0/00.warc.gz");
        let elsewhere = t.path().join("d");
        assert!(list_inputs(&[file], Some(&elsewhere), None).is_err());
    }

    #[test]
    fn unusable_names_are_refused() {
        let t = tree(&["c/00.warc.gz", "c/_x.warc.gz"]);
        let c = t.path().join("c/00.warc.gz").display().to_string();
        let twice = list_inputs(&[c.clone(), c], None, None)
            .unwrap_err()
            .to_string();
        assert!(twice.contains("00.warc.gz"), "{twice}");
        let hidden = t.path().join("c/_x.warc.gz").display().to_string();
        assert!(list_inputs(&[hidden], None, None).is_err());
        assert!(list_inputs(&["-".into()], None, None).is_err());
        assert!(list_inputs(&["-".into()], None, Some("../x")).is_err());
        assert!(list_inputs(&["-".into(), "-".into()], None, Some("x.warc")).is_err());
        assert!(
            list_inputs(
                &[t.path().join("c/00.warc.gz").display().to_string()],
                None,
                Some("x")
            )
            .is_err()
        );
        let stdin = list_inputs(&["-".into()], None, Some("a/x.warc")).unwrap();
        assert_eq!(stdin[0].kind, InputKind::Stdin);
    }

    #[test]
    fn nothing_found_is_said() {
        let t = tree(&["c/notes.txt"]);
        let at = |n: &str| vec![t.path().join(n).display().to_string()];
        assert!(list_inputs(&at("c"), None, None).is_err());
        assert!(list_inputs(&at("c/*.warc.gz"), None, None).is_err());
        let missing = list_inputs(&at("missing.warc.gz"), None, None).unwrap();
        assert_eq!(missing[0].name, "missing.warc.gz");
    }

    #[test]
    fn shards_share_the_inputs_without_overlap() {
        let t = tree(&["a.warc", "b.warc", "c.warc", "d.warc"]);
        let all = list_inputs(&[t.path().display().to_string()], None, None).unwrap();
        assert_eq!(shard(&all, 1, 1), all);
        let mut parts: Vec<_> = (1..=3).flat_map(|i| shard(&all, i, 3)).collect();
        assert_eq!(parts.len(), 4);
        parts.sort_by(|a, b| a.name.cmp(&b.name));
        assert_eq!(parts, all);
    }
}
