//! What is published.

use crate::task::{JAVA, Key, NETWORK, Step, Task, Theme};

/// The theme.
pub const THEME: Theme = Theme {
    title: "A release",
    tasks: &[
        Task {
            name: "archive",
            does: "Packs the program as it is published, in target/archives.",
            needs: &[],
            takes: "8 minutes from nothing, 20 with llvm-profdata",
            keys: &[
                Key {
                    name: "PGO",
                    help: "PGO=no, to build it without a profile of where it spends its time",
                },
                Key {
                    name: "PROFILE",
                    help: "how it is built: PROFILE=dev for a trial, release if not given",
                },
            ],
            steps: &[
                Step::Run(
                    "[PGO={PGO}] sh scripts/pgo.sh cargo build --profile {PROFILE:release} --workspace --features {all} \
                     --bin warcsieve",
                ),
                Step::Run(
                    "sh packaging/archive.sh target/pgo/{host}/{folder}/warcsieve {host} target/archives",
                ),
            ],
        },
        Task {
            name: "docs",
            does: "Builds the documentation as a site in target/docs-site and checks its links.",
            needs: &["mdbook"],
            takes: "seconds",
            keys: &[],
            steps: &[Step::Run("sh scripts/docs.sh")],
        },
        Task {
            name: "release-check",
            does: "Checks that a release is whole: features, versions, licences, archive, formula, image, \
                   workflows, crates, and the programs that read what it writes (`clients`). It skips a check whose \
                   program is not installed, and says so.",
            needs: &[NETWORK, JAVA],
            takes: "18 minutes more than the archive",
            keys: &[
                Key {
                    name: "PROFILE",
                    help: "how the archive is built, as in `archive`",
                },
                Key {
                    name: "VERIFY",
                    help: "1, to build all crates from their packages",
                },
            ],
            // Docker, ruby, shells and cargo-semver-checks are used where they are installed.
            steps: &[
                Step::Task("archive"),
                Step::Task("features"),
                Step::Run("[VERIFY={VERIFY}] sh scripts/release_check.sh"),
                Step::Run(
                    "python3 scripts/clients.py target/pgo/{host}/{folder}/warcsieve target/clients",
                ),
            ],
        },
    ],
};
