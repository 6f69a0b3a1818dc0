//! Which split of an input is read next, and in which order its batches are written.
//!
//! Many threads read a file of gzip members at once, and its rows must come out as if one thread
//! had read it from the beginning. The difficulty: where a split begins is only certain once the
//! split before it has been read to its end. What looks like the beginning of a member may be data
//! inside another member.
//!
//! # How it works
//! The file is cut at multiples of 4 MiB. A split begins at the first member after such a multiple
//! and ends where the next split begins. A thread that wants work calls [`Schedule::claim`] and
//! gets a [`Task`]. Either the beginning of the split is known, because the split is the one being
//! written. Or the thread has to guess it ([`Task::Locate`]): it looks for a member header and
//! reports the offset by [`Schedule::located`]. In both cases it holds a [`Lease`] on the split,
//! reads it, and delivers its batches by [`Schedule::deliver`]. When the current split is written,
//! its end says where the next split really begins. A guess that agrees is kept. Every other guess
//! before the border after it is dropped, with all batches that were made from it.
//!
//! Example, splits of 10 bytes, two threads:
//! ```text
//! thread 1: claim → Read(0)                    reads split 0 … it ends at 14
//! thread 2: claim → Locate(1), located(1, 12)  reads a split at 12, delivers two batches
//! ```
//! Split 0 ends at 14, so the member at 12 was data inside it. The batches of 12 are dropped.
//! Nobody holds a lease on 14, so it is handed out as [`Advance::unclaimed`].
//!
//! # Invariants
//! * `current` never moves back. It moves forward only over batches that were written and splits
//!   that ended.
//! * A batch is written only if it was delivered under the last lease given on its split. When a split
//!   is deferred, or dropped as a wrong guess, its lease is revoked, and deliveries under it are
//!   ignored. The number in a lease distinguishes it from later leases on the same split.
//! * `waiting_bytes` is the sum of the bytes in `waiting`. It is bounded: above
//!   [`MAX_WAITING_BYTES`] the farthest splits are deferred. Only the current split and one batch per
//!   thread may come on top.
//!
//! # Why it cannot deadlock
//! No thread ever waits for a split that no thread is reading. The current split is always in one
//! of five states:
//!
//! 1. A thread reads it under its lease.
//! 2. It is read to its end, and its batches are being processed or wait for the writer. Whoever
//!    delivers a batch takes the writer and keeps it until nothing is ready.
//! 3. A thread is locating it. `located` then returns the lease on its true beginning.
//! 4. The next `claim` will return it. A thread is asked to claim whenever batches were written.
//! 5. Its lease was just handed out as `unclaimed`.
//!
//! A split that is not the current one never makes its thread wait. It is deferred instead, and
//! read again when it is current.

#[cfg(test)]
mod tests;

use crate::job::SplitCut;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use warcsieve_warc::ledger::ReadLedger;

/// Bytes of outputs that may wait for splits before theirs, in an input that is read in splits.
const MAX_WAITING_BYTES: usize = 32 << 20;

/// Where a batch belongs: the offset at which its split begins, and its number in the split. An
/// input that is read in one piece is a single split that begins at 0.
type Place = (u64, u64);

/// The right to read a split and deliver its batches. A split that is deferred and read again gets
/// a new lease, so that later deliveries under the old lease are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lease {
    /// Offset at which the split begins.
    pub(super) start: u64,
    number: u64,
}

impl Lease {
    /// The lease on an input that is read in one piece.
    pub(super) const WHOLE: Self = Self {
        start: 0,
        number: 0,
    };
}

/// The state of an input whose batches become values of `T`.
pub(super) struct Schedule<T> {
    /// The batch to write next; its split is the current one.
    current: Place,
    /// Outputs of batches whose turn has not come, with their sizes in bytes.
    waiting: BTreeMap<Place, (usize, T)>,
    /// The sum of these sizes.
    waiting_bytes: usize,
    /// Splits to be read again when they are current.
    deferred: BTreeSet<u64>,
    /// Splits under lease, by where they begin: the number of the lease, and the end if the split
    /// was read.
    leases: BTreeMap<u64, (u64, Option<SplitEnd>)>,
    /// The number of the next lease.
    number: u64,
    /// The ledger of the splits that are written.
    ledger: ReadLedger,
    is_over: bool,
    plan: Option<Plan>,
}

