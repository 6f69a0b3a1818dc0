//! Reading an object forward: ahead of the reader, within bounds, and on where it broke.

use super::failure::{brief, broken, changed, io_error, is_final};
use super::object::{Object, stamp};
use super::{Patience, Stamp, Stores};
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

/// Bytes read ahead of whoever reads.
const AHEAD: usize = 8 << 20;

/// The same of a small range, of which several are read at once.
const AHEAD_OF_SMALL: usize = 1 << 20;

/// Up to what size a range is small.
const SMALL: u64 = 4 << 20;

/// Bytes handed on at a time.
const PIECE: usize = 256 << 10;

/// Bytes of progress after which earlier failures are forgotten.
const PROGRESS: u64 = 64 << 10;

/// Answers to requests for a range that are none, after which a server is believed to know no ranges.
const NO_RANGES: u32 = 4;

/// Bytes that tell what an object is.
const MAGIC: usize = 16;

/// What of an object is read.
pub(super) enum Part {
    /// All, if its first bytes are accepted. It is as the first answer says it is.
    Whole(fn(&[u8]) -> bool),
    /// A range, of the object as it was.
    Range(Range<u64>, Stamp),
}

/// Reads what a task on the network's threads fetches.
pub(super) struct ObjectReader {
    chunks: mpsc::UnboundedReceiver<io::Result<Bytes>>,
    current: Bytes,
    /// All of it came; the task ends with an empty chunk.
    ended: bool,
    /// Bytes that may still be fetched ahead.
    room: Arc<Semaphore>,
    /// The threads that fetch are ended by whoever drops this last, and none of them may.
    _stores: Stores,
}

/// Begins to read, and tells what the object is like as soon as that is known.
pub(super) fn open(
    object: &Object,
    part: Part,
) -> (oneshot::Receiver<io::Result<Stamp>>, ObjectReader) {
    let (tell, told) = oneshot::channel();
    // What it holds is bounded by `room`.
    let (chunks, received) = mpsc::unbounded_channel();
    let room = match &part {
        Part::Range(range, _) if range.end - range.start <= SMALL => AHEAD_OF_SMALL,
        _ => AHEAD,
    };
    let room = Arc::new(Semaphore::new(room));
    let (at, end, known, accepted): (_, _, _, fn(&[u8]) -> bool) = match part {
        Part::Whole(accepted) => (0, None, None, accepted),
        Part::Range(range, stamp) => (range.start, Some(range.end), Some(stamp), |_| true),
    };
    let fetch = Fetch {
        store: object.clients.get.clone(),
        path: object.path.clone(),
        address: object.address().to_owned(),
        patience: object.stores.patience(),
        at,
        end,
        known,
        accepted,
        failures: 0,
        safe: at,
    };
    let task = fetch.run(tell, chunks, room.clone());
    object.stores.handle().spawn(task);
    let reader = ObjectReader {
        chunks: received,
        current: Bytes::new(),
        ended: false,
        room,
        _stores: object.stores.clone(),
    };
    (told, reader)
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
        // Whoever waits for room learns that nobody reads on.
        self.room.close();
    }
}

type Body = BoxStream<'static, object_store::Result<Bytes>>;

/// An object on its way.
struct Fetch {
    store: Arc<dyn ObjectStore>,
    path: Path,
    address: String,
    patience: Patience,
    /// Where the next byte stands in the object.
    at: u64,
    /// Where the part ends; `None` while the size is not known.
    end: Option<u64>,
    /// What the object is like.
    known: Option<Stamp>,
    accepted: fn(&[u8]) -> bool,
    /// Since there was progress.
    failures: u32,
    /// Where that progress is counted from.
    safe: u64,
}

