//! Calls a function for many inputs at once.

use crate::inputs::{Input, InputKind};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

/// Threads that wait for a store.
const STORE_THREADS: usize = 32;

/// Threads that wait for a file system, which may also be on a network.
const FILE_THREADS: usize = 8;

/// Up to this many inputs, threads are not worth it.
const MAX_INPUTS_ON_ONE_THREAD: usize = 64;

/// The results of `find` for each input, in their order. Calls mostly wait, so many run at once.
/// Most run at once if an input is in a store, or if `remote` says that `find` accesses one.
pub fn map_inputs<T: Send>(
    inputs: &[Input],
    remote: bool,
    find: impl Fn(&Input) -> T + Sync,
) -> Vec<T> {
    let is_object = |input: &Input| matches!(input.kind, InputKind::Object(_));
    let threads = match remote || inputs.iter().any(is_object) {
        true => STORE_THREADS.min(inputs.len()),
        false if inputs.len() > MAX_INPUTS_ON_ONE_THREAD => FILE_THREADS,
        false => return inputs.iter().map(find).collect(),
    };
    let next = AtomicUsize::new(0);
    let mut found: Vec<_> = thread::scope(|scope| {
        let worker = || {
            let mut found = Vec::new();
            loop {
                let i = next.fetch_add(1, Relaxed);
                let Some(input) = inputs.get(i) else {
                    return found;
                };
                found.push((i, find(input)));
            }
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        let found = workers.into_iter().map(|worker| match worker.join() {
            Ok(found) => found,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        found.flatten().collect()
    });
    found.sort_by_key(|(i, _)| *i);
    found.into_iter().map(|(_, found)| found).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_inputs() {
        let inputs: Vec<_> = (0..500)
            .map(|i| Input {
                kind: InputKind::Stdin,
                name: i.to_string(),
                selected: None,
            })
            .collect();
        let names: Vec<_> = inputs.iter().map(|i| i.name.clone()).collect();
        for remote in [false, true] {
            assert_eq!(map_inputs(&inputs, remote, |i| i.name.clone()), names);
        }
    }
}
