//! Turns a batch of records into rows.

use crate::tally::PageTally;
use std::sync::Arc;
use warcsieve_common::{Result, panics};
use warcsieve_engine::Batch;
use warcsieve_extract::{Engine, PageView, Pipeline};
use warcsieve_layout::Resources;
use warcsieve_page::{Skip, SkipReason};
use warcsieve_tables::{RowBuilder, Rows};
use warcsieve_warc::Record;

/// The state that one thread needs to process pages, reused from page to page.
///
/// Memory: that of an [`Engine`], and rows of up to [`RowBuilder::LIMIT`] bytes.
pub struct Worker {
    pipeline: Arc<Pipeline>,
    engine: Engine,
    /// Rows of the current batch.
    rows: RowBuilder,
    /// Style sheets and pictures of the current input.
    resources: Option<Arc<Resources>>,
}

/// The result of a batch, or rows that are passed on before the batch is done.
pub struct Processed {
    /// Rows, in order.
    pub rows: Rows,
    /// Counts of the batch. They come with its last rows.
    pub tally: PageTally,
}

/// Rows of a batch that is not done yet, with no counts.
impl From<Rows> for Processed {
    fn from(rows: Rows) -> Self {
        Self {
            rows,
            tally: PageTally::default(),
        }
    }
}

impl Worker {
    /// Builds the pipeline for one thread.
    pub fn new(pipeline: Arc<Pipeline>) -> Self {
        Self {
            engine: Engine::new(&pipeline),
            rows: RowBuilder::new(&pipeline),
            resources: None,
            pipeline,
        }
    }

    /// From now on, a layout engine uses these style sheets and pictures for pages.
    pub fn set_resources(&mut self, resources: Option<Arc<Resources>>) {
        self.engine.set_resources(resources.clone());
        self.resources = resources;
    }

    /// Processes a batch of the input `name`. If the batch has very many rows, parts of them are
    /// passed to `full` in order.
    ///
    /// A page whose processing panics is counted as a skip. It does not affect other pages.
    ///
    /// # Errors
    /// Those of `full`.
    pub fn process(
        &mut self,
        name: &str,
        batch: &Batch,
        full: &mut dyn FnMut(Rows) -> Result<()>,
    ) -> Result<Processed> {
        let (processed, _) = self.process_until(name, batch.records(), full, &|| false)?;
        Ok(processed)
    }

    /// Like [`process`](Self::process), but ends before the first record for which `stop` returns
    /// true. Also returns how many records were processed.
    ///
    /// # Errors
    /// Those of `full`.
    pub fn process_until(
        &mut self,
        name: &str,
        records: &[Record],
        full: &mut dyn FnMut(Rows) -> Result<()>,
        stop: &dyn Fn() -> bool,
    ) -> Result<(Processed, usize)> {
        let mut tally = PageTally::default();
        self.rows.begin(name);
        let mut done = 0;
        for record in records {
            if stop() {
                break;
            }
            done += 1;
            if !self.engine.selects(record) {
                tally.other_records += 1;
                continue;
            }
            tally.pages += 1;
            match view(&mut self.engine, name, record) {
                Ok(view) => {
                    self.rows.push(&view, &record.location, full)?;
                    match view.removing_rule() {
                        None => tally.document(&view, self.rows.link_counts()),
                        Some(rule) => tally.remove(rule),
                    }
                }
                Err(skip) => {
                    let panicked = skip.reason == SkipReason::Panicked;
                    tally.skip(record, skip);
                    if panicked {
                        self.engine = Engine::new(&self.pipeline);
                        self.engine.set_resources(self.resources.clone());
                    }
                }
            }
        }
        let rows = self.rows.finish();
        Ok((Processed { rows, tally }, done))
    }
}

/// Processes a record. After a panic the engine must not be used again.
fn view<'a>(engine: &'a mut Engine, name: &str, record: &'a Record) -> Result<PageView<'a>, Skip> {
    guarded(move || {
        // Moved in, so that the returned view may borrow from it.
        let engine = engine;
        let view = engine.record(name, record)?;
        view.complete();
        Ok(view)
    })
}

