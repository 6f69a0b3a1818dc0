//! Decodes the members of a file one after the other, and resynchronises after damage.
//!
//! A *member* is what the file is made of: a gzip member, a zstd frame, or the whole file where it
//! is not compressed. [`Members`] is always in one of three states:
//!
//! 1. *Between members*: `pos` is where the next one should begin, `lost` is `None`.
//!    [`Members::next`] goes to state 2, or to 3 if no member begins there.
//! 2. *Inside a member*: it began at `start`, `pos` is after the last byte that was decoded, and
//!    `tail` says what comes after the bytes in `data`. [`Members::leave`] goes to state 1, or to
//!    3 if the member was damaged.
//! 3. *After damage*: `lost` describes it. The next call of [`Members::next`] searches for the
//!    next member that begins with a record, and only then is it known how long the damage is.
//!
//! Invariant: every byte of the file is added exactly once to `member_bytes` or to `damaged_bytes`
//! of the ledger: when its member is left, when a skippable frame is skipped, or when the damage
//! ends.
//!
//! Example: a gzip file has members at 0, 1000 and 2000, and the second one is damaged at 1400.
//! Decoding it fails, so it is left in state 3 with `start` 1000. The search begins at 1001, not
//! at 1400, because damage can hide a member that began earlier. It finds the member at 2000 and
//! adds 1000 to `damaged_bytes`. If the records before the damage were kept, 400 of these bytes
//! (1000 to 1400) count as `member_bytes` instead.
//!
//! Searching decodes bytes that are decoded again later. `credit` bounds this: it grows with the
//! input that was read, so that hostile input costs linear work.

mod damage;
mod skippable;

use super::codec::{Codec, Kind};
use super::decoded::Decoded;
use super::framing::{self, Format, Tail};
use super::hunt::{Hunt, PROBE_INPUT};
use super::progress::State;
use super::read_from::ReadFrom;
use super::record_start::{LOOKAHEAD, Start};
use super::whole::{self, End, WholeInflate};
use super::window::Window;
use super::{gzip, zstd};
use crate::ledger::{Fault, FaultKind, ReadLedger};
use std::io::{self, Read};

/// Bytes decoded at a time.
pub(super) const STEP: usize = 256 << 10;
/// Bytes of the input that are searched at a time for the next member.
const HUNT_STEP: usize = 256 << 10;
/// Each byte of input allows this many bytes of damaged input to be decoded again.
const CREDIT_PER_BYTE: u64 = 4;
/// The allowance at the beginning of a file.
const FIRST_CREDIT: u64 = 64 << 20;
/// The allowance at the beginning of each further split.
const SPLIT_CREDIT: u64 = 1 << 20;

/// The current member, and what is needed to find the next.
pub(super) struct Members {
    window: Window,
    codec: Codec,
    whole: Option<WholeInflate>,
    kind: Option<Kind>,
    /// Bytes before `pos` that stay in the window, so that a search can go back over them.
    keep: u64,
    pub(super) data: Decoded,
    /// What comes after `data`.
    pub(super) tail: Tail,
    /// A checksum of the current member does not match.
    pub(super) bad_checksum: bool,
    /// Where the current member begins in the file.
    pub(super) start: u64,
    /// File offset after the last byte that was decoded.
    pos: u64,
    /// A dictionary could not be loaded. All damage directly after it is reported as one fault.
    no_dictionary: bool,
    /// A dictionary was loaded.
    dictionary: bool,
    /// Damage whose end is not known yet.
    lost: Option<Lost>,
    /// Bytes of input that may still be decoded again.
    credit: u64,
    /// Input before this offset was already added to `credit`.
    credited: u64,
    /// Reads the input again from any offset, if that is possible.
    again: Option<ReadFrom>,
    /// Other members were joined to the current one.
    joined: bool,
}

/// Damage that was found but whose end is not known yet. It ends where the next member is found.
///
/// Invariant: no byte from `start` on is in the ledger yet, and `start <= from`.
///
/// Example: the records of a member at 1000 were kept until decoding failed at 1400. Then `start`
/// is 1000, `failed` is 1400, and `from` is 1001, or 1400 if the credit is used up. If the search
/// finds a member at 2000, 400 bytes are added to `member_bytes` and 600 to `damaged_bytes`. If it
/// finds one at 1200, nothing up to there counts as kept: 200 bytes are added to `damaged_bytes`.
struct Lost {
    /// Where the damaged member begins.
    start: u64,
    /// Where its decoding failed, if the records before that were kept.
    failed: Option<u64>,
    /// Where the search for the next member begins.
    from: u64,
    record_id: Option<String>,
    offset_in_member: Option<u64>,
    /// Why it could not be decoded although its bytes may be intact.
    refusal: Option<&'static str>,
}

