//! A file a page: its name, and writing it.

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use warcsieve_base::{Error, Result};
use warcsieve_crawl::pipeline::{Input, InputKind};
use warcsieve_store::write_atomically;

/// Longest name made of an id, in bytes; file systems allow 255.
const MOST: usize = 180;

/// The folder for the pages of some inputs.
pub struct Files {
    folder: PathBuf,
    ending: &'static str,
    /// By input its name without the ending of a page, where no other input has the same.
    stems: HashMap<String, String>,
    /// Names of pages of crawls that were given to one.
    taken: Mutex<HashSet<PathBuf>>,
}

impl Files {
    /// The folder for the pages of `inputs`.
    ///
    /// # Errors
    /// [`Error::Usage`] if a page would replace an input, or the folder is a file.
    pub fn new(folder: &Path, ending: &'static str, inputs: &[Input]) -> Result<Self> {
        if folder.exists() && !folder.is_dir() {
            let why = "--out: it is a file; give a folder";
            return Err(Error::Usage(format!("{}: {why}", folder.display())));
        }
        let mut count: HashMap<&str, u32> = HashMap::new();
        for input in inputs {
            *count.entry(stem(&input.name)).or_default() += 1;
        }
        let stems = inputs.iter().map(|input| {
            let stem = stem(&input.name);
            let is_only = count.get(stem) == Some(&1);
            let stem = if is_only { stem } else { &input.name };
            (input.name.clone(), stem.to_owned())
        });
        let files = Self {
            folder: folder.to_owned(),
            ending,
            stems: stems.collect(),
            taken: Mutex::default(),
        };
        for input in inputs {
            let InputKind::File(path) = &input.kind else {
                continue;
            };
            let target = files.of_page(&input.name);
            if is_same(&target, path) {
                let (target, path) = (target.display(), path.display());
                return Err(Error::Usage(format!(
                    "{target} would replace {path}, which is read; choose another --out"
                )));
            }
        }
        Ok(files)
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
        write_atomically(&target, content)
    }

    fn of_page(&self, input: &str) -> PathBuf {
        let stem = self.stems.get(input).map_or(input, String::as_str);
        self.folder.join(format!("{stem}.{}", self.ending))
    }

    /// Of pages with one id, all but the first get a number.
    fn of_record(&self, input: &str, id: &str) -> PathBuf {
        let folder = self.folder.join(input);
        let id = id
            .strip_prefix(input)
            .filter(|rest| rest.starts_with('@'))
            .unwrap_or(id);
        let name = safe(id);
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let mut path = folder.join(format!("{name}.{}", self.ending));
        let mut number = 1;
        while !taken.insert(path.clone()) {
            number += 1;
            path = folder.join(format!("{name}-{number}.{}", self.ending));
        }
        path
    }
}

/// The name of a page's input without its ending.
fn stem(name: &str) -> &str {
    let lower = name.to_ascii_lowercase();
    let plain = lower.strip_suffix(".gz").unwrap_or(&lower);
    let endings = [".html", ".htm", ".xhtml"];
    let stem = endings.iter().find_map(|ending| plain.strip_suffix(ending));
    let stem = stem.filter(|stem| !stem.is_empty() && !stem.ends_with('/'));
    stem.map_or(name, |stem| &name[..stem.len()])
}

/// A name that every file system takes, different for different ids: other characters are `%XX`,
/// and of a long one the end is a hash.
fn safe(id: &str) -> String {
    let mut name = String::new();
    for (at, byte) in id.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' => name.push(char::from(byte)),
            b'.' | b'_' if at > 0 => name.push(char::from(byte)),
            _ => name += &format!("%{byte:02X}"),
        }
    }
    if name.len() > MOST {
        let hash = HEXLOWER.encode(&Sha256::digest(id.as_bytes())[..8]);
        name.truncate(MOST - 17);
        name += &format!("-{hash}");
    }
    name
}

/// Whether two paths lead to one file.
fn is_same(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let files = Files::new(Path::new("out"), "md", &inputs).unwrap();
        let made = names.map(|name| files.of_page(name));
        let expected = ["a.md", "b/c.md", "d.html.md", "d.htm.md", "e.md", "f.md"];
        assert_eq!(made, expected.map(|name| Path::new("out").join(name)));
    }

    #[test]
    fn a_page_never_replaces_its_input() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.html"), "x").unwrap();
        let inputs = [input(folder.path(), "a.html")];
        let error = Files::new(folder.path(), "html", &inputs).err().unwrap();
        assert!(error.to_string().contains("would replace"), "{error}");
        assert!(Files::new(folder.path(), "md", &inputs).is_ok());
        let file = folder.path().join("a.html");
        assert!(Files::new(&file, "md", &inputs).is_err());
    }

    #[test]
    fn names_of_ids_are_safe_and_differ() {
        assert_eq!(
            safe("clueweb09-en0000-00-00000"),
            "clueweb09-en0000-00-00000"
        );
        assert_eq!(safe("urn:uuid:1/../x"), "urn%3Auuid%3A1%2F..%2Fx");
        assert_eq!(safe(".x"), "%2Ex");
        let long = ["a", "b"].map(|end| safe(&format!("{}{end}", "é".repeat(300))));
        assert!(long[0].len() == MOST && long[0] != long[1]);
        let files = Files::new(Path::new("out"), "txt", &[]).unwrap();
        let made = ["x", "x", "00.warc@7"].map(|id| files.of_record("00.warc", id));
        let expected = ["x.txt", "x-2.txt", "%407.txt"];
        assert_eq!(made, expected.map(|n| Path::new("out/00.warc").join(n)));
    }
}
