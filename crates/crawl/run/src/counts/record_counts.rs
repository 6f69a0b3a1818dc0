//! Files of ClueWeb09's `record_counts`. There is one text file per directory of the crawl, such as
//! `record_counts/ClueWeb09_English_1/en0000_counts.txt`, with one line per WARC file:
//! `*./en0000/00.warc.gz 35582`.

use super::matching::refuse_several;
use super::statements::{Form, Group, Matched, Places, Statement};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use warcsieve_common::{Error, Result, counted};
use warcsieve_engine::cdx::{Found, Lines, Names};

/// Endings of files that have a count.
const ENDINGS: &[&str] = &[".warc.gz", ".warc", ".warc.zst", ".arc.gz", ".arc"];

/// The path and the number of records in a line, in either order. `*`, `./` and separators around
/// them are ignored. `None` if the line has no path.
///
/// # Errors
/// What is wrong with a line that has a path.
pub(super) fn parse(line: &str) -> Result<Option<(String, u64)>, String> {
    let mut words = line
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|' | '=' | '"'))
        .map(|w| w.trim_matches(|c| matches!(c, '*' | ':')))
        .filter(|w| !w.is_empty())
        .collect::<Vec<_>>();
    let is_path = |w: &&str| ENDINGS.iter().any(|e| w.len() > e.len() && w.ends_with(e));
    let Some(at) = words.iter().position(is_path) else {
        return Ok(None);
    };
    let path = words.remove(at);
    let number = match words[..] {
        [number] if number.bytes().all(|b| b.is_ascii_digit()) => number.parse().ok(),
        _ => None,
    };
    let Some(number) = number else {
        return Err(format!("expected `{path}` and a number of records alone"));
    };
    let parts = path.split('/').filter(|part| !matches!(*part, "" | "."));
    Ok(Some((parts.collect::<Vec<_>>().join("/"), number)))
}

/// One counts file.
struct CountsFile {
    path: PathBuf,
    /// The directory that it is about, from its file name.
    directory: String,
    /// The folder it is in, which is named after the part of the crawl.
    part: String,
    lines: Vec<(String, u64, u64)>,
}

impl CountsFile {
    fn read(path: &Path) -> Result<Self> {
        let mut lines = Lines::open(path)?;
        let mut found = Vec::new();
        while lines.advance()? {
            let text = String::from_utf8_lossy(lines.line());
            let read = parse(&text).map_err(|what| lines.wrong(&what))?;
            found.extend(read.map(|(file, n)| (file, n, lines.number())));
        }
        let component = |path: Option<&Path>| {
            let name = path.and_then(Path::file_name);
            name.unwrap_or_default().to_string_lossy().into_owned()
        };
        let name = component(Some(path));
        let stem = name.split('.').next().unwrap_or_default();
        let directory = ["_counts", "-counts", "_count", "_record_counts"]
            .iter()
            .find_map(|end| stem.strip_suffix(end))
            .unwrap_or(stem);
        Ok(Self {
            directory: directory.to_owned(),
            part: component(path.parent()),
            path: path.to_owned(),
            lines: found,
        })
    }

    /// The name of a WARC file with the part of the crawl before it.
    fn stated(&self, file: &str) -> String {
        format!("{}/{file}", self.part)
    }

    /// Whether a line is about the directory that the counts file is named after.
    fn is_own(&self, file: &str) -> bool {
        let mut directories = file.rsplit('/').skip(1);
        directories.next().is_none_or(|d| d == self.directory)
    }
}

/// Finds inputs by their names in counts files.
struct Finder<'n> {
    names: Names<'n>,
    /// All folders in the names of inputs.
    folders: HashSet<&'n str>,
    /// For each stated name, the first part of the crawl that states it, and whether no other part
    /// does.
    parts: HashMap<String, (String, bool)>,
}

