//! Genre-oriented content extraction (GOCE): what is content depends on whether the page is an
//! article or a list.
//!
//! Nguyen-Hoang et al.: Genre-Oriented Web Content Extraction with Deep Convolutional Neural
//! Networks and Statistical Methods, 2018. `goce-article` is the article algorithm
//! (§3.3.2, Algorithm 1), `goce-list` the list-view algorithm (§3.3.3, Algorithm 2), and `goce`
//! selects one of them by the page's genre (§3.1), which a linear SVM predicts from eleven features
//! (§4.2). A block is content if at least half of its characters are in chosen elements.
//!
//! Time is that of sorting the elements, without recursion. Memory: about 60 bytes per element,
//! reused for the next page.
//!
//! # Deviations
//! * Lengths in the article algorithm are in words, and their deviation is the population standard deviation. The words
//!   of an element are those of the blocks that are entirely inside it, so the search ends above inline elements.
//! * The algorithm descends into an only child only if it has words. Otherwise a paragraph with an empty link at its
//!   end would be empty.
//! * In the list-view algorithm, L counts the blocks that are entirely inside an element; with text nodes the mean word
//!   F1 on WCXB's development set would be .018 lower. All elements are visited, as §3.3.3 says; Algorithm 2 as printed
//!   stops at the root's children. Of equal classes, the first on the page wins. The paper does not say what L counts;
//!   here it is words. With `classless = false`, elements without a class are left out, and if no element with text has
//!   a class, the whole page is content.
//! * Of the paper's genre classifiers, the SVM ships. Models on the page's layout and a small network on its picture
//!   can be trained (`train genre`, `train genre-pictures`). The paper's networks use pretrained weights, and are only
//!   measured.

mod article;
mod genre;
mod list;
mod model;
#[cfg(test)]
mod tests;

pub use genre::{CLASSES, Genre};

use crate::chosen::{self, Reasons};
use article::Article;
use list::{Length, ListView, Reading};
use model::{GenreModel, GenrePrediction};
use serde::Deserialize;
use std::num::NonZeroU32;
use std::sync::Arc;
use toml::Spanned;
use warcsieve_classify::params::{ParamError, StepParams};
use warcsieve_classify::{Classifier, Label, Method, Names, Needs, Scores, Sees, shipped};
use warcsieve_features::elements::class_hashes;
use warcsieve_features::genre::GenreFeatures;
use warcsieve_html::document::Document;
use warcsieve_html::{ElementId, Segmentation};

/// The method as pipeline files and the command line know it.
pub const BY_GENRE: Method = Method {
    name: "goce",
    summary: "predicts whether the page is an article or a list, then uses the algorithm of that genre",
    family: "Nguyen-Hoang et al. 2018: extraction by genre",
    paper: "Nguyen-Hoang et al. 2018, §3.1, §4.2 (GOCE with the SVM)",
    segmentation: Segmentation::Inline,
    follows: false,
    required: "",
    scores: Scores::Half,
    needs: Needs::Attributes,
    cost: 1,
    pipelines: &[shipped!(
        "goce",
        "It first predicts from eleven counts of the page whether it is an article or a list view. Then it uses one of the two algorithms below. The model that ships was trained on the \
        articles and listings of wcxb-dev, so its figure there is a little too good. [Genre](reproduction/genre.md) has figures of models that had not seen the page."
    )],
    build: by_genre,
};

/// The method as pipeline files and the command line know it.
pub const ARTICLE: Method = Method {
    name: "goce-article",
    summary: "descends to the element whose children have similar amounts of text",
    family: "Nguyen-Hoang et al. 2018: extraction by genre",
    paper: "Nguyen-Hoang et al. 2018, §3.3.2, Algorithm 1 (article extractor)",
    segmentation: Segmentation::Inline,
    follows: false,
    required: "",
    scores: Scores::Half,
    needs: Needs::Attributes,
    cost: 1,
    pipelines: &[shipped!(
        "goce-article",
        "It descends to the element whose children have similar amounts of text, and keeps this one element, often without the headline. It works well on short and wide pages. \
        On pages with long comments or teasers it loses the article."
    )],
    build: article,
};

