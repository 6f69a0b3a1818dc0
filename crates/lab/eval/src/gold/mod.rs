//! Gold: the content of each page, as text.
//!
//! A gold file is JSON Lines, plain or gzip (any number of members). Each line is an object for one page. Other fields
//! than these are ignored:
//!
//! | field | |
//! |---|---|
//! | `id` | the page's id, as in output tables; required, and unique |
//! | `main_content`, `gold` or `text` | the content; the first one that is present counts; `""` if a page has no
//! content |
//! | `comments` | readers' comments, separately; for [`Variant::Both`] |
//! | `gold_main` | a narrower definition of content; for [`Variant::Main`] |
//! | `page_type` | a name such as `article`; there are figures for each |
//! | `markdown` | the content as Markdown, for the measures of code, formulas and tables |
//! | `url` | groups pages by registered domain |
//!
//! Blank lines and a byte order mark are skipped.

mod line;
mod markup;
mod reader;
#[cfg(test)]
mod tests;

pub use markup::Markup;
pub use reader::{read, read_all, read_from};

use std::collections::HashMap;

/// The gold of one page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoldPage {
    /// The page's id.
    pub id: String,
    /// Its file: an index into [`GoldSet::files`].
    pub file: usize,
    /// Line number in the gold file, from 1.
    pub line: usize,
    /// The content, without CleanEval's markers.
    pub text: String,
    /// The page type; empty if the gold has none.
    pub page_type: String,
    /// The content as Markdown, if the gold has it.
    pub markdown: Option<String>,
    /// The page's URL, if the gold has one.
    pub url: Option<String>,
}

/// Gold files as read.
///
/// Memory: the chosen texts, and about 200 bytes per page.
#[derive(Clone, Debug)]
pub struct GoldSet {
    /// The pages in the order of the files; at least one.
    pub pages: Vec<GoldPage>,
    /// The files, as they were named.
    pub files: Vec<String>,
    /// How the texts were read: never [`Markup::Auto`].
    pub markup: Markup,
    by_id: HashMap<String, usize>,
}

impl GoldSet {
    /// Keeps only the pages that `is_kept` selects, in their order.
    pub fn retain(&mut self, is_kept: impl FnMut(&GoldPage) -> bool) {
        self.pages.retain(is_kept);
        let pages = self.pages.iter().enumerate();
        self.by_id = pages.map(|(at, page)| (page.id.clone(), at)).collect();
    }

    /// Adds the pages of another gold file, which come after those of this one.
    ///
    /// # Errors
    /// The first id that is in both sets.
    pub fn append(&mut self, other: Self) -> Result<(), String> {
        let before = self.files.len();
        self.files.extend(other.files);
        for mut page in other.pages {
            page.file += before;
            if let Some(first) = self.find(&page.id) {
                let first = &self.pages[first];
                return Err(format!(
                    "{}:{}: page {} is in {}:{}, too; keep one of them",
                    self.files[page.file], page.line, page.id, self.files[first.file], first.line
                ));
            }
            self.by_id.insert(page.id.clone(), self.pages.len());
            self.pages.push(page);
        }
        Ok(())
    }

    /// The name of the set of each file: the file name without its folder and the endings `.gold`, `.jsonl` and `.gz`,
    /// or the whole name if another file would have the same. A single file has an empty name.
    pub fn sets(&self) -> Vec<String> {
        if self.files.len() == 1 {
            return vec![String::new()];
        }
        let short = |file: &String| {
            let name = file.rsplit('/').next().unwrap_or(file);
            let endings = [".gz", ".jsonl", ".gold"].iter();
            let short = endings.fold(name, |name, end| name.strip_suffix(end).unwrap_or(name));
            short.to_owned()
        };
        let names: Vec<String> = self.files.iter().map(short).collect();
        let files = self.files.iter().zip(&names);
        let is_only =
            |name: &String| !name.is_empty() && names.iter().filter(|n| *n == name).count() == 1;
        files
            .map(|(file, name)| if is_only(name) { name } else { file }.clone())
            .collect()
    }

    /// Index in [`GoldSet::pages`] of the page with this id.
    pub fn find(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }
}

/// Which text of a gold line is the content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variant {
    /// The content.
    #[default]
    Gold,
    /// `gold_main`.
    Main,
    /// The content, a line feed, and `comments`.
    Both,
}

/// How a gold file is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GoldOptions {
    /// Which text is the content.
    pub variant: Variant,
    /// Whether the texts have CleanEval's markers.
    pub markup: Markup,
}
