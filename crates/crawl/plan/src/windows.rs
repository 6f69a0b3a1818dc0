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
    let open = Arc::new(open);
    Arc::new(move |at| {
        Box::new(Windows {
            open: open.clone(),
            at,
            size,
            window: window.max(1),
            current: None,
        })
    })
}

struct Windows<F> {
    open: Arc<F>,
    /// Where the next window begins.
    at: u64,
    size: u64,
    window: u64,
    current: Option<Box<dyn Read + Send>>,
}

impl<F> Read for Windows<F>
where
    F: Fn(u64, u64) -> Box<dyn Read + Send>,
{
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        loop {
            if let Some(current) = &mut self.current {
                match current.read(out)? {
                    0 => self.current = None,
                    n => return Ok(n),
                }
            }
            if self.at >= self.size {
                return Ok(0);
            }
            let end = self.at.saturating_add(self.window).min(self.size);
            self.current = Some((self.open)(self.at, end));
            self.at = end;
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
