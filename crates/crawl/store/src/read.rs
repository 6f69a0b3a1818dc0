//! Reads an object forward, with bounded read-ahead, and resumes where a read broke.
//!
//! A task on the network threads ([`Fetch`]) requests bytes and sends them through a channel to an
//! [`ObjectReader`], which blocks. The channel itself is unbounded; the semaphore `room` limits
//! what it holds. It starts with one permit per byte of read-ahead: the task takes permits before
//! it sends, the reader returns them as it consumes. So at any time: free permits + bytes sent and
//! not yet read + bytes about to be sent = the read-ahead limit.
//!
//! When a connection breaks, the task reconnects and requests the bytes from `at` on, and checks
//! that the object is still the same. Example: 100 of 250 bytes arrived, the connection breaks;
//! after a pause the task requests bytes 100..250 with the ETag of the first answer.

use super::failure::{brief, broken, changed, io_error, is_final};
use super::object::{Object, of_object, stamp};
use super::{RetryPolicy, Stamp, Stores, is_web};
use bytes::{Buf, Bytes};
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectStore};
use std::io::{self, ErrorKind, Read};
use std::ops::Range;
use std::sync::Arc;
use tokio::sync::{Semaphore, mpsc, oneshot};
use tracing::warn;

/// Bytes to read ahead.
const READ_AHEAD: usize = 8 << 20;

/// Bytes to read ahead in a small range. It is less, because several small ranges are read at once.
const READ_AHEAD_SMALL: usize = 1 << 20;

/// Largest size in bytes of a small range.
const SMALL_RANGE: u64 = 4 << 20;

/// Bytes sent to the reader at a time.
const PIECE: usize = 256 << 10;

/// Bytes of progress after which earlier failures are forgotten.
const PROGRESS: u64 = 64 << 10;

/// Failed answers to range requests after which the server counts as one that does not support
/// ranges.
const RANGE_TRIES: u32 = 4;

/// Answers of a web server that were not accepted, after which they count as the file.
const CONTENT_TRIES: u32 = 3;

/// First bytes of an object that are checked for its file type.
const MAGIC: usize = 16;

/// The part of an object to read.
pub(super) enum Part {
    /// All of it, if its first bytes are accepted. Its state is taken from the first answer.
    Whole(fn(&[u8]) -> bool),
    /// A range of the object, which must still have this state.
    Range(Range<u64>, Stamp),
}

/// The blocking end: reads what [`Fetch`] sends.
pub(super) struct ObjectReader {
    chunks: mpsc::UnboundedReceiver<io::Result<Bytes>>,
    current: Bytes,
    /// Everything has been received: the task sends an empty chunk last.
    ended: bool,
    /// Bytes that may still be fetched ahead.
    room: Arc<Semaphore>,
    /// Keeps the runtime alive. The last clone to be dropped shuts it down, and that must not
    /// happen on one of the runtime's own threads.
    _stores: Stores,
}

/// Starts to read. The object's state is sent through the returned channel as soon as it is known.
pub(super) fn open(
    object: &Object,
    part: Part,
) -> (oneshot::Receiver<io::Result<Stamp>>, ObjectReader) {
    let (stamp_sender, mut stamp) = oneshot::channel();
    // `room` limits what the channel holds.
    let (chunks, received) = mpsc::unbounded_channel();
    let room = match &part {
        Part::Range(range, _) if range.end - range.start <= SMALL_RANGE => READ_AHEAD_SMALL,
        _ => READ_AHEAD,
    };
    let room = Arc::new(Semaphore::new(room));
    let (at, end, known, accepted): (_, _, _, fn(&[u8]) -> bool) = match part {
        Part::Whole(accepted) => (0, None, None, accepted),
        Part::Range(range, stamp) => (range.start, Some(range.end), Some(stamp), |_| true),
    };
    let fetch = Fetch {
        store: object.clients.once.clone(),
        path: object.path.clone(),
        address: object.address().to_owned(),
        policy: object.stores.retry_policy(),
        at,
        end,
        known,
        accepted,
        failures: 0,
        refused: 0,
        progress_from: at,
    };
    if fetch.known.is_some() {
        // Nobody waits for the state of a range, so an error must reach the reader.
        stamp.close();
    }
    let task = fetch.run(stamp_sender, chunks, room.clone());
    object.stores.handle().spawn(task);
    let reader = ObjectReader {
        chunks: received,
        current: Bytes::new(),
        ended: false,
        room,
        _stores: object.stores.clone(),
    };
    (stamp, reader)
}

