//! The inputs and outputs of a reproduction.

use crate::Result;
use crate::corpora::Corpora;
use crate::page::Page;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;
use warcsieve_look::plot;

/// One run for one paper.
pub struct Job {
    /// The labelled corpora.
    pub corpora: Corpora,
    /// Further arguments.
    pub more: Vec<String>,
    pages: PathBuf,
    scratch: PathBuf,
    start: Instant,
}

impl Job {
    /// Reads from one folder, and writes pages to another and all other files to a third.
    pub fn new(corpora: &str, pages: &str, scratch: &str, more: &[String]) -> Self {
        Self {
            corpora: Corpora::new(corpora),
            more: more.to_vec(),
            pages: pages.into(),
            scratch: scratch.into(),
            start: Instant::now(),
        }
    }

    /// A folder for intermediate models and tables.
    pub fn scratch(&self, name: &str) -> Result<PathBuf> {
        let folder = self.scratch.join(name);
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// Writes the finished page.
    pub fn write(&self, page: &Page) -> Result {
        self.file(page.name, &page.text()?)
    }

    fn file(&self, name: &str, text: &str) -> Result {
        fs::create_dir_all(&self.pages)?;
        fs::write(self.pages.join(name), text)?;
        self.say("done");
        Ok(())
    }

    /// Writes a plot, by its path from the pages.
    pub fn plot(&self, name: &str, svg: &str) -> Result {
        let path = self.pages.join(name);
        fs::create_dir_all(path.parent().unwrap_or(&self.pages))?;
        Ok(fs::write(path, plot::file(svg))?)
    }

    /// Writes a section of an existing page: the text between two marks is replaced.
    pub fn section(&self, name: &str, [start, end]: [&str; 2], text: &str) -> Result {
        let page = fs::read_to_string(self.pages.join(name))?;
        let marks = page.split_once(start).and_then(|(before, rest)| {
            let (_, after) = rest.split_once(end)?;
            Some((before, after))
        });
        let (before, after) =
            marks.ok_or_else(|| format!("{name} has no {} … {}", start.trim(), end.trim()))?;
        self.file(name, &format!("{before}{start}{text}{end}{after}"))
    }

    /// Reports progress.
    pub fn say(&self, what: &str) {
        eprintln!("{:6.1} s  {what}", self.start.elapsed().as_secs_f64());
    }
}
