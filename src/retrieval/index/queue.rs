//! Pages on their way to tantivy's threads, bounded by bytes.
//!
//! Its own queue is bounded by 10,000 documents, whatever their size.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;
use tantivy::TantivyDocument;
use tantivy::schema::Document;

/// Bytes of pages that wait.
const LIMIT: usize = 32 << 20;

/// Threads that take nothing for so long are dead; tantivy says so when it is given the next page.
const PATIENCE: Duration = Duration::from_secs(60);

/// How much waits.
#[derive(Debug, Default)]
pub struct Queue {
    bytes: Mutex<usize>,
    taken: Condvar,
}

impl Queue {
    /// Waits until there is room for a page of so many bytes; one alone always has it.
    pub fn admit(self: &Arc<Self>, document: TantivyDocument, bytes: usize) -> Queued {
        let waiting = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let full = |waiting: &mut usize| *waiting > 0 && *waiting + bytes > LIMIT;
        let waited = self.taken.wait_timeout_while(waiting, PATIENCE, full);
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

/// A page that waits.
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

    /// What tantivy calls when a thread takes the page.
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
        // Larger than the limit, and alone.
        drop(queue.admit(TantivyDocument::default(), 2 * LIMIT));
    }
}
