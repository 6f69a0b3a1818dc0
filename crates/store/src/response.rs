//! Checks every answer of a store: an HTML page instead of data counts as a temporary failure, and
//! permanent errors are marked as such.

use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpService,
    ReqwestConnector,
};
use reqwest::Method;
use reqwest::StatusCode;
use reqwest::header::CONTENT_TYPE;

/// Makes HTTP clients that check every answer before crate `object_store` sees it.
#[derive(Debug, Default)]
pub(super) struct CheckingConnector;

impl HttpConnector for CheckingConnector {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let inner = ReqwestConnector::default().connect(options)?;
        Ok(HttpClient::new(CheckingService(inner)))
    }
}

#[derive(Debug)]
struct CheckingService(HttpClient);

/// An error status that a retry cannot change.
#[derive(Debug, thiserror::Error)]
#[error("the server answers {status}: {body}")]
pub(super) struct PermanentError {
    status: StatusCode,
    body: String,
}

#[async_trait::async_trait]
impl HttpService for CheckingService {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let is_read = [Method::GET, Method::HEAD].contains(request.method());
        let query = request.uri().query().unwrap_or_default();
        let is_list = query.contains("list-type=") || query.contains("comp=list");
        let mut answer = self.0.execute(request).await?;
        let status = answer.status();
        if is_read && status.is_success() && is_html(&answer) {
            // Overloaded stores, and the proxies in front of them, answer with HTML pages. This
            // status causes a retry.
            *answer.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
        } else if is_permanent(status, is_list) {
            let body = answer.into_body().bytes().await.unwrap_or_default();
            let body = String::from_utf8_lossy(&body).into_owned();
            let permanent = PermanentError { status, body };
            return Err(HttpError::new(HttpErrorKind::Unknown, permanent));
        }
        Ok(answer)
    }
}

fn is_html(answer: &HttpResponse) -> bool {
    let kind = answer.headers().get(CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"))
}

/// Whether a status says that the request itself is wrong, so that retries are useless. The
/// statuses mapped to `false` are left to crate `object_store`, which handles them itself. For a
/// listing, 401, 403 and 404 are permanent too: a place that cannot be listed is not just an absent
/// object.
fn is_permanent(status: StatusCode, is_list: bool) -> bool {
    match status.as_u16() {
        304 | 408 | 409 | 412 | 429 => false,
        401 | 403 | 404 => is_list,
        501 => true,
        code => (300..500).contains(&code),
    }
}
