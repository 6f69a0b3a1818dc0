//! Checks every answer of a store. An answer that does not come from the store counts as a
//! temporary failure, and permanent errors are marked as such.

use super::contact::Contact;
use super::failure::PermanentError;
use super::redirect::Redirects;
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpService,
};
use reqwest::header::{CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderName, LAST_MODIFIED, RANGE};
use reqwest::{Method, StatusCode};
use std::sync::Arc;

/// Makes HTTP clients that check every answer before crate `object_store` sees it.
#[derive(Clone, Debug)]
pub(super) struct CheckingConnector {
    pub redirects: Redirects,
    pub contact: Arc<Contact>,
}

impl HttpConnector for CheckingConnector {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(CheckingService {
            client: self.redirects.client(options)?,
            contact: self.contact.clone(),
        }))
    }
}

#[derive(Debug)]
struct CheckingService {
    client: HttpClient,
    contact: Arc<Contact>,
}

/// Marks requests for the bytes or the state of an object. Other requests are for listings, keys
/// and tokens.
#[derive(Clone, Copy, Debug)]
pub(super) struct OfObject;

/// An answer that does not come from the store.
#[derive(Debug, thiserror::Error)]
#[error("the server answers {0} with an HTML page: an error page?")]
struct PageError(StatusCode);

#[async_trait::async_trait]
impl HttpService for CheckingService {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let is_get = request.method() == Method::GET;
        let is_read = is_get || request.method() == Method::HEAD;
        let is_whole = is_get && !request.headers().contains_key(RANGE);
        let query = request.uri().query().unwrap_or_default();
        let is_list = query.contains("list-type=") || query.contains("comp=list");
        let of_object = request.extensions().get::<OfObject>().is_some();
        let answer = self.client.execute(request).await;
        let answer = answer.map_err(|e| self.contact.failed(e))?;
        self.contact.answered();
        let status = answer.status();
        if is_permanent(status, is_list) {
            let body = answer.into_body().bytes().await.unwrap_or_default();
            let body = String::from_utf8_lossy(&body);
            return Err(permanent(
                format!("the server answers {status}: {body}"),
                status,
            ));
        }
        if !is_read || !status.is_success() {
            return Ok(answer);
        }
        // Overloaded stores, and the proxies in front of them, answer with HTML pages. Objects have
        // an ETag or a time, also if they are HTML; such pages have neither. For an object that is
        // read from its beginning, the first bytes decide (`read.rs`).
        let has = |header: HeaderName| answer.headers().contains_key(header);
        let is_known = of_object && (is_whole || has(ETAG) || has(LAST_MODIFIED));
        if is_html(&answer) && !is_known {
            return Err(HttpError::new(
                HttpErrorKind::Interrupted,
                PageError(status),
            ));
        }
        if of_object && !has(CONTENT_LENGTH) {
            let what = format!(
                "the server answers {status} without Content-Length, so that an incomplete file \
                 would not be noticed; download it, and give its path"
            );
            return Err(permanent(what, status));
        }
        Ok(answer)
    }
}

fn permanent(what: String, status: StatusCode) -> HttpError {
    let status = Some(status);
    HttpError::new(HttpErrorKind::Unknown, PermanentError { what, status })
}

fn is_html(answer: &HttpResponse) -> bool {
    let kind = answer.headers().get(CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"))
}

/// Whether a status says that the request itself is wrong, so that retries are useless. The
/// statuses mapped to `false` are left to crate `object_store`, which handles them itself. For a
/// listing, 401, 403 and 404 are permanent too: a place that cannot be listed is not merely an
/// absent object.
fn is_permanent(status: StatusCode, is_list: bool) -> bool {
    match status.as_u16() {
        304 | 408 | 409 | 412 | 429 => false,
        401 | 403 | 404 => is_list,
        501 => true,
        code => (300..500).contains(&code),
    }
}
