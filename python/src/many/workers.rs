//! Threads that process pages, each by an engine of its own.

use super::Product;
use crate::engine_pool::{EnginePool, Make};
use crate::html::{Html, Transport};
use crossbeam_channel::{Sender, unbounded};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::{io, thread};
use warcsieve::Skip;

/// A page, its address, and where its result goes.
pub struct Job {
    pub html: Html,
    pub url: Option<String>,
    pub done: Sender<Done>,
}

/// A result, and the page, which is given back to Python under its lock.
pub type Done = (Result<Product, Skip>, Html, Option<String>);

/// Threads that do jobs.
pub struct Workers {
    pub jobs: Sender<Job>,
    is_over: Arc<AtomicBool>,
}

impl Workers {
    pub fn start(
        engines: &Arc<EnginePool>,
        make: Make<Product>,
        threads: usize,
    ) -> io::Result<Self> {
        let (jobs, todo) = unbounded::<Job>();
        let is_over = Arc::new(AtomicBool::new(false));
        for _ in 0..threads {
            let (engines, todo, is_over) = (engines.clone(), todo.clone(), is_over.clone());
            let work = move || {
                for job in todo {
                    if is_over.load(Relaxed) {
                        break;
                    }
                    let result = run(&engines, &job.html, job.url.as_deref(), make);
                    // Nobody may want it any more.
                    let _ = job.done.send((result, job.html, job.url));
                }
            };
            thread::Builder::new()
                .name("warcsieve".to_owned())
                .spawn(work)?;
        }
        Ok(Self { jobs, is_over })
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.is_over.store(true, Relaxed);
    }
}

/// Processes a page by the thread that calls.
pub fn run(
    engines: &EnginePool,
    html: &Html,
    url: Option<&str>,
    make: Make<Product>,
) -> Result<Product, Skip> {
    let with = Transport {
        url: url.unwrap_or_default(),
        charset: None,
    };
    engines.run(html, with, make)
}
