//! Clients of the four kinds of stores.

use super::Patience;
use super::watch::Watched;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::http::HttpBuilder;
use object_store::{BackoffConfig, ClientOptions, ObjectStore, Result, RetryConfig};
use std::sync::Arc;
use std::time::Duration;

/// What a store is asked through.
#[derive(Clone)]
pub(super) struct Clients {
    /// To read objects: it makes one request, and whoever reads makes the next.
    pub(super) get: Arc<dyn ObjectStore>,
    /// For all else: requests are made again by themselves.
    pub(super) ask: Arc<dyn ObjectStore>,
}

/// Requests that are made again by themselves, at most; their pauses add up to a minute.
const RETRIES: usize = 6;

/// A connection that takes what is sent, or gives no answer, so many times as long as [`Patience::stall`] is broken. Sending
/// a part over a slow line is no stall.
const SENDING: u32 = 10;

/// Clients of the store `root`, such as `s3://bucket`.
pub(super) fn build(
    root: &str,
    options: &[(String, String)],
    patience: Patience,
) -> Result<Clients> {
    // It fails where a provider is installed already, which does as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let retries = |max_retries| RetryConfig {
        backoff: BackoffConfig {
            init_backoff: patience.first,
            max_backoff: patience.longest,
            base: 2.0,
        },
        max_retries,
        retry_timeout: patience.longest * patience.tries,
    };
    let client = |stall| {
        ClientOptions::new()
            // A whole file takes minutes; what matters is that bytes come.
            .with_timeout_disabled()
            .with_connect_timeout(Duration::from_secs(10))
            .with_read_timeout(stall)
    };
    let store = |client, retry| one(root, options, client, retry);
    Ok(Clients {
        get: store(client(patience.stall), retries(0))?,
        ask: store(client(patience.stall * SENDING), retries(RETRIES))?,
    })
}

fn one(
    root: &str,
    options: &[(String, String)],
    client: ClientOptions,
    retry: RetryConfig,
) -> Result<Arc<dyn ObjectStore>> {
    macro_rules! configured {
        ($builder:expr) => {
            options
                .iter()
                .fold(
                    $builder.with_client_options(client),
                    |builder, (name, value)| match name.parse() {
                        Ok(key) => builder.with_config(key, value),
                        Err(_) => builder,
                    },
                )
                .with_retry(retry)
                .with_http_connector(Watched)
        };
    }
    let (scheme, authority) = root.split_once("://").unwrap_or_default();
    Ok(match scheme {
        "s3" | "s3a" => {
            // Not all that speak S3 know it, and one object at a time is removed here.
            let bulk = AmazonS3ConfigKey::DisableBulkDelete;
            let builder = AmazonS3Builder::new().with_config(bulk, "true");
            Arc::new(configured!(builder.with_bucket_name(authority)).build()?)
        }
        "gs" => {
            let builder = GoogleCloudStorageBuilder::new().with_bucket_name(authority);
            Arc::new(configured!(builder).build()?)
        }
        "http" | "https" => Arc::new(
            HttpBuilder::new()
                .with_url(root)
                .with_client_options(client.with_allow_http(scheme == "http"))
                .with_retry(retry)
                .with_http_connector(Watched)
                .build()?,
        ),
        _ => {
            let builder = MicrosoftAzureBuilder::new().with_url(root);
            Arc::new(configured!(builder).build()?)
        }
    })
}
