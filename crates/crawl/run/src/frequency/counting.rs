//! The job that counts texts.

use super::summary::{CountedInput, FrequencySummary};
use super::texts::PageTexts;
use crate::clean::FailedInput;
use crate::tally::PageTally;
use crate::worker::guarded;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use warcsieve_common::{Error, Result};
use warcsieve_engine::{Batch, Input, Job, Progress, WholeInput};
use warcsieve_extract::Pipeline;
use warcsieve_features::FrequencyCounter;
use warcsieve_page::SkipReason;
use warcsieve_warc::Limits;

pub(super) struct Counting<'a> {
    pub(super) pipeline: &'a Pipeline,
    pub(super) by_host: bool,
    pub(super) progress: &'a Arc<Progress>,
    pub(super) outcome: Mutex<Outcome>,
}

pub(super) struct Outcome {
    pub(super) counter: FrequencyCounter,
    pub(super) inputs: Vec<CountedInput>,
    pub(super) failed: Vec<FailedInput>,
}

/// The text hashes of a batch.
#[derive(Default)]
pub(super) struct Texts {
    /// Hashes of the texts of all pages, page after page.
    keys: Vec<u64>,
    /// The end of each page in `keys`.
    ends: Vec<usize>,
    tally: PageTally,
}

impl Counting<'_> {
    fn outcome(&self) -> MutexGuard<'_, Outcome> {
        // A thread that panicked ends the run, so its unfinished state is never used.
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The inputs that were read, and the counter.
    pub(super) fn into_summary(self) -> (FrequencySummary, FrequencyCounter) {
        let outcome = self.outcome.into_inner();
        let mut outcome = outcome.unwrap_or_else(PoisonError::into_inner);
        outcome.inputs.sort_by(|a, b| a.name.cmp(&b.name));
        outcome.failed.sort_by(|a, b| a.name.cmp(&b.name));
        let summary = FrequencySummary {
            inputs: outcome.inputs,
            failed: outcome.failed,
            ..FrequencySummary::default()
        };
        (summary, outcome.counter)
    }
}

impl Job for Counting<'_> {
    type Worker = PageTexts;
    type Output = Texts;
    type Writer = PageTally;

    fn limits(&self) -> Limits {
        self.pipeline.settings.limits()
    }

    fn progress(&self) -> &Arc<Progress> {
        self.progress
    }

    fn worker(&self) -> PageTexts {
        PageTexts::new(self.pipeline, self.by_host)
    }

    fn open(&self, _: &Input) -> Result<Result<PageTally>> {
        Ok(Ok(PageTally::default()))
    }

    fn process(
        &self,
        worker: &mut PageTexts,
        _: &Input,
        batch: &Batch,
        _: &mut dyn FnMut(Texts) -> Result<()>,
    ) -> Result<Texts> {
        let mut texts = Texts::default();
        let tally = &mut texts.tally;
        for record in batch.records() {
            if !worker.selects(record) {
                tally.other_records += 1;
                continue;
            }
            tally.pages += 1;
            match guarded(|| worker.read(record)) {
                Ok(()) => {
                    tally.documents += 1;
                    tally.blocks += worker.doc.blocks.len() as u64;
                    tally.raw_text_bytes += worker.doc.text.len() as u64;
                    texts.keys.extend(&worker.keys);
                    texts.ends.push(texts.keys.len());
                }
                Err(skip) => {
                    if skip.reason == SkipReason::Panicked {
                        *worker = self.worker();
                    }
                    tally.skip(record, skip);
                }
            }
        }
        Ok(texts)
    }

    fn memory(&self, output: &Texts) -> usize {
        output.keys.capacity() * size_of::<u64>() + output.ends.capacity() * size_of::<usize>()
    }

    fn write(&self, tally: &mut PageTally, output: Texts) -> Result<()> {
        let mut start = 0;
        let mut outcome = self.outcome();
        for end in output.ends {
            outcome.counter.push_keys(&output.keys[start..end])?;
            start = end;
        }
        drop(outcome);
        self.progress.add_pages(output.tally.pages);
        tally.add(output.tally);
        Ok(())
    }

    fn finish(&self, pages: PageTally, whole: WholeInput<'_>) -> Result<()> {
        pages.check(&whole)?;
        self.outcome().inputs.push(CountedInput {
            name: whole.input.name.clone(),
            read: whole.ledger,
            pages,
        });
        Ok(())
    }

    fn fail(&self, input: &Input, error: Error) -> Result<()> {
        tracing::error!("{}: {error}", input.name);
        self.outcome().failed.push(FailedInput {
            name: input.name.clone(),
            error,
        });
        Ok(())
    }
}
