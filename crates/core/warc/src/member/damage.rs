//! Searches for the next member after damage.

use super::{HUNT_STEP, Lost, Members};
use crate::codec::{Codec, Kind};
use crate::framing::Format;
use crate::hunt::{Hunt, PROBE_INPUT};
use crate::ledger::{Fault, FaultKind, ReadLedger};
use std::io;

impl Members {
    /// Finds the next member after damage and adds the damage to the ledger.
    pub(super) fn next_after_damage(
        &mut self,
        lost: Lost,
        format: Option<Format>,
        ledger: &mut ReadLedger,
    ) -> io::Result<bool> {
        let found = self.seek(lost.from, u64::MAX, format)?;
        let end = found.map_or(self.window.end(), |(at, _)| at);
        let kept_to = lost.failed.filter(|&at| at < end).unwrap_or(lost.start);
        ledger.member_bytes += kept_to - lost.start;
        ledger.damaged_bytes += end - kept_to;
        let why = lost.refusal.unwrap_or("damaged");
        let what = match lost.failed {
            Some(_) => "what was decoded before is kept, the rest is passed over",
            None => "passed over",
        };
        let fault = Fault {
            kind: FaultKind::DamagedMember,
            offset: kept_to,
            length: end - kept_to,
            offset_in_member: lost.offset_in_member,
            record_id: lost.record_id,
            message: match found {
                Some(_) => format!("{why}: {what} up to the next member"),
                None => format!("{why}: {what}; no member was found up to the end of the input"),
            },
        };
        match ledger.faults.last_mut() {
            Some(last) if self.no_dictionary && continues(last, &fault) => {
                last.length += fault.length;
            }
            _ => ledger.fault(fault),
        }
        self.pos = end;
        if let Some((at, kind)) = found {
            self.kind = Some(kind);
            self.begin(at, kind);
        }
        Ok(found.is_some())
    }

    /// The first member at or after `from` and before `end` that begins with a record.
    ///
    /// Reads at least `PROBE_INPUT + HUNT_STEP` bytes ahead. Tests only places that have the
    /// `PROBE_INPUT` bytes in view that a test needs. At the end of the input it tests all places.
    pub(super) fn seek(
        &mut self,
        from: u64,
        end: u64,
        format: Option<Format>,
    ) -> io::Result<Option<(u64, Kind)>> {
        let mut at = from.max(self.window.start());
        let kinds = match self.kind {
            Some(kind) => vec![kind],
            None => vec![Kind::Plain, Kind::Gzip, Kind::Zstd],
        };
        loop {
            self.window.release(at);
            let n = self.window.at_least(at, PROBE_INPUT + HUNT_STEP)?.len();
            self.top_up();
            if n == 0 {
                return Ok(None);
            }
            let bytes = self.window.bytes(at);
            let to = if n > PROBE_INPUT { n - PROBE_INPUT } else { n };
            let left = end.saturating_sub(at);
            let to = usize::try_from(left).map_or(to, |left| to.min(left));
            if to == 0 {
                return Ok(None);
            }
            let mut first: Option<(usize, Kind)> = None;
            for &kind in &kinds {
                let mut other;
                let codec = if self.kind.is_some() {
                    &mut self.codec
                } else {
                    other = Codec::new(kind);
                    &mut other
                };
                let mut hunt = Hunt {
                    codec,
                    kind,
                    format,
                    credit: &mut self.credit,
                };
                if let Some(hit) = hunt.find(bytes, first.map_or(to, |(at, _)| at)) {
                    first = Some((hit, kind));
                }
            }
            if let Some((hit, kind)) = first {
                return Ok(Some((at + hit as u64, kind)));
            }
            at += to as u64;
        }
    }
}

/// Whether the damage of `next` begins where the damage of `last` ends.
fn continues(last: &Fault, next: &Fault) -> bool {
    let both = last.kind == FaultKind::DamagedMember && next.kind == last.kind;
    both && last.offset + last.length == next.offset
}
