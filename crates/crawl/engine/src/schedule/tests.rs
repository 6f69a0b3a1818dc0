//! The order of writing does not depend on the threads.

use super::*;
use proptest::prelude::*;
use proptest::sample::Index;
use std::collections::VecDeque;

const BYTES: u64 = 10;

/// What a simulated thread is doing.
enum Work {
    /// Looks where a split begins.
    Seek(u64),
    /// Has processed this many batches of a split.
    Read(Lease, u64),
}

/// The splits of an input as they are: where each begins, and its number of batches.
fn next_of(truth: &BTreeMap<u64, u64>, start: u64) -> Option<u64> {
    truth.range(start + 1..).next().map(|(start, _)| *start)
}

/// All batches of the splits before `end`.
fn expected_until(truth: &BTreeMap<u64, u64>, end: u64) -> Vec<Place> {
    let before = truth.range(..end);
    let batches = before.flat_map(|(start, batches)| (0..*batches).map(|batch| (*start, batch)));
    batches.collect()
}

proptest! {
    /// Threads take steps in any order, some guesses are wrong, and some splits are deferred. The
    /// written batches must be those of the input from the split where writing began.
    #[test]
    fn batches_are_written_as_one_thread_would(
        splits in prop::collection::vec((prop::option::weighted(0.8, 0u64..BYTES), 0u64..4), 1..12),
        wrong in prop::collection::vec((any::<bool>(), 0u64..BYTES), 12),
        deferred in prop::collection::vec(prop::bool::weighted(0.1), 40),
        threads in 1usize..5,
        missed in 0u64..25,
        bytes in prop::sample::select(vec![1, MAX_WAITING_BYTES / 5]),
        begin in any::<Index>(),
        order in prop::collection::vec(any::<Index>(), 1500),
    ) {
        let mut truth = BTreeMap::from([(0, 2)]);
        for (number, (offset, batches)) in (0..).zip(&splits).skip(1) {
            truth.extend(offset.map(|offset| (number * BYTES + offset, *batches)));
        }
        // The input may have grown since its size was asked for.
        let size = (splits.len() as u64 * BYTES).saturating_sub(missed).max(1);
        // It has not grown since an earlier process read it, so there is no split beyond its size.
        let inside: Vec<_> = truth.keys().copied().filter(|start| *start < size).collect();
        let begin = inside[begin.index(inside.len())];
        let mut cut = SplitCut { next: begin, ledger: ReadLedger::default() };
        let mut schedule: Schedule<(u64, u64, u64)> =
            Schedule::in_splits(BYTES, size, threads as u64, cut.clone());
        truth.retain(|start, _| *start >= begin);
        let mut explicit = VecDeque::new();
        let mut working: Vec<Option<Work>> = (0..threads).map(|_| None).collect();
        let mut bytes_advance = 0;
        let (mut written, mut ledger_seen, mut deferred) = (Vec::new(), None, deferred.into_iter());
        for thread in order {
            let thread = thread.index(threads);
            working[thread] = match working[thread].take() {
                None => match explicit.pop_front() {
                    Some(lease) => Some(Work::Read(lease, 0)),
                    None => schedule.claim().map(|claim| match claim {
                        Task::Read(lease) => Work::Read(lease, 0),
                        Task::Locate(number) => Work::Seek(number),
                    }),
                },
                Some(Work::Seek(number)) => {
                    let is_wrong = wrong[number as usize];
                    let right = truth.range(number * BYTES..(number + 1) * BYTES).next();
                    let found = match is_wrong {
                        (true, offset) => Some(number * BYTES + offset),
                        (false, _) => right.map(|(start, _)| *start),
                    };
                    schedule.located(number, found).map(|lease| Work::Read(lease, 0))
                }
                Some(Work::Read(lease, batch)) => {
                    let batches = truth.get(&lease.start).copied().unwrap_or(5);
                    if !schedule.is_current(lease) && deferred.next() == Some(true) {
                        schedule.defer(lease);
                        // The remaining parts of the batch are delivered under a lease that is not
                        // valid any more.
                        Some(Work::Read(lease, batch))
                    } else if batch < batches {
                        let made = (lease.start, batch, lease.number);
                        schedule.deliver(lease, batch, bytes, made);
                        Some(Work::Read(lease, batch + 1))
                    } else {
                        let ledger = ReadLedger { members: 1, compressed_bytes: 3, ..ReadLedger::default() };
                        let next = next_of(&truth, lease.start);
                        schedule.end(lease, SplitEnd { batches: batch, ledger, next });
                        None
                    }
                }
            };
            prop_assert!(schedule.waiting_bytes <= MAX_WAITING_BYTES + 4 * bytes);
            loop {
                let mut advance = Advance::default();
                let ready = schedule.ready(&mut advance);
                explicit.extend(advance.unclaimed);
                bytes_advance += advance.bytes;
                match ready {
                    Ready::Batch(_, (start, batch, number)) => {
                        // All batches of a split are from its last lease.
                        let lease = Lease { start, number };
                        prop_assert!(schedule.is_next(lease, batch));
                        written.push((start, batch));
                        schedule.written();
                    }
                    Ready::Split(end) => {
                        cut.ledger.add(end.ledger);
                        prop_assert_eq!(Some(end.next), next_of(&truth, cut.next));
                        let before = expected_until(&truth, end.next);
                        prop_assert_eq!(&written, &before);
                        cut.next = end.next;
                    }
                    Ready::End(ledger) => ledger_seen = Some(ledger),
                    Ready::Nothing => break,
                }
            }
        }
        prop_assert_eq!(written, expected_until(&truth, u64::MAX));
        prop_assert_eq!(schedule.waiting_bytes, 0);
        prop_assert_eq!(bytes_advance, 3 * truth.len() as u64);
        prop_assert_eq!(ledger_seen.map(|b| b.members), Some(truth.len() as u64));
        prop_assert_eq!(cut.ledger.members, truth.len() as u64 - 1);
    }
}

#[test]
fn no_more_splits_are_taken_up_than_allowed() {
    let mut schedule: Schedule<()> = Schedule::in_splits(BYTES, 100, 2, SplitCut::default());
    let claims: Vec<_> = std::iter::from_fn(|| schedule.claim()).collect();
    let [Task::Read(first), Task::Locate(1), Task::Locate(2)] = claims[..] else {
        panic!("{claims:?}");
    };
    let end = SplitEnd {
        batches: 0,
        ledger: ReadLedger::default(),
        next: Some(35),
    };
    schedule.end(first, end);
    let mut advance = Advance::default();
    let Ready::Split(cut) = schedule.ready(&mut advance) else {
        panic!("the first split is written");
    };
    assert_eq!(cut.next, 35);
    assert!(matches!(schedule.ready(&mut advance), Ready::Nothing));
    assert_eq!(advance.unclaimed, None, "it can be claimed");
    assert_eq!(
        schedule.located(1, Some(12)),
        None,
        "it is inside the first"
    );
    let Some(Task::Read(second)) = schedule.claim() else {
        panic!("its turn has come");
    };
    assert_eq!(second.start, 35);
    assert!(schedule.is_valid(second) && !schedule.is_valid(first));
    assert_eq!(schedule.claim(), Some(Task::Locate(4)));
    assert!(schedule.give_up() && !schedule.give_up());
    assert_eq!(schedule.claim(), None);
    assert!(!schedule.is_valid(second));
}
