//! The request for a page.

use super::fetched::FetchedPage;
use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderName, LOCATION};
use reqwest::redirect::Policy;
use std::io::{self, ErrorKind};
use std::time::Duration;
use tokio::runtime::Builder;
use warcsieve_common::{Error, Result};

/// How long the server may take to answer, or to send more.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long a page may take.
const LONGEST: Duration = Duration::from_secs(600);

/// Most redirects.
const REDIRECTS: usize = 10;

pub(super) fn fetch_page(address: &str, limit: usize) -> Result<FetchedPage> {
    let error = |(kind, why): Refusal| Error::io(address, io::Error::new(kind, why));
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|e| Error::io(address, e))?;
    runtime.block_on(fetch(address, limit)).map_err(error)
}

/// Why there is no page: whether asking again may help, and words.
type Refusal = (ErrorKind, String);

async fn fetch(address: &str, limit: usize) -> std::result::Result<FetchedPage, Refusal> {
    // Two may ask for a provider at once; the first is kept.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder()
        .user_agent(concat!(
            "warcsieve/",
            env!("CARGO_PKG_VERSION"),
            " (one page, for its reader)"
        ))
        .redirect(Policy::limited(REDIRECTS))
        .connect_timeout(PATIENCE)
        .read_timeout(PATIENCE)
        .timeout(LONGEST)
        .build()
        .map_err(|e| words(&e))?;
    let mut answer = client.get(address).send().await.map_err(|e| words(&e))?;
    let status = answer.status();
    if !status.is_success() {
        let to = answer
            .headers()
            .get(LOCATION)
            .and_then(|to| to.to_str().ok());
        let to = to.map(|to| format!(" (to {to})")).unwrap_or_default();
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
        address: answer.url().to_string(),
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

/// What went wrong, in one line, without the address, which whoever prints it names. Of the causes,
/// each of which repeats the next in other words, the last is the system's own.
fn words(error: &reqwest::Error) -> Refusal {
    let mut cause = std::error::Error::source(error);
    let mut last = String::new();
    while let Some(inner) = cause {
        last = format!(": {inner}");
        cause = inner.source();
    }
    let words = match () {
        () if error.is_timeout() => format!(
            "nothing came within {} s, or not the whole page within {} min",
            PATIENCE.as_secs(),
            LONGEST.as_secs() / 60
        ),
        () if error.is_redirect() => format!("more than {REDIRECTS} redirects, or none to a page"),
        () if error.is_builder() => format!("it is no address of a page{last}"),
        () if error.is_connect() => format!("no connection{last}"),
        () if error.is_body() || error.is_decode() => format!("the answer broke off{last}"),
        () => format!("the request failed{last}"),
    };
    let is_lasting = error.is_builder() || error.is_redirect();
    let kind = if is_lasting {
        ErrorKind::NotFound
    } else {
        ErrorKind::Other
    };
    (kind, words)
}
