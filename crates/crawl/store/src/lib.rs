//! Files on the local disk or in an object store.
//!
//! An address such as `s3://bucket/crawl/00.warc.gz` (`s3`, `gs`, `az`, `abfs`, `https`, `http`)
//! can be used wherever a path can. Objects are read forward with bounded read-ahead, and a read
//! that broke is resumed at the byte where it broke. Objects are written whole, and only under
//! their final names. All calls block: the network has its own threads. Without the feature
//! `object-store`, every address is refused.

#![cfg_attr(
    not(feature = "object-store"),
    allow(
        unreachable_code,
        unused_variables,
        reason = "an object is then a type without values"
    )
)]

#[cfg(feature = "object-store")]
mod clients;
#[cfg(feature = "object-store")]
mod connect;
#[cfg(feature = "object-store")]
mod contact;
#[cfg(feature = "object-store")]
mod failure;
mod file;
mod filled;
mod folder;
mod lock;
#[cfg(not(feature = "object-store"))]
#[path = "without_object_store.rs"]
mod object;
#[cfg(feature = "object-store")]
mod object;
#[cfg(feature = "object-store")]
mod open;
mod page;
#[cfg(feature = "object-store")]
mod read;
#[cfg(feature = "object-store")]
mod redirect;
mod rename;
#[cfg(feature = "object-store")]
mod resolve;
#[cfg(feature = "object-store")]
mod response;
mod retry;
mod secrets;
mod stamp;
mod temporary;
#[cfg(feature = "object-store")]
mod upload;

use std::path::Path;
use warcsieve_common::{Error, Result};

pub use file::{HashedFile, write_atomically, write_in_swept};
pub use filled::refuse_filled;
pub use folder::Folder;
pub use lock::{FolderLock, Lock, lock};
pub use object::{Object, Stores};
pub use page::{FetchedPage, fetch_page};
pub use rename::move_file;
pub use retry::RetryPolicy;
pub use secrets::{redacted, without_keys};
pub use stamp::Stamp;
pub use temporary::{remove_if_there, sweep};

/// Whether a text is an address of an object store, not a path.
pub fn is_address(text: &str) -> bool {
    const SCHEMES: &[&str] = &[
        "s3", "s3a", "gs", "az", "azure", "abfs", "abfss", "https", "http",
    ];
    text.split_once("://")
        .is_some_and(|(scheme, _)| SCHEMES.contains(&scheme))
}

/// Refuses a text that looks like an address but has no supported scheme. Taken as a path,
/// `hdfs://x` would create a local folder `hdfs:`. Also refuses an address with a password, keys or
/// a signature, because addresses appear in logs and manifests.
///
/// # Errors
/// [`Error::Invalid`].
pub fn check_place(text: &str) -> Result<()> {
    let is_scheme = |scheme: &str| {
        let mut letters = scheme.chars();
        letters.next().is_some_and(|c| c.is_ascii_alphabetic())
            && letters.all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    };
    let scheme = text.split_once(":/").map(|(scheme, _)| scheme);
    // A single letter is a Windows drive.
    let looks_so = scheme.is_some_and(|s| s.len() > 1 && is_scheme(s));
    match looks_so && !is_address(text) {
        true => Err(Error::Invalid(format!(
            "{}: neither a path nor a known address; addresses begin with s3://, gs://, az://, abfs://, \
             https:// or http://; if it is a path, write ./{}",
            secrets::shown(text),
            secrets::shown(text)
        ))),
        false => secrets::refuse_secrets(text),
    }
}

/// Refuses the address of a store. For commands that read folders of this machine only.
///
/// # Errors
/// [`Error::Invalid`], which says what to do instead.
pub fn refuse_address(folder: &Path) -> Result<()> {
    let place = folder.to_string_lossy();
    match is_address(&place) {
        true => Err(Error::Invalid(format!(
            "{}: this command reads folders of this machine only; copy the folder here with the store's own tool, and \
             name the copy",
            redacted(&place)
        ))),
        false => Ok(()),
    }
}

/// Whether an address is on a web server, which cannot list folders.
pub fn is_web(address: &str) -> bool {
    address.starts_with("https://") || address.starts_with("http://")
}

/// An object that a listing found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its full address.
    pub address: String,
    /// Its size in bytes.
    pub size: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_only_looks_like_an_address_is_refused() {
        for text in [
            "hdfs:///user/x",
            "file:///data/x",
            "s3:/bucket/x",
            "http:/x",
        ] {
            let error = check_place(text).unwrap_err().to_string();
            assert!(error.contains(&format!("./{text}")), "{error}");
        }
        for text in [
            "s3://b/x",
            "c:/x",
            "a/b:c/d",
            "./hdfs:/x",
            "/x:/y",
            "x:y",
            "*.gz",
            "-",
        ] {
            check_place(text).unwrap();
        }
    }
}
