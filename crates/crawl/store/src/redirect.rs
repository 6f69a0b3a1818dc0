//! The HTTP client. Its redirects stay on the server that was asked.
//!
//! Lists of inputs may be written by others. Otherwise a server in such a list could redirect
//! requests to machines that only this machine can reach.

use super::failure::PermanentError;
use super::secrets::redacted;
use object_store::client::HttpClient;
use object_store::{ClientConfigKey, ClientOptions, Error, Result};
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Client, NoProxy, Proxy, Url};
use std::time::Duration;

/// Option that allows redirects to other servers.
const ANYWHERE: &str = "warcsieve_redirects";

/// Most redirects of a request.
const MAX_REDIRECTS: usize = 10;

/// Whether redirects to other servers are followed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Redirects {
    anywhere: bool,
}

impl Redirects {
    /// The redirects that the options of the stores allow.
    pub fn of(options: &[(String, String)]) -> Self {
        let anywhere = |(name, value): &(String, String)| name == ANYWHERE && value == "any";
        Self {
            anywhere: options.iter().any(anywhere),
        }
    }

    /// A client with these of the `options`: timeouts, HTTP version, user agent, proxy, and checks
    /// of certificates.
    pub fn client(self, options: &ClientOptions) -> Result<HttpClient> {
        use ClientConfigKey as Key;
        let value = |key| options.get_config_value(&key);
        let is_on = |key| value(key).is_some_and(|v| v == "true");
        let error = |e: reqwest::Error| Error::Generic {
            store: "HTTP client",
            source: Box::new(e),
        };
        let mut client = Client::builder()
            .redirect(Policy::custom(move |attempt| self.redirect(attempt)))
            // The bytes as they are stored, because sizes are compared and ranges are requested.
            .no_gzip()
            .no_brotli()
            .no_zstd()
            .no_deflate()
            .https_only(!is_on(Key::AllowHttp))
            .tls_danger_accept_invalid_certs(is_on(Key::AllowInvalidCertificates));
        client = match value(Key::UserAgent) {
            Some(agent) => client.user_agent(agent),
            None => client.user_agent(concat!("warcsieve/", env!("CARGO_PKG_VERSION"))),
        };
        let time = |key| value(key).and_then(|time| duration(&time));
        if let Some(time) = time(Key::ConnectTimeout) {
            client = client.connect_timeout(time);
        }
        if let Some(time) = time(Key::ReadTimeout) {
            client = client.read_timeout(time);
        }
        if let Some(time) = time(Key::Timeout) {
            client = client.timeout(time);
        }
        if is_on(Key::Http1Only) {
            client = client.http1_only();
        }
        if is_on(Key::Http2Only) {
            client = client.http2_prior_knowledge();
        }
        if let Some(proxy) = value(Key::ProxyUrl) {
            let mut proxy = Proxy::all(proxy).map_err(error)?;
            if let Some(excluded) = value(Key::ProxyExcludes) {
                proxy = proxy.no_proxy(NoProxy::from_string(&excluded));
            }
            client = client.proxy(proxy);
        }
        if let Some(certificate) = value(Key::ProxyCaCertificate) {
            let certificate = reqwest::tls::Certificate::from_pem(certificate.as_bytes());
            client = client.tls_certs_merge([certificate.map_err(error)?]);
        }
        Ok(HttpClient::new(client.build().map_err(error)?))
    }

    fn redirect(self, attempt: Attempt<'_>) -> reqwest::redirect::Action {
        let from = attempt.previous().last();
        let stays = from.is_some_and(|from| is_same_server(from, attempt.url()));
        if attempt.previous().len() > MAX_REDIRECTS {
            let what = format!("the server redirects more than {MAX_REDIRECTS} times");
            attempt.error(PermanentError::new(what))
        } else if stays || self.anywhere {
            attempt.follow()
        } else {
            let what = format!(
                "the server redirects to {}, which is another server; give that address, or set \
                 WARCSIEVE_REDIRECTS=any if you trust whoever wrote the addresses",
                redacted(attempt.url().as_str())
            );
            attempt.error(PermanentError::new(what))
        }
    }
}

/// A time in the syntax of options: `1m 30s`.
fn duration(text: &str) -> Option<Duration> {
    let mut sum = Duration::ZERO;
    for part in text.split_whitespace() {
        let digits = part.trim_end_matches(|c: char| c.is_alphabetic());
        let n = digits.parse::<u32>().ok()?;
        sum += match &part[digits.len()..] {
            "ms" => Duration::from_millis(n.into()),
            "s" => Duration::from_secs(n.into()),
            "m" => Duration::from_secs(60) * n,
            "h" => Duration::from_secs(3600) * n,
            _ => return None,
        };
    }
    Some(sum)
}

/// Whether both addresses are on one server: host and port are the same, or only encryption is
/// added.
fn is_same_server(from: &Url, to: &Url) -> bool {
    let port = Url::port_or_known_default;
    let encrypted = (from.scheme(), port(from)) == ("http", Some(80))
        && (to.scheme(), port(to)) == ("https", Some(443));
    let same = (from.scheme(), port(from)) == (to.scheme(), port(to));
    from.host() == to.host() && (same || encrypted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_the_options_write_them() {
        for time in [Duration::from_secs(90), Duration::from_millis(3_600_500)] {
            let options = ClientOptions::new().with_read_timeout(time);
            let text = options.get_config_value(&ClientConfigKey::ReadTimeout);
            assert_eq!(duration(&text.unwrap()), Some(time));
        }
        assert_eq!(duration("1 day"), None);
    }

    #[test]
    fn a_server_is_its_host_and_port() {
        let same = |a: &str, b: &str| is_same_server(&a.parse().unwrap(), &b.parse().unwrap());
        assert!(same("http://a/x", "http://a:80/y"));
        assert!(same("http://a/x", "https://a/y"));
        assert!(same("https://a:8443/x", "https://a:8443/y"));
        for (from, to) in [
            ("http://a/x", "http://b/x"),
            ("http://a/x", "http://a:8080/x"),
            ("https://a/x", "http://a/x"),
            ("http://a:8080/x", "https://a:8443/x"),
            ("http://a:8080/x", "https://a/x"),
            ("https://a/x", "https://a.b/x"),
        ] {
            assert!(!same(from, to), "{from} {to}");
        }
    }
}
