//! An object read in short ranges.

use std::io::{self, Read};
use std::sync::Arc;
use warcsieve_store::{Object, Stamp};
use warcsieve_warc::ReadFrom;

/// Readers that start at any offset of an object and request `window` bytes at a time: a request up
/// to the object's end would make the store send far more than the few bytes of a piece.
pub(super) fn windows(object: &Object, stamp: &Stamp, window: u64) -> ReadFrom {
    let (object, size, like) = (object.clone(), stamp.size, stamp.clone());
    read_from(size, window, move |at, end| {
        object.open_range(at..end, &like)
    })
}

/// The same for any source of `size` bytes, where `open` reads from one offset to another.
fn read_from<F>(size: u64, window: u64, open: F) -> ReadFrom
where
    F: Fn(u64, u64) -> Box<dyn Read + Send> + Send + Sync + 'static,
{
    let (open, window) = (Arc::new(open), window.max(1));
    Arc::new(move |at| {
        let open = open.clone();
        let starts = (at..size).step_by(window as usize);
        let windows = starts.map(move |at| open(at, at.saturating_add(window).min(size)));
        Box::new(Chain(Box::new(io::empty()), windows))
    })
}

/// Reads one after the other.
struct Chain<I>(Box<dyn Read + Send>, I);

impl<I: Iterator<Item = Box<dyn Read + Send>>> Read for Chain<I> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read(out)? {
                0 if !out.is_empty() => match self.1.next() {
                    Some(next) => self.0 = next,
                    None => return Ok(0),
                },
                n => return Ok(n),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::sync::Mutex;

    proptest! {
        #[test]
        fn windows_give_the_bytes_and_request_at_most_one_window_more(
            bytes in prop::collection::vec(any::<u8>(), 0..200),
            at in 0u64..220,
            window in 0u64..90,
            wanted in 0u64..220,
        ) {
            let requested = Arc::new(Mutex::new(0));
            let (all, seen) = (bytes.clone(), requested.clone());
            let from = read_from(bytes.len() as u64, window, move |at, end| {
                *seen.lock().unwrap() += end - at;
                Box::new(io::Cursor::new(all[at as usize..end as usize].to_vec()))
            });
            let mut found = Vec::new();
            from(at).take(wanted).read_to_end(&mut found).unwrap();
            let rest = bytes.get(at as usize..).unwrap_or_default();
            let expected = &rest[..rest.len().min(wanted as usize)];
            prop_assert_eq!(&found, expected);
            let requested = *requested.lock().unwrap();
            prop_assert!(requested < expected.len() as u64 + window.max(1));
        }
    }
}
