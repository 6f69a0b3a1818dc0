//! Genre-oriented content extraction (GOCE): what is content depends on whether the page is an
//! article or a list.
//!
//! Nguyen-Hoang et al.: Genre-Oriented Web Content Extraction with Deep Convolutional Neural
//! Networks and Statistical Methods, 2018. `goce-article` is the article algorithm
//! (§3.3.2, Algorithm 1), `goce-list` the list-view algorithm (§3.3.3, Algorithm 2), and `goce`
//! takes one of them by the page's genre (§3.1), which a linear SVM tells from eleven features
//! (§4.2). A block is content where at least half of its characters are in chosen elements.
//!
//! Time is that of sorting the elements, without recursion. Memory: about 60 bytes an element,
//! kept for the next page.
//!
//! # Deviations
//! * Lengths in the article algorithm are words, their deviation is that of the population. An
//!   element's words are those of the blocks that it holds whole, so the search ends above inline
//!   elements.
//! * An only child is descended into only if it has words: else a paragraph with an empty link at its
//!   end would be empty.
//! * In the list-view algorithm elements without a class are left out. L is in characters, again of the
//!   blocks that elements hold whole; by text nodes the mean word F1 on WCXB's development
//!   set would be .018 less. All elements are visited, as §3.3.3 says; Algorithm 2 as printed stops at the
//!   root's children. Of equal classes the one that the page has first wins. A page of
//!   which no element with text has a class is all content.
//! * Of the paper's genre classifiers the SVM, not the networks that look at a rendered page.

mod article;
mod list;
#[cfg(test)]
mod tests;

use super::chosen::{self, Reasons};
use super::{Classifier, Label, Names};
use crate::config::{ParamError, StepParams};
use crate::document::Document;
use crate::features::elements::class_hashes;
use crate::features::genre::{GENRE, GenreFeatures, transformed};
use crate::html::ElementId;
use crate::model::LinearModel;
use article::Article;
use list::ListView;
use serde::Deserialize;
use std::num::NonZeroU32;
use std::sync::Arc;
use toml::Spanned;

