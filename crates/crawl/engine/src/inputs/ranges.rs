//! Reads selected ranges of a file or an object.

use super::stored::object_from;
use crate::cdx::Ranges;
use std::collections::VecDeque;
use std::io::{self, Cursor, Read};
use std::ops::Range;
use warcsieve_common::{Error, Result};
use warcsieve_store::{Object, Stamp};
use warcsieve_warc::{ReadFrom, Span};

/// Spans of a file, opened one after the other.
pub type Spans = Box<dyn Iterator<Item = io::Result<Span>> + Send>;

/// Bytes of ranges that are fetched by one request, what is between them included.
const MAX_REQUEST_BYTES: u64 = 4 << 20;

/// The most bytes between two ranges that are fetched and thrown away. To wait for the answer to another request takes
/// about as long.
const MAX_GAP_BYTES: u64 = 1 << 20;

/// A request fetches at most this many times the bytes of its ranges.
const MAX_EXCESS: u64 = 8;

/// Requests for ranges of an object that are sent before their bytes are needed.
const REQUESTS_AHEAD: usize = 8;

/// The selected spans of an input that can be read from any offset.
pub fn of_ranges(from: ReadFrom, ranges: &Ranges) -> Spans {
    let ranges = ranges.spans.clone().into_iter();
    Box::new(ranges.map(move |range| Ok(span(&range, from(range.start), Some(from.clone())))))
}

/// The selected spans of an object. Ranges that are near each other are fetched by one request.
///
/// # Errors
/// [`Error::Io`] if the server sends nothing that identifies the state of an object. Then its size,
/// which bounds the ranges that can be requested, may be that of an error page.
pub fn of_object(object: Object, stamp: Stamp, ranges: &Ranges) -> Result<Spans> {
    if stamp.etag.is_none() && stamp.mtime_ns.is_none() {
        let what = "the server gives neither ETag nor Last-Modified, without which records cannot be selected";
        return Err(Error::io(object.address(), io::Error::other(what)));
    }
    let mut requests = join_near(&ranges.spans).into_iter();
    let mut fetched = VecDeque::new();
    let spans = std::iter::from_fn(move || {
        while fetched.len() < REQUESTS_AHEAD
            && let Some((range, spans)) = requests.next()
        {
            // Bytes beyond the object's end cannot be requested; the reader detects that they are
            // missing.
            let there = range.start.min(stamp.size)..range.end.min(stamp.size);
            let bytes: Box<dyn Read + Send> = match there.is_empty() {
                true => Box::new(io::empty()),
                false => object.open_range(there, &stamp),
            };
            let again = Some(object_from(&object, &stamp));
            fetched.push_back((bytes, range.start, spans, again));
        }
        fetched.pop_front()
    });
    Ok(Box::new(spans.flat_map(one_by_one)))
}

/// The bytes of a request, where they begin, the spans in them, and how to read a span again.
type Request = (Box<dyn Read + Send>, u64, Vec<Range<u64>>, Option<ReadFrom>);

/// The spans of one request. If there are several, each is read into memory as a whole, so it does not matter how much
/// of the span before was read.
fn one_by_one(
    (mut bytes, mut at, spans, again): Request,
) -> impl Iterator<Item = io::Result<Span>> + Send {
    let alone = spans.len() == 1;
    let mut spans = spans.into_iter();
    std::iter::from_fn(move || {
        let range = spans.next()?;
        if alone {
            let bytes = std::mem::replace(&mut bytes, Box::new(io::empty()));
            return Some(Ok(span(&range, bytes, again.clone())));
        }
        let mut own = Vec::new();
        let gap = io::copy(&mut (&mut bytes).take(range.start - at), &mut io::sink());
        let read = gap.and_then(|_| {
            (&mut bytes)
                .take(range.end - range.start)
                .read_to_end(&mut own)
        });
        at = range.end;
        Some(read.map(|_| span(&range, Box::new(Cursor::new(own)), again.clone())))
    })
}

fn span(range: &Range<u64>, bytes: Box<dyn Read + Send>, again: Option<ReadFrom>) -> Span {
    Span {
        start: range.start,
        length: range.end - range.start,
        bytes,
        again,
    }
}

/// Joins ranges that are near each other. Returns each joined range with the ranges in it.
///
/// Invariant: the ranges are in order and do not overlap, and so are those that are returned.
fn join_near(ranges: &[Range<u64>]) -> Vec<(Range<u64>, Vec<Range<u64>>)> {
    let mut requests: Vec<(Range<u64>, Vec<Range<u64>>)> = Vec::new();
    let mut selected = 0;
    for range in ranges {
        let own = range.end - range.start;
        match requests.last_mut() {
            Some((last, spans))
                if range.start - last.end <= MAX_GAP_BYTES
                    && range.end - last.start
                        <= MAX_REQUEST_BYTES.min(MAX_EXCESS.saturating_mul(selected + own)) =>
            {
                selected += own;
                last.end = range.end;
                spans.push(range.clone());
            }
            _ => {
                selected = own;
                requests.push((range.clone(), vec![range.clone()]));
            }
        }
    }
    requests
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn ranges_that_are_near_are_fetched_together_up_to_a_bound() {
        let (kib, mib) = (1 << 10, 1 << 20);
        let ranges = [
            0..kib,
            kib..2 * kib,
            // Eight times as much as is selected, and one byte more.
            23 * kib..24 * kib,
            31 * kib + 1..32 * kib + 1,
            2 * mib..3 * mib,
            4 * mib..5 * mib,
            6 * mib + 1..7 * mib,
            7 * mib..11 * mib,
        ];
        let requests = join_near(&ranges);
        let fetched: Vec<_> = requests.iter().map(|(range, _)| range.clone()).collect();
        let expected = [
            0..24 * kib,
            31 * kib + 1..32 * kib + 1,
            2 * mib..5 * mib,
            6 * mib + 1..7 * mib,
            7 * mib..11 * mib,
        ];
        assert_eq!(fetched, expected);
        let spans: Vec<_> = requests.into_iter().flat_map(|(_, spans)| spans).collect();
        assert_eq!(spans, ranges);
    }

    #[test]
    fn spans_fetched_together_are_read_independently() {
        let bytes: Vec<u8> = (0..100).collect();
        let whole: Vec<u8> = (0..100).map(|byte| byte + 100).collect();
        let again: ReadFrom =
            Arc::new(move |at| Box::new(Cursor::new(whole[at as usize..].to_vec())));
        let parts = (
            Box::new(Cursor::new(bytes)) as _,
            15,
            vec![20..30, 30..60, 70..125],
            Some(again),
        );
        let mut spans = one_by_one(parts);
        // Nothing is read of the first two.
        let mut next = || {
            let span = spans.next().unwrap().unwrap();
            // A span may inflate to more than a buffer, and is then read from its place again.
            let mut first = [0];
            let read_again = span.again.as_ref().expect("each can be read again");
            read_again(span.start).read_exact(&mut first).unwrap();
            assert_eq!(u64::from(first[0]), span.start + 100);
            span
        };
        assert_eq!((next().start, next().start), (20, 30));
        let mut third = next();
        let mut read = Vec::new();
        third.bytes.read_to_end(&mut read).unwrap();
        assert_eq!(
            (third.start, third.length, read),
            (70, 55, (55..100).collect())
        );
        assert!(spans.next().is_none());
    }
}
