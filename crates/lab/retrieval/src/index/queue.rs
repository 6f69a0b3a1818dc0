//! Limits the bytes of pages queued for tantivy's threads.
//!
//! Tantivy's own queue holds up to 10,000 documents of any size. Here, [`Queue::admit`] blocks
//! until there is room and wraps the page in a [`Queued`]; when a tantivy thread takes the page (or
//! drops it), its bytes are released.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;
use tantivy::TantivyDocument;
use tantivy::schema::Document;

/// Maximum number of bytes of waiting pages.
const LIMIT: usize = 32 << 20;

/// Threads that take no page for this long count as dead. The page is then admitted anyway, so that
/// tantivy reports the error when it receives the page.
const STALL_TIMEOUT: Duration = Duration::from_secs(60);

/// The number of bytes that wait.
#[derive(Debug, Default)]
pub struct Queue {
    bytes: Mutex<usize>,
    taken: Condvar,
}

impl Queue {
    /// Waits until there is room for a page of `bytes` bytes. If nothing else waits, there is
    /// always room.
    pub fn admit(self: &Arc<Self>, document: TantivyDocument, bytes: usize) -> Queued {
        let waiting = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let full = |waiting: &mut usize| *waiting > 0 && *waiting + bytes > LIMIT;
        let waited = self.taken.wait_timeout_while(waiting, STALL_TIMEOUT, full);
        let (mut waiting, _) = waited.unwrap_or_else(PoisonError::into_inner);
        *waiting += bytes;
        Queued {
            document,
            _place: Place {
                queue: self.clone(),
                bytes,
            },
        }
    }
}

/// A waiting page.
pub struct Queued {
    document: TantivyDocument,
    _place: Place,
}

struct Place {
    queue: Arc<Queue>,
    bytes: usize,
}

impl Drop for Place {
    fn drop(&mut self) {
        let waiting = self.queue.bytes.lock();
        *waiting.unwrap_or_else(PoisonError::into_inner) -= self.bytes;
        self.queue.taken.notify_one();
    }
}

impl Document for Queued {
    type Value<'a> = <TantivyDocument as Document>::Value<'a>;
    type FieldsValuesIter<'a> = <TantivyDocument as Document>::FieldsValuesIter<'a>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        self.document.iter_fields_and_values()
    }

    /// Tantivy calls this when a thread takes the page.
    fn into_tantivy_document(self) -> TantivyDocument {
        self.document
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn a_page_waits_until_there_is_room() {
        let queue = Arc::new(Queue::default());
        let first = queue.admit(TantivyDocument::default(), LIMIT);
        let waiting = thread::spawn({
            let queue = queue.clone();
            move || drop(queue.admit(TantivyDocument::default(), 1))
        });
        thread::sleep(Duration::from_millis(50));
        assert!(!waiting.is_finished());
        drop(first.into_tantivy_document());
        waiting.join().unwrap();
        assert_eq!(*queue.bytes.lock().unwrap(), 0);
        // Larger than the limit, but the only page.
        drop(queue.admit(TantivyDocument::default(), 2 * LIMIT));
    }
}
