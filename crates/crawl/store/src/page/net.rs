//! The request for a page.

use super::fetched::FetchedPage;
use super::private::{PublicNames, Refused, is_private_host};
use crate::failure::is_no_http;
use crate::secrets::{is_secret, redacted};
use reqwest::StatusCode;
use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderName, LOCATION};
use reqwest::redirect::{Action, Attempt, Policy};
use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Builder;
use url::Url;
use warcsieve_common::{Error, Result};

/// How long the server may take to answer or to send more bytes.
const TIMEOUT: Duration = Duration::from_secs(30);

/// How long fetching a page may take in total.
const MAX_DURATION: Duration = Duration::from_secs(600);

/// Most redirects.
const MAX_REDIRECTS: usize = 10;

pub(super) fn fetch_page(address: &str, limit: usize, private: bool) -> Result<FetchedPage> {
    let error = |(kind, why): Refusal| Error::io(address, io::Error::new(kind, why));
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|e| Error::io(address, e))?;
    runtime
        .block_on(fetch(address, limit, private))
        .map_err(error)
}

/// Why there is no page: the kind says whether a retry may help, and the text says why.
type Refusal = (ErrorKind, String);

async fn fetch(
    address: &str,
    limit: usize,
    private: bool,
) -> std::result::Result<FetchedPage, Refusal> {
    // Two threads may install a provider at once. The first one stays.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let first = Url::parse(address).ok();
    let first = first.and_then(|url| Some(url.host_str()?.to_owned()));
    let names = PublicNames::default();
    let noted = names.clone();
    let mut client = reqwest::Client::builder()
        .user_agent(concat!(
            "warcsieve/",
            env!("CARGO_PKG_VERSION"),
            " (one page, for its reader)"
        ))
        .redirect(match private {
            true => Policy::limited(MAX_REDIRECTS),
            false => Policy::custom(move |attempt| redirect(attempt, first.as_deref(), &noted)),
        })
        // A referrer would tell the next server the address that the first one was asked for.
        .referer(false)
        .connect_timeout(TIMEOUT)
        .read_timeout(TIMEOUT)
        .timeout(MAX_DURATION);
    if !private {
        client = client.dns_resolver(Arc::new(names));
    }
    let client = client.build().map_err(|e| words(&e))?;
    let mut answer = client.get(address).send().await.map_err(|e| words(&e))?;
    let status = answer.status();
    // The request did not ask for a part of the page.
    if !status.is_success() || status == StatusCode::PARTIAL_CONTENT {
        let to = answer
            .headers()
            .get(LOCATION)
            .and_then(|to| to.to_str().ok());
        let to = to.map(|to| format!(" (to {})", redacted(to)));
        let to = to.unwrap_or_default();
        let kind = match status.is_server_error() || status.as_u16() == 429 {
            true => ErrorKind::Other,
            false => ErrorKind::NotFound,
        };
        return Err((kind, format!("the server answers {status}{to}")));
    }
    let header = |name: HeaderName| {
        let value = answer.headers().get(name)?.to_str().ok()?;
        Some(value.to_owned())
    };
    let mut page = FetchedPage {
        address: without_secrets(answer.url()).unwrap_or_else(|| address.to_owned()),
        content_type: header(CONTENT_TYPE),
        content_encoding: header(CONTENT_ENCODING),
        body: Vec::new(),
    };
    while let Some(chunk) = answer.chunk().await.map_err(|e| words(&e))? {
        page.body.extend_from_slice(&chunk);
        if page.body.len() > limit {
            let why = format!("the page has more than {limit} bytes");
            return Err((ErrorKind::NotFound, why));
        }
    }
    Ok(page)
}

fn redirect(attempt: Attempt<'_>, first: Option<&str>, names: &PublicNames) -> Action {
    let host = attempt.url().host_str();
    let is_first = host == first;
    if let Some(host) = host.filter(|_| !is_first) {
        names.redirected_to(host);
    }
    match () {
        () if attempt.previous().len() > MAX_REDIRECTS => attempt.error("too many"),
        () if attempt.url().port() == Some(0) => attempt.error("nothing answers at port 0"),
        () if is_private_host(attempt.url()) && !is_first => attempt.error(Refused),
        () => attempt.follow(),
    }
}

/// An address that a server chose, in a form that may be shown and stored: without user, password
/// and signature. `None` if a secret would still be in it.
fn without_secrets(url: &Url) -> Option<String> {
    let mut url = url.clone();
    // These calls fail if there is no host, and then there is no user either.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    if is_secret(url.as_str()) {
        url.set_query(None);
        url.set_fragment(None);
    }
    (!is_secret(url.as_str())).then(|| url.into())
}

/// What went wrong, in one line, without the address; the caller prints that. Each cause of an
/// error repeats the next one in other words, so only the last one is used, which comes from the
/// system.
fn words(error: &reqwest::Error) -> Refusal {
    let mut cause = std::error::Error::source(error);
    let mut last = String::new();
    while let Some(inner) = cause {
        last = format!(": {inner}");
        cause = inner.source();
    }
    let words = match () {
        () if last.contains(&Refused.to_string()) => Refused.to_string(),
        () if error.is_timeout() => format!(
            "nothing came within {} s, or not the whole page within {} min",
            TIMEOUT.as_secs(),
            MAX_DURATION.as_secs() / 60
        ),
        () if error.is_redirect() => {
            format!("more than {MAX_REDIRECTS} redirects, or none to a page")
        }
        () if error.is_builder() => format!("it is no address of a page{last}"),
        () if error.is_connect() => format!("no connection{last}"),
        () if error.is_body() || error.is_decode() => format!("the answer broke off{last}"),
        () => format!("the request failed{last}"),
    };
    let is_refused = words == Refused.to_string() || is_no_http(error);
    let is_lasting = error.is_builder() || error.is_redirect() || is_refused;
    let kind = if is_lasting {
        ErrorKind::NotFound
    } else {
        ErrorKind::Other
    };
    (kind, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_secret_of_a_redirect_is_left() {
        let left = |url: &str| without_secrets(&Url::parse(url).unwrap());
        for (url, expected) in [
            ("http://user:PW@a.example/b?c=1", "http://a.example/b?c=1"),
            ("http://PW@a.example/", "http://a.example/"),
            (
                "https://a.example/b?x=1&X-Amz-Signature=PW",
                "https://a.example/b",
            ),
            ("https://a.example/b#access_token=PW", "https://a.example/b"),
        ] {
            assert_eq!(left(url).as_deref(), Some(expected));
        }
    }
}
