//! Finds the pages that have gold in WARC files, and distributes them among threads.

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

/// Finds the pages of the gold in `inputs` and calls `each` for every page under every view, on all
/// threads of the current rayon pool. A thread creates its state with `init`. `each` may be called
/// twice for a page, so its result must be its only effect.
///
/// Memory: that of [`run`], one page per thread within the bounds of its view, and the results of
/// `each`.
///
/// # Errors
/// An input cannot be read. Damage inside an input is not an error; it is listed in the [`Walk`].
pub fn walk<S, T: Send>(
    inputs: &[Input],
    gold: &Gold,
    views: &[View],
    init: impl Fn() -> S + Sync,
    each: impl Fn(&mut S, usize, &GoldenPage<'_>) -> T + Sync,
) -> Result<Walk<T>> {
    walk_watched(inputs, gold, views, (init, each), &Arc::default())
}

/// Like [`walk`], but counts in `progress`, which can also stop it.
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
