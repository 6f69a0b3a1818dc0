//! Uploads a file as an object.

use super::failure::write_error;
use super::object::Object;
use bytes::Bytes;
use object_store::{ObjectStoreExt, PutPayload, WriteMultipart};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek};
use warcsieve_common::{Error, Result};

/// Bytes of a part. Stores require at least 5 MiB per part and allow at most 10,000 parts.
const PART: usize = 8 << 20;

/// Parts uploaded concurrently.
const CONCURRENT_PARTS: usize = 4;

/// Times an upload is tried.
const UPLOAD_TRIES: usize = 3;

/// Largest file in bytes that is sent in one request, from memory.
const ONE_PIECE: u64 = 1 << 30;

/// Why an upload failed.
enum UploadError {
    /// The file cannot be read.
    Reading(io::Error),
    /// The store refuses the upload or cannot be reached; the object does not exist.
    Sending(object_store::Error),
    /// All parts were sent, but the request that completes the upload failed: the object may exist.
    Completing(object_store::Error),
}

impl Object {
    /// Writes the first `size` bytes of a file, in parts if the store supports that. The object
    /// appears when all parts are there. Concurrent writers of the same bytes do not disturb each
    /// other.
    ///
    /// # Errors
    /// [`Error::Io`]. No object of this name is left then.
    pub fn upload(&self, file: &mut File, size: u64) -> Result<()> {
        let mut uploads = 0;
        loop {
            uploads += 1;
            let error = match attempt(self, file, size) {
                Ok(()) => return Ok(()),
                Err(UploadError::Reading(error)) => return Err(Error::io(self.address(), error)),
                Err(UploadError::Completing(error)) => {
                    // If only the answer was lost, the client's retry finds no parts although the
                    // object is complete.
                    if self.stamp()?.is_some_and(|now| now.size == size) {
                        return Ok(());
                    }
                    error
                }
                Err(UploadError::Sending(error)) => error,
            };
            let error = write_error(&error);
            if uploads == UPLOAD_TRIES || error.kind() != ErrorKind::Other {
                return Err(Error::io(self.address(), error));
            }
        }
    }
}

fn attempt(object: &Object, file: &mut File, size: u64) -> Result<(), UploadError> {
    file.rewind().map_err(UploadError::Reading)?;
    if size <= PART as u64 {
        return put(object, file, size);
    }
    let begun = object.clients.retrying.put_multipart(&object.path);
    let parts = match object.stores.wait(begun) {
        Ok(parts) => parts,
        // A plain web server takes a file only in one request.
        Err(object_store::Error::NotImplemented { .. }) => return put(object, file, size),
        Err(error) => return Err(UploadError::Sending(error)),
    };
    let part = PART.max(usize::try_from(size / 10_000 + 1).unwrap_or(usize::MAX));
    object.stores.wait(async {
        let mut writer = WriteMultipart::new_with_chunk_size(parts, part);
        if let Err(failed) = send_parts(&mut writer, file, size, part).await {
            // Stores charge for uploaded parts until they are completed or aborted.
            let _ = writer.abort().await;
            return Err(failed);
        }
        writer
            .finish()
            .await
            .map(drop)
            .map_err(UploadError::Completing)
    })
}

async fn send_parts(
    writer: &mut WriteMultipart,
    file: &mut File,
    size: u64,
    part: usize,
) -> Result<(), UploadError> {
    let mut left = size;
    while left > 0 {
        let n = left.min(part as u64);
        let room = writer.wait_for_capacity(CONCURRENT_PARTS - 1).await;
        room.map_err(UploadError::Sending)?;
        writer.put(read(file, n)?);
        left -= n;
    }
    writer
        .wait_for_capacity(0)
        .await
        .map_err(UploadError::Sending)
}

fn put(object: &Object, file: &mut File, size: u64) -> Result<(), UploadError> {
    if size > ONE_PIECE {
        let what = "larger than 1 GiB, and this server takes files in one piece only";
        return Err(UploadError::Reading(io::Error::new(
            ErrorKind::InvalidInput,
            what,
        )));
    }
    let payload = PutPayload::from(read(file, size)?);
    let put = object.clients.retrying.put(&object.path, payload);
    object
        .stores
        .wait(put)
        .map(drop)
        .map_err(UploadError::Sending)
}

fn read(file: &mut File, n: u64) -> Result<Bytes, UploadError> {
    let mut bytes = Vec::new();
    file.take(n)
        .read_to_end(&mut bytes)
        .map_err(UploadError::Reading)?;
    match bytes.len() as u64 == n {
        true => Ok(bytes.into()),
        false => Err(UploadError::Reading(io::Error::new(
            ErrorKind::UnexpectedEof,
            "the finished file is shorter than what was written to it",
        ))),
    }
}