impl Read for ObjectReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.current.is_empty() && !self.ended {
            self.current = match self.chunks.blocking_recv() {
                Some(chunk) => chunk?,
                None => return Err(io::Error::other("the network thread is gone")),
            };
            self.ended = self.current.is_empty();
        }
        let n = out.len().min(self.current.len());
        self.current.copy_to_slice(&mut out[..n]);
        self.room.add_permits(n);
        Ok(n)
    }
}

impl Drop for ObjectReader {
    fn drop(&mut self) {
        // Ends a task that is waiting for room.
        self.room.close();
    }
}

type Body = BoxStream<'static, object_store::Result<Bytes>>;

/// The task that fetches an object.
struct Fetch {
    store: Arc<dyn ObjectStore>,
    path: Path,
    address: String,
    policy: RetryPolicy,
    /// Offset in the object of the next byte to fetch.
    at: u64,
    /// Offset of the end of the part; `None` while the size is not known.
    end: Option<u64>,
    /// The object's state, from [`Part::Range`] or the first answer. Later answers must agree with
    /// it.
    known: Option<Stamp>,
    accepted: fn(&[u8]) -> bool,
    /// Failures since the last progress.
    failures: u32,
    /// Answers whose first bytes were not accepted.
    refused: u32,
    /// Offset from which progress is measured: after `PROGRESS` more bytes, `failures` is reset.
    progress_from: u64,
}

impl Fetch {
    async fn run(
        mut self,
        stamp_sender: oneshot::Sender<io::Result<Stamp>>,
        chunks: mpsc::UnboundedSender<io::Result<Bytes>>,
        room: Arc<Semaphore>,
    ) {
        let mut stamp_sender = Some(stamp_sender);
        let mut body: Option<Body> = None;
        while self.end.is_none_or(|end| self.at < end) {
            match self.next_chunk(&mut body).await {
                Ok(chunk) => {
                    if let (Some(sender), Some(stamp)) = (stamp_sender.take(), &self.known) {
                        let _ = sender.send(Ok(stamp.clone()));
                    }
                    if !send_bytes(chunk, &chunks, &room).await {
                        return;
                    }
                }
                Err(error) => {
                    body = None;
                    self.failures += 1;
                    let tries = match error.kind() {
                        // An HTML page instead of a range is temporary; missing support for ranges
                        // is not.
                        ErrorKind::Unsupported => RANGE_TRIES.min(self.policy.tries),
                        _ => self.policy.tries,
                    };
                    if is_final(&error) || self.failures >= tries {
                        // For a range, the receiver of the stamp is already dropped; the reader
                        // gets the error instead.
                        let error = self.without_ranges(error);
                        let unsent = match stamp_sender.take() {
                            Some(sender) => sender.send(Err(error)).err(),
                            None => Some(Err(error)),
                        };
                        if let Some(Err(error)) = unsent {
                            let _ = chunks.send(Err(error));
                        }
                        return;
                    }
                    let pause = self.policy.pause(self.failures);
                    warn!(
                        "{}: {error}; reading on from byte {} in {:.1} s",
                        self.address,
                        self.at,
                        pause.as_secs_f64()
                    );
                    tokio::time::sleep(pause).await;
                }
            }
        }
        if let (Some(sender), Some(stamp)) = (stamp_sender, self.known) {
            let _ = sender.send(Ok(stamp));
        }
        let _ = chunks.send(Ok(Bytes::new()));
    }

    /// Says that the server does not support ranges and that the read broke before.
    fn without_ranges(&self, error: io::Error) -> io::Error {
        match error.kind() {
            ErrorKind::Unsupported if self.at > 0 => io::Error::other(format!(
                "the connection broke at byte {}, and the server can only send the whole file ({error})",
                self.at
            )),
            _ => error,
        }
    }

