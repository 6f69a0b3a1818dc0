//! A run: finds the pages, writes their shards again, and adds an entry to the log.

use super::criteria::Criteria;
use super::log::{Entry, Log, ShardOf};
use super::options::{ForgetOptions, Forgotten};
use super::pending::Pending;
use super::shard;
use crate::manifest::ManifestRow;
use crate::output::OutputFolder;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};
use std::thread;
use warcsieve_common::{Error, Result};
use warcsieve_engine::Progress;
use warcsieve_store::{FolderLock, refuse_address, remove_if_there};
use warcsieve_tables::read::damaged_output;

/// Most bytes of a text in the log.
const MAX_TEXT: usize = 4096;

pub(super) fn run(
    out: &OutputFolder,
    criteria: &Criteria,
    options: &ForgetOptions,
    progress: &Progress,
) -> Result<Forgotten> {
    refuse_address(out.path())?;
    out.must_have_manifest()?;
    if options.by.len().max(options.reason.len()) > MAX_TEXT {
        let what = format!("a name or a reason has at most {MAX_TEXT} bytes");
        return Err(Error::Invalid(what));
    }
    let _lock = match options.only_count {
        true => None,
        false => Some(FolderLock::take(out.path())?),
    };
    let mut log = Log::read(out)?;
    let pending = Pending::of(out);
    let begun = pending.entry()?;
    if let Some(entry) = &begun {
        refuse_other(out, entry, criteria, &log)?;
    }
    let was_sealed = out.is_sealed()? || pending.was_sealed()?;
    let done = out.done_inputs()?;
    let mut result = Forgotten {
        open: out.listed_inputs()?,
        ..Forgotten::default()
    };
    result.open.retain(|name| done.binary_search(name).is_err());
    match begun {
        _ if options.only_count => {}
        // What is lost of them is found below.
        Some(_) => pending
            .ready()?
            .iter()
            .try_for_each(|name| pending.put(name).map(drop))?,
        // Without the note, nothing of the folder was changed, or all of it.
        None => pending.clear()?,
    }
    let found = each(&done, options.threads, |name| {
        let Some(row) = out.row(name)? else {
            return Ok(Err(name.to_owned()));
        };
        if !out.lost_outputs(&row)?.is_empty() {
            return Ok(Err(name.to_owned()));
        }
        if let Some(error) = out.unbalanced(&row) {
            return Err(error);
        }
        let pages = shard::count(out, &row, criteria, progress)?;
        if pages > 0 {
            // A damaged shard must stop the run before it changes anything.
            shard::verify(out, &row, progress)?;
        }
        progress.input_done();
        Ok(Ok(ShardOf {
            input: row.input,
            pages,
            forgotten: row.pages.forgotten.saturating_add(pages),
        }))
    })?;
    let mut shards = Vec::new();
    for shard in found {
        match shard {
            Ok(shard) => shards.push(shard),
            Err(lost) => result.open.push(lost),
        }
    }
    let recorded = criteria.recorded();
    // A shard that was cleaned again may have fewer of the pages than before, or none.
    let is_changed = |shard: &ShardOf| {
        let was_more = log.forgotten(&shard.input) > shard.forgotten;
        shard.pages > 0 || was_more && log.has_all(&shard.input, &recorded)
    };
    shards.retain(is_changed);
    let names: Vec<String> = shards
        .iter()
        .filter(|shard| shard.pages > 0)
        .map(|shard| shard.input.clone())
        .collect();
    let lists = out.page_lists_naming(&names, |url| {
        criteria.meets(|column| (column == "url").then_some(url))
    })?;
    let entry = match begun {
        Some(mut entry) => {
            let is_lost = |shard: &ShardOf| result.open.contains(&shard.input);
            if entry.sha256 != log.last_sha256() && entry.shards.iter().any(is_lost) {
                entry.shards.retain(|shard| !is_lost(shard));
                entry.pages = entry.shards.iter().map(|shard| shard.pages).sum();
                entry = log.following(entry);
            }
            entry
        }
        None => log.following(Entry {
            number: 0,
            previous: String::new(),
            time: options.time.clone(),
            by: options.by.clone(),
            reason: options.reason.clone(),
            lists: recorded,
            pages: shards.iter().map(|shard| shard.pages).sum(),
            shards,
            sha256: String::new(),
        }),
    };
    result.pages = entry.pages;
    result.shards = entry.shards.iter().filter(|shard| shard.pages > 0).count() as u64;
    result.page_lists = lists.len() as u64;
    if options.only_count || entry.shards.is_empty() && lists.is_empty() && names.is_empty() {
        result.last_entry = last(&log);
        if !options.only_count {
            seal(out, was_sealed, &mut result)?;
            pending.end()?;
        }
        result.sealed = out.is_sealed()?;
        return Ok(result);
    }
    if let Some(marker) = &options.marker {
        remove_if_there(marker)?;
    }
    if was_sealed {
        pending.note_seal()?;
    }
    out.unseal()?;
    pending.begin(&entry)?;
    lists
        .iter()
        .try_for_each(|list| out.folder().remove(list))?;
    each(&names, options.threads, |name| {
        let row: Option<ManifestRow> = out.row(name)?;
        let row = row.ok_or_else(|| damaged_output(&out.manifest_path(name), "is gone"))?;
        let row = shard::rewrite((out, pending.stage()), &row, criteria, progress)?;
        pending.stage().store(&row)?;
        match pending.put(name)? {
            true => Ok(()),
            false => Err(damaged_output(
                &out.manifest_path(name),
                "an output was lost while pages were forgotten",
            )),
        }
    })?;
    log.append(out, entry)?;
    result.last_entry = last(&log);
    // The note of the seal goes last, so that a run after a crash seals the folder.
    seal(out, was_sealed, &mut result)?;
    pending.end()?;
    Ok(result)
}

