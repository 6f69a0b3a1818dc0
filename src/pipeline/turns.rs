//! Whose turn it is: the order in which the batches of an input are written, and which of its
//! splits is taken up next.
//!
//! Where a split begins is certain once the one before it is over. Until then it is a guess, and
//! what was made of a guess that proves wrong is dropped. So the batches that are written are those
//! of a single thread that reads the input from its beginning.

use crate::ledger::ReadLedger;
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of rows that may wait for their turn, in an input that is read in splits.
const MOST_WAITING: usize = 32 << 20;

/// Where a batch belongs: the split, by where that begins, and its number in it. What is read in one
/// piece is a single split that begins at 0.
type Place = (u64, u64);

/// A split that was taken up. One that was put off and taken up again has another ticket, so that
/// what is still made of it by the first is not mistaken for the second's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ticket {
    /// Where the split begins.
    pub(super) start: u64,
    number: u64,
}

impl Ticket {
    /// That of an input read in one piece.
    pub(super) const WHOLE: Self = Self {
        start: 0,
        number: 0,
    };
}

/// The turns of an input, whose batches become `T`.
pub(super) struct Turns<T> {
    /// The batch to write next.
    turn: Place,
    /// Batches processed before their turn.
    waiting: BTreeMap<Place, (usize, T)>,
    /// The bytes of all of them.
    held: usize,
    /// Splits to be taken up again when their turn has come.
    put_off: BTreeSet<u64>,
    /// Splits that were taken up, by where they begin: the number of their ticket, and the end of
    /// those that were read.
    splits: BTreeMap<u64, (u64, Option<SplitEnd>)>,
    /// The number of the next ticket.
    number: u64,
    /// The books of the splits that are written.
    books: ReadLedger,
    over: bool,
    plan: Option<Plan>,
}

/// How a split ended.
pub(super) struct SplitEnd {
    /// How many it has.
    pub(super) batches: u64,
    /// The reader's books.
    pub(super) ledger: ReadLedger,
    /// Where the next one begins.
    pub(super) next: Option<u64>,
}

/// The splits not taken up yet.
struct Plan {
    /// A split begins with the first member behind a multiple of so many bytes.
    bytes: u64,
    /// Size of the input in bytes.
    size: u64,
    /// Splits that may be taken up beyond the one being written.
    ahead: u64,
    /// Number of the next one.
    next: u64,
    /// Numbers of those whose beginning is being looked for.
    sought: BTreeSet<u64>,
}

/// A split that is a thread's to take up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// It begins where the ticket says.
    At(Ticket),
    /// The split of this number; where it begins is to be found.
    Find(u64),
}

/// What the writer passed on the way to what is ready.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Passed {
    /// Bytes of the input whose splits are written.
    pub(super) bytes: u64,
    /// A split that nobody has taken up or will: it is to be taken up now.
    pub(super) missing: Option<Ticket>,
}

/// What the writer finds.
pub(super) enum Ready<T> {
    /// A batch whose turn it is, and its bytes.
    Batch(usize, T),
    /// All is written; the reader's books.
    End(Box<ReadLedger>),
    Nothing,
}

impl<T> Turns<T> {
    /// An input that is read in one piece.
    pub(super) fn in_one() -> Self {
        Self {
            turn: (0, 0),
            waiting: BTreeMap::new(),
            held: 0,
            put_off: BTreeSet::new(),
            splits: BTreeMap::from([(0, (0, None))]),
            number: 1,
            books: ReadLedger::default(),
            over: false,
            plan: None,
        }
    }

    /// An input of `size` bytes that is read in splits of `bytes`, up to `ahead` beyond the one being
    /// written.
    pub(super) fn in_splits(bytes: u64, size: u64, ahead: u64) -> Self {
        Self {
            splits: BTreeMap::new(),
            plan: Some(Plan {
                bytes,
                size,
                ahead,
                next: 0,
                sought: BTreeSet::new(),
            }),
            ..Self::in_one()
        }
    }

