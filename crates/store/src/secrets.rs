//! Passwords and signatures in addresses: refused, and never shown.

use super::{is_address, is_web};
use warcsieve_base::{Error, Result};

/// Names of parameters that sign an address for S3, Google Cloud and Azure, in lower case.
const SIGNATURES: &[&str] = &[
    "x-amz-signature=",
    "x-amz-credential=",
    "x-amz-security-token=",
    "x-goog-signature=",
    "awsaccesskeyid=",
    "signature=",
    "sig=",
    "token=",
];

/// Refuses an address with a password or a signature, for addresses end in logs and manifests.
///
/// # Errors
/// [`Error::Usage`], without the secret.
pub(crate) fn refuse_secrets(text: &str) -> Result<()> {
    if !is_address(text) {
        return Ok(());
    }
    let parts = Parts::of(text);
    let what = if parts.has_user() && is_web(text) {
        "an address with a password is refused, for addresses end in logs"
    } else if parts.has_user() {
        "an address with keys is refused, for addresses end in logs; set them as variables: \
         AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, GOOGLE_SERVICE_ACCOUNT, or \
         AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY"
    } else if parts.is_signed() {
        "a signed address is refused, for addresses end in logs; download the file, or give the \
         store's keys as variables, such as AWS_ACCESS_KEY_ID and AZURE_STORAGE_SAS_TOKEN"
    } else {
        return Ok(());
    };
    Err(Error::Usage(format!("{}: {what}", redacted(text))))
}

/// The text as it may be shown: in each address, users with passwords and queries are replaced by
/// `…`.
///
/// ```
/// use warcsieve_store::redacted;
///
/// assert_eq!(redacted("read s3://KEY:SECRET@b/a"), "read s3://…@b/a");
/// assert_eq!(redacted("https://h/a?sig=SECRET"), "https://h/a?…");
/// ```
pub fn redacted(text: &str) -> String {
    let words = text.split_inclusive(char::is_whitespace);
    words.map(|word| Parts::of(word).shown()).collect()
}

/// An address in parts; other text is all `rest`.
struct Parts<'a> {
    scheme: &'a str,
    user: Option<&'a str>,
    rest: &'a str,
    query: Option<&'a str>,
}

impl<'a> Parts<'a> {
    fn of(text: &'a str) -> Self {
        let Some(at) = text.find("://") else {
            let (scheme, user, query) = ("", None, None);
            return Self {
                scheme,
                user,
                rest: text,
                query,
            };
        };
        let (scheme, rest) = text.split_at(at + "://".len());
        // Secret keys of S3 may hold a `/`, so the `@` is searched beyond the first one.
        let host = rest.split('/').next().unwrap_or_default();
        let user = match host.rfind('@') {
            Some(at) => Some(at),
            None if host.contains(':') && !host_has_port(host) => rest.find('@'),
            None => None,
        };
        let (user, rest) = match user {
            Some(at) => (Some(&rest[..at]), &rest[at + 1..]),
            None => (None, rest),
        };
        let (rest, query) = match rest.split_once('?') {
            Some((rest, query)) => (rest, Some(query)),
            None => (rest, None),
        };
        Self {
            scheme,
            user,
            rest,
            query,
        }
    }

    /// Whether there is a user; the container of `abfs://container@account` is none.
    fn has_user(&self) -> bool {
        let is_azure = self.scheme.ends_with("abfs://") || self.scheme.ends_with("abfss://");
        self.user
            .is_some_and(|user| !is_azure || user.contains(':'))
    }

    fn is_signed(&self) -> bool {
        let query = self.query.unwrap_or_default().to_ascii_lowercase();
        let mut parameters = query.split('&');
        parameters.any(|p| SIGNATURES.iter().any(|s| p.starts_with(s)))
    }

    fn shown(&self) -> String {
        let mut shown = self.scheme.to_owned();
        if let Some(user) = self.user {
            shown += if self.has_user() { "…" } else { user };
            shown.push('@');
        }
        shown += self.rest;
        if let Some(query) = self.query {
            // A key of a bucket may hold a `?`.
            let hidden = self.is_signed() || self.scheme.contains("http");
            shown.push('?');
            shown += if hidden { "…" } else { query };
            if hidden && query.ends_with(char::is_whitespace) {
                shown.push(' ');
            }
        }
        shown
    }
}

/// Whether what follows the host's colon is a port.
fn host_has_port(host: &str) -> bool {
    let port = host.rsplit(':').next().unwrap_or_default();
    host.ends_with(']') || port.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_refused_and_not_shown() {
        for (address, shown) in [
            ("s3://KEY:HUSH@b/a", "s3://…@b/a"),
            ("s3://KEY:SEC/HUSH@b/a", "s3://…@b/a"),
            ("gs://HUSH@b/a", "gs://…@b/a"),
            ("az://HUSH@b", "az://…@b"),
            ("abfss://c:HUSH@account/x", "abfss://…@account/x"),
            ("https://me:HUSH@h/a", "https://…@h/a"),
            ("https://h/a?b=1&X-Amz-Signature=HUSH", "https://h/a?…"),
            ("https://h/a?sv=1&sig=HUSH", "https://h/a?…"),
            ("s3://b/a?X-Amz-Signature=HUSH", "s3://b/a?…"),
            ("https://h/a?token=HUSH", "https://h/a?…"),
        ] {
            let error = refuse_secrets(address).unwrap_err().to_string();
            assert!(error.starts_with(&format!("{shown}: ")), "{error}");
            assert!(!error.contains("HUSH"), "{error}");
            let log = redacted(&format!("cannot read {address} again"));
            assert_eq!(log, format!("cannot read {shown} again"));
        }
    }

    #[test]
    fn other_texts_stay() {
        for text in [
            "s3://b/a@b:c?d",
            "abfss://container@account.dfs.core.windows.net/x",
            "https://h:8080/a@b",
            "http://[::1]/a@b",
            "me:pass@x",
            "a b\tc",
            "/data/a?sig=1",
        ] {
            refuse_secrets(text).unwrap();
            assert_eq!(redacted(text), text);
        }
    }
}