impl Members {
    /// `rewind`: how many bytes of the input are kept, to go back over them after damage.
    pub(super) fn new(input: Box<dyn Read + Send>, rewind: usize) -> Self {
        Self::on(Window::new(input, 0), rewind)
    }

    fn on(window: Window, rewind: usize) -> Self {
        Self {
            window,
            codec: Codec::Plain,
            whole: whole::fastest(),
            kind: None,
            keep: rewind as u64 / 2,
            data: Decoded::default(),
            tail: Tail::End,
            bad_checksum: false,
            start: 0,
            pos: 0,
            no_dictionary: false,
            dictionary: false,
            lost: None,
            credit: FIRST_CREDIT,
            credited: 0,
            again: None,
            joined: false,
        }
    }

    /// The same members, of an input that `again` can read from any offset.
    pub(super) fn with_again(mut self, again: Option<ReadFrom>) -> Self {
        self.again = again;
        self
    }

    /// The gzip members of `input`. The first one begins at `start`, the offset of the first byte
    /// of `input`. They are read as after [`Members::restart`].
    pub(super) fn at(input: Box<dyn Read + Send>, rewind: usize, start: u64) -> Self {
        Self {
            codec: Codec::new(Kind::Gzip),
            kind: Some(Kind::Gzip),
            start,
            pos: start,
            credit: first_credit(start),
            credited: start,
            ..Self::on(Window::new(input, start), rewind)
        }
    }

    /// The members of a span of a file; `start` is the offset of the first byte of `input`.
    pub(super) fn of_span(input: Box<dyn Read + Send>, rewind: usize, start: u64) -> Self {
        Self {
            start,
            pos: start,
            credit: first_credit(start),
            credited: start,
            ..Self::on(Window::new(input, start), rewind)
        }
    }

    #[cfg(test)]
    pub(super) fn stream(&mut self) {
        self.whole = None;
    }

    /// Forgets what came before the member just begun: how far the input was read ahead, and how
    /// much credit is left. So the result from here on depends only on where the member begins.
    pub(super) fn restart(&mut self) {
        self.window.restart(self.start);
        (self.credit, self.credited) = (SPLIT_CREDIT, self.start);
    }

    /// Offset of the first member at or after the position and before `to` that begins with a
    /// record.
    pub(super) fn find(&mut self, to: u64, format: Option<Format>) -> io::Result<Option<u64>> {
        let found = self.seek(self.pos, to, format)?;
        Ok(found.map(|(at, _)| at))
    }

    /// Whether the file is made of gzip members.
    pub(super) fn is_gzip(&self) -> bool {
        self.kind == Some(Kind::Gzip)
    }

    /// Whether the file is not compressed.
    pub(super) fn is_plain(&self) -> bool {
        self.kind == Some(Kind::Plain)
    }

    /// Whether the file is made of zstd frames.
    pub(super) fn is_zstd(&self) -> bool {
        self.kind == Some(Kind::Zstd)
    }

    /// Whether the file holds a dictionary that its frames need.
    pub(super) fn has_dictionary(&self) -> bool {
        self.dictionary
    }

    /// Bytes read from the input.
    pub(super) fn bytes_read(&self) -> u64 {
        self.window.end()
    }

    /// Offset in the file after the last byte that was decoded.
    pub(super) fn position(&self) -> u64 {
        self.pos
    }

    /// Goes to the next member; `false` if there is none.
    pub(super) fn next(
        &mut self,
        format: Option<Format>,
        ledger: &mut ReadLedger,
    ) -> io::Result<bool> {
        loop {
            if let Some(lost) = self.lost.take() {
                return self.next_after_damage(lost, format, ledger);
            }
            self.window.release(self.pos);
            let bytes = self.window.at_least(self.pos, LOOKAHEAD)?;
            if bytes.is_empty() {
                return Ok(false);
            }
            let kind = match Kind::of(bytes) {
                None if self.kind.is_none() => {
                    (framing::starts(bytes, None).0 == Start::Yes).then_some(Kind::Plain)
                }
                kind => kind,
            };
            match kind {
                Some(kind) if *self.kind.get_or_insert(kind) == kind => {
                    if zstd::is_skippable(bytes) {
                        self.skip_frame(ledger)?;
                        continue;
                    }
                    self.begin(self.pos, kind);
                    return Ok(true);
                }
                _ => {
                    self.lost = Some(Lost {
                        start: self.pos,
                        failed: None,
                        from: self.pos,
                        record_id: None,
                        offset_in_member: None,
                        refusal: None,
                    });
                }
            }
        }
    }

