//! From a batch of records to rows.

use super::batch::Batch;
use super::tally::PageTally;
use crate::clean::{Cleaned, Cleaner};
use crate::config::Pipeline;
use crate::error::Result;
use crate::page::{Skip, SkipReason, selects};
use crate::sink::{RowBuilder, Rows};
use crate::warc::Record;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Everything one thread needs to process pages, reused from page to page.
///
/// Memory: that of a [`Cleaner`], and the rows of a batch up to [`RowBuilder::LIMIT`] bytes.
pub(super) struct Worker {
    pipeline: Arc<Pipeline>,
    cleaner: Cleaner,
}

/// What became of one batch.
pub(super) struct Processed {
    /// Its rows, in order; of a batch with very many the last ones.
    pub(super) rows: Rows,
    /// Counts.
    pub(super) tally: PageTally,
}

impl Worker {
    /// Builds the pipeline for one thread.
    pub(super) fn new(pipeline: Arc<Pipeline>) -> Self {
        Self {
            cleaner: Cleaner::new(pipeline.clone()),
            pipeline,
        }
    }

    /// Processes a batch of the input `name`. Where its rows are very many, they are
    /// handed to `full` in between, in order.
    ///
    /// A page that panics is counted as a skip, and the pages around it are not harmed.
    ///
    /// # Errors
    /// What `full` says.
    pub(super) fn process(
        &mut self,
        name: &str,
        batch: &Batch,
        full: &mut dyn FnMut(Rows) -> Result<()>,
    ) -> Result<Processed> {
        let settings = &self.pipeline.settings;
        let mut tally = PageTally::default();
        let mut rows = RowBuilder::new(name, &self.pipeline, self.cleaner.names());
        for record in batch.records() {
            if !selects(settings, &record.record_type()) {
                tally.other_records += 1;
                continue;
            }
            tally.pages += 1;
            match clean(&mut self.cleaner, name, record) {
                Ok(cleaned) => {
                    tally.document(&cleaned);
                    rows.push(&cleaned, &record.location, full)?;
                }
                Err(skip) => {
                    let panicked = skip.reason == SkipReason::Panicked;
                    tally.skip(record, skip);
                    if panicked {
                        self.cleaner = Cleaner::new(self.pipeline.clone());
                    }
                }
            }
        }
        Ok(Processed {
            rows: rows.finish(),
            tally,
        })
    }
}

/// Cleans a record; a panic is a skip, after which the cleaner is of no more use.
fn clean<'a>(
    cleaner: &'a mut Cleaner,
    name: &str,
    record: &'a Record,
) -> Result<Cleaned<'a>, Skip> {
    let guarded = AssertUnwindSafe(move || {
        let cleaner = cleaner;
        cleaner.clean(name, record)
    });
    catch_unwind(guarded).unwrap_or_else(|panic| {
        Err(Skip {
            reason: SkipReason::Panicked,
            detail: format!(
                "processing panicked: {}; please report this page",
                message(&*panic)
            ),
        })
    })
}

fn message(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}
