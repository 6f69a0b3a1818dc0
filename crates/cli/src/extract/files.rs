//! A file a page: its name, and writing it.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use warcsieve_common::{Error, Result};
use warcsieve_engine::{Input, crawl_stem, page_stem};
use warcsieve_store::{sweep, write_in_swept};
use warcsieve_tables::{page_name, safe_name};

/// The folder for the pages of some inputs.
pub struct Files {
    folder: PathBuf,
    ending: &'static str,
    /// By input its name without the ending of a page or crawl, where no other input has the same.
    stems: HashMap<String, String>,
    /// By name of a page of a crawl, how many were given it.
    taken: Mutex<HashMap<PathBuf, u32>>,
    /// Folders without temporary files of writers that are gone.
    swept: Mutex<HashSet<PathBuf>>,
}

impl Files {
    /// The folder for the pages of `inputs`.
    ///
    /// # Errors
    /// [`Error::Invalid`] if a page would replace an input, or the folder cannot be made.
    pub fn new(folder: &Path, ending: &'static str, inputs: &[Input]) -> Result<Self> {
        if folder.exists() && !folder.is_dir() {
            let why = "--out: it is a file; give a folder";
            return Err(Error::Invalid(format!("{}: {why}", folder.display())));
        }
        let files = Self {
            folder: folder.to_owned(),
            ending,
            stems: stems(inputs, ending),
            taken: Mutex::default(),
            swept: Mutex::default(),
        };
        files.spares(inputs)?;
        if let Err(error) = std::fs::create_dir_all(folder) {
            return Err(Error::Invalid(format!(
                "--out {}: {error}",
                folder.display()
            )));
        }
        Ok(files)
    }

    /// Refuses to replace what is read, now or when the same command is repeated.
    fn spares(&self, inputs: &[Input]) -> Result<()> {
        let read: HashMap<PathBuf, &Path> = inputs
            .iter()
            .filter_map(|input| {
                let path = input.path()?;
                Some((path.canonicalize().ok()?, path))
            })
            .collect();
        for input in inputs {
            let target = self.of_page(&input.name);
            let replaced = target
                .canonicalize()
                .ok()
                .and_then(|there| read.get(&there));
            if let Some(path) = replaced {
                let (target, path) = (target.display(), path.display());
                return Err(Error::Invalid(format!(
                    "{target} would replace {path}, which is read; choose another --out"
                )));
            }
        }
        // What this command wrote before would be pages to read now.
        let folder = self
            .folder
            .canonicalize()
            .ok()
            .filter(|_| self.ending == "html");
        let below = folder.and_then(|folder| {
            let mut there = read.iter().filter(|(path, _)| path.starts_with(&folder));
            there.next().map(|(_, path)| path.display().to_string())
        });
        match below {
            Some(path) => Err(Error::Invalid(format!(
                "{path} is read, and is below --out {}; choose another --out",
                self.folder.display()
            ))),
            None => Ok(()),
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes a page: the one of an input, or that with an id of a crawl.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write(&self, input: &str, id: Option<&str>, content: &[u8]) -> Result<()> {
        let target = match id {
            None => self.of_page(input),
            Some(id) => self.of_record(input, id),
        };
        self.write_file(&target, content)
    }

    /// Writes a page of the web.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write_fetched(&self, address: &str, content: &[u8]) -> Result<()> {
        let (_, name) = address.split_once("://").unwrap_or(("", address));
        let name = safe_name(name.trim_end_matches('/'));
        let target = self.folder.join(format!("{name}.{}", self.ending));
        self.write_file(&target, content)
    }

    /// Nothing says afterwards that the file is there, so nothing waits for the disk.
    fn write_file(&self, target: &Path, content: &[u8]) -> Result<()> {
        let folder = target.parent().unwrap_or(&self.folder);
        let mut swept = self.swept.lock().unwrap_or_else(PoisonError::into_inner);
        if !swept.contains(folder) {
            sweep(folder)?;
            swept.insert(folder.to_owned());
        }
        drop(swept);
        write_in_swept(target, content)
    }

    fn of_page(&self, input: &str) -> PathBuf {
        let stem = self.stems.get(input).map_or(input, String::as_str);
        self.folder.join(format!("{stem}.{}", self.ending))
    }

    /// Of pages with one id, all but the first get a number.
    fn of_record(&self, input: &str, id: &str) -> PathBuf {
        let stem = self.stems.get(input).map_or(input, String::as_str);
        let folder = self.folder.join(stem);
        let name = page_name(input, id);
        let first = folder.join(format!("{name}.{}", self.ending));
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let mut number = *taken.entry(first.clone()).or_default();
        let mut path = first.clone();
        // A page's own name may be that which another got with its number.
        while number > 0 && taken.contains_key(&path) {
            number += 1;
            path = folder.join(format!("{name}-{number}.{}", self.ending));
        }
        if number > 0 {
            taken.insert(path.clone(), 1);
        }
        taken.insert(first, number.max(1));
        path
    }
}

/// By input its name without the ending of a page or crawl, or its whole name where that is
/// another's, the pages of a crawl would be among those of another input, or the file of a page is
/// a folder of others.
///
/// Each round gives at least one more input its whole name, and whole names differ, so it ends with
/// names that differ. Example: of `a.html`, `a.htm` and `a.html.html`, the first round finds `a`
/// twice; then `a.html` is the whole name of the first and the stem of the third.
fn stems(inputs: &[Input], ending: &str) -> HashMap<String, String> {
    let mut whole = vec![false; inputs.len()];
    loop {
        let name = |at: usize| match whole[at] {
            true => inputs[at].name.as_str(),
            false => stem(&inputs[at].name),
        };
        let mut count: HashMap<&str, u32> = HashMap::new();
        for at in 0..inputs.len() {
            *count.entry(name(at)).or_default() += 1;
        }
        let names: BTreeSet<&str> = count.keys().copied().collect();
        let is_around = |at: usize| {
            let below = match crawl_stem(&inputs[at].name) {
                Some(_) => format!("{}/", name(at)),
                None => format!("{}.{ending}/", name(at)),
            };
            let next = names.range(below.as_str()..).next();
            next.is_some_and(|n| n.starts_with(&below))
        };
        let clashes: Vec<usize> = (0..inputs.len())
            .filter(|&at| !whole[at])
            .filter(|&at| count.get(name(at)).is_some_and(|n| *n > 1) || is_around(at))
            .collect();
        if clashes.is_empty() {
            let named = (0..inputs.len()).map(|at| (inputs[at].name.clone(), name(at).to_owned()));
            return named.collect();
        }
        clashes.into_iter().for_each(|at| whole[at] = true);
    }
}

/// The name of an input without the ending of a page or crawl.
fn stem(name: &str) -> &str {
    let stem = page_stem(name).or_else(|| crawl_stem(name));
    let stem = stem.filter(|stem| !stem.is_empty() && !stem.ends_with('/'));
    stem.unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use warcsieve_engine::InputKind;

    fn input(path: &Path, name: &str) -> Input {
        Input {
            kind: InputKind::File(path.join(name)),
            name: name.to_owned(),
            selected: None,
        }
    }

    #[test]
    fn names_are_those_of_the_pages_unless_two_would_be_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let names = ["a.html", "b/c.HTM", "d.html", "d.htm", "e.html.gz", "f"];
        let inputs = names.map(|name| input(folder.path(), name));
        let files = Files::new(&folder.path().join("out"), "md", &inputs).unwrap();
        let made = names.map(|name| files.of_page(name));
        let expected = ["a.md", "b/c.md", "d.html.md", "d.htm.md", "e.md", "f.md"];
        assert_eq!(
            made,
            expected.map(|name| folder.path().join("out").join(name))
        );
    }