    fn begin(&mut self, at: u64, kind: Kind) {
        let ready = matches!(
            (kind, &self.codec),
            (Kind::Plain, Codec::Plain)
                | (Kind::Gzip, Codec::Gzip(_))
                | (Kind::Zstd, Codec::Zstd(_))
        );
        if !ready {
            self.codec = Codec::new(kind);
        }
        self.codec.reset();
        self.data.clear();
        (self.start, self.pos, self.tail) = (at, at, Tail::Open);
        (self.bad_checksum, self.joined) = (false, false);
    }

    /// Decodes the member just begun: all of it if it decodes to less than `limit` bytes, else its
    /// first `limit` bytes.
    pub(super) fn open(&mut self, limit: usize, format: Option<Format>) -> io::Result<()> {
        if self.inflate_whole(limit)? {
            return Ok(());
        }
        self.decode(limit, format)
    }

    /// Inflates the member just begun in one call. Returns `false` and changes nothing if that is
    /// not possible or if the member is damaged in any way.
    fn inflate_whole(&mut self, limit: usize) -> io::Result<bool> {
        let Some(inflate) = self
            .whole
            .as_mut()
            .filter(|_| self.kind == Some(Kind::Gzip))
        else {
            return Ok(false);
        };
        let mut searched = 0;
        let size = loop {
            let bytes = self.window.bytes(self.start);
            match whole::end(bytes, searched, self.window.has_ended(), limit) {
                End::Likely(size) => break size,
                End::Unknown => return Ok(false),
                End::NeedInput => {
                    searched = bytes.len();
                    self.window.fill()?;
                }
            }
        };
        let bytes = self.window.bytes(self.start);
        if !matches!(gzip::header_len(bytes), gzip::Header::Whole(_)) {
            return Ok(false);
        }
        let Some(read) = inflate(bytes, self.data.room(size)) else {
            return Ok(false);
        };
        self.data.grow(size);
        self.pos += read as u64;
        self.tail = Tail::End;
        Ok(true)
    }

    /// Decodes until `want` bytes are in view or the member ends.
    pub(super) fn decode(&mut self, want: usize, format: Option<Format>) -> io::Result<()> {
        while self.tail == Tail::Open && self.data.bytes().len() < want {
            let room = STEP.min(want - self.data.bytes().len());
            let progress = self
                .codec
                .decode(self.window.bytes(self.pos), self.data.room(room));
            self.data.grow(progress.written);
            self.pos += progress.read as u64;
            match progress.state {
                State::More if progress.read + progress.written > 0 => {}
                State::More => {
                    self.release();
                    if !self.window.fill()? {
                        self.tail = self.at_input_end(format);
                    }
                }
                State::End => self.tail = Tail::End,
                State::BadChecksum => {
                    self.bad_checksum = true;
                    self.tail = Tail::End;
                }
                State::Broken => self.tail = Tail::Damaged,
            }
        }
        Ok(())
    }

    /// Decodes the current member again up to `offset`, so that the bytes from `offset` on are
    /// decoded next. Returns `false` and changes nothing if the input cannot be read again.
    pub(super) fn replay(&mut self, offset: u64, format: Option<Format>) -> io::Result<bool> {
        let Some(again) = self.again.as_ref().filter(|_| !self.joined) else {
            return Ok(false);
        };
        let skipped = if self.is_plain() { offset } else { 0 };
        let from = self.start + skipped;
        self.window = Window::new(again(from), from);
        self.codec.reset();
        self.data.restart(skipped);
        (self.pos, self.tail, self.bad_checksum) = (from, Tail::Open, false);
        while self.data.offset() < offset {
            let want = (offset - self.data.offset()).min(STEP as u64) as usize;
            self.decode(want, format)?;
            let held = self.data.bytes().len();
            if held == 0 {
                return Err(io::Error::other("it changed while it was read"));
            }
            self.data.consume(held);
        }
        Ok(true)
    }

    fn release(&mut self) {
        let keep = if self.is_plain() { 0 } else { self.keep };
        self.window
            .release(self.pos.saturating_sub(keep).max(self.start));
    }

