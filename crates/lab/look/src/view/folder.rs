//! Files of views: one, or a folder with an index.

use super::find::Found;
use super::page::ShownPage;
use crate::document::{document, refuse_foreign, titled};
use crate::{INDEX, VIEW};
use serde::Serialize;
use std::io::ErrorKind;
use std::path::Path;
use warcsieve_common::files::make_folder;
use warcsieve_common::{Error, Result, counted};
use warcsieve_store::write_atomically;

/// The place of a page among others: the file names of its neighbours and of the list.
#[derive(Debug, Default, Serialize)]
struct Place {
    index: Option<&'static str>,
    before: Option<String>,
    after: Option<String>,
    /// From 1.
    number: usize,
    of: usize,
}

#[derive(Serialize)]
struct Shown<'a> {
    page: &'a ShownPage,
    place: Place,
}

/// The initial order of an index, before a user sorts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum IndexOrder {
    /// In the order in which the pages were found.
    Found,
    /// By loss, the greatest first.
    Loss,
}

/// A line of the index.
#[derive(Debug, Serialize)]
struct Line<'a> {
    file: Option<String>,
    id: &'a str,
    url: &'a str,
    title: &'a str,
    page_type: &'a str,
    blocks: usize,
    kept: usize,
    /// The number of words in the cleaned text, and in the gold.
    words: usize,
    gold_words: Option<usize>,
    f1: Option<f64>,
    precision: Option<f64>,
    recall: Option<f64>,
    /// Warnings with their meanings, or the reason why it was skipped.
    faults: Vec<(&'a str, &'a str)>,
}

#[derive(Serialize)]
struct Index<'a> {
    title: &'a str,
    pipeline: &'a str,
    order: IndexOrder,
    lines: Vec<Line<'a>>,
}

/// The result for a page in a folder of views.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundPage {
    /// Its id.
    pub id: String,
    /// Its file; `None` for a skipped one.
    pub file: Option<String>,
}

/// The file name of the `n`th page, from 0. Names are not taken from pages.
pub fn page_file(n: usize) -> String {
    format!("page-{:04}.html", n + 1)
}

fn shown(page: &ShownPage, place: Place) -> String {
    let title = match page.facts.title.as_str() {
        "" => &page.facts.id,
        title => title,
    };
    document(VIEW, &titled(title, COMMAND), &Shown { page, place }, "")
}

/// Writes one view.
///
/// # Errors
/// [`Error::Invalid`] if a file is there that is not of a view; [`Error::Io`].
pub fn write_page(path: &Path, page: &ShownPage) -> Result<()> {
    refuse_foreign(path, COMMAND)?;
    write_atomically(path, shown(page, Place::default()).as_bytes())
}

/// Writes one view per page, and `index.html`, into a folder, which is created if necessary. Views of an earlier call
/// that are not written again are removed. While there is no index, the folder is not complete.
///
/// # Errors
/// [`Error::Invalid`] if a file to write is there that is not of a view; [`Error::Io`].
pub fn write_folder(
    folder: &Path,
    title: &str,
    pipeline: &str,
    order: IndexOrder,
    found: &[Found],
) -> Result<Vec<FoundPage>> {
    make_folder(folder)?;
    let is_page = |found: &&Found| matches!(found, Found::Page(_));
    let of = found.iter().filter(is_page).count();
    let index = folder.join("index.html");
    let pages = (0..of).map(|n| folder.join(page_file(n)));
    for file in std::iter::once(index.clone()).chain(pages) {
        refuse_foreign(&file, COMMAND)?;
    }
    remove(&index)?;
    let (mut lines, mut files, mut n) = (Vec::new(), Vec::new(), 0);
    for found in found {
        match found {
            Found::Page(page) => {
                let place = Place {
                    index: Some("index.html"),
                    before: (n > 0).then(|| page_file(n - 1)),
                    after: (n + 1 < of).then(|| page_file(n + 1)),
                    number: n + 1,
                    of,
                };
                let file = page_file(n);
                write_atomically(&folder.join(&file), shown(page, place).as_bytes())?;
                lines.push(line(page, file.clone()));
                files.push(FoundPage {
                    id: page.facts.id.clone(),
                    file: Some(file),
                });
                n += 1;
            }
            Found::Skipped { id, place, why } => {
                lines.push(skipped(id, place, why));
                files.push(FoundPage {
                    id: id.clone(),
                    file: None,
                });
            }
        }
    }
    remove_views_from(folder, n)?;
    let index = Index {
        title,
        pipeline,
        order,
        lines,
    };
    let name = titled(&counted(of, "page", "pages"), COMMAND);
    let index = document(INDEX, &name, &index, "");
    write_atomically(&folder.join("index.html"), index.as_bytes())?;
    Ok(files)
}

/// The command that writes views.
const COMMAND: &str = "view";

fn remove(file: &Path) -> Result<()> {
    match std::fs::remove_file(file) {
        Err(e) if e.kind() != ErrorKind::NotFound => Err(Error::io(file, e)),
        _ => Ok(()),
    }
}

/// Removes the views of an earlier call from the `n`th on.
fn remove_views_from(folder: &Path, n: usize) -> Result<()> {
    for entry in std::fs::read_dir(folder).map_err(|e| Error::io(folder, e))? {
        let name = entry.map_err(|e| Error::io(folder, e))?.file_name();
        let number = name
            .to_str()
            .and_then(|name| name.strip_prefix("page-")?.strip_suffix(".html"));
        let number = number.and_then(|number| number.parse::<usize>().ok());
        if number.is_some_and(|number| number > n && *name == *page_file(number - 1)) {
            remove(&folder.join(name))?;
        }
    }
    Ok(())
}

fn line(page: &ShownPage, file: String) -> Line<'_> {
    let measures = page.against_gold();
    Line {
        file: Some(file),
        id: &page.facts.id,
        url: &page.facts.url,
        title: &page.facts.title,
        page_type: &page.facts.page_type,
        blocks: page.blocks.count(),
        kept: page.pipeline.kept,
        words: page.blocks.kept_words(),
        gold_words: measures.map(|m| m.words),
        f1: measures.map(|m| m.f1),
        precision: measures.map(|m| m.precision),
        recall: measures.map(|m| m.recall),
        faults: page.facts.warnings.clone(),
    }
}

fn skipped<'a>(id: &'a str, place: &'a str, why: &'a str) -> Line<'a> {
    Line {
        file: None,
        id,
        url: place,
        title: "",
        page_type: "",
        blocks: 0,
        kept: 0,
        words: 0,
        gold_words: None,
        f1: None,
        precision: None,
        recall: None,
        faults: vec![(why, "")],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_of_an_earlier_call_are_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let all = ["page-0001.html", "page-0002.html", "page-10000.html"];
        let others = ["page-2.html", "page-0002.txt", "notes.html"];
        for name in all.iter().chain(&others) {
            std::fs::write(folder.path().join(name), "old").unwrap();
        }
        write_folder(folder.path(), "t", "p", IndexOrder::Found, &[]).unwrap();
        let there = |name: &&str| folder.path().join(name).exists();
        assert!(!all.iter().any(&there));
        assert!(others.iter().all(&there) && there(&"index.html"));
        let again = || write_folder(folder.path(), "t", "p", IndexOrder::Found, &[]);
        assert!(again().is_ok());
        let index = folder.path().join("index.html");
        std::fs::write(&index, "<title>My pages</title>").unwrap();
        assert!(
            again()
                .unwrap_err()
                .to_string()
                .contains("no view wrote it")
        );
        assert_eq!(std::fs::read(&index).unwrap(), b"<title>My pages</title>");
    }
}
