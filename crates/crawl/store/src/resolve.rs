//! Resolves addresses to objects: one by its name, many by a listing.

use super::connect::{Stores, refuse};
use super::object::Object;
use super::{Listed, is_web};
use futures_util::TryStreamExt;
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore};
use std::sync::Arc;
use url::Url;
use warcsieve_common::{Error, Result};

/// Times a listing is tried before its error is reported.
const LISTING_TRIES: u32 = 8;

impl Stores {
    /// The object at an address. No request is sent yet.
    ///
    /// # Errors
    /// [`Error::Invalid`] if this is not an address, or the store rejects its options.
    pub fn object(&self, address: &str) -> Result<Object> {
        let (root, path) = parse(address)?;
        let clients = self.connect(address, root)?;
        Ok(Object::new(self.clone(), clients, path, address))
    }

    /// The objects below an address, sorted by address. The address matches whole segments of
    /// names: `s3://b/a` lists `s3://b/a/x`, not `s3://b/ab`.
    ///
    /// Memory: about 200 bytes per object.
    ///
    /// # Errors
    /// [`Error::Io`] if the store cannot be reached; [`Error::Invalid`] for a plain web server, which
    /// has no listings.
    pub fn list(&self, address: &str) -> Result<Vec<Listed>> {
        let root = address.trim_end_matches('/');
        let object = self.object(root)?;
        let below = format!("{}/", object.path);
        let mut listed: Vec<_> = self
            .list_whole(&object)?
            .into_iter()
            .filter_map(|meta| {
                let path = meta.location.as_ref();
                let rest = match object.path.as_ref() {
                    "" => path,
                    _ => path.strip_prefix(&below)?,
                };
                Some(Listed {
                    address: format!("{root}/{rest}"),
                    size: meta.size,
                })
            })
            .collect();
        listed.sort_by(|a, b| a.address.cmp(&b.address));
        Ok(listed)
    }

    /// Lists all objects. Restarts a listing that broke half way.
    fn list_whole(&self, object: &Object) -> Result<Vec<ObjectMeta>> {
        let store: &Arc<dyn ObjectStore> = &object.clients.retrying;
        let mut failures = 0;
        loop {
            let listing = store.list(Some(&object.path));
            match self.wait(listing.try_collect::<Vec<_>>()) {
                Ok(found) => return Ok(found),
                Err(error) => {
                    failures += 1;
                    let error = super::failure::io_error(&error);
                    if failures < LISTING_TRIES && error.kind() == std::io::ErrorKind::Other {
                        continue;
                    }
                    if is_web(object.address()) {
                        let what = "a web server lists no folders unless it speaks WebDAV; name files, or give a list";
                        let why = format!("{}: {what} ({error})", object.address());
                        return Err(Error::Invalid(why));
                    }
                    return Err(Error::io(object.address(), error));
                }
            }
        }
    }
}

/// The store of an address, such as `s3://bucket`, and the object's name in it.
///
/// Keys of buckets are taken literally: `%20` is three characters. Addresses of web servers are
/// URLs and are percent-decoded.
fn parse(address: &str) -> Result<(&str, Path)> {
    super::secrets::refuse_secrets(address)?;
    let wrong = "expected an address such as s3://bucket/name, gs://…, az://…, https://host/name";
    let (scheme, rest) = address.split_once("://").unwrap_or_default();
    let (authority, key) = rest.split_once('/').unwrap_or((rest, ""));
    let root = &address[..scheme.len() + "://".len() + authority.len()];
    if !super::is_address(address) || authority.is_empty() {
        return Err(refuse(address, &wrong));
    }
    if !is_web(address) {
        let path = Path::parse(key).map_err(|e| refuse(address, &e))?;
        return Ok((root, path));
    }
    if key.contains(['?', '#']) {
        let what = "addresses with `?` or `#` cannot be read";
        return Err(refuse(address, &what));
    }
    let url = Url::parse(address).map_err(|e| refuse(address, &e))?;
    let path = Path::from_url_path(url.path()).map_err(|e| refuse(address, &e))?;
    Ok((root, path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RetryPolicy;

    #[test]
    fn addresses_that_cannot_be_read_are_refused() {
        let stores = Stores::default();
        for (address, why) in [
            ("https://host/a?sig=secret", "signed"),
            ("https://host/a?page=secret", "`?`"),
            ("s3://key:secret@bucket/a", "AWS_SECRET_ACCESS_KEY"),
            ("https://me:secret@host/a", "password"),
            ("ftp://host/a", "expected an address such as"),
            ("s3:///a", "expected an address such as"),
            ("https://ho st/a", "invalid"),
            ("https://host/a//b", "empty"),
            ("s3://b/a/../c", ".."),
        ] {
            let error = stores.object(address).unwrap_err().to_string();
            assert!(error.contains(why), "{address}: {error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn keys_are_taken_literally_and_urls_are_decoded() {
        let path = |address| parse(address).unwrap().1.to_string();
        assert_eq!(path("s3://b/a%20b + c?d#e/ä"), "a%20b + c?d#e/ä");
        assert_eq!(path("https://h/a%20b+c/%C3%A4"), "a b+c/ä");
        assert_eq!(path("az://container/x"), "x");
        assert_eq!(path("gs://bucket"), "");
    }

    #[test]
    fn options_reach_only_their_store() {
        let options = [
            ("aws_region".to_owned(), "eu-central-1".to_owned()),
            ("aws_skip_signature".to_owned(), "true".to_owned()),
            ("google_unknown".to_owned(), "x".to_owned()),
        ];
        let stores = Stores::new(options, RetryPolicy::default());
        let s3 = stores.object("s3://bucket/a").unwrap();
        assert!(format!("{:?}", s3.clients.retrying).contains("eu-central-1"));
        assert!(!format!("{stores:?}").contains("eu-central"));
    }
}