    /// The next bytes, from the open connection or a new one.
    async fn next_chunk(&mut self, body: &mut Option<Body>) -> io::Result<Bytes> {
        let mut chunk = match body {
            Some(body) => next(body).await?,
            None => {
                let (now, mut opened) = self.request().await?;
                let first = match self.at {
                    0 => self.check_start(&now, &mut opened).await?,
                    _ => next(&mut opened).await?,
                };
                self.end.get_or_insert(now.size);
                self.known.get_or_insert(now);
                *body = Some(opened);
                first
            }
        };
        let Some(end) = self.end else {
            return Err(io::Error::other("the size is not known"));
        };
        if chunk.is_empty() && self.at < end {
            let missing = end - self.at;
            return Err(broken(format!(
                "the connection ended {missing} bytes early"
            )));
        }
        // A server may send more than was requested.
        chunk.truncate(usize::try_from(end - self.at).unwrap_or(usize::MAX));
        self.at += chunk.len() as u64;
        if self.at - self.progress_from >= PROGRESS {
            (self.progress_from, self.failures) = (self.at, 0);
        }
        Ok(chunk)
    }

    /// Requests everything from `at` on. Returns the object's current state and its bytes.
    async fn request(&mut self) -> io::Result<(Stamp, Body)> {
        // The first request is for the whole object, which any server can answer; `check_start`
        // then detects error pages. An answer to a range request needs no such check: its status
        // and headers show that it is one.
        let range = self.end.map(|end| GetRange::Bounded(self.at..end));
        let known = self.known.as_ref().and_then(|s| s.etag.clone());
        let options = GetOptions {
            range,
            // A weak tag never matches in `If-Match` (RFC 9110 §13.1.1); it is compared below
            // instead.
            if_match: known.filter(|tag| !tag.starts_with("W/")),
            ..of_object()
        };
        let answer = self.store.get_opts(&self.path, options);
        let answer = answer.await.map_err(|e| io_error(&e))?;
        let now = stamp(&answer.meta);
        match self.known.as_ref().and_then(|known| known.difference(&now)) {
            Some(what) => Err(changed(&what)),
            None => Ok((now, answer.into_stream())),
        }
    }

    /// The first bytes, which must be accepted before the answer is used at all.
    async fn check_start(&mut self, now: &Stamp, body: &mut Body) -> io::Result<Bytes> {
        let mut first = Vec::new();
        while first.len() < MAGIC {
            match next(body).await?.as_ref() {
                [] => break,
                more => first.extend_from_slice(more),
            }
        }
        let all = self.end.unwrap_or(now.size);
        let is_whole = first.len() >= MAGIC || first.len() as u64 >= all;
        // An empty answer sent by mistake has neither an ETag nor a time.
        let is_empty = first.is_empty() && (now.etag.is_some() || now.mtime_ns.is_some());
        if is_whole && (is_empty || (self.accepted)(&first)) {
            return Ok(first.into());
        }
        self.refused += 1;
        let seen = String::from_utf8_lossy(&first[..first.len().min(60)]);
        let what = format!(
            "the server answers 200 OK, but the content begins with {seen:?}, unlike any file \
             that is expected here"
        );
        // An error page has no ETag and no time, as an object of a store has. Pages of web servers
        // may lack both.
        let is_the_file = now.etag.is_some()
            || now.mtime_ns.is_some()
            || (is_web(&self.address) && self.refused == CONTENT_TRIES);
        Err(match is_whole && is_the_file {
            true => io::Error::new(ErrorKind::InvalidInput, what),
            false => broken(format!("{what}: an error page?")),
        })
    }
}

/// Sends bytes to the reader as soon as there is room; `false` if the reader is gone.
async fn send_bytes(
    mut bytes: Bytes,
    chunks: &mpsc::UnboundedSender<io::Result<Bytes>>,
    room: &Semaphore,
) -> bool {
    while !bytes.is_empty() {
        let piece = bytes.split_to(bytes.len().min(PIECE));
        let permits = u32::try_from(piece.len()).unwrap_or(u32::MAX);
        let Ok(taken) = room.acquire_many(permits).await else {
            return false;
        };
        // `ObjectReader::read` returns the permits.
        taken.forget();
        if chunks.send(Ok(piece)).is_err() {
            return false;
        }
    }
    true
}

/// The next bytes of an answer; empty at its end.
async fn next(body: &mut Body) -> io::Result<Bytes> {
    loop {
        match body.next().await {
            None => return Ok(Bytes::new()),
            Some(Ok(bytes)) if bytes.is_empty() => {}
            Some(Ok(bytes)) => return Ok(bytes),
            Some(Err(error)) => return Err(broken(brief(&error))),
        }
    }
}
