//! The values that placeholders of commands stand for.

use crate::options::Given;
use crate::tasks;
use std::path::Path;
use std::process::Command;

/// Where the labelled corpora are, seen from the repository, if nothing says otherwise.
const SHARED: &str = "../shared";

/// The features of what is released: everything but layout engines and what needs a GPU.
const ALL: &str = "lab,object-store";

/// What is given, and what follows from it.
pub struct Values {
    given: Given,
    /// The folder of the labelled corpora.
    pub shared: String,
}

impl Values {
    /// `SHARED` counts before the environment; `root` is the repository.
    pub fn new(given: Given, root: &Path) -> Self {
        let shared = match (given.get("SHARED"), std::env::var("WARCSIEVE_SHARED")) {
            (Some(folder), _) => root.join(folder),
            (None, Ok(folder)) => root.join(folder),
            (None, Err(_)) => root.join(SHARED),
        };
        let shared = std::path::absolute(&shared).unwrap_or(shared);
        Self {
            given,
            shared: shared.display().to_string(),
        }
    }

    /// The value of an option, which has a name in capitals, or one that we know.
    pub fn get(&self, name: &str) -> Option<String> {
        match name {
            "all" => Some(ALL.to_owned()),
            "bin" => Some("target/release/warcsieve".to_owned()),
            "folder" => Some(self.folder().to_owned()),
            "host" => host(),
            "shared" => Some(self.shared.clone()),
            "slow" => Some(tasks::without_slow()),
            "synthetic" => Some("target/release/examples/synthetic_crawl".to_owned()),
            _ => self.given.get(name).cloned(),
        }
    }

    /// Where cargo puts what it builds with `PROFILE`.
    fn folder(&self) -> &str {
        match self.given.get("PROFILE").map(String::as_str) {
            None => "release",
            Some("dev") => "debug",
            Some(profile) => profile,
        }
    }
}

/// The triple that the compiler builds for.
fn host() -> Option<String> {
    let output = Command::new("rustc").arg("-vV").output().ok()?;
    let said = String::from_utf8(output.stdout).ok()?;
    let line = said.lines().find_map(|line| line.strip_prefix("host: "))?;
    Some(line.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(given: &[(&str, &str)]) -> Values {
        let pair = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
        Values::new(given.iter().map(pair).collect(), Path::new("/repository"))
    }

    #[test]
    fn shared_is_absolute_and_begins_at_the_repository() {
        assert_eq!(
            values(&[("SHARED", "corpora")]).shared,
            "/repository/corpora"
        );
        assert_eq!(values(&[("SHARED", "/disks/1")]).shared, "/disks/1");
    }

    #[test]
    fn options_are_values() {
        let values = values(&[("GB", "3")]);
        assert_eq!(values.get("GB").as_deref(), Some("3"));
        assert_eq!(values.get("KILLS"), None);
        assert_eq!(values.get("none"), None);
    }

    #[test]
    fn the_folder_of_a_profile_is_that_of_cargo() {
        assert_eq!(values(&[]).folder(), "release");
        assert_eq!(values(&[("PROFILE", "dev")]).folder(), "debug");
        assert_eq!(values(&[("PROFILE", "demo")]).folder(), "demo");
    }

    #[test]
    fn the_compiler_says_what_it_builds_for() {
        assert!(host().unwrap().contains('-'));
    }
}