/// Seals a folder again that was sealed.
fn seal(out: &OutputFolder, was_sealed: bool, result: &mut Forgotten) -> Result<()> {
    if was_sealed {
        result.unsealed = out.seal_whole(&[], false)?;
        result.sealed = result.unsealed.is_none();
    }
    Ok(())
}

fn last(log: &Log) -> Option<String> {
    (!log.is_empty()).then(|| log.last_sha256().to_owned())
}

/// Refuses to go on with a run that was given other lists, or that the log does not wait for.
fn refuse_other(out: &OutputFolder, begun: &Entry, criteria: &Criteria, log: &Log) -> Result<()> {
    let place = out.path().display();
    if begun.lists != criteria.recorded() {
        return Err(Error::Invalid(format!(
            "{place}: a run that forgets other pages was interrupted; run it again first, with its lists"
        )));
    }
    let is_next = begun.previous == log.last_sha256() || begun.sha256 == log.last_sha256();
    match is_next {
        true => Ok(()),
        false => Err(Error::Invalid(format!(
            "{place}: the log changed after a run was interrupted; put it back as it was"
        ))),
    }
}

/// Works on these inputs on several threads. Returns the results in the same order, or the first error.
fn each<T: Send>(
    names: &[String],
    threads: usize,
    work: impl Fn(&str) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new((Vec::new(), None)));
    let thread = || {
        loop {
            let at = next.fetch_add(1, Relaxed);
            let Some(name) = names.get(at) else { return };
            let result = work(name);
            let (results, error) = &mut *done.lock().unwrap_or_else(PoisonError::into_inner);
            match result {
                Ok(result) => results.push((at, result)),
                Err(first) => {
                    error.get_or_insert(first);
                    next.store(names.len(), Relaxed);
                    return;
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(names.len()) {
            scope.spawn(thread);
        }
        thread();
    });
    let (mut results, error) = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(at, _)| *at);
    match error {
        Some(error) => Err(error),
        None => Ok(results.into_iter().map(|(_, result)| result).collect()),
    }
}
