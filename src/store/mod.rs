//! Where files are: here, or in an object store.
//!
//! An address such as `s3://bucket/crawl/00.warc.gz` (`s3`, `gs`, `az`, `abfs`, `https`, `http`) stands wherever a path
//! may stand. Objects are read forward with some read-ahead, and taken up again where a read broke; they
//! are written under their final names only, whole. All calls block: the network has
//! threads of its own. Without the feature `object-store` every address is refused.

#[cfg(feature = "object-store")]
mod clients;
#[cfg(feature = "object-store")]
mod connect;
#[cfg(feature = "object-store")]
mod failure;
mod folder;
#[cfg(not(feature = "object-store"))]
#[path = "absent.rs"]
mod object;
#[cfg(feature = "object-store")]
mod object;
mod patience;
#[cfg(feature = "object-store")]
mod read;
mod stamp;
#[cfg(feature = "object-store")]
mod upload;
#[cfg(feature = "object-store")]
mod watch;

use crate::error::{Error, Result};

pub use folder::Folder;
pub use object::{Object, Stores};
pub use patience::Patience;
pub use stamp::Stamp;

/// Whether a text is an address of an object store, and no path.
pub fn is_address(text: &str) -> bool {
    const SCHEMES: &[&str] = &[
        "s3", "s3a", "gs", "az", "azure", "abfs", "abfss", "https", "http",
    ];
    text.split_once("://")
        .is_some_and(|(scheme, _)| SCHEMES.contains(&scheme))
}

/// Refuses what has the form of an address and is none: as a path it would be a folder of a strange name, on
/// whatever machine.
///
/// # Errors
/// [`Error::Usage`].
pub fn check_place(text: &str) -> Result<()> {
    let is_scheme = |scheme: &str| {
        let mut letters = scheme.chars();
        letters.next().is_some_and(|c| c.is_ascii_alphabetic())
            && letters.all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    };
    let scheme = text.split_once(":/").map(|(scheme, _)| scheme);
    // One letter is a drive of Windows.
    let looks_so = scheme.is_some_and(|s| s.len() > 1 && is_scheme(s));
    match looks_so && !is_address(text) {
        true => Err(Error::Usage(format!(
            "{text}: no path and no address that can be reached; there are s3://, gs://, az://, abfs://, \
             https:// and http://, and a file in a folder of such a name is ./{text}"
        ))),
        false => Ok(()),
    }
}

/// Whether an address is one of a web server, which lists no folders.
pub(crate) fn is_web(address: &str) -> bool {
    address.starts_with("https://") || address.starts_with("http://")
}

/// An object that a listing found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its whole address.
    pub address: String,
    /// Bytes.
    pub size: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_looks_like_an_address_is_refused() {
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
