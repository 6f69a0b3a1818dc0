//! The Python package.

use crate::task::{Key, NETWORK, Step, Task, Theme};

/// The theme.
pub const THEME: Theme = Theme {
    title: "The Python package",
    tasks: &[
        Task {
            name: "python-hostile",
            does: "Calls the package on hostile and random bytes. It must not crash, and memory must stay flat.",
            needs: &["the environment that `python-test` makes"],
            takes: "2 minutes",
            keys: &[Key {
                name: "CALLS",
                help: "how many calls: 100,000 if not given",
            }],
            steps: &[Step::Run(
                "WARCSIEVE_HOSTILE_CALLS={CALLS:100000} target/python-test/bin/python -m pytest python/tests/test_hostile.py -s",
            )],
        },
        Task {
            name: "python-lint",
            does: "Checks format and lints of the package's Rust.",
            needs: &[],
            takes: "5 minutes from nothing",
            keys: &[],
            steps: &[
                Step::Run("cargo fmt --manifest-path python/Cargo.toml --check"),
                Step::Run(
                    "cargo clippy --manifest-path python/Cargo.toml --target-dir target --all-targets -- -D warnings",
                ),
            ],
        },
        Task {
            name: "python-test",
            does: "Installs a wheel into a fresh environment and tests it there: the API, its types, frameworks.",
            needs: &[NETWORK],
            takes: "25 minutes from nothing",
            keys: &[Key {
                name: "PYTHON",
                help: "another Python, such as python3.10",
            }],
            steps: &[
                Step::Run("sh scripts/wheel.sh test-wheel target/test-wheels"),
                Step::Run("sh scripts/python_test.sh {PYTHON:python3} target/test-wheels"),
            ],
        },
        Task {
            name: "wheel",
            does: "Builds the package as it is released, in target/wheels.",
            needs: &[NETWORK],
            takes: "30 minutes from nothing",
            keys: &[],
            steps: &[Step::Run("sh scripts/wheel.sh release target/wheels")],
        },
    ],
};
