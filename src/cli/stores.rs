//! How object stores are reached: by the environment, as their own tools are.

use warcsieve::store::{Patience, Stores};

/// Prefixes of the variables that concern a store.
const PREFIXES: &[&str] = &["AWS_", "GOOGLE_", "AZURE_"];

/// The stores that the environment tells how to reach. Nothing is asked of any yet.
pub fn of_environment() -> Stores {
    let variables = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| PREFIXES.iter().any(|p| name.starts_with(p)));
    let options = variables.map(|(name, value)| (name.to_ascii_lowercase(), value));
    Stores::new(options, Patience::default())
}
