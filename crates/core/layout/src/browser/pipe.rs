//! The Chrome DevTools Protocol over pipes: JSON messages, each ended by a zero byte.

use crate::engine::Lost;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::time::Instant;

/// Most bytes of a message. This is several times what the boxes and texts of a page need.
const MAX_MESSAGE_BYTES: u64 = 128 << 20;

/// Both ends of the pipes to the browser.
pub struct Pipe {
    to: Sender<String>,
    from: Receiver<Vec<u8>>,
    sent: u64,
    /// Answers must arrive before this time.
    pub deadline: Instant,
}

/// A message from the browser.
pub enum Event {
    /// The result of the request with that number; null if it was refused.
    Answer(u64, Value),
    /// An event: its name and its parameters.
    Happened(String, Value),
}

impl Pipe {
    pub fn new(mut to: ChildStdin, from: ChildStdout) -> Self {
        // Threads read and write, because pipes have no timeouts. The threads end with the browser.
        let (sender, messages) = channel::<String>();
        std::thread::spawn(move || {
            for message in messages {
                let written = to.write_all(message.as_bytes());
                if written.and_then(|()| to.flush()).is_err() {
                    break;
                }
            }
        });
        let (send, receive) = sync_channel(4);
        std::thread::spawn(move || {
            let mut from = BufReader::with_capacity(1 << 16, from);
            while let Some(message) = read(&mut from) {
                if send.send(message).is_err() {
                    break;
                }
            }
        });
        Self {
            to: sender,
            from: receive,
            sent: 0,
            deadline: Instant::now(),
        }
    }

    /// Sends a message to the browser or to one of its sessions. Returns the message's number.
    pub fn send(
        &mut self,
        method: &str,
        parameters: Value,
        session: Option<&str>,
    ) -> Result<u64, Lost> {
        self.sent += 1;
        let mut message = json!({"id": self.sent, "method": method, "params": parameters});
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        let sent = self.to.send(format!("{message}\0"));
        sent.map(|()| self.sent).map_err(|_| Lost::Ended)
    }

    /// Waits for the next message of the browser.
    pub fn receive(&mut self) -> Result<Event, Lost> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        let message = self.from.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => Lost::Slow,
            RecvTimeoutError::Disconnected => Lost::Ended,
        })?;
        let mut message: Value = serde_json::from_slice(&message).map_err(|_| Lost::Ended)?;
        match message["method"].as_str() {
            Some(method) => Ok(Event::Happened(method.to_owned(), message["params"].take())),
            None => Ok(Event::Answer(
                message["id"].as_u64().unwrap_or(0),
                message["result"].take(),
            )),
        }
    }
}

/// The next message. `None` if there are no more, or if it is too long.
fn read(from: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut message = Vec::new();
    from.take(MAX_MESSAGE_BYTES)
        .read_until(0, &mut message)
        .ok()?;
    (message.pop() == Some(0)).then_some(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_end_with_a_zero_byte() {
        let mut from = &b"{\"id\":1}\0{}\0{\"cut"[..];
        assert_eq!(read(&mut from).as_deref(), Some(&b"{\"id\":1}"[..]));
        assert_eq!(read(&mut from).as_deref(), Some(&b"{}"[..]));
        assert_eq!(read(&mut from), None);
    }
}