    /// Whether a batch is the one to write next.
    pub(super) fn is_next(&self, ticket: Ticket, batch: u64) -> bool {
        self.is_written(ticket) && self.turn.1 == batch
    }

    /// Whether a split is the one being written.
    pub(super) fn is_written(&self, ticket: Ticket) -> bool {
        self.is_wanted(ticket) && self.turn.0 == ticket.start
    }

    /// Whether what is made of a split will be of use, as far as is known.
    pub(super) fn is_wanted(&self, ticket: Ticket) -> bool {
        let taken = self.splits.get(&ticket.start);
        !self.over && taken.is_some_and(|(number, _)| *number == ticket.number)
    }

    fn take_up(&mut self, start: u64) -> Ticket {
        let number = self.number;
        self.number += 1;
        self.splits.insert(start, (number, None));
        self.put_off.remove(&start);
        Ticket { start, number }
    }

    /// Takes up the next split; `None` if there is none, or enough are taken up already.
    pub(super) fn claim(&mut self) -> Option<Claim> {
        // More would only be put off as well.
        let is_full = self.held > MOST_WAITING / 2 || !self.put_off.is_empty();
        let plan = self.plan.as_mut().filter(|_| !self.over && !is_full)?;
        let (number, written) = (plan.next, self.turn.0 / plan.bytes);
        if number * plan.bytes >= plan.size || number > written + plan.ahead {
            return None;
        }
        plan.next += 1;
        if number == written && !self.splits.contains_key(&self.turn.0) {
            return Some(Claim::At(self.take_up(self.turn.0)));
        }
        plan.sought.insert(number);
        Some(Claim::Find(number))
    }

    /// A split of that number was `found`, or none. Where to begin with it, if that is wanted.
    pub(super) fn located(&mut self, number: u64, found: Option<u64>) -> Option<Ticket> {
        let plan = self.plan.as_mut()?;
        plan.sought.remove(&number);
        let written = self.turn.0 / plan.bytes;
        let start = match number.cmp(&written) {
            std::cmp::Ordering::Less => None,
            std::cmp::Ordering::Equal => Some(self.turn.0),
            std::cmp::Ordering::Greater => found,
        }?;
        let is_new = !self.over && !self.splits.contains_key(&start);
        is_new.then(|| self.take_up(start))
    }

    /// Takes a batch that was processed, unless its split is not wanted any more. Where those
    /// that wait hold too many bytes, splits are put off, the farthest first.
    pub(super) fn deliver(&mut self, ticket: Ticket, batch: u64, bytes: usize, processed: T) {
        if !self.is_wanted(ticket) {
            return;
        }
        self.waiting
            .insert((ticket.start, batch), (bytes, processed));
        self.held += bytes;
        while self.plan.is_some() && self.held > MOST_WAITING {
            match self.splits.last_key_value() {
                Some((&split, _)) if split != self.turn.0 => self.forget(split),
                _ => break,
            }
        }
    }

    /// A split is read, and has so many batches.
    pub(super) fn end(&mut self, ticket: Ticket, end: SplitEnd) {
        if self.is_wanted(ticket) {
            self.splits.insert(ticket.start, (ticket.number, Some(end)));
        }
    }

    /// Forgets a split, which will be taken up again when its turn has come.
    pub(super) fn put_off(&mut self, ticket: Ticket) {
        if self.is_wanted(ticket) {
            self.forget(ticket.start);
        }
    }

    fn forget(&mut self, split: u64) {
        self.splits.remove(&split);
        self.put_off.insert(split);
        self.keep_waiting(|start| start != split);
    }

    /// Drops the batches of other splits.
    fn keep_waiting(&mut self, is_right: impl Fn(u64) -> bool) {
        let held = &mut self.held;
        self.waiting.retain(|place, (bytes, _)| {
            let keeps = is_right(place.0);
            *held -= if keeps { 0 } else { *bytes };
            keeps
        });
    }

    /// Forgets all that is taken up: the input failed, or is over. `true` the first time.
    pub(super) fn give_up(&mut self) -> bool {
        self.keep_waiting(|_| false);
        self.splits.clear();
        !std::mem::replace(&mut self.over, true)
    }

