//! One page of a web server. It is fetched once.

use warcsieve_common::Result;

mod fetched;
#[cfg(feature = "object-store")]
mod net;
#[cfg(feature = "object-store")]
mod private;

pub use fetched::FetchedPage;

/// Fetches a page of at most `limit` bytes by one request, plus redirects. A failed request is not
/// retried, because the caller can ask again. Redirects into private networks are followed only if
/// `private` is true.
///
/// # Errors
/// [`Error::Io`](warcsieve_common::Error::Io) with the answer of the server. Its kind is `NotFound`
/// if a retry is useless. Without the feature `object-store` always
/// [`Error::Invalid`](warcsieve_common::Error::Invalid).
pub fn fetch_page(address: &str, limit: usize, private: bool) -> Result<FetchedPage> {
    super::check_place(address)?;
    #[cfg(feature = "object-store")]
    return net::fetch_page(address, limit, private);
    #[cfg(not(feature = "object-store"))]
    Err(warcsieve_common::Error::Invalid(format!(
        "{address}: this build cannot fetch pages (feature `object-store`); give what a browser \
         or curl saved: curl -L ADDRESS | warcsieve extract --url ADDRESS"
    )))
}

#[cfg(test)]
#[cfg(feature = "object-store")]
mod tests {
    use super::*;
    use std::io::{ErrorKind, Read, Write};
    use std::net::TcpListener;
    use warcsieve_common::Error;

    /// Answers the requests with these answers, one after the other, and returns the requests.
    fn served(answers: Vec<String>) -> (String, std::thread::JoinHandle<Vec<String>>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/a", listener.local_addr().unwrap());
        let serve = move || {
            let requests = answers.iter().map(|answer| {
                let (mut stream, _) = listener.accept().unwrap();
                let mut request = [0; 4096];
                let read = stream.read(&mut request).unwrap();
                stream.write_all(answer.as_bytes()).unwrap();
                String::from_utf8_lossy(&request[..read]).into_owned()
            });
            requests.collect()
        };
        (address, std::thread::spawn(serve))
    }

    #[test]
    fn a_page_is_fetched_once_and_what_the_server_says_is_said() {
        let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=x\r\n\
                    Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\n<p>\r\n2\r\nhi\r\n0\r\n\r\n";
        let moved =
            "HTTP/1.1 301 Moved\r\nLocation: /b\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        let (address, requests) = served(vec![moved.to_owned(), page.to_owned()]);
        let fetched = fetch_page(&address, 100, false).unwrap();
        assert_eq!(fetched.body, b"<p>hi");
        assert_eq!(
            fetched.content_type.as_deref(),
            Some("text/html; charset=x")
        );
        assert!(fetched.address.ends_with("/b"));
        let requests = requests.join().unwrap();
        assert!(
            requests[0]
                .to_lowercase()
                .contains("user-agent: warcsieve/"),
            "{requests:?}"
        );
        let gone =
            "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        let (address, requests) = served(vec![gone.to_owned()]);
        let error = fetch_page(&address, 100, false).unwrap_err().to_string();
        assert!(
            error.contains("the server answers 503 Service Unavailable"),
            "{error}"
        );
        assert_eq!(requests.join().unwrap().len(), 1);
        let (address, _) = served(vec![page.to_owned()]);
        let error = fetch_page(&address, 3, false).unwrap_err().to_string();
        assert!(error.contains("more than 3 bytes"), "{error}");
    }

    #[test]
    fn a_server_that_is_not_there_is_said_at_once() {
        let error = fetch_page("http://127.0.0.1:9/x", 100, false)
            .unwrap_err()
            .to_string();
        assert!(error.contains("no connection"), "{error}");
        assert!(fetch_page("http://user:secret@a.example/", 100, false).is_err());
    }

    #[test]
    fn a_redirect_to_what_is_no_address_is_not_tried_again() {
        for to in [
            "/\u{1}",
            "/a\u{7f}",
            "http://127.0.0.1:0/x",
            "http://127.0.0.1:99999/",
            "http://[::1",
        ] {
            let moved = format!(
                "HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            );
            let (address, _) = served(vec![moved]);
            let error = fetch_page(&address, 100, false).unwrap_err();
            let Error::Io { source, .. } = &error else {
                panic!("{error}")
            };
            assert_eq!(source.kind(), ErrorKind::NotFound, "{to:?}: {error}");
        }
    }

    #[test]
    fn redirects_show_no_secret_and_lead_into_no_private_network() {
        let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\
                    Connection: close\r\n\r\n<p>hi";
        let moved = |to: &str| {
            format!(
                "HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            )
        };
        let (other, requests) = served(vec![page.to_owned()]);
        let port = other.split(':').nth(2).unwrap();
        // Another name of this machine.
        let elsewhere = format!("http://user:PW@localhost:{port}?X-Amz-Signature=PW");
        let (address, _) = served(vec![moved(&elsewhere)]);
        let error = fetch_page(&address, 100, false).unwrap_err().to_string();
        assert!(
            error.contains("private network") && !error.contains("PW"),
            "{error}"
        );
        let (address, _) = served(vec![moved(&elsewhere)]);
        let query = format!("{address}?from=HUSH");
        let fetched = fetch_page(&query, 100, true).unwrap();
        assert_eq!(fetched.address, format!("http://localhost:{port}"));
        let requests = requests.join().unwrap();
        assert!(
            !requests[0].to_lowercase().contains("referer"),
            "{requests:?}"
        );
        assert!(!requests[0].contains("HUSH"), "{requests:?}");
        let part = page.replace("200 OK", "206 Partial Content");
        let (address, _) = served(vec![part]);
        let error = fetch_page(&address, 100, true).unwrap_err().to_string();
        assert!(error.contains("the server answers 206"), "{error}");
        let lost = format!(
            "HTTP/1.1 399 Odd\r\nLocation: {elsewhere}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
        let (address, _) = served(vec![lost]);
        let error = fetch_page(&address, 100, true).unwrap_err().to_string();
        assert!(!error.contains("PW"), "{error}");
    }
}
