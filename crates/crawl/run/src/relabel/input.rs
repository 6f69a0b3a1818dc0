//! Labels the pages of one input.

use super::job::{Failure, Job};
use super::pages::{BlockRows, DocumentRow, DocumentRows, ShardFile};
use crate::manifest::ManifestRow;
use crate::tally::PageTally;
use std::collections::BTreeMap;
use warcsieve_common::{Error, Result, panics};
use warcsieve_extract::{Engine, PageView, Pipeline};
use warcsieve_html::document::Document;
use warcsieve_page::{Page, Skip};
use warcsieve_tables::read::damaged_output;
use warcsieve_tables::{NAMES, RelabelledSink};

/// The state of one thread, reused from page to page.
pub(super) struct Worker {
    engine: Engine,
    doc: Document,
}

impl Worker {
    /// Builds the pipeline for one thread.
    pub fn new(pipeline: &Pipeline) -> Self {
        Self {
            engine: Engine::new(pipeline),
            doc: Document::default(),
        }
    }

    /// Writes the outputs of an input from its shard, whose manifest row is `row`. Returns the new
    /// row.
    pub fn relabel(&mut self, job: &Job<'_>, row: ManifestRow) -> Result<ManifestRow, Failure> {
        let from = job.source.folder;
        let damaged =
            |what: &str| Err(damaged_output(&from.manifest_path(&row.input), what).into());
        let [documents, blocks, others @ ..] = &row.outputs[..] else {
            return damaged("has fewer outputs than two");
        };
        if others.iter().any(|file| !file.is_of(NAMES.links)) {
            return damaged("has other outputs than documents, blocks and links");
        }
        let (documents, blocks) = (
            (ShardFile::open(from, documents)?, &documents.sha256),
            (ShardFile::open(from, blocks)?, &blocks.sha256),
        );
        let go_on = || job.progress.go_on().map_err(Failure::Run);
        for (file, sha256) in [&documents, &blocks] {
            file.verify(sha256, go_on)?;
        }
        let mut sink = RelabelledSink::create(
            job.out.folder(),
            &row.input,
            job.pipeline,
            &job.run,
            blocks.0.source()?,
        )
        .map_err(Failure::Run)?;
        let mut pages = DocumentRows::of(&documents.0, job.pipeline)?;
        let mut rows = BlockRows::of(&blocks.0, job.pipeline.needs_attributes().is_some())?;
        let mut tally = PageTally {
            documents: 0,
            empty_documents: 0,
            blocks: 0,
            content_blocks: 0,
            links: 0,
            links_left_out: 0,
            labelled_by: BTreeMap::new(),
            raw_text_bytes: 0,
            text_bytes: 0,
            ..row.pages.clone()
        };
        while let Some(batch) = pages.next()? {
            for at in 0..batch.num_rows() {
                go_on()?;
                let page = DocumentRow::of(&batch, at);
                rows.read(&page, &mut self.doc)?;
                let view = view(&mut self.engine, &self.doc, &page).map_err(|message| {
                    Error::Integrity {
                        path: from.documents_path(&row.input),
                        message,
                    }
                })?;
                sink.push(&batch, at, &view).map_err(Failure::Run)?;
                tally.labels(&view);
            }
        }
        rows.end()?;
        let sums = |t: &PageTally| (t.documents, t.blocks, t.raw_text_bytes);
        if sums(&tally) != sums(&row.pages) {
            return damaged("its documents, blocks and bytes of text are not those of its outputs");
        }
        let outputs = sink.finish(tally.rows()).map_err(Failure::Run)?;
        Ok(ManifestRow {
            recipe: job.recipe.clone(),
            pages: tally,
            outputs,
            ..row
        })
    }
}

/// Processes a rebuilt page. A panic is an error: `clean` would have skipped the page.
fn view<'a>(
    engine: &'a mut Engine,
    doc: &'a Document,
    row: &DocumentRow<'_>,
) -> Result<PageView<'a>, String> {
    let view = panics::catch(move || {
        let engine = engine;
        let view = engine.document(Page::of_html("", row.url), doc)?;
        view.language();
        Ok::<_, Skip>(view)
    });
    let why = match view {
        Ok(Ok(view)) => return Ok(view),
        Ok(Err(skip)) => skip.to_string(),
        Err(message) => format!("panicked: {message}; please report this page"),
    };
    Err(format!("labelling page {} failed: {why}", row.id))
}
