//! The assumptions of a forecast.

use super::forecast::{Sample, Time};

/// What a forecast assumes, one sentence each.
pub(super) fn assumptions(sample: &Sample, time: &Time, of_objects: bool) -> Vec<&'static str> {
    let mut all = vec![
        "cores are as fast, and as busy with other work, as those that measured",
        "inputs that were not sampled cost as much per byte as those that were",
        "threads are busy to the end, and wait for no disk and no network",
    ];
    if time.bound_by.is_some() {
        all.push("the input that bounds the time keeps five threads busy at most");
    }
    if time.threads != sample.threads {
        all.push("a thread takes as much CPU time as with the number of threads that measured");
    }
    if sample.beginnings > 0 {
        all.push("inputs that cannot be split are like their beginnings, no random sample");
    }
    if of_objects {
        all.push("HTTP and TLS take no CPU time");
    }
    if sample.units < 2 && sample.drawn < sample.pieces {
        all.push("one unit does not tell how units differ: there are no intervals");
    }
    all
}
