//! A pipeline with its extractors, which are built when threads need them and used again.

use crate::html::{Html, Transport};
use crate::page::{Info, PageData};
use std::sync::Mutex;
use warcsieve::{
    Error, Extractor, Output, Pipeline, Skip, SkipReason, load_pipeline, parse_pipeline,
};
use warcsieve_common::panics;

/// Most extractors that are kept for later calls.
const MOST_IDLE: usize = 64;

/// What a pipeline is called whose text is given.
const UNNAMED: &str = "pipeline";

/// Whether a pipeline's name is the text of one: then it has lines.
fn is_text(name: &str) -> bool {
    name.contains('\n')
}

/// The pipeline of this name: a file, a pipeline that ships, or the text of a file.
///
/// # Errors
/// Those of [`load_pipeline`]; the engine that it needs is missing.
pub fn pipeline_named(name: &str) -> Result<Pipeline, Error> {
    let pipeline = match is_text(name) {
        true => parse_pipeline(UNNAMED, name)?,
        false => load_pipeline(name)?,
    };
    pipeline.check_engine()?;
    Ok(pipeline)
}

/// What is made of each page.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// The form of the content.
    pub form: Output,
    /// A whole page, not its content alone.
    pub page: bool,
}

/// What came out of a page.
pub enum Product {
    /// Its content; `None` if it has none.
    Content(Option<String>),
    /// All of it.
    Page(Box<PageData>),
}

/// A pipeline, for any number of threads.
pub struct Engine {
    pub pipeline: Pipeline,
    /// The text of its file, so that processes on other machines can do without the file.
    pub text: Option<String>,
    idle: Mutex<Vec<Worker>>,
}

struct Worker {
    extractor: Extractor,
    decoded: String,
}

/// Buffers above this size are given back.
const LARGE: usize = 4 << 20;

impl Engine {
    /// The pipeline of this name.
    ///
    /// # Errors
    /// Those of [`pipeline_named`].
    pub fn named(name: &str) -> Result<Self, Error> {
        let pipeline = pipeline_named(name)?;
        pipeline.refuse_filters()?;
        let text = match is_text(name) {
            true => Some(name.to_owned()),
            false => std::fs::read_to_string(name).ok(),
        };
        Ok(Self::of(pipeline, text))
    }

    /// The pipeline in the text of a file.
    ///
    /// # Errors
    /// Those of [`parse_pipeline`].
    pub fn of_text(name: &str, text: &str) -> Result<Self, Error> {
        let pipeline = parse_pipeline(name, text)?;
        pipeline.check_engine()?;
        pipeline.refuse_filters()?;
        Ok(Self::of(pipeline, Some(text.to_owned())))
    }

    fn of(pipeline: Pipeline, text: Option<String>) -> Self {
        Self {
            pipeline,
            text,
            idle: Mutex::default(),
        }
    }

    /// Processes a page; takes no lock of Python's. A panic is a skip.
    pub fn run(&self, html: &Html, with: Transport<'_>, wanted: Wanted) -> Result<Product, Skip> {
        // A lock that another thread held when the process was forked is never free again.
        let idle = self.idle.try_lock().ok().and_then(|mut idle| idle.pop());
        let mut worker = idle.unwrap_or_else(|| Worker {
            extractor: Extractor::new(&self.pipeline),
            decoded: String::new(),
        });
        let limit = self.pipeline.settings.max_page_bytes;
        let done = panics::catch(|| worker.run(html, with, wanted, limit));
        match done {
            Ok(done) => {
                self.keep(worker);
                done
            }
            Err(message) => Err(Skip {
                reason: SkipReason::Panicked,
                detail: format!("processing panicked: {message}; please report this page"),
            }),
        }
    }

    fn keep(&self, mut worker: Worker) {
        if worker.decoded.capacity() > LARGE {
            worker.decoded = String::new();
        }
        if let Ok(mut idle) = self.idle.try_lock()
            && idle.len() < MOST_IDLE
        {
            idle.push(worker);
        }
    }
}

impl Worker {
    fn run(
        &mut self,
        html: &Html,
        with: Transport<'_>,
        wanted: Wanted,
        limit: usize,
    ) -> Result<Product, Skip> {
        let page = html.decode(with, &mut self.decoded, limit)?;
        if !wanted.page {
            let content = self.extractor.content(page.text, with.url, wanted.form)?;
            let content = Some(content).filter(|content| !content.is_empty());
            return Ok(Product::Content(content.map(str::to_owned)));
        }
        let extracted = self.extractor.extract_at(page.text, with.url)?;
        let info = Info::of_html(&page, with.url);
        Ok(Product::Page(Box::new(PageData::new(
            info,
            extracted,
            page.text,
            wanted.form,
        ))))
    }
}