    #[test]
    fn a_whole_name_may_be_the_stem_of_another() {
        let folder = tempfile::tempdir().unwrap();
        let names = ["a.html", "a.htm", "a.html.html", "b.html"];
        let inputs = names.map(|name| input(folder.path(), name));
        let files = Files::new(&folder.path().join("out"), "md", &inputs).unwrap();
        let made = names.map(|name| files.of_page(name));
        let expected = ["a.html.md", "a.htm.md", "a.html.html.md", "b.md"];
        assert_eq!(
            made,
            expected.map(|name| folder.path().join("out").join(name))
        );
    }

    #[test]
    fn the_file_of_a_page_is_no_folder_of_others() {
        let folder = tempfile::tempdir().unwrap();
        let names = ["x.htm", "x.md/y.html"];
        let inputs = names.map(|name| input(folder.path(), name));
        let files = Files::new(&folder.path().join("out"), "md", &inputs).unwrap();
        let made = names.map(|name| files.of_page(name));
        let expected = ["x.htm.md", "x.md/y.md"];
        assert_eq!(
            made,
            expected.map(|name| folder.path().join("out").join(name))
        );
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_refused_once() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("file"), "x").unwrap();
        let error = Files::new(&folder.path().join("file/out"), "md", &[]).err();
        assert!(error.unwrap().to_string().contains("--out"));
    }

    #[test]
    fn pages_of_a_crawl_are_in_a_folder_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let names = ["a/00.warc.gz", "b.warc", "b/c.html", "d.warc", "d.arc"];
        let inputs = names.map(|name| input(folder.path(), name));
        let files = Files::new(&folder.path().join("out"), "md", &inputs).unwrap();
        let of = |name| files.of_record(name, "x");
        let made = ["a/00.warc.gz", "b.warc", "d.warc", "d.arc"].map(of);
        let expected = ["a/00/x.md", "b.warc/x.md", "d.warc/x.md", "d.arc/x.md"];
        assert_eq!(
            made,
            expected.map(|name| folder.path().join("out").join(name))
        );
        assert_eq!(files.of_page("b/c.html"), folder.path().join("out/b/c.md"));
    }

    #[test]
    fn a_page_never_replaces_an_input() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.html"), "x").unwrap();
        let inputs = [input(folder.path(), "a.html")];
        let error = Files::new(folder.path(), "html", &inputs).err().unwrap();
        assert!(error.to_string().contains("would replace"), "{error}");
        assert!(Files::new(folder.path(), "md", &inputs).is_ok());
        let file = folder.path().join("a.html");
        assert!(Files::new(&file, "md", &inputs).is_err());
        let out = folder.path().join("out");
        std::fs::create_dir(&out).unwrap();
        std::fs::write(out.join("b.html"), "x").unwrap();
        let inputs = [
            input(folder.path(), "a.html"),
            input(folder.path(), "out/b.html"),
        ];
        let error = Files::new(&out, "html", &inputs).err().unwrap();
        assert!(error.to_string().contains("is below --out"), "{error}");
        assert!(Files::new(&out, "md", &inputs).is_ok());
    }

    #[test]
    fn pages_of_one_id_get_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::new(folder.path(), "txt", &[]).unwrap();
        let made = ["x", "x", "x-3", "x", "x-2", "00.warc@7"];
        let made = made.map(|id| files.of_record("00.warc", id));
        let expected = [
            "x.txt",
            "x-2.txt",
            "x-3.txt",
            "x-4.txt",
            "x-2-2.txt",
            "%407.txt",
        ];
        assert_eq!(
            made,
            expected.map(|n| folder.path().join("00.warc").join(n))
        );
    }
}