/// How a split ended.
pub(super) struct SplitEnd {
    /// Batches in it.
    pub(super) batches: u64,
    /// Its part of the reader's ledger.
    pub(super) ledger: ReadLedger,
    /// Where the next split begins; `None` at the end of the input.
    pub(super) next: Option<u64>,
}

/// The splits nobody has claimed yet.
struct Plan {
    /// A split begins at the first member after a multiple of this many bytes.
    bytes: u64,
    /// Size of the input in bytes.
    size: u64,
    /// Splits that may be claimed beyond the current one.
    ahead: u64,
    /// Number of the next split to claim.
    next: u64,
    /// Numbers of the splits whose beginning is being looked for.
    locating: BTreeSet<u64>,
}

/// What a thread has to do with a split that it claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// Read it.
    Read(Lease),
    /// Find where the split of this number begins, report it by [`Schedule::located`], then read
    /// it.
    Locate(u64),
}

/// What changed while the writer looked for the next batch.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Advance {
    /// Bytes of the input in splits that are now written.
    pub(super) bytes: u64,
    /// The new current split, if nobody has claimed it. A thread must read it now.
    pub(super) unclaimed: Option<Lease>,
}

/// What the writer finds when it asks for the next output.
pub(super) enum Ready<T> {
    /// The batch to write next, and its size in bytes.
    Batch(usize, T),
    /// A split was written that is not the last.
    Split(Box<SplitCut>),
    /// Everything was written; holds the reader's ledger.
    End(Box<ReadLedger>),
    /// The next batch is not there yet.
    Nothing,
}

impl<T> Schedule<T> {
    /// For an input that is read in one piece.
    pub(super) fn in_one() -> Self {
        Self {
            current: (0, 0),
            waiting: BTreeMap::new(),
            waiting_bytes: 0,
            deferred: BTreeSet::new(),
            leases: BTreeMap::from([(0, (0, None))]),
            number: 1,
            ledger: ReadLedger::default(),
            is_over: false,
            plan: None,
        }
    }

    /// For an input of `size` bytes that is read in splits of `bytes`. Up to `ahead` splits beyond
    /// the current one may be claimed. The splits before `begin` are written already.
    pub(super) fn in_splits(bytes: u64, size: u64, ahead: u64, begin: SplitCut) -> Self {
        Self {
            current: (begin.next, 0),
            ledger: begin.ledger,
            leases: BTreeMap::new(),
            plan: Some(Plan {
                bytes,
                size,
                ahead,
                next: begin.next / bytes,
                locating: BTreeSet::new(),
            }),
            ..Self::in_one()
        }
    }

    /// Whether a batch is the one to write next.
    pub(super) fn is_next(&self, lease: Lease, batch: u64) -> bool {
        self.is_current(lease) && self.current.1 == batch
    }

    /// Whether the lease is on the split that is being written.
    pub(super) fn is_current(&self, lease: Lease) -> bool {
        self.is_valid(lease) && self.current.0 == lease.start
    }

    /// Whether the output of the split is still needed, as far as is known.
    pub(super) fn is_valid(&self, lease: Lease) -> bool {
        let held = self.leases.get(&lease.start);
        !self.is_over && held.is_some_and(|(number, _)| *number == lease.number)
    }

    fn lease(&mut self, start: u64) -> Lease {
        let number = self.number;
        self.number += 1;
        self.leases.insert(start, (number, None));
        self.deferred.remove(&start);
        Lease { start, number }
    }

    /// Returns the next split to read. `None` if there is none, or if enough are claimed already.
    pub(super) fn claim(&mut self) -> Option<Task> {
        // More splits would only be deferred as well.
        let is_full = self.waiting_bytes > MAX_WAITING_BYTES / 2 || !self.deferred.is_empty();
        let plan = self.plan.as_mut().filter(|_| !self.is_over && !is_full)?;
        let (number, current) = (plan.next, self.current.0 / plan.bytes);
        if number * plan.bytes >= plan.size || number > current + plan.ahead {
            return None;
        }
        plan.next += 1;
        if number == current && !self.leases.contains_key(&self.current.0) {
            return Some(Task::Read(self.lease(self.current.0)));
        }
        plan.locating.insert(number);
        Some(Task::Locate(number))
    }

