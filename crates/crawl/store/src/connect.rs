//! Opens connections to stores.

use super::RetryPolicy;
use super::clients::{self, Clients};
use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tokio::runtime::{Builder, Handle, Runtime};
use warcsieve_common::{Error, Result};

/// Threads that transfer and decrypt bytes.
const NETWORK_THREADS: usize = 2;

/// The object stores, with open connections to those used so far. Clones share the connections.
#[derive(Clone, Default)]
pub struct Stores(Arc<Shared>);

#[derive(Default)]
struct Shared {
    options: Vec<(String, String)>,
    retry_policy: RetryPolicy,
    runtime: OnceLock<Runtime>,
    open: Mutex<HashMap<String, Clients>>,
}

impl std::fmt::Debug for Stores {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The options are not printed: they contain secret keys.
        f.write_str("Stores")
    }
}

impl Stores {
    /// Stores reached with `options`: names and values as in crate `object_store`, such as
    /// `aws_region`, `aws_endpoint`, `google_service_account`, `azure_storage_account_name`. A
    /// store ignores names that it does not know.
    pub fn new(
        options: impl IntoIterator<Item = (String, String)>,
        retry_policy: RetryPolicy,
    ) -> Self {
        Self(Arc::new(Shared {
            options: options.into_iter().collect(),
            retry_policy,
            ..Shared::default()
        }))
    }

    pub(super) fn retry_policy(&self) -> RetryPolicy {
        self.0.retry_policy
    }

    /// Blocks the calling thread until a request is done.
    pub(super) fn wait<T>(&self, request: impl Future<Output = T>) -> T {
        self.handle().block_on(request)
    }

    pub(super) fn handle(&self) -> &Handle {
        let runtime = self.0.runtime.get();
        runtime
            .expect("`connect` creates the runtime before the first object")
            .handle()
    }

    pub(super) fn connect(&self, address: &str, root: &str) -> Result<Clients> {
        let mut open = self.0.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(clients) = open.get(root) {
            return Ok(clients.clone());
        }
        if self.0.runtime.get().is_none() {
            let runtime = Builder::new_multi_thread()
                .worker_threads(NETWORK_THREADS)
                .thread_name("network")
                .enable_all()
                .build()
                .map_err(|e| Error::io(address, e))?;
            // The lock is held, so no other thread created one.
            let _ = self.0.runtime.set(runtime);
        }
        // Building a client needs the runtime's timers.
        let _entered = self.handle().enter();
        let clients = clients::build(root, &self.0.options, self.0.retry_policy)
            .map_err(|e| refuse(root, &super::failure::brief(&e)))?;
        open.insert(root.to_owned(), clients.clone());
        Ok(clients)
    }
}

pub(super) fn refuse(address: &str, why: &dyn std::fmt::Display) -> Error {
    Error::Invalid(format!("{}: {why}", super::secrets::shown(address)))
}
