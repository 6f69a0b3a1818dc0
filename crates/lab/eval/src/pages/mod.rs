//! The pages that have gold, found in WARC files and given to many threads.

mod outcome;
mod reading;
mod search;
#[cfg(test)]
mod tests;
mod view;

pub use outcome::{Outcome, Place, Walk};
pub use view::{Gold, GoldenPage, View};

use search::Search;
use std::sync::Arc;
use warcsieve_common::Result;
use warcsieve_engine::{Input, Progress, run};

/// Finds the pages of the gold in `inputs` and calls `each` for every page under every view, on as
/// many threads as the current rayon pool has. A thread makes its state by `init`. `each` may be
/// called twice for a page, so it must have no effect but its result.
///
/// Memory: that of [`run`], a page for each thread under the bounds of its view, and what `each`
/// returns.
///
/// # Errors
/// An input cannot be read. Damage within one is no error; it is listed in the [`Walk`].
pub fn walk<S, T: Send>(
    inputs: &[Input],
    gold: &Gold,
    views: &[View],
    init: impl Fn() -> S + Sync,
    each: impl Fn(&mut S, usize, &GoldenPage<'_>) -> T + Sync,
) -> Result<Walk<T>> {
    walk_watched(inputs, gold, views, (init, each), &Arc::default())
}

/// As [`walk`], counting in `progress`, which may also stop it.
///
/// # Errors
/// An input cannot be read, or the walk was stopped.
pub fn walk_watched<S, T: Send>(
    inputs: &[Input],
    gold: &Gold,
    views: &[View],
    (init, each): (
        impl Fn() -> S + Sync,
        impl Fn(&mut S, usize, &GoldenPage<'_>) -> T + Sync,
    ),
    progress: &Arc<Progress>,
) -> Result<Walk<T>> {
    let search = Search::new(inputs, gold, views, (init, each), progress);
    run(&search, inputs, rayon::current_num_threads())?;
    Ok(search.into_walk())
}
