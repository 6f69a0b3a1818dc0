//! The assumptions that a forecast lists.

use super::forecast::{Sample, Time};

/// What a forecast assumes, one sentence each.
pub(super) fn assumptions(sample: &Sample, time: &Time, of_objects: bool) -> Vec<&'static str> {
    let all = [
        (
            true,
            "cores are as fast as the one that measured, and as busy with other work; the \
             intervals cover the draw of the sample, not the noise of the machine",
        ),
        (
            true,
            "an input costs by its bytes: inputs that were not sampled are like those that were",
        ),
        (
            true,
            "threads are busy to the end, and wait for no disk and no network",
        ),
        (
            time.bound_by.is_some(),
            "the input that bounds the time is read in one piece and keeps five threads busy at most",
        ),
        (
            time.threads != sample.threads,
            "the run has another number of threads than measured: threads that share caches and \
             memory take more CPU time than fewer do",
        ),
        (
            sample.beginnings > 0,
            "inputs that cannot be split are like their beginnings, which are no random sample",
        ),
        (
            of_objects,
            "what HTTP and TLS take of the CPU is not in the figures",
        ),
        (
            sample.units < 2 && sample.drawn < sample.pieces,
            "one unit does not tell how units differ: there are no intervals",
        ),
    ];
    let applying = all.into_iter().filter(|(applies, _)| *applies);
    applying.map(|(_, sentence)| sentence).collect()
}
