//! A pipeline with its engines, which are built when threads need them and used again.

use crate::error::panicked;
use crate::html::{Decoded, Html, Transport};
use std::sync::Mutex;
use warcsieve::{
    Engine, Error, METHODS, PageView, Pipeline, Skip, TextFormat, load_pipeline, parse_pipeline,
};
use warcsieve_common::panics;

/// Most engines that are kept for later calls.
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
/// Those of [`load_pipeline`]; the layout engine that it needs is missing.
pub fn pipeline_named(name: &str) -> Result<Pipeline, Error> {
    let pipeline = match is_text(name) {
        true => parse_pipeline(&METHODS, UNNAMED, name)?,
        false => load_pipeline(&METHODS, name)?,
    };
    pipeline.check_engine()?;
    Ok(pipeline)
}

/// The form of the content that is asked for.
pub struct Form {
    pub output: TextFormat,
    /// Keys of the pipeline and their values, such as `links=absolute`.
    pub set: Vec<String>,
}

/// What is made of a processed page, and of how it was given.
pub type Make<T> = fn(&PageView<'_>, &Decoded<'_>) -> T;

/// Engines of one pipeline, for any number of threads.
pub struct EnginePool {
    /// Its `output` is the form of the content that was asked for.
    pub pipeline: Pipeline,
    /// The text of its file, so that processes on other machines can do without the file.
    pub text: Option<String>,
    idle: Mutex<Vec<Worker>>,
}

struct Worker {
    engine: Engine,
    decoded: String,
}

/// Buffers above this size are given back.
const LARGE: usize = 4 << 20;

impl EnginePool {
    /// The pipeline of this name.
    ///
    /// # Errors
    /// Those of [`pipeline_named`]; its filters change texts, or a key does not take its value.
    pub fn named(name: &str, form: Form) -> Result<Self, Error> {
        let pipeline = pipeline_named(name)?;
        let text = match is_text(name) {
            true => Some(name.to_owned()),
            false => std::fs::read_to_string(name).ok(),
        };
        Self::of(pipeline, text, form)
    }

    /// The pipeline in the text of a file.
    ///
    /// # Errors
    /// Those of [`parse_pipeline`]; the layout engine that it needs is missing; those of [`named`](Self::named).
    pub fn of_text(name: &str, text: &str, form: Form) -> Result<Self, Error> {
        let pipeline = parse_pipeline(&METHODS, name, text)?;
        pipeline.check_engine()?;
        Self::of(pipeline, Some(text.to_owned()), form)
    }

    fn of(mut pipeline: Pipeline, text: Option<String>, form: Form) -> Result<Self, Error> {
        pipeline.refuse_edits()?;
        pipeline.settings.output = form.output;
        for assignment in &form.set {
            pipeline.set(assignment)?;
        }
        Ok(Self {
            pipeline,
            text,
            idle: Mutex::default(),
        })
    }

    /// Processes a page; takes no lock of Python's. A panic is a skip.
    pub fn run<T>(&self, html: &Html, with: Transport<'_>, make: Make<T>) -> Result<T, Skip> {
        // A lock that another thread held when the process was forked is never free again.
        let idle = self.idle.try_lock().ok().and_then(|mut idle| idle.pop());
        let mut worker = idle.unwrap_or_else(|| Worker {
            engine: Engine::new(&self.pipeline),
            decoded: String::new(),
        });
        let limit = self.pipeline.settings.max_page_bytes;
        match panics::catch(|| worker.run(html, with, limit, make)) {
            Ok(done) => {
                self.keep(worker);
                done
            }
            Err(message) => Err(panicked(&message)),
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
    fn run<T>(
        &mut self,
        html: &Html,
        with: Transport<'_>,
        limit: usize,
        make: Make<T>,
    ) -> Result<T, Skip> {
        let page = html.decode(with, &mut self.decoded, limit)?;
        let view = self.engine.html(page.text, with.url)?;
        Ok(make(&view, &page))
    }
}

/// The content of a page in the form that was asked for; `None` if it has none, or a filter removes it.
pub fn content(view: &PageView<'_>, _: &Decoded<'_>) -> Option<String> {
    let is_kept = view.removal.is_none() && !view.output.is_empty();
    is_kept.then(|| view.output.to_owned())
}
