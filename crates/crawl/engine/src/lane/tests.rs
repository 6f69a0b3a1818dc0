//! The budget of a lane that is read in one piece.

use super::*;
use crate::inputs::{Naming, list_inputs};
use std::fs;
use warcsieve_common::Error;
use warcsieve_store::Stores;
use warcsieve_warc::Limits;

/// Writes nothing; an output is the bytes that it takes.
struct Sizes(Arc<Progress>);

impl Job for Sizes {
    type Worker = ();
    type Output = usize;
    type Writer = Vec<usize>;

    fn limits(&self) -> Limits {
        Limits::default()
    }

    fn progress(&self) -> &Arc<Progress> {
        &self.0
    }

    fn worker(&self) {}

    fn open(&self, _: &Input) -> Result<Result<Vec<usize>>> {
        Ok(Ok(Vec::new()))
    }

    fn process(
        &self,
        (): &mut (),
        _: &Input,
        batch: &Batch,
        _: &mut dyn FnMut(usize) -> Result<()>,
    ) -> Result<usize> {
        Ok(batch.bytes)
    }

    fn memory(&self, output: &usize) -> usize {
        *output
    }

    fn write(&self, written: &mut Vec<usize>, output: usize) -> Result<()> {
        written.push(output);
        Ok(())
    }

    fn finish(&self, _: Vec<usize>, _: WholeInput<'_>) -> Result<()> {
        Ok(())
    }

    fn fail(&self, _: &Input, error: Error) -> Result<()> {
        Err(error)
    }
}

#[test]
fn what_waits_for_its_turn_counts_until_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc");
    let record = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 0\r\n\r\n\r\n\r\n";
    fs::write(&path, record.repeat(4 * 512)).unwrap();
    let inputs = list_inputs(
        &[path.display().to_string()],
        &Naming::default(),
        &Stores::default(),
    );
    let job = Sizes(Arc::new(Progress::default()));
    let bounds = Bounds {
        bytes: 2_000_000,
        splits_ahead: 0,
    };
    let (lane, reading) = Lane::open(&job, &inputs.unwrap()[0], bounds)
        .unwrap()
        .unwrap();
    let Reading::InOne(mut reader) = reading else {
        panic!("a plain file is read in one piece");
    };
    let mut weights = Vec::new();
    let mut next = |reader: &mut LaneReader| {
        let mut batch = Batch::default();
        assert!(reader.read(&mut batch).unwrap());
        weights.push(batch.weight());
        batch
    };
    for _ in 0..2 {
        let batch = next(&mut reader);
        reader = lane
            .admit(&batch, reader)
            .expect("two are within the budget");
    }
    // The second is done before the first, and its output is large.
    let end = lane
        .deliver(&job, (Lease::WHOLE, 1), 512 << 10, 1_600_000)
        .unwrap();
    assert!(end.read.is_none());
    let batch = next(&mut reader);
    assert!(lane.admit(&batch, reader).is_none(), "nothing more is read");
    let end = lane
        .deliver(&job, (Lease::WHOLE, 0), 512 << 10, 10)
        .unwrap();
    assert!(end.read.is_some(), "both are written");
    assert_eq!(lane.state().in_flight, 512 << 10);
    assert_eq!(lane.state().writer, Some(vec![10, 1_600_000]));
    assert_eq!(weights, [512 << 10; 3], "records without a body");
}
