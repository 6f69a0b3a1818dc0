//! Skippable frames of zstd, which may hold the dictionary of the frames after them.

use super::Members;
use crate::codec::Codec;
use crate::ledger::{Fault, FaultKind, ReadLedger};
use crate::zstd;
use std::io;

impl Members {
    /// Skips a skippable frame; if it holds a dictionary, loads it for the frames after it.
    pub(super) fn skip_frame(&mut self, ledger: &mut ReadLedger) -> io::Result<()> {
        let bytes = self.window.at_least(self.pos, 8)?;
        let size = bytes.get(4..8).map_or(u32::MAX, |n| {
            u32::from_le_bytes(n.try_into().expect("four bytes"))
        }) as usize;
        let end = self.pos + 8 + size as u64;
        let refusal = if bytes.starts_with(&zstd::DICTIONARY_MAGIC) {
            self.load_dictionary(size)?
        } else {
            None
        };
        while self.window.end() < end && self.window.fill()? {
            self.window.release(self.window.end().min(end));
        }
        let read = end.min(self.window.end()) - self.pos;
        if self.window.end() < end {
            ledger.damaged_bytes += read;
            ledger.fault(Fault {
                kind: FaultKind::CutOff,
                offset: self.pos,
                length: read,
                offset_in_member: None,
                record_id: None,
                message: "the input ends inside a skippable frame".into(),
            });
        } else if let Some(why) = refusal {
            self.no_dictionary = true;
            ledger.damaged_bytes += read;
            ledger.fault(Fault {
                kind: FaultKind::DamagedMember,
                offset: self.pos,
                length: read,
                offset_in_member: None,
                record_id: None,
                message: format!(
                    "the zstd dictionary {why} and is not used: frames that need it cannot be \
                     read; fetch the file again, or decompress it first (zstd -d -D)"
                ),
            });
        } else {
            ledger.member_bytes += read;
        }
        self.pos += read;
        Ok(())
    }

    /// Loads the dictionary of `size` bytes from the skippable frame at `pos`. If that fails,
    /// returns what is wrong with it.
    fn load_dictionary(&mut self, size: usize) -> io::Result<Option<&'static str>> {
        if size > zstd::MAX_DICTIONARY {
            return Ok(Some(zstd::TOO_LARGE));
        }
        let bytes = self.window.at_least(self.pos, 8 + size)?;
        if bytes.len() < 8 + size {
            return Ok(None);
        }
        // A small frame can decode to a large dictionary, and a file can hold many such frames.
        self.top_up();
        let Some(credit) = self.credit.checked_sub(zstd::MAX_DICTIONARY as u64) else {
            return Ok(Some("comes after too many others"));
        };
        self.credit = credit;
        let mut decoder = zstd::Zstd::new();
        let loaded = decoder.load_dictionary(&self.window.bytes(self.pos)[8..8 + size]);
        if loaded.is_ok() {
            self.codec = Codec::Zstd(Box::new(decoder));
            self.no_dictionary = false;
            self.dictionary = true;
        }
        Ok(loaded.err())
    }
}
