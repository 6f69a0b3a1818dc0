//! Passwords and signatures in addresses. They are refused, and never shown.

mod address;
mod find;
#[cfg(test)]
mod tests;

use address::{Queries, signed_at};
use find::{Extent, addresses};
use warcsieve_common::{Error, Result};

/// Refuses an argument that is or contains an address with a password or a signature, because
/// addresses appear in logs and manifests. A path with quotes around an address is a name too.
///
/// # Errors
/// [`Error::Invalid`], without the secret.
pub(crate) fn refuse_secrets(text: &str) -> Result<()> {
    let found = addresses(text, Extent::Argument);
    let Some((_, address)) = found.iter().find(|(_, a)| a.has_keys() || a.is_signed()) else {
        return Ok(());
    };
    let what = if address.has_keys() && address.is_web() {
        "an address with a password is refused, because addresses are written to logs"
    } else if address.has_keys() {
        "an address with keys is refused, because addresses are written to logs; set them as \
         variables: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, GOOGLE_SERVICE_ACCOUNT, or \
         AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY"
    } else {
        "a signed address is refused, because addresses are written to logs; download the file, or \
         give the store's keys as variables, such as AWS_ACCESS_KEY_ID and AZURE_STORAGE_SAS_TOKEN"
    };
    Err(Error::Invalid(format!("{}: {what}", shown(text))))
}

/// Whether an address has a password, keys or a signature.
#[cfg(feature = "object-store")]
pub(crate) fn is_secret(address: &str) -> bool {
    refuse_secrets(address).is_err()
}

/// An argument in a form that may be shown. Blanks do not end an address in it.
pub(crate) fn shown(argument: &str) -> String {
    replaced(argument, Extent::Argument, Queries::All)
}

/// The text in a form that may be shown. In each address, a user with a password becomes `…`. So do
/// queries and fragments that hold a secret, and on web servers all of them, because any may be a
/// password.
///
/// ```
/// use warcsieve_store::redacted;
///
/// assert_eq!(redacted("read s3://KEY:SECRET@b/a"), "read s3://…@b/a");
/// assert_eq!(redacted("https://h/a?sig=SECRET"), "https://h/a?…");
/// ```
pub fn redacted(text: &str) -> String {
    replaced(text, Extent::Word, Queries::All)
}

/// The text in a form that logs may show. As [`redacted`], but a query stays if none of its
/// parameters is known to be a signature or a password. Queries in addresses of pages usually stay.
///
/// ```
/// use warcsieve_store::without_keys;
///
/// assert_eq!(without_keys("http://page/?id=1"), "http://page/?id=1");
/// assert_eq!(without_keys("http://page/#token=SECRET"), "http://page/#…");
/// ```
pub fn without_keys(text: &str) -> String {
    replaced(text, Extent::Word, Queries::Signed)
}

fn replaced(text: &str, extent: Extent, queries: Queries) -> String {
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for (place, address) in addresses(text, extent) {
        push_after(&mut out, at, &text[at..place.start]);
        out += &address.shown(queries);
        at = place.end;
    }
    push_after(&mut out, at, &text[at..]);
    out
}

/// Appends the text that follows an address, if `at` is not 0. A blank ends an address, and the
/// text after it may be its parameters; paths have none.
fn push_after(out: &mut String, at: usize, text: &str) {
    for word in text.split_inclusive(char::is_whitespace) {
        let may_belong = at > 0 && !word.starts_with(['/', '.', '\\']);
        match signed_at(word).filter(|_| may_belong) {
            Some(at) => {
                *out += &word[..at];
                out.push('…');
                *out += &word[word.trim_end().len()..];
            }
            None => *out += word,
        }
    }
}