    /// A batch was written.
    pub(super) fn written(&mut self) {
        self.turn.1 += 1;
    }

    /// What is to be written next. Goes on to the next split where one is written.
    pub(super) fn ready(&mut self, passed: &mut Passed) -> Ready<T> {
        loop {
            if let Some((bytes, processed)) = self.waiting.remove(&self.turn) {
                self.held -= bytes;
                return Ready::Batch(bytes, processed);
            }
            let (split, batches) = self.turn;
            let end = self.splits.get_mut(&split).map(|(_, end)| end);
            let Some(end) = end.and_then(|end| end.take_if(|end| end.batches == batches)) else {
                return Ready::Nothing;
            };
            self.splits.remove(&split);
            passed.bytes += end.ledger.compressed_bytes;
            self.books.add(end.ledger);
            let Some(next) = end.next else {
                self.give_up();
                return Ready::End(Box::new(std::mem::take(&mut self.books)));
            };
            self.turn = (next, 0);
            passed.missing = self.begin(next);
        }
    }

    /// A split begins at `start` for certain: drops wrong guesses. Where nobody has taken it up
    /// or will, it is to be taken up now.
    fn begin(&mut self, start: u64) -> Option<Ticket> {
        let bytes = self.plan.as_ref()?.bytes;
        let number = start / bytes;
        let border = (number + 1) * bytes;
        let is_right = |split: u64| split == start || split >= border;
        self.splits.retain(|split, _| is_right(*split));
        self.put_off.retain(|split| is_right(*split));
        self.keep_waiting(is_right);
        let plan = self.plan.as_mut()?;
        if self.splits.contains_key(&start) || plan.sought.contains(&number) {
            return None;
        }
        if number >= plan.next {
            plan.next = number;
            // Nothing behind it was taken up, so nothing keeps it from being claimed, but that the
            // file was smaller when it was opened.
            if number * bytes < plan.size {
                return None;
            }
            plan.next += 1;
        }
        Some(self.take_up(start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::sample::Index;
    use std::collections::VecDeque;

    const BYTES: u64 = 10;

    /// What a simulated thread is at.
    enum Work {
        /// Looks where a split begins.
        Seek(u64),
        /// Has so many batches of a split processed.
        Read(Ticket, u64),
    }

    /// The splits of an input as they are: where each begins, and its number of batches.
    fn next_of(truth: &BTreeMap<u64, u64>, start: u64) -> Option<u64> {
        truth.range(start + 1..).next().map(|(start, _)| *start)
    }

    proptest! {
        /// Threads take steps in any order, some guesses are wrong, some splits are put off; what is
        /// written is the input from its beginning.
        #[test]
        fn batches_are_written_as_one_thread_would(
            splits in prop::collection::vec((prop::option::weighted(0.8, 0u64..BYTES), 0u64..4), 1..12),
            wrong in prop::collection::vec((any::<bool>(), 0u64..BYTES), 12),
            put_off in prop::collection::vec(prop::bool::weighted(0.1), 40),
            threads in 1usize..5,
            missed in 0u64..25,
            bytes in prop::sample::select(vec![1, MOST_WAITING / 5]),
            order in prop::collection::vec(any::<Index>(), 1500),
        ) {
            let mut truth = BTreeMap::from([(0, 2)]);
            for (number, (offset, batches)) in (0..).zip(&splits).skip(1) {
                truth.extend(offset.map(|offset| (number * BYTES + offset, *batches)));
            }
            // The input may have grown since its size was asked for.
            let size = (splits.len() as u64 * BYTES).saturating_sub(missed).max(1);
            let mut turns: Turns<(u64, u64, u64)> = Turns::in_splits(BYTES, size, threads as u64);
            let mut explicit = VecDeque::new();
            let mut working: Vec<Option<Work>> = (0..threads).map(|_| None).collect();
            let mut bytes_passed = 0;
            let (mut written, mut books, mut put_off) = (Vec::new(), None, put_off.into_iter());
            for thread in order {
                let thread = thread.index(threads);
                working[thread] = match working[thread].take() {
                    None => match explicit.pop_front() {
                        Some(ticket) => Some(Work::Read(ticket, 0)),
                        None => turns.claim().map(|claim| match claim {
                            Claim::At(ticket) => Work::Read(ticket, 0),
                            Claim::Find(number) => Work::Seek(number),
                        }),
                    },
                    Some(Work::Seek(number)) => {
                        let is_wrong = wrong[number as usize];
                        let right = truth.range(number * BYTES..(number + 1) * BYTES).next();
                        let found = match is_wrong {
                            (true, offset) => Some(number * BYTES + offset),
                            (false, _) => right.map(|(start, _)| *start),
                        };
                        turns.located(number, found).map(|ticket| Work::Read(ticket, 0))
                    }
                    Some(Work::Read(ticket, batch)) => {
                        let batches = truth.get(&ticket.start).copied().unwrap_or(5);
                        if !turns.is_written(ticket) && put_off.next() == Some(true) {
                            turns.put_off(ticket);
                            // What is left of the batch is delivered in vain.
                            Some(Work::Read(ticket, batch))
                        } else if batch < batches {
                            let made = (ticket.start, batch, ticket.number);
                            turns.deliver(ticket, batch, bytes, made);
                            Some(Work::Read(ticket, batch + 1))
                        } else {
                            let ledger = ReadLedger { members: 1, compressed_bytes: 3, ..ReadLedger::default() };
                            let next = next_of(&truth, ticket.start);
                            turns.end(ticket, SplitEnd { batches: batch, ledger, next });
                            None
                        }
                    }
                };
                prop_assert!(turns.held <= MOST_WAITING + 4 * bytes);
                loop {
                    let mut passed = Passed::default();
                    let ready = turns.ready(&mut passed);
                    explicit.extend(passed.missing);
                    bytes_passed += passed.bytes;
                    match ready {
                        Ready::Batch(_, (start, batch, number)) => {
                            // All batches of a split are of those who took it up last.
                            let ticket = Ticket { start, number };
                            prop_assert!(turns.is_next(ticket, batch));
                            written.push((start, batch));
                            turns.written();
                        }
                        Ready::End(ledger) => books = Some(ledger),
                        Ready::Nothing => break,
                    }
                }
            }
            let expected: Vec<Place> = truth
                .iter()
                .flat_map(|(start, batches)| (0..*batches).map(|batch| (*start, batch)))
                .collect();
            prop_assert_eq!(written, expected);
            prop_assert_eq!(turns.held, 0);
            prop_assert_eq!(bytes_passed, 3 * truth.len() as u64);
            prop_assert_eq!(books.map(|b| b.members), Some(truth.len() as u64));
        }
    }

    #[test]
    fn no_more_splits_are_taken_up_than_allowed() {
        let mut turns: Turns<()> = Turns::in_splits(BYTES, 100, 2);
        let claims: Vec<_> = std::iter::from_fn(|| turns.claim()).collect();
        let [Claim::At(first), Claim::Find(1), Claim::Find(2)] = claims[..] else {
            panic!("{claims:?}");
        };
        let end = SplitEnd {
            batches: 0,
            ledger: ReadLedger::default(),
            next: Some(35),
        };
        turns.end(first, end);
        let mut passed = Passed::default();
        assert!(matches!(turns.ready(&mut passed), Ready::Nothing));
        assert_eq!(passed.missing, None, "it can be claimed");
        assert_eq!(turns.located(1, Some(12)), None, "it is inside the first");
        let Some(Claim::At(second)) = turns.claim() else {
            panic!("its turn has come");
        };
        assert_eq!(second.start, 35);
        assert!(turns.is_wanted(second) && !turns.is_wanted(first));
        assert_eq!(turns.claim(), Some(Claim::Find(4)));
        assert!(turns.give_up() && !turns.give_up());
        assert_eq!(turns.claim(), None);
        assert!(!turns.is_wanted(second));
    }
}
