//! Trains a classifier that distinguishes articles from lists (Nguyen-Hoang et al. 2018, §4.2).

use super::linear_svm::{LinearSvm, Params};
use super::selected_pages::SelectedPages;
use super::{CrossValidation, Dataset, Folds, Sorted, cross_validate};
use warcsieve_common::{Error, Result};
use warcsieve_engine::Input;
use warcsieve_eval::pages::{Gold, Place, View, walk};
use warcsieve_extract::Pipeline;
use warcsieve_features::elements::class_hashes;
use warcsieve_features::genre::{COUNT, GENRE, GenreFeatures, transformed};
use warcsieve_features::page_layout;
use warcsieve_model::LinearModel;
use warcsieve_papers::goce::{CLASSES, Genre};
use warcsieve_papers::picture::{Size, scaled};

/// Pages with their features and gold genres.
pub struct GenrePages {
    /// One row per page, in the order of the gold. Articles, collections and listings have weight
    /// 1, pages of other types 0: these are classified, but not used for training.
    pub dataset: Dataset,
    /// The pages.
    pub pages: Vec<Place>,
    /// The scaled picture of each page; empty unless requested.
    pub pictures: Vec<Option<Vec<u8>>>,
    /// What could not be used, one line each: missing or skipped pages, and damaged inputs.
    pub faults: Vec<String>,
}

impl GenrePages {
    /// Reads the pages of a gold set with page types, with the settings of `pipeline`. If it requests layouts, the
    /// features of the pages' layouts are also used.
    ///
    /// # Errors
    /// An input cannot be read, or the training pages are not of both genres.
    pub fn collect(inputs: &[Input], gold: &Gold, pipeline: &Pipeline) -> Result<Self> {
        Self::of(inputs, gold, pipeline, None)
    }

    /// Like [`collect`](Self::collect), with the pages' pictures, scaled to this size. The pipeline must request them.
    ///
    /// Memory: 3 bytes per point of a scaled picture.
    ///
    /// # Errors
    /// Those of [`collect`](Self::collect), or the pipeline makes no pictures.
    pub fn collect_pictures(
        inputs: &[Input],
        gold: &Gold,
        pipeline: &Pipeline,
        size: Size,
    ) -> Result<Self> {
        if !pipeline.settings.screenshots {
            return Err(Error::Invalid(format!(
                "{}: it makes no pictures of pages; set screenshots = true",
                pipeline.name
            )));
        }
        Self::of(inputs, gold, pipeline, Some(size))
    }

    fn of(inputs: &[Input], gold: &Gold, pipeline: &Pipeline, size: Option<Size>) -> Result<Self> {
        let Gold::Texts(set) = gold else {
            let why = "annotated pages have no page types; genres need gold texts that have them";
            return Err(Error::Invalid(why.to_owned()));
        };
        let is_laid_out = !pipeline.settings.layout.is_none();
        type Buffers = (GenreFeatures, Vec<u64>);
        let walk = walk(
            inputs,
            gold,
            &[View::new(pipeline, gold)],
            Buffers::default,
            |(features, classes), _, page| {
                class_hashes(page.doc, classes);
                let counts = features.compute(page.doc, classes);
                let mut values = transformed(&counts).to_vec();
                if is_laid_out {
                    values.extend(page_layout::numbers(page.doc));
                }
                let layout = page.doc.layout.as_deref();
                let picture = layout.and_then(|layout| layout.screenshot.as_deref());
                let picture = size.zip(picture).and_then(|(size, p)| scaled(p, size));
                (values, picture)
            },
        )?;
        let selected = SelectedPages::new(gold, walk);
        let more = if is_laid_out {
            &page_layout::NUMBERS[..]
        } else {
            &[]
        };
        let names = GENRE.iter().chain(more).map(|f| f.name.to_owned());
        let mut found = Self {
            faults: selected.faults,
            pages: Vec::new(),
            pictures: Vec::new(),
            dataset: Dataset {
                names: names.collect(),
                columns: vec![Vec::new(); COUNT + more.len()],
                classes: CLASSES.map(str::to_owned).to_vec(),
                ..Dataset::default()
            },
        };
        for page in selected.pages {
            let page_type = &set.pages[page.key].page_type;
            let (values, picture) = page.result;
            found.add(&values, page_type, page.group, page.place);
            found.pictures.extend(size.map(|_| picture));
        }
        match found.learned_from() {
            [0, _] | [_, 0] => Err(Error::Invalid(
                "there is nothing to distinguish: the gold's page_type has to call some pages \
                 article and others collection or listing"
                    .to_owned(),
            )),
            _ => Ok(found),
        }
    }

    fn add(&mut self, values: &[f64], page_type: &str, group: u32, place: Place) {
        let genre = Genre::of_type(page_type);
        let known = genre == Genre::ListView || page_type == "article";
        let values: Vec<f32> = values.iter().map(|value| *value as f32).collect();
        self.dataset
            .append(&values, &[genre as u8], &[u32::from(known)], group);
        self.pages.push(place);
    }

    /// Number of training pages of each genre.
    pub fn learned_from(&self) -> [usize; 2] {
        let mut pages = [0; 2];
        let rows = self.dataset.labels.iter().zip(&self.dataset.weights);
        rows.filter(|row| *row.1 > 0)
            .for_each(|(label, _)| pages[usize::from(*label)] += 1);
        pages
    }

    /// Trains a linear SVM, cross-validated in this many folds of whole registered domains (at
    /// least 2): each page is classified by the model trained without its fold. There is no
    /// validation if the pages outside a fold are all of one genre.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the pages do not form a valid data set.
    pub fn train(
        &self,
        folds: usize,
        seed: u64,
    ) -> Result<(LinearModel, Option<CrossValidation<LinearSvm>>)> {
        let sorted = Sorted::new(&self.dataset)?;
        let columns: Vec<usize> = (0..self.dataset.columns.len()).collect();
        let learner = Params {
            seed,
            ..Params::default()
        };
        let folds = Folds::grouped(&self.dataset, folds.max(2));
        let validation = cross_validate(&sorted, &columns, &learner, &folds);
        let model = validation.model.model(&self.dataset);
        let model = model.ok_or_else(|| Error::Invalid("no model was learned".to_owned()))?;
        let both = (0..folds.count).all(|fold| {
            let others = sorted.sample(&columns, |row| folds.of_row[row] != fold);
            others.class_weights().iter().all(|weight| *weight > 0)
        });
        Ok((model, both.then_some(validation)))
    }
}
