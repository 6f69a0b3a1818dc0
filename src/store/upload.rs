//! Writing an object from a file.

use super::failure::write_error;
use super::object::Object;
use crate::error::{Error, Result};
use bytes::Bytes;
use object_store::{ObjectStoreExt, PutPayload, WriteMultipart};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek};

/// Bytes of a part. Stores allow no smaller ones than 5 MiB, and no more than 10,000.
const PART: usize = 8 << 20;

/// Parts on their way at once.
const TOGETHER: usize = 4;

/// Times that an upload is begun.
const UPLOADS: usize = 3;

/// Largest file that is sent in one piece, from memory.
const ONE_PIECE: u64 = 1 << 30;

/// What an upload comes to an end with.
enum Failed {
    /// The file cannot be read.
    Reading(io::Error),
    /// The store refuses, or cannot be reached; the object is not there.
    Sending(object_store::Error),
    /// All parts were sent, and the answer to the last request did not come: the object may be there.
    Completing(object_store::Error),
}

/// Writes the first `size` bytes of `file`.
pub(super) fn upload(object: &Object, file: &mut File, size: u64) -> Result<()> {
    let mut uploads = 0;
    loop {
        uploads += 1;
        let error = match attempt(object, file, size) {
            Ok(()) => return Ok(()),
            Err(Failed::Reading(error)) => return Err(Error::io(object.address(), error)),
            Err(Failed::Completing(error)) => {
                // A request that was made again after its answer was lost finds no parts.
                if object.stamp()?.is_some_and(|now| now.size == size) {
                    return Ok(());
                }
                error
            }
            Err(Failed::Sending(error)) => error,
        };
        let error = write_error(&error);
        if uploads == UPLOADS || error.kind() != ErrorKind::Other {
            return Err(Error::io(object.address(), error));
        }
    }
}

fn attempt(object: &Object, file: &mut File, size: u64) -> Result<(), Failed> {
    file.rewind().map_err(Failed::Reading)?;
    if size <= PART as u64 {
        return put(object, file, size);
    }
    let begun = object.clients.ask.put_multipart(&object.path);
    let parts = match object.stores.wait(begun) {
        Ok(parts) => parts,
        // A plain web server takes a file in one piece.
        Err(object_store::Error::NotImplemented { .. }) => return put(object, file, size),
        Err(error) => return Err(Failed::Sending(error)),
    };
    let part = PART.max(usize::try_from(size / 10_000 + 1).unwrap_or(usize::MAX));
    object.stores.wait(async {
        let mut writer = WriteMultipart::new_with_chunk_size(parts, part);
        if let Err(failed) = send_parts(&mut writer, file, size, part).await {
            // Parts without an object are paid for.
            let _ = writer.abort().await;
            return Err(failed);
        }
        writer.finish().await.map(drop).map_err(Failed::Completing)
    })
}

async fn send_parts(
    writer: &mut WriteMultipart,
    file: &mut File,
    size: u64,
    part: usize,
) -> Result<(), Failed> {
    let mut left = size;
    while left > 0 {
        let n = left.min(part as u64);
        let room = writer.wait_for_capacity(TOGETHER - 1).await;
        room.map_err(Failed::Sending)?;
        writer.put(read(file, n)?);
        left -= n;
    }
    writer.wait_for_capacity(0).await.map_err(Failed::Sending)
}

fn put(object: &Object, file: &mut File, size: u64) -> Result<(), Failed> {
    if size > ONE_PIECE {
        let what = "larger than 1 GiB, and this server takes files in one piece only";
        return Err(Failed::Reading(io::Error::new(
            ErrorKind::InvalidInput,
            what,
        )));
    }
    let payload = PutPayload::from(read(file, size)?);
    let put = object.clients.ask.put(&object.path, payload);
    object.stores.wait(put).map(drop).map_err(Failed::Sending)
}

fn read(file: &mut File, n: u64) -> Result<Bytes, Failed> {
    let mut bytes = Vec::new();
    file.take(n)
        .read_to_end(&mut bytes)
        .map_err(Failed::Reading)?;
    match bytes.len() as u64 == n {
        true => Ok(bytes.into()),
        false => Err(Failed::Reading(io::Error::new(
            ErrorKind::UnexpectedEof,
            "the finished file is shorter than what was written to it",
        ))),
    }
}