/// The built-in model.
const GENRE_MODEL: &str = "genre";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoParams {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ListParams {
    /// How many classes of greatest R are looked at; the paper's n (§3.3.3).
    candidates: NonZeroU32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Params {
    candidates: NonZeroU32,
    /// The genre model: a file, or the name of one that ships.
    model: Spanned<String>,
}

const CANDIDATES: NonZeroU32 = NonZeroU32::new(15).expect("15 is not 0");

impl Default for ListParams {
    fn default() -> Self {
        Self {
            candidates: CANDIDATES,
        }
    }
}

impl Default for Params {
    fn default() -> Self {
        Self {
            candidates: CANDIDATES,
            model: Spanned::new(0..0, GENRE_MODEL.to_owned()),
        }
    }
}

type Built = Result<Box<dyn Classifier>, ParamError>;

/// `goce-article`.
pub(super) fn article(params: StepParams<'_>, names: &mut Names) -> Built {
    let NoParams {} = params.read()?;
    Ok(Box::new(Goce::new(Genres::Article, CANDIDATES, names)))
}

/// `goce-list`.
pub(super) fn list(params: StepParams<'_>, names: &mut Names) -> Built {
    let params: ListParams = params.read()?;
    Ok(Box::new(Goce::new(Genres::List, params.candidates, names)))
}

/// `goce`.
pub(super) fn by_genre(params: StepParams<'_>, names: &mut Names) -> Built {
    let (params, files): (Params, _) = params.read_with_files()?;
    let model = files.load(&params.model, LinearModel::MAX_BYTES, |bytes| {
        let model = LinearModel::from_bytes(bytes)?;
        model.expect(&GENRE.map(|f| f.name), &CLASSES)?;
        Ok(model)
    })?;
    let genres = Genres::Model(model);
    Ok(Box::new(Goce::new(genres, params.candidates, names)))
}

/// The classes of a genre model, by [`Genre`].
pub const CLASSES: [&str; 2] = ["article", "list_view"];

/// What kind of page it is (§1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Genre {
    /// The content is in one place.
    Article,
    /// The content is spread over many elements.
    ListView,
}

impl Genre {
    /// The genre of a page that gold says is of this type: `collection` and `listing` are list
    /// views, every other page is taken for an article.
    pub fn of_type(page_type: &str) -> Self {
        match page_type {
            "collection" | "listing" => Self::ListView,
            _ => Self::Article,
        }
    }
}

/// Where the genre comes from.
enum Genres {
    Article,
    List,
    Model(Arc<LinearModel>),
}

struct Goce {
    genres: Genres,
    candidates: usize,
    in_element: Reasons,
    in_class: Reasons,
    without_class: Reasons,
    classes: Vec<u64>,
    features: GenreFeatures,
    /// Of the page classified last.
    counts: [u32; GENRE.len()],
    genre: Genre,
    article: Article,
    list: ListView,
}

impl Goce {
    fn new(genres: Genres, candidates: NonZeroU32, names: &mut Names) -> Self {
        let mut reasons = |content, boilerplate| Reasons {
            content: names.reason(content),
            boilerplate: names.reason(boilerplate),
        };
        Self {
            in_element: reasons("in the article's element", "not in the article's element"),
            in_class: reasons(
                "in an element of the list's class",
                "in no element of the list's class",
            ),
            without_class: reasons(
                "list page on which no element with text has a class",
                "in no element of the list's class",
            ),
            genres,
            candidates: candidates.get() as usize,
            classes: Vec::new(),
            features: GenreFeatures::default(),
            counts: [0; GENRE.len()],
            genre: Genre::Article,
            article: Article::default(),
            list: ListView::default(),
        }
    }

    /// The page's genre. Classes are hashed where somebody asks for them.
    fn genre(&mut self, doc: &Document) -> Genre {
        match &self.genres {
            Genres::Article => Genre::Article,
            Genres::List => {
                class_hashes(doc, &mut self.classes);
                Genre::ListView
            }
            Genres::Model(model) => {
                class_hashes(doc, &mut self.classes);
                self.counts = self.features.compute(doc, &self.classes);
                if model.margin(&transformed(&self.counts)) > 0.0 {
                    Genre::ListView
                } else {
                    Genre::Article
                }
            }
        }
    }

    /// Why the page has its genre.
    fn why(&self) -> String {
        let Genres::Model(model) = &self.genres else {
            return String::new();
        };
        let counts = GENRE.iter().zip(self.counts);
        let counts: Vec<_> = counts.map(|(f, n)| format!("{} {n}", f.name)).collect();
        let margin = model.margin(&transformed(&self.counts));
        let genre = CLASSES[self.genre as usize];
        format!("{genre}, margin {margin:.3} of {}; ", counts.join(", "))
    }
}

impl Classifier for Goce {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        self.genre = self.genre(doc);
        match self.genre {
            Genre::Article => {
                self.article.choose(doc);
                let inside = |element: ElementId| self.article.is_inside(element);
                chosen::label(doc, labels, inside, self.in_element);
            }
            Genre::ListView => {
                self.list.choose(doc, &self.classes, self.candidates);
                let inside = |element: ElementId| self.list.is_inside(element);
                let reasons = match self.list.chosen {
                    Some(_) => self.in_class,
                    None => self.without_class,
                };
                chosen::label(doc, labels, inside, reasons);
            }
        }
    }

    fn explain(&self, doc: &Document, _: &[Label], _: usize) -> String {
        let chosen = match self.genre {
            Genre::Article => self.article.describe(doc),
            Genre::ListView => self.list.describe(doc),
        };
        let name = match self.genres {
            Genres::Article => "goce-article",
            Genres::List => "goce-list",
            Genres::Model(_) => "goce",
        };
        format!("{name}: {}chosen: {chosen}", self.why())
    }
}
