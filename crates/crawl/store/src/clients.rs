//! Clients for the four kinds of stores.

use super::contact::Contact;
use super::redirect::Redirects;
use super::response::CheckingConnector;
use super::{RetryPolicy, is_web};
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::http::HttpBuilder;
use object_store::{BackoffConfig, ClientOptions, ObjectStore, Result, RetryConfig};
use std::sync::Arc;
use std::time::Duration;

/// The two clients of one store.
#[derive(Clone)]
pub(super) struct Clients {
    /// For reads: each call is one request without retries. The reader in `read.rs` resumes broken
    /// reads itself, because only it knows at which byte the last request broke.
    pub(super) once: Arc<dyn ObjectStore>,
    /// For everything else: failed requests are retried by the client.
    pub(super) retrying: Arc<dyn ObjectStore>,
}

/// Maximum number of retries of [`Clients::retrying`]; their pauses add up to a minute.
const MAX_RETRIES: usize = 6;

/// Factor on [`RetryPolicy::stall`] for requests that send data: a connection on which the upload
/// or the wait for the answer takes longer counts as broken. Sending a part over a slow line is not
/// a stall.
const SEND_STALL_FACTOR: u32 = 10;

/// Clients of the store `root`, such as `s3://bucket`.
pub(super) fn build(
    root: &str,
    options: &[(String, String)],
    policy: RetryPolicy,
) -> Result<Clients> {
    // This fails if a provider is already installed, which is fine too.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let retries = |max_retries| RetryConfig {
        backoff: BackoffConfig {
            init_backoff: policy.first_pause,
            max_backoff: policy.longest_pause,
            base: 2.0,
        },
        max_retries,
        retry_timeout: policy.longest_pause * policy.tries,
    };
    let client = |stall| {
        ClientOptions::new()
            // A whole file may take minutes; what matters is that bytes keep arriving.
            .with_timeout_disabled()
            .with_connect_timeout(Duration::from_secs(10))
            .with_read_timeout(stall)
    };
    let connector = CheckingConnector {
        redirects: Redirects::of(options),
        contact: Arc::new(Contact::new(is_web(root).then_some(policy.contact))),
    };
    let store = |client, retry| build_client(root, options, client, retry, connector.clone());
    Ok(Clients {
        once: store(client(policy.stall), retries(0))?,
        retrying: store(
            client(policy.stall * SEND_STALL_FACTOR),
            retries(MAX_RETRIES),
        )?,
    })
}

fn build_client(
    root: &str,
    options: &[(String, String)],
    client: ClientOptions,
    retry: RetryConfig,
    connector: CheckingConnector,
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
                .with_http_connector(connector)
        };
    }
    let (scheme, authority) = root.split_once("://").unwrap_or_default();
    Ok(match scheme {
        "s3" | "s3a" => {
            // Not every S3-compatible server supports bulk deletes, and objects are deleted one at
            // a time here anyway.
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
                .with_http_connector(connector)
                .build()?,
        ),
        _ => {
            let builder = MicrosoftAzureBuilder::new().with_url(root);
            Arc::new(configured!(builder).build()?)
        }
    })
}
