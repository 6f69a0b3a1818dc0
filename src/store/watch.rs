//! What all answers of stores go through: pages for people are no answers, and what lasts is told apart.

use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpService,
    ReqwestConnector,
};
use reqwest::Method;
use reqwest::StatusCode;
use reqwest::header::CONTENT_TYPE;

/// Makes clients that look at every answer before anything else does.
#[derive(Debug, Default)]
pub(super) struct Watched;

impl HttpConnector for Watched {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let inner = ReqwestConnector::default().connect(options)?;
        Ok(HttpClient::new(Watch(inner)))
    }
}

#[derive(Debug)]
struct Watch(HttpClient);

/// A status that stays however often one asks.
#[derive(Debug, thiserror::Error)]
#[error("the server answers {status}: {body}")]
pub(super) struct Lasting {
    status: StatusCode,
    body: String,
}

#[async_trait::async_trait]
impl HttpService for Watch {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let is_read = [Method::GET, Method::HEAD].contains(request.method());
        let query = request.uri().query().unwrap_or_default();
        let is_list = query.contains("list-type=") || query.contains("comp=list");
        let mut answer = self.0.execute(request).await?;
        let status = answer.status();
        if is_read && status.is_success() && is_page(&answer) {
            // Stores in trouble, and what stands before them, answer with pages. Made this, it is asked for again.
            *answer.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
        } else if lasts(status, is_list) {
            let body = answer.into_body().bytes().await.unwrap_or_default();
            let body = String::from_utf8_lossy(&body).into_owned();
            let lasting = Lasting { status, body };
            return Err(HttpError::new(HttpErrorKind::Unknown, lasting));
        }
        Ok(answer)
    }
}

fn is_page(answer: &HttpResponse) -> bool {
    let kind = answer.headers().get(CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"))
}

/// Whether a status says that the request is wrong. Some mean something of their own to crate `object_store`; but
/// what cannot be listed is not just missing.
fn lasts(status: StatusCode, is_list: bool) -> bool {
    match status.as_u16() {
        304 | 408 | 409 | 412 | 429 => false,
        401 | 403 | 404 => is_list,
        501 => true,
        code => (300..500).contains(&code),
    }
}