/// Turns a panic into a skip. State that `work` was changing must not be used after a panic.
pub fn guarded<T>(work: impl FnOnce() -> Result<T, Skip>) -> Result<T, Skip> {
    panics::catch(work).unwrap_or_else(|message| {
        Err(Skip {
            reason: SkipReason::Panicked,
            detail: format!("processing panicked: {message}; please report this page"),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::IntoIter;
    use warcsieve_classify::{Classifier, Label};
    use warcsieve_engine::BatchReader;
    use warcsieve_html::document::Document;
    use warcsieve_warc::Source;

    /// Panics on pages that contain `boom`.
    struct Fragile;

    impl Classifier for Fragile {
        fn classify(&mut self, doc: &Document, _: &mut [Label]) {
            assert!(!doc.text.contains("boom"), "met a {}", "boom");
        }

        fn explain(&self, _: &Document, _: &[Label], _: usize) -> String {
            String::new()
        }
    }

    struct Records(IntoIter<Record>);

    impl Source for Records {
        fn read_record(&mut self, record: &mut Record) -> Result<bool> {
            let next = self.0.next();
            let more = next.is_some();
            *record = next.unwrap_or_default();
            Ok(more)
        }
    }

    fn batch(bodies: &[&str]) -> Batch {
        let records: Vec<_> = bodies
            .iter()
            .map(|body| {
                let headers = [("WARC-Type", "resource"), ("Content-Type", "text/html")];
                Record::from_parts(&headers, body.as_bytes())
            })
            .collect();
        let mut batch = Batch::default();
        assert!(
            BatchReader::new(Records(records.into_iter()), 1 << 20)
                .read(&mut batch)
                .unwrap()
        );
        batch
    }

    #[test]
    fn a_page_that_panics_is_counted_and_affects_no_other() {
        let pipeline = Pipeline::parse(
            &warcsieve_classify::CORE,
            "test",
            "[[step]]\nmethod = 'keep-all'\n",
        )
        .unwrap();
        let mut worker = Worker::new(Arc::new(pipeline));
        worker.engine.push(Box::new(Fragile));
        let batch = batch(&["<p>one", "<p>boom", "<p>three<p>four"]);
        let processed = worker.process("x", &batch, &mut |_| Ok(())).unwrap();
        assert_eq!(processed.rows.documents.num_rows(), 2);
        assert_eq!(processed.rows.blocks.unwrap().num_rows(), 3);
        let tally = processed.tally;
        assert_eq!((tally.pages, tally.documents), (3, 2));
        assert_eq!(tally.skips[&SkipReason::Panicked], 1);
        assert!(tally.skipped[0].detail.contains("met a boom"));
        assert!(tally.imbalances(3).is_empty());
    }

    #[test]
    fn rows_beyond_the_limit_are_handed_on_in_order() {
        let pipeline = Pipeline::parse(
            &warcsieve_classify::CORE,
            "test",
            "[[step]]\nmethod = 'keep-all'\n",
        )
        .unwrap();
        let mut worker = Worker::new(Arc::new(pipeline));
        let batch = batch(&["<p>first", &"<p>a".repeat(200_000), "<p>last"]);
        let mut parts = Vec::new();
        let last = worker
            .process("x", &batch, &mut |rows| {
                parts.push(rows);
                Ok(())
            })
            .unwrap();
        assert!(parts.len() > 1, "{}", parts.len());
        parts.push(last.rows);
        let documents: usize = parts.iter().map(|p| p.documents.num_rows()).sum();
        let blocks = parts.iter().filter_map(|p| p.blocks.as_ref());
        assert_eq!(
            (documents, blocks.map(|b| b.num_rows()).sum()),
            (3, 200_002)
        );
        assert_eq!(
            parts[0].documents.num_rows(),
            2,
            "a page's row comes with its first blocks"
        );
    }
}