/// The method as pipeline files and the command line know it.
pub const LIST: Method = Method {
    name: "goce-list",
    summary: "all elements of the class and depth that has much text and many elements",
    family: "Nguyen-Hoang et al. 2018: extraction by genre",
    paper: "Nguyen-Hoang et al. 2018, §3.3.3, Algorithm 2 (list-view extractor)",
    segmentation: Segmentation::Inline,
    follows: false,
    required: "",
    scores: Scores::Half,
    needs: Needs::Attributes,
    cost: 1,
    pipelines: &[shipped!(
        "goce-list",
        "It keeps all elements of one class at one depth. It is the only method here that looks for repeated items. It is better than `goce-article` on listings and forums, but other methods are better there."
    )],
    build: list,
};

/// The built-in model.
const GENRE_MODEL: &str = "genre";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoParams {}

/// Those of a [`Reading`], and the model.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ByGenreParams {
    candidates: NonZeroU32,
    classless: bool,
    length: Length,
    /// The genre model: a file, or the name of one that ships.
    model: Spanned<String>,
}

impl Default for ByGenreParams {
    fn default() -> Self {
        let Reading {
            candidates,
            classless,
            length,
        } = Reading::default();
        Self {
            candidates,
            classless,
            length,
            model: Spanned::new(0..0, GENRE_MODEL.to_owned()),
        }
    }
}

type Built = Result<Box<dyn Classifier>, ParamError>;

/// `goce-article`.
pub(super) fn article(params: StepParams<'_>, names: &mut Names) -> Built {
    let NoParams {} = params.read()?;
    let unused = Reading::default();
    Ok(Box::new(Goce::new(Genres::Article, unused, names)))
}

/// `goce-list`.
pub(super) fn list(params: StepParams<'_>, names: &mut Names) -> Built {
    let reading: Reading = params.read()?;
    Ok(Box::new(Goce::new(Genres::List, reading, names)))
}

/// `goce`.
pub(super) fn by_genre(params: StepParams<'_>, names: &mut Names) -> Built {
    let (params, files): (ByGenreParams, _) = params.read_with_files()?;
    let model = files.load(&params.model, model::MAX_BYTES, GenreModel::from_bytes)?;
    let genres = Genres::Model(model);
    let reading = Reading {
        candidates: params.candidates,
        classless: params.classless,
        length: params.length,
    };
    Ok(Box::new(Goce::new(genres, reading, names)))
}

/// The way in which the genre is determined.
enum Genres {
    Article,
    List,
    Model(Arc<GenreModel>),
}

struct Goce {
    genres: Genres,
    reading: Reading,
    in_element: Reasons,
    in_class: Reasons,
    without_class: Reasons,
    classes: Vec<u64>,
    features: GenreFeatures,
    /// The genre of the page that was classified last.
    prediction: GenrePrediction,
    article: Article,
    list: ListView,
}

impl Goce {
    fn new(genres: Genres, reading: Reading, names: &mut Names) -> Self {
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
            reading,
            classes: Vec::new(),
            features: GenreFeatures::default(),
            prediction: GenrePrediction::default(),
            article: Article::default(),
            list: ListView::default(),
        }
    }

    /// Determines the page's genre. Hashes the classes only if they are needed.
    fn predict(&mut self, doc: &Document) -> GenrePrediction {
        match &self.genres {
            Genres::Article => GenrePrediction::default(),
            Genres::List => {
                class_hashes(doc, &mut self.classes);
                GenrePrediction {
                    genre: Genre::ListView,
                    ..GenrePrediction::default()
                }
            }
            Genres::Model(model) => {
                GenrePrediction::of(model, doc, &mut self.features, &mut self.classes)
            }
        }
    }

    /// Explains why the page has its genre.
    fn why(&self) -> String {
        match &self.genres {
            Genres::Model(model) => self.prediction.why(model),
            Genres::Article | Genres::List => String::new(),
        }
    }
}

impl Classifier for Goce {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        self.prediction = self.predict(doc);
        match self.prediction.genre {
            Genre::Article => {
                self.article.choose(doc);
                let inside = |element: ElementId| self.article.is_inside(element);
                chosen::label(doc, labels, inside, self.in_element);
            }
            Genre::ListView => {
                self.list.choose(doc, &self.classes, self.reading);
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
        let chosen = match self.prediction.genre {
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

    fn sees(&self) -> Sees {
        match &self.genres {
            Genres::Model(model) => model.sees(),
            Genres::Article | Genres::List => Sees::Markup,
        }
    }
}