    /// Notes that the split of that number begins at `found`, or that no split does. Returns the
    /// lease to read it, if it is needed.
    pub(super) fn located(&mut self, number: u64, found: Option<u64>) -> Option<Lease> {
        let plan = self.plan.as_mut()?;
        plan.locating.remove(&number);
        let start = match number.cmp(&(self.current.0 / plan.bytes)) {
            Ordering::Less => None,
            Ordering::Equal => Some(self.current.0),
            Ordering::Greater => found,
        }?;
        let is_new = !self.is_over && !self.leases.contains_key(&start);
        is_new.then(|| self.lease(start))
    }

    /// Takes the output of a batch, unless its lease was revoked. If too many bytes wait, defers
    /// splits, the farthest first.
    pub(super) fn deliver(&mut self, lease: Lease, batch: u64, bytes: usize, output: T) {
        if !self.is_valid(lease) {
            return;
        }
        self.waiting.insert((lease.start, batch), (bytes, output));
        self.waiting_bytes += bytes;
        while self.plan.is_some() && self.waiting_bytes > MAX_WAITING_BYTES {
            match self.leases.last_key_value() {
                Some((&split, _)) if split != self.current.0 => self.revoke(split),
                _ => break,
            }
        }
    }

    /// Notes that a split was read to its end.
    pub(super) fn end(&mut self, lease: Lease, end: SplitEnd) {
        if self.is_valid(lease) {
            self.leases.insert(lease.start, (lease.number, Some(end)));
        }
    }

    /// Drops the output of a split. The split will be read again when it is current.
    pub(super) fn defer(&mut self, lease: Lease) {
        if self.is_valid(lease) {
            self.revoke(lease.start);
        }
    }

    fn revoke(&mut self, split: u64) {
        self.leases.remove(&split);
        self.deferred.insert(split);
        self.keep_waiting(|start| start != split);
    }

    /// Drops the batches of other splits.
    fn keep_waiting(&mut self, keeps: impl Fn(u64) -> bool) {
        let waiting_bytes = &mut self.waiting_bytes;
        self.waiting.retain(|place, (bytes, _)| {
            let kept = keeps(place.0);
            *waiting_bytes -= if kept { 0 } else { *bytes };
            kept
        });
    }

    /// Revokes all leases, because the input failed or is complete. Returns `true` the first time.
    pub(super) fn give_up(&mut self) -> bool {
        self.keep_waiting(|_| false);
        self.leases.clear();
        !std::mem::replace(&mut self.is_over, true)
    }

    /// Notes that the batch that [`Schedule::ready`] returned is written.
    pub(super) fn written(&mut self) {
        self.current.1 += 1;
    }

    /// What is to be written next. Moves on to the next split if the current one is written.
    pub(super) fn ready(&mut self, advance: &mut Advance) -> Ready<T> {
        if let Some((bytes, output)) = self.waiting.remove(&self.current) {
            self.waiting_bytes -= bytes;
            return Ready::Batch(bytes, output);
        }
        let (split, batches) = self.current;
        let end = self.leases.get_mut(&split).map(|(_, end)| end);
        let Some(end) = end.and_then(|end| end.take_if(|end| end.batches == batches)) else {
            return Ready::Nothing;
        };
        self.leases.remove(&split);
        advance.bytes += end.ledger.compressed_bytes;
        self.ledger.add(end.ledger.clone());
        let Some(next) = end.next else {
            self.give_up();
            return Ready::End(Box::new(std::mem::take(&mut self.ledger)));
        };
        self.current = (next, 0);
        advance.unclaimed = self.begin(next);
        let ledger = end.ledger;
        Ready::Split(Box::new(SplitCut { next, ledger }))
    }

    /// The current split now begins at `start`. Drops wrong guesses up to the border after it.
    /// Returns its lease if nobody has claimed it and nobody will.
    fn begin(&mut self, start: u64) -> Option<Lease> {
        let bytes = self.plan.as_ref()?.bytes;
        let number = start / bytes;
        let border = (number + 1) * bytes;
        let is_right = |split: u64| split == start || split >= border;
        self.leases.retain(|split, _| is_right(*split));
        self.deferred.retain(|split| is_right(*split));
        self.keep_waiting(is_right);
        let plan = self.plan.as_mut()?;
        if self.leases.contains_key(&start) || plan.locating.contains(&number) {
            return None;
        }
        if number >= plan.next {
            plan.next = number;
            // No later split is claimed, so the next `claim` returns this one. The exception is a
            // file that has grown since it was opened: `claim` stops at the size it had then.
            if number * bytes < plan.size {
                return None;
            }
            plan.next += 1;
        }
        Some(self.lease(start))
    }
}
