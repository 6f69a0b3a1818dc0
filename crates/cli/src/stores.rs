//! Configures object stores from environment variables, as the stores' own tools do.

use warcsieve_store::{RetryPolicy, Stores};

/// Prefixes of the variables for stores and web servers.
const PREFIXES: &[&str] = &["AWS_", "GOOGLE_", "AZURE_", "WARCSIEVE_REDIRECTS"];

/// The stores that the environment configures. Sends no request yet.
pub fn of_environment() -> Stores {
    let variables = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| PREFIXES.iter().any(|p| name.starts_with(p)));
    let options = variables.map(|(name, value)| (name.to_ascii_lowercase(), value));
    Stores::new(options, RetryPolicy::default())
}
