//! One WARC record and its location.

use crate::record_type::RecordType;
use std::ops::Range;
use warcsieve_common::shortened;

/// The capacity that a record always keeps: bytes, and number of headers.
const SLACK: usize = 48 << 10;
const SLACK_HEADERS: usize = 512;

/// Location of a record in its input. Together with the name of the input it suffices to find the
/// record again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// Byte offset in the file of the member (gzip member, zstd frame) that
    /// holds the record; of the record itself if the file is not compressed.
    pub offset: u64,
    /// Bytes of that member in the file, or of the record where the file is not
    /// compressed. `None` if the member was larger than the buffer and its end
    /// is not known yet.
    pub length: Option<u64>,
    /// Byte offset of the record in the decoded member; 0 if it is not compressed.
    pub offset_in_member: u64,
}

/// What was wrong with a record's framing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordFlaws {
    /// `Content-Length` was absent, or no record boundary followed the body of that length. The body was cut at the
    /// next record, at the end of the member, or where the line ends begin that close the record.
    pub wrong_length: bool,
    /// The input ended inside the record.
    pub cut_off: bool,
    /// The checksum of the member that holds the record does not match, or it is not known because the member is
    /// damaged or cut off.
    pub suspect: bool,
    /// The body was longer than the limit; `body()` holds only its beginning.
    pub too_large: bool,
}

/// A record: ordered headers and body. Refilled by
/// [`Source::read_record`](super::Source::read_record), so that its buffers are reused.
///
/// ```
/// use warcsieve_warc::{Record, RecordType};
///
/// let record = Record::from_parts(&[("WARC-Type", "resource")], b"a page");
/// assert_eq!(record.record_type(), RecordType::Resource);
/// assert_eq!(record.header("warc-type"), Some(&b"resource"[..]));
/// assert_eq!(record.body(), b"a page");
/// ```
///
/// Memory: the record's bytes, at most the reader's record limit with a header of 256 KiB; see
/// [`memory`](Self::memory).
#[derive(Debug, Default)]
pub struct Record {
    /// Where the record is.
    pub location: Location,
    /// What was wrong with its framing.
    pub flaws: RecordFlaws,
    pub(super) data: Vec<u8>,
    pub(super) headers: Vec<(Range<u32>, Range<u32>)>,
    pub(super) body: Range<usize>,
}

impl Record {
    /// A record with these headers and this body, with a default location and no flaws.
    pub fn from_parts(headers: &[(&str, &str)], body: &[u8]) -> Self {
        let headers = headers.iter();
        let headers = headers.map(|(name, value)| (name.as_bytes(), value.as_bytes()));
        Self::from_bytes(b"", headers, body)
    }

    /// The same of raw bytes, after a version line.
    pub(super) fn from_bytes<'h>(
        version_line: &[u8],
        headers: impl Iterator<Item = (&'h [u8], &'h [u8])>,
        body: &[u8],
    ) -> Self {
        let mut record = Self::default();
        let mut append = |bytes: &[u8]| {
            let at = |data: &[u8]| u32::try_from(data.len()).expect("headers are far below 4 GB");
            let start = at(&record.data);
            record.data.extend_from_slice(bytes);
            start..at(&record.data)
        };
        append(version_line);
        record.headers = headers
            .map(|(name, value)| (append(name), append(value)))
            .collect();
        let start = record.data.len();
        record.data.extend_from_slice(body);
        record.body = start..record.data.len();
        record
    }

    /// Bytes of memory that the record holds. For a record filled by a reader this is at most twice the bytes of its
    /// header and body, plus 64 KiB, plus 32 bytes per header.
    pub fn memory(&self) -> usize {
        self.data.capacity() + self.headers.capacity() * size_of::<(Range<u32>, Range<u32>)>()
    }

    /// Prepares for `bytes` of header and body. A buffer that is far larger is freed. A buffer that is too small is
    /// replaced by one that is at least twice as large. Growing it would copy the old record.
    pub(super) fn make_room(&mut self, bytes: usize) {
        let room = self.data.capacity();
        if room > 2 * bytes + SLACK {
            self.data = Vec::new();
        } else if room < bytes {
            self.data = Vec::with_capacity(bytes.max(2 * room));
        }
        if self.headers.capacity() > SLACK_HEADERS {
            self.headers = Vec::new();
        }
    }

    /// The body: everything after the blank line that ends the header; in HTTP records this
    /// includes the HTTP header.
    pub fn body(&self) -> &[u8] {
        &self.data[self.body.clone()]
    }

    /// The size of everything before the body.
    pub fn header_bytes(&self) -> usize {
        self.body.start
    }

    /// The first header of that name, compared without regard to case. The value is raw bytes,
    /// trimmed and without line ends: folded lines are joined with a space.
    pub fn header(&self, name: &str) -> Option<&[u8]> {
        self.headers()
            .find(|(n, _)| n.eq_ignore_ascii_case(name.as_bytes()))
            .map(|(_, v)| v)
    }

    /// All headers in order, names and values as raw bytes, trimmed.
    pub fn headers(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.headers.iter().map(|(n, v)| {
            (
                &self.data[n.start as usize..n.end as usize],
                &self.data[v.start as usize..v.end as usize],
            )
        })
    }

    /// `WARC-Type`; unknown and absent types are `RecordType::Unknown`.
    pub fn record_type(&self) -> RecordType {
        RecordType::from(String::from_utf8_lossy(
            self.header("WARC-Type").unwrap_or_default(),
        ))
    }

    /// `WARC-Record-ID` as written, angle brackets included; empty if absent.
    pub fn record_id(&self) -> String {
        String::from_utf8_lossy(self.header("WARC-Record-ID").unwrap_or_default()).into_owned()
    }

    /// The id as faults list it, which may be shortened; `None` if it has none.
    pub(super) fn listed_id(&self) -> Option<String> {
        Some(shortened(self.record_id())).filter(|id| !id.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_growing_record_has_few_buffers_of_about_its_size() {
        let mut record = Record::default();
        let (mut buffers, mut room) = (0, 0);
        for bytes in (1_000..100_000).chain([10, 200_000, 60_000]) {
            record.make_room(bytes);
            record.data.clear();
            record.data.resize(bytes, 0);
            assert!(record.data.capacity() <= 2 * bytes + SLACK, "{bytes}");
            buffers += usize::from(record.data.capacity() != room);
            room = record.data.capacity();
        }
        assert!(buffers < 12, "{buffers}");
    }
}
