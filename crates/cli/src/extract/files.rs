//! One file per page: chooses names and writes the files.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use warcsieve_common::{Error, Result, files};
use warcsieve_engine::{Input, crawl_stem, page_stem};
use warcsieve_store::{HashedFile, sweep, write_in_swept};
use warcsieve_tables::{PAGE_INDEX, PageFacts, PageNamer, PageNames, safe_name};

/// The folder for page files, or the file for a single page.
pub struct Files {
    folder: PathBuf,
    /// Whether `folder` is a file.
    is_file: bool,
    ending: &'static str,
    names: PageNames,
    /// For each input, its name without the ending of a page or crawl, made unique.
    stems: HashMap<String, String>,
    /// Folders from which temporary files of killed writers were removed.
    swept: Mutex<HashSet<PathBuf>>,
}

impl Files {
    /// The folder for the pages of `inputs`, or the file for the page of the only input. A path
    /// with the ending of the form is a file, unless it is an existing folder.
    ///
    /// # Errors
    /// [`Error::Invalid`] if a page would replace an input, if the folder cannot be created, or if
    /// several pages would go into one file.
    pub fn new(
        folder: &Path,
        (ending, names): (&'static str, PageNames),
        inputs: &[Input],
    ) -> Result<Self> {
        let is_file = file_ending(folder) == Some(ending);
        let is_crawl = |input: &Input| crawl_stem(&input.name).is_some();
        if is_file && (inputs.len() > 1 || inputs.iter().any(is_crawl)) {
            return Err(for_several(folder));
        }
        if files::metadata(folder)?.is_some_and(|there| !there.is_dir()) && !is_file {
            let why = "--out: it is a file; give a folder";
            return Err(Error::Invalid(format!("{}: {why}", folder.display())));
        }
        let written = Self {
            folder: folder.to_owned(),
            is_file,
            ending,
            names,
            stems: stems(inputs, ending),
            swept: Mutex::default(),
        };
        written.spares(inputs)?;
        let made = match folder.parent().filter(|_| is_file) {
            // A bare name has none.
            Some(above) if above.as_os_str().is_empty() => Ok(()),
            Some(above) => files::make_folder(above),
            None => files::make_folder(folder),
        };
        match made {
            Err(Error::Io { source, .. }) => {
                let out = format!("--out {}", folder.display());
                Err(files::unreadable(out, source))
            }
            made => made.map(|()| written),
        }
    }

    /// Refuses to replace files that this command reads, now or when it is repeated.
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
        // Otherwise a repeated command would read the pages that it wrote before.
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

    /// Writes the page of an input.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write(&self, input: &str, content: &[u8]) -> Result<()> {
        self.write_file(&self.of_page(input), content)
    }

    /// Writes a page that was fetched from a web server.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write_fetched(&self, address: &str, content: &[u8]) -> Result<()> {
        if self.is_file {
            return self.write_file(&self.folder, content);
        }
        let (_, name) = address.split_once("://").unwrap_or(("", address));
        let name = safe_name(name.trim_end_matches('/'));
        let target = self.folder.join(format!("{name}.{}", self.ending));
        self.write_file(&target, content)
    }

    /// Does not sync to the disk, because no later step relies on the file.
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
        if self.is_file {
            return self.folder.clone();
        }
        let stem = self.stems.get(input).map_or(input, String::as_str);
        self.folder.join(format!("{stem}.{}", self.ending))
    }

    /// The folder for the pages of a crawl.
    fn of_crawl(&self, input: &str) -> PathBuf {
        let stem = self.stems.get(input).map_or(input, String::as_str);
        self.folder.join(stem)
    }
}

/// The ending of an output path that names a file; `None` if the path names a folder.
pub fn file_ending(out: &Path) -> Option<&'static str> {
    if out.is_dir() || out.as_os_str().as_encoded_bytes().ends_with(b"/") {
        return None;
    }
    match &*out.extension()?.to_str()?.to_ascii_lowercase() {
        "txt" => Some("txt"),
        "md" => Some("md"),
        "html" | "htm" => Some("html"),
        "json" | "jsonl" => Some("json"),
        "xml" => Some("xml"),
        _ => None,
    }
}

/// The error if an output path is a file, but there are several pages.
pub fn for_several(out: &Path) -> Error {
    let why = "is a file, and this writes several pages; give a folder, or end it with `/`";
    Error::Invalid(format!("--out {} {why}", out.display()))
}

/// The page files of a crawl, and the list of them.
pub struct CrawlFiles<'a> {
    files: &'a Files,
    input: &'a str,
    folder: PathBuf,
    namer: PageNamer,
    list: Option<HashedFile>,
}

