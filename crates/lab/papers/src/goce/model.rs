//! Models that predict a page's genre: from its markup, its layout, or its picture.

use super::genre::{CLASSES, Genre};
use crate::picture::scaled;
use warcsieve_classify::Sees;
use warcsieve_common::with_defaults;
use warcsieve_features::elements::class_hashes;
use warcsieve_features::genre::{GENRE, GenreFeature, GenreFeatures, transformed};
use warcsieve_features::page_layout::{NUMBERS, numbers};
use warcsieve_html::document::Document;
use warcsieve_model::{LinearModel, PictureNetwork};

/// A model of two genres.
#[derive(Clone, Debug)]
pub enum GenreModel {
    /// A linear SVM on counts of the markup.
    Markup(LinearModel),
    /// The same, also with features of the layout.
    Layout(LinearModel),
    /// A network on the picture.
    Picture(PictureNetwork),
}

/// Largest model file in bytes.
pub const MAX_BYTES: u64 = PictureNetwork::MAX_BYTES;

/// The names of features.
fn names<'f>(features: impl Iterator<Item = &'f GenreFeature>) -> Vec<&'f str> {
    features.map(|f| f.name).collect()
}

impl GenreModel {
    /// Reads a model file: a network if it is a safetensors file, else a text.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        // Eight bytes of length, then JSON.
        if bytes.get(8) == Some(&b'{') && bytes.get(7) == Some(&0) {
            let network = PictureNetwork::from_bytes(bytes)?;
            network.expect(&CLASSES)?;
            return Ok(Self::Picture(network));
        }
        let model = LinearModel::from_bytes(bytes)?;
        let (markup, both) = (names(GENRE.iter()), names(GENRE.iter().chain(&NUMBERS)));
        match model.features.len() == both.len() {
            true => {
                model.expect(&both, &CLASSES)?;
                Ok(Self::Layout(model))
            }
            false => {
                model.expect(&markup, &CLASSES)?;
                Ok(Self::Markup(model))
            }
        }
    }

    /// What it must see of a page.
    pub fn sees(&self) -> Sees {
        match self {
            Self::Markup(_) => Sees::Markup,
            Self::Layout(_) => Sees::Layout,
            Self::Picture(_) => Sees::Picture,
        }
    }
}

with_defaults! {
    /// The predicted genre of a page, and the reason.
    #[derive(Clone, Debug)]
    pub struct GenrePrediction {
        pub genre: Genre = Genre::Article,
        /// The model's inputs; empty if these are points of a picture.
        pub counts: Vec<f64> = Vec::new(),
        /// Above 0 for a list view; `None` if the page has no layout, or no picture.
        pub margin: Option<f64> = None,
    }
}

impl GenrePrediction {
    /// Predicts the genre of a page, whose classes are hashed into `classes`. If the page lacks the layout or picture
    /// that the model needs, it is an article.
    pub fn of(
        model: &GenreModel,
        doc: &Document,
        features: &mut GenreFeatures,
        classes: &mut Vec<u64>,
    ) -> Self {
        class_hashes(doc, classes);
        let (counts, margin) = match model {
            GenreModel::Markup(model) => {
                let counts = transformed(&features.compute(doc, classes)).to_vec();
                let margin = model.margin(&counts);
                (counts, Some(margin))
            }
            GenreModel::Layout(model) => {
                let mut counts = transformed(&features.compute(doc, classes)).to_vec();
                counts.extend(numbers(doc));
                let margin = doc.boxes().map(|_| model.margin(&counts));
                (counts, margin)
            }
            GenreModel::Picture(network) => {
                let picture = doc.layout.as_deref().and_then(|l| l.screenshot.as_deref());
                let picture = picture.and_then(|picture| scaled(picture, network.size));
                let margin = picture.map(|picture| f64::from(network.log_odds(&picture)));
                (Vec::new(), margin)
            }
        };
        let is_list = margin.is_some_and(|margin| margin > 0.0);
        Self {
            genre: if is_list {
                Genre::ListView
            } else {
                Genre::Article
            },
            counts,
            margin,
        }
    }

    /// The reason in words.
    pub fn why(&self, model: &GenreModel) -> String {
        let genre = CLASSES[self.genre as usize];
        let Some(margin) = self.margin else {
            let what = match model.sees() {
                Sees::Picture => "picture",
                Sees::Layout | Sees::Markup => "layout",
            };
            return format!("{genre}, as there is no {what}; ");
        };
        let margin = format!("{genre}, margin {margin:.3}");
        let counts: Vec<_> = (GENRE.iter().zip(&self.counts))
            .map(|(f, n)| format!("{} {}", f.name, n.exp_m1().round()))
            .chain(
                (NUMBERS.iter().zip(self.counts.iter().skip(GENRE.len())))
                    .map(|(f, n)| format!("{} {n:.3}", f.name)),
            )
            .collect();
        match counts.is_empty() {
            true => format!("{margin} of the picture; "),
            false => format!("{margin} of {}; ", counts.join(", ")),
        }
    }
}