impl Fetch {
    async fn run(
        mut self,
        tell: oneshot::Sender<io::Result<Stamp>>,
        chunks: mpsc::UnboundedSender<io::Result<Bytes>>,
        room: Arc<Semaphore>,
    ) {
        let mut tell = Some(tell);
        let mut body: Option<Body> = None;
        while self.end.is_none_or(|end| self.at < end) {
            match self.step(&mut body).await {
                Ok(chunk) => {
                    if let (Some(tell), Some(stamp)) = (tell.take(), &self.known) {
                        let _ = tell.send(Ok(stamp.clone()));
                    }
                    if !hand_on(chunk, &chunks, &room).await {
                        return;
                    }
                }
                Err(error) => {
                    body = None;
                    self.failures += 1;
                    let tries = match error.kind() {
                        // A page in place of a range passes; a server that knows no ranges stays so.
                        ErrorKind::Unsupported => NO_RANGES.min(self.patience.tries),
                        _ => self.patience.tries,
                    };
                    if is_final(&error) || self.failures >= tries {
                        // Of a range nobody asks what the object is like.
                        let untold = match tell.take() {
                            Some(tell) => tell.send(Err(error)).err(),
                            None => Some(Err(error)),
                        };
                        if let Some(Err(error)) = untold {
                            let _ = chunks.send(Err(error));
                        }
                        return;
                    }
                    let pause = self.patience.pause(self.failures);
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
        if let (Some(tell), Some(stamp)) = (tell, self.known) {
            let _ = tell.send(Ok(stamp));
        }
        let _ = chunks.send(Ok(Bytes::new()));
    }

    /// The next bytes, of a connection that is open or opened now.
    async fn step(&mut self, body: &mut Option<Body>) -> io::Result<Bytes> {
        let mut chunk = match body {
            Some(body) => next(body).await?,
            None => {
                let (now, mut opened) = self.request().await?;
                let first = match self.at {
                    0 => self.begin(&now, &mut opened).await?,
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
        // A server may send more than it was asked for.
        chunk.truncate(usize::try_from(end - self.at).unwrap_or(usize::MAX));
        self.at += chunk.len() as u64;
        if self.at - self.safe >= PROGRESS {
            (self.safe, self.failures) = (self.at, 0);
        }
        Ok(chunk)
    }

    /// Asks for all from `at` on. What the object is like now, and its bytes.
    async fn request(&mut self) -> io::Result<(Stamp, Body)> {
        // Any server answers a request for all of it. The answer to one for a range tells by itself that
        // it is no error page.
        let range = self.end.map(|end| GetRange::Bounded(self.at..end));
        let known = self.known.as_ref().and_then(|s| s.etag.clone());
        let options = GetOptions {
            range,
            // A weak tag never matches here (RFC 9110 §13.1.1); below it is compared all the same.
            if_match: known.filter(|tag| !tag.starts_with("W/")),
            ..GetOptions::default()
        };
        let answer = self.store.get_opts(&self.path, options);
        let answer = answer.await.map_err(|e| io_error(&e))?;
        let now = stamp(&answer.meta);
        match self.known.as_ref().and_then(|known| known.difference(&now)) {
            Some(what) => Err(changed(&what)),
            None => Ok((now, answer.into_stream())),
        }
    }

    /// The first bytes, looked at before anything of the answer is believed.
    async fn begin(&self, now: &Stamp, body: &mut Body) -> io::Result<Bytes> {
        let mut first = Vec::new();
        while first.len() < MAGIC {
            match next(body).await?.as_ref() {
                [] => break,
                more => first.extend_from_slice(more),
            }
        }
        let all = self.end.unwrap_or(now.size);
        let is_whole = first.len() >= MAGIC || first.len() as u64 >= all;
        // What is empty by mistake has neither tag nor time.
        let is_empty = first.is_empty() && (now.etag.is_some() || now.mtime_ns.is_some());
        if is_whole && (is_empty || (self.accepted)(&first)) {
            return Ok(first.into());
        }
        let seen = String::from_utf8_lossy(&first[..first.len().min(60)]);
        let what = "as no file does that is wanted here: an error page? If the file really begins so, copy it \
                    to a disk";
        Err(broken(format!("the answer begins with {seen:?}, {what}")))
    }
}

/// Hands bytes on as soon as there is room; `false` if nobody wants them.
async fn hand_on(
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
        // The reader gives it back.
        taken.forget();
        if chunks.send(Ok(piece)).is_err() {
            return false;
        }
    }
    true
}

/// The next bytes of an answer, none at its end.
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