impl<'n> Finder<'n> {
    fn new(names: &[&'n str], files: &[CountsFile]) -> Self {
        let mut parts: HashMap<String, (String, bool)> = HashMap::new();
        for file in files {
            for (name, ..) in &file.lines {
                match parts.get_mut(name) {
                    None => {
                        parts.insert(name.clone(), (file.part.clone(), true));
                    }
                    Some((part, only)) => *only &= *part == file.part,
                }
            }
        }
        let folders = names.iter().flat_map(|name| name.rsplit('/').skip(1));
        Self {
            names: Names::new(names.iter().copied()),
            folders: folders.collect(),
            parts,
        }
    }

    /// The input called `name` in the part of the crawl that `file` is about. The bare name is
    /// enough if no input's name contains the part, and no other part has a file of that name.
    fn find(&self, file: &CountsFile, name: &str) -> Option<usize> {
        let one = |name: &str| match self.names.find(name) {
            Found::One(at) => Some(at),
            _ => None,
        };
        let others = self.folders.contains(&*file.part)
            || self.parts.get(name).is_some_and(|(_, only)| !only);
        one(&file.stated(name)).or_else(|| if others { None } else { one(name) })
    }
}

/// Reads counts files. A line may name another directory than the counts file is named after. Then
/// the directory of the counts file's name is used instead if no input has the named directory, or
/// if another counts file is named after it. ClueWeb09's `en0054` needs this.
pub(super) fn read(paths: &[PathBuf], names: &[&str]) -> Result<Group> {
    let files = paths.iter().map(|path| CountsFile::read(path));
    let files = files.collect::<Result<Vec<_>>>()?;
    if let Some(empty) = files.iter().find(|f| f.lines.is_empty()) {
        return Err(Error::Invalid(format!(
            "{}: no line holds a WARC file and a number",
            empty.path.display()
        )));
    }
    let finder = Finder::new(names, &files);
    let mut claimed: HashSet<usize> = HashSet::new();
    for file in &files {
        for (name, ..) in file.lines.iter().filter(|(name, ..)| file.is_own(name)) {
            if let Some(input) = finder.find(file, name) {
                claimed.insert(input);
            }
        }
    }
    let mut group = Group {
        form: Form::RecordCounts,
        statements: Vec::new(),
        notes: Vec::new(),
    };
    // The number stated for each file, to find duplicates.
    let mut stated_records: HashMap<String, u64> = HashMap::new();
    // The file that each statement is about.
    let mut stated_names = Vec::new();
    for file in &files {
        let mut renamed = None;
        let mut duplicates = 0;
        for (name, records, line) in &file.lines {
            let mut name = name.clone();
            let mut input = finder.find(file, &name);
            let clashes = |input: usize| claimed.contains(&input);
            if !file.is_own(&name) && input.is_none_or(clashes) {
                let base = name.rsplit('/').next().unwrap_or_default();
                let own = format!("{}/{base}", file.directory);
                if let Some(found) = finder.find(file, &own) {
                    let directory = name[..name.len() - base.len()].trim_end_matches('/');
                    renamed = Some(directory.to_owned());
                    (name, input) = (own, Some(found));
                }
            }
            let stated = file.stated(&name);
            if stated_records.insert(stated.clone(), *records) == Some(*records) {
                duplicates += 1;
                continue;
            }
            stated_names.push(stated);
            group.statements.push(Matched {
                statement: Statement {
                    name,
                    records: *records,
                    place: format!("{}:{line}", file.path.display()),
                    places: Places::NotStated,
                    last: None,
                },
                input,
            });
        }
        let path = file.path.display();
        if let Some(directory) = renamed {
            group.notes.push(format!(
                "{path}: lists files of `{directory}`, which are missing or belong to another counts \
                 file; read as files of `{}`, after the name of this counts file",
                file.directory
            ));
        }
        if duplicates > 0 {
            group.notes.push(format!(
                "{path}: {}, counted once",
                counted(duplicates, "duplicate line", "duplicate lines")
            ));
        }
    }
    refuse_several(&mut group, &stated_names, names);
    Ok(group)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn lines_are_read_leniently() {
        let want = Ok(Some(("en0000/00.warc.gz".to_owned(), 35582)));
        for line in [
            "*./en0000/00.warc.gz 35582",
            "./en0000/00.warc.gz\t35582\r",
            "35582 en0000/00.warc.gz",
            " 35582 * en0000/00.warc.gz",
            "en0000//00.warc.gz: 35582",
            "en0000/00.warc.gz,35582",
        ] {
            assert_eq!(parse(line), want, "{line}");
        }
        for line in ["", "total 3", "# comment", ".warc.gz 3"] {
            assert_eq!(parse(line), Ok(None), "{line}");
        }
        for line in [
            "a/00.warc.gz",
            "a/00.warc.gz 1 2",
            "a/00.warc.gz -1",
            "a.warc.gz b.warc.gz 1",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_line_makes_it_panic(line in "[*./ a0-9é|,=\\t-]{0,20}(\\.warc\\.gz)?[ 0-9x]{0,25}") {
            if let Ok(Some((path, _))) = parse(&line) {
                proptest::prop_assert!(path.ends_with(".warc.gz"));
            }
        }
    }

    fn group(files: &[(&str, &str)], names: &[&str]) -> Group {
        let folder = tempfile::tempdir().unwrap();
        let paths = files.iter().map(|(name, text)| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            path
        });
        read(&paths.collect::<Vec<_>>(), names).unwrap()
    }

    fn shown(group: &Group) -> Vec<(Option<usize>, u64)> {
        let statements = group.statements.iter();
        statements.map(|m| (m.input, m.statement.records)).collect()
    }

    #[test]
    fn an_unknown_directory_is_replaced_by_the_name_of_the_counts_file() {
        let names = ["en0053/00.warc.gz", "en0054/00.warc.gz"];
        for wrong in ["en0053", "en9999", "ClueWeb09_English_5"] {
            let text = format!("*./{wrong}/00.warc.gz 7\n");
            let files = [
                ("p/en0053_counts.txt", "*./en0053/00.warc.gz 5\n"),
                ("p/en0054_counts.txt", &text),
            ];
            let group = group(&files, &names);
            assert_eq!(shown(&group), [(Some(0), 5), (Some(1), 7)], "{wrong}");
            assert_eq!(group.notes.len(), 1);
            assert!(group.notes[0].contains("`en0054`"), "{}", group.notes[0]);
        }
    }

    #[test]
    fn a_known_directory_that_no_counts_file_claims_is_kept() {
        let names = ["en0053/00.warc.gz", "en0054/00.warc.gz"];
        let group = group(
            &[("p/all.txt", "en0053/00.warc.gz 5\nen0054/00.warc.gz 6\n")],
            &names,
        );
        assert_eq!(shown(&group), [(Some(0), 5), (Some(1), 6)]);
        assert!(group.notes.is_empty());
    }

    #[test]
    fn parts_of_the_crawl_are_distinguished_by_their_folders() {
        let names = ["E_1/en0/00.warc.gz", "E_2/en0/00.warc.gz"];
        let files = [
            ("E_2/en0_counts.txt", "*./en0/00.warc.gz 2\n"),
            ("E_1/en0_counts.txt", "*./en0/00.warc.gz 1\n"),
        ];
        assert_eq!(shown(&group(&files, &names)), [(Some(1), 2), (Some(0), 1)]);
    }

    #[test]
    fn an_input_that_fits_several_stated_files_is_matched_with_none() {
        let names = ["00.warc.gz", "01.warc.gz"];
        let files = [
            ("p/en0_counts.txt", "en0/00.warc.gz 2\nen0/01.warc.gz 3\n"),
            ("p/en1_counts.txt", "en1/00.warc.gz 2\n"),
        ];
        let group = group(&files, &names);
        assert_eq!(shown(&group), [(None, 2), (Some(1), 3), (None, 2)]);
        assert_eq!(group.notes.len(), 1);
        assert!(group.notes[0].contains("--base"), "{}", group.notes[0]);
    }

    #[test]
    fn a_file_of_another_part_does_not_replace_a_missing_one() {
        let text = "en0/00.warc.gz 2\n";
        let files = [("E_1/en0_counts.txt", text), ("E_2/en0_counts.txt", text)];
        let names = ["E_1/en0/00.warc.gz"];
        assert_eq!(shown(&group(&files, &names)), [(Some(0), 2), (None, 2)]);
        let names = ["E_1/en0/00.warc.gz", "E_2/en0/01.warc.gz"];
        assert_eq!(shown(&group(&files[1..], &names)), [(None, 2)]);
        let names = ["en0/00.warc.gz"];
        assert_eq!(shown(&group(&files, &names)), [(None, 2), (None, 2)]);
        assert_eq!(shown(&group(&files[1..], &names)), [(Some(0), 2)]);
    }

    #[test]
    fn duplicates_count_once_unless_they_differ() {
        let text = "en0/00.warc.gz 2\nen0/00.warc.gz 2\nen0/01.warc.gz 3\nen0/01.warc.gz 4\n";
        let group = group(&[("p/en0_counts.txt", text)], &["00.warc.gz", "01.warc.gz"]);
        assert_eq!(shown(&group), [(Some(0), 2), (Some(1), 3), (Some(1), 4)]);
        assert_eq!(group.notes.len(), 1);
    }
}
