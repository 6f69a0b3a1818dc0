//! Gold: what of each page is content, as text.
//!
//! A gold file is JSON Lines, plain or gzip (any number of members). A line is
//! an object for a page; fields that are not named here are ignored:
//!
//! | field | |
//! |---|---|
//! | `id` | the page's id, as output tables have it; required, each once |
//! | `main_content`, `gold` or `text` | the content; the first of them that is there counts; `""` where a page has none |
//! | `comments` | comments of readers, apart; for [`Variant::Both`] |
//! | `gold_main` | a narrower notion of content; for [`Variant::Main`] |
//! | `page_type` | a name such as `article`; figures are given for each |
//! | `url` | groups pages by registered domain |
//!
//! Lines of white space are skipped, and so is a byte order mark.

mod line;
mod markup;
mod reader;
#[cfg(test)]
mod tests;

pub use markup::Markup;
pub use reader::{read, read_from};

use std::collections::HashMap;

/// The gold of one page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoldPage {
    /// The page's id.
    pub id: String,
    /// Line of the gold file, from 1.
    pub line: usize,
    /// The content, markers of CleanEval removed.
    pub text: String,
    /// The kind of page; empty if the gold does not say.
    pub page_type: String,
    /// The page's address, if the gold says.
    pub url: Option<String>,
}

/// A gold file as read.
///
/// Memory: the chosen texts, and about 200 bytes a page.
#[derive(Clone, Debug)]
pub struct GoldSet {
    /// The pages in the order of the file; at least one.
    pub pages: Vec<GoldPage>,
    /// How the texts were read: never [`Markup::Auto`].
    pub markup: Markup,
    by_id: HashMap<String, usize>,
}

impl GoldSet {
    /// Adds the pages of another gold file, which come after those of this one.
    ///
    /// # Errors
    /// The first id that is in both.
    pub fn append(&mut self, other: Self) -> Result<(), String> {
        for page in other.pages {
            if self.by_id.contains_key(&page.id) {
                return Err(format!(
                    "page {} is in two gold files; keep one of them",
                    page.id
                ));
            }
            self.by_id.insert(page.id.clone(), self.pages.len());
            self.pages.push(page);
        }
        Ok(())
    }

    /// Place in [`GoldSet::pages`] of the page with that id.
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
    /// The content, a line end, and `comments`.
    Both,
}

/// How a gold file is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GoldOptions {
    /// Which text counts.
    pub variant: Variant,
    /// Whether the texts have CleanEval's markers.
    pub markup: Markup,
}