    /// The tail of a member that runs up to the end of the input. Either the input was cut there,
    /// or the member is damaged and decoding ran over the members after it. It counts as damaged if
    /// another member is found inside it.
    fn at_input_end(&mut self, format: Option<Format>) -> Tail {
        self.pos = self.window.end();
        let Some(kind @ (Kind::Gzip | Kind::Zstd)) = self.kind else {
            return Tail::Cut;
        };
        self.top_up();
        let bytes = self.window.bytes((self.start + 1).max(self.window.start()));
        let mut hunt = Hunt {
            codec: &mut self.codec,
            kind,
            format,
            credit: &mut self.credit,
        };
        match hunt.find(bytes, bytes.len()) {
            Some(_) => Tail::Damaged,
            None => Tail::Cut,
        }
    }

    /// Joins the next member to the current one if it does not begin with a record. In some files
    /// (bgzip) members end inside records.
    pub(super) fn extend(
        &mut self,
        format: Option<Format>,
        ledger: &mut ReadLedger,
    ) -> io::Result<bool> {
        let Some(kind @ (Kind::Gzip | Kind::Zstd)) = self.kind else {
            return Ok(false);
        };
        self.release();
        let bytes = self.window.at_least(self.pos, PROBE_INPUT)?;
        if self.tail != Tail::End || Kind::of(bytes) != Some(kind) || zstd::is_skippable(bytes) {
            return Ok(false);
        }
        let mut hunt = Hunt {
            codec: &mut self.codec,
            kind,
            format,
            // No limit: each member is tested here at most once.
            credit: &mut { u64::MAX },
        };
        if hunt.is_record(bytes) {
            return Ok(false);
        }
        self.codec.reset();
        (self.tail, self.joined) = (Tail::Open, true);
        ledger.members += 1;
        Ok(true)
    }

    /// Leaves the current member and adds its bytes to the ledger. If it was damaged, or is not
    /// `kept`, the search for the next member begins at its second byte, because decoding a damaged
    /// member may have run over the beginning of the next one. The search begins at `pos` if that
    /// certainly did not happen, or if the credit does not cover decoding the member again.
    pub(super) fn leave(&mut self, kept: bool, record_id: Option<String>, ledger: &mut ReadLedger) {
        let whole = self.tail == Tail::End || self.tail == Tail::Cut;
        if kept && !self.is_plain() {
            ledger.members += 1;
        }
        if kept && whole {
            ledger.member_bytes += self.pos - self.start;
        } else if self.tail == Tail::Cut {
            ledger.damaged_bytes += self.pos - self.start;
            ledger.fault(Fault {
                kind: FaultKind::CutOff,
                offset: self.start,
                length: self.pos - self.start,
                offset_in_member: None,
                record_id,
                message: "the input ends inside a member; no record of it could be read".into(),
            });
        } else {
            let again = self.pos - (self.start + 1).max(self.window.start()).min(self.pos);
            self.top_up();
            let from = if !self.ends_as_stated() && again <= self.credit {
                self.credit -= again;
                self.start + 1
            } else {
                self.pos
            };
            self.lost = Some(Lost {
                start: self.start,
                failed: kept.then_some(self.pos),
                from,
                record_id,
                offset_in_member: kept.then(|| self.data.offset()),
                refusal: self.codec.refusal(),
            });
        }
    }

    /// Whether a gzip member was decoded to its end, and the end states the length that was
    /// decoded. Then only bytes of the content or the checksum are wrong, and no other member
    /// begins inside. Bytes that look like a member there are part of a page.
    fn ends_as_stated(&self) -> bool {
        let Some(at) = self.pos.checked_sub(4).filter(|at| {
            self.kind == Some(Kind::Gzip) && self.tail == Tail::End && *at >= self.window.start()
        }) else {
            return false;
        };
        let stated = self.window.bytes(at).first_chunk().copied();
        let length = self.data.offset() + self.data.bytes().len() as u64;
        !self.joined && stated.map(u32::from_le_bytes) == Some(length as u32)
    }

    /// Adds the credit for the input read since the last call.
    fn top_up(&mut self) {
        let end = self.window.end().max(self.credited);
        self.credit += CREDIT_PER_BYTE * (end - self.credited);
        self.credited = end;
    }
}

/// The first credit of a reader that begins at `start`.
fn first_credit(start: u64) -> u64 {
    if start == 0 {
        FIRST_CREDIT
    } else {
        SPLIT_CREDIT
    }
}