impl<'a> CrawlFiles<'a> {
    /// For the pages of an input.
    ///
    /// # Errors
    /// [`Error::Invalid`] if there is only one file. The name of a crawl may not say that it is one.
    pub fn new(files: &'a Files, input: &'a str) -> Result<Self> {
        if files.is_file {
            return Err(for_several(&files.folder));
        }
        Ok(Self {
            files,
            input,
            folder: files.of_crawl(input),
            namer: PageNamer::new(files.names),
            list: None,
        })
    }

    /// Writes the next page.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write(&mut self, facts: &PageFacts, content: &[u8]) -> Result<()> {
        let file = self.name(facts);
        self.files.write_file(&self.folder.join(&file), content)?;
        let list = match &mut self.list {
            Some(list) => list,
            None => self
                .list
                .insert(HashedFile::create(&self.folder.join(PAGE_INDEX))?),
        };
        let written = list.write_all(facts.index_line(&file).as_bytes());
        written.map_err(|e| Error::io(list.target(), e))
    }

    fn name(&mut self, facts: &PageFacts) -> String {
        let name = self.namer.next(self.input, &facts.id, &facts.url);
        format!("{name}.{}", self.files.ending)
    }

    /// Completes the list.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn finish(self) -> Result<()> {
        self.list.map_or(Ok(()), |list| list.commit().map(drop))
    }
}

/// For each input, its name without the ending of a page or crawl (its stem). The whole name is
/// used instead in three cases: another input has the same stem, the pages of a crawl would be
/// among those of another input, or the file of one page would be a folder of others.
///
/// Each round gives at least one more input its whole name. Whole names differ, so the loop ends
/// with unique names. Example: `a.html`, `a.htm` and `a.html.html`. The first round finds `a`
/// twice, so the first two get their whole names. Now `a.html` is the whole name of the first and
/// the stem of the third, so the second round gives the third its whole name.
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
        let files = Files::new(&folder.path().join("out"), ("md", PageNames::Id), &inputs).unwrap();
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
        let files = Files::new(&folder.path().join("out"), ("md", PageNames::Id), &inputs).unwrap();
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
        let files = Files::new(&folder.path().join("out"), ("md", PageNames::Id), &inputs).unwrap();
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
        let error = Files::new(&folder.path().join("file/out"), ("md", PageNames::Id), &[]).err();
        assert!(error.unwrap().to_string().contains("--out"));
    }

    #[test]
    fn pages_of_a_crawl_are_in_a_folder_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let names = ["a/00.warc.gz", "b.warc", "b/c.html", "d.warc", "d.arc"];
        let inputs = names.map(|name| input(folder.path(), name));
        let files = Files::new(&folder.path().join("out"), ("md", PageNames::Id), &inputs).unwrap();
        let of = |name| files.of_crawl(name);
        let made = ["a/00.warc.gz", "b.warc", "d.warc", "d.arc"].map(of);
        let expected = ["a/00", "b.warc", "d.warc", "d.arc"];
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
        let error = Files::new(folder.path(), ("html", PageNames::Id), &inputs)
            .err()
            .unwrap();
        assert!(error.to_string().contains("would replace"), "{error}");
        assert!(Files::new(folder.path(), ("md", PageNames::Id), &inputs).is_ok());
        let file = folder.path().join("a.html");
        assert!(Files::new(&file, ("md", PageNames::Id), &inputs).is_err());
        let out = folder.path().join("out");
        std::fs::create_dir(&out).unwrap();
        std::fs::write(out.join("b.html"), "x").unwrap();
        let inputs = [
            input(folder.path(), "a.html"),
            input(folder.path(), "out/b.html"),
        ];
        let error = Files::new(&out, ("html", PageNames::Id), &inputs)
            .err()
            .unwrap();
        assert!(error.to_string().contains("is below --out"), "{error}");
        assert!(Files::new(&out, ("md", PageNames::Id), &inputs).is_ok());
    }

    #[test]
    fn a_name_that_ends_like_the_form_is_that_of_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let inputs = ["a.html", "b.html", "c.warc"].map(|name| input(folder.path(), name));
        let new = |out: &str, inputs| {
            Files::new(&folder.path().join(out), ("md", PageNames::Url), inputs)
        };
        let one = new("x/one.MD", &inputs[..1]).unwrap();
        assert_eq!(one.of_page("a.html"), folder.path().join("x/one.MD"));
        one.write("a.html", b"a").unwrap();
        assert!(new("x/one.MD", &inputs[..1]).is_ok(), "it is written again");
        for wrong in [&inputs[..2], &inputs[2..]] {
            let error = new("one.md", wrong).err().unwrap().to_string();
            assert!(error.contains("give a folder"), "{error}");
        }
        std::fs::create_dir(folder.path().join("two.md")).unwrap();
        for out in ["two.md", "three.md/", "four.txt"] {
            let made = new(out, &inputs[..1]).unwrap().of_page("a.html");
            assert_eq!(made, folder.path().join(out).join("a.md"), "{out}");
        }
    }
}
