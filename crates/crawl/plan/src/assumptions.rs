//! The assumptions that a forecast lists.

use super::{ForecastOptions, PART, Sample};
use warcsieve_common::counted;

/// Facts about the inputs that decide which assumptions apply.
pub(super) struct Basis {
    /// Bytes of all inputs.
    pub(super) whole: f64,
    /// Inputs that were not opened.
    pub(super) unopened: u64,
    /// Their bytes.
    pub(super) unopened_bytes: u64,
    /// Inputs that are objects of a store.
    pub(super) objects: u64,
    /// Inputs that were opened and cannot be read in pieces.
    pub(super) in_one: u64,
}

/// What a forecast assumes, one sentence each.
pub(super) fn assumptions(
    sample: &Sample,
    basis: &Basis,
    options: &ForecastOptions,
) -> Vec<String> {
    let mut all = vec![
        "cores are as fast as the one that measured, and as busy with other work; the intervals \
         cover the draw of the sample, not the noise of the machine"
            .to_owned(),
        "an input costs by its bytes: inputs that were not sampled are like those that were"
            .to_owned(),
        "a file of gzip members is read by all threads, any other and every object of a store keeps \
         five busy at most; an input is never divided among workers"
            .to_owned(),
        format!(
            "requests: one HEAD and one GET an input, none repeated; outputs in parts of {} MiB; \
             one PUT and two GETs for its manifest row",
            PART >> 20
        ),
    ];
    if basis.unopened > 0 {
        all.push(format!(
            "not opened of the inputs: {} ({:.1} % of the bytes); each is read in pieces, or in one, as \
             the one opened next before it in the list is",
            basis.unopened,
            100.0 * basis.unopened_bytes as f64 / basis.whole.max(1.0)
        ));
    }
    if basis.objects > 0 {
        all.push(format!(
            "{} of a store: what HTTP and TLS take of the CPU is not in the \
             figures, nor is the wait for answers",
            counted(basis.objects, "input is an object", "inputs are objects")
        ));
    }
    if options.threads != sample.threads {
        all.push(format!(
            "{} measured, and workers have {}: threads that share caches and memory take more \
             CPU time than fewer do",
            counted(sample.threads, "thread", "threads"),
            options.threads
        ));
    }
    if options.bandwidth.is_none() {
        all.push("no worker waits for what it reads".to_owned());
    }
    let waiting = sample.waiting_seconds * basis.whole / (sample.bytes as f64).max(1.0);
    all.push(format!(
        "no worker waits for what it writes; on this machine that would be {waiting:.1} s for all inputs, \
         to be shared among workers with disks of their own"
    ));
    if sample.beginnings > 0 {
        all.push(format!(
            "{} of {} are beginnings of inputs that cannot be split, which is no random \
             sample of them",
            sample.beginnings,
            counted(sample.units, "unit", "units")
        ));
    }
    if basis.in_one == 1 && sample.beginnings == 1 && sample.units > 1 {
        all.push(
            "one beginning does not tell how beginnings differ: as much as pieces do".to_owned(),
        );
    }
    if sample.units < 2 && sample.drawn < sample.pieces {
        all.push("one unit does not tell how units differ: there are no intervals".to_owned());
    }
    if sample.busy < 0.8 {
        all.push(format!(
            "the threads that measured had a processor for {:.0} % of their time only: the disk or \
             the network was slow, or the machine busy, so CPU times may be too high",
            100.0 * sample.busy
        ));
    }
    all
}
