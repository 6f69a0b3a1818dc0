//! What a change must pass, and longer checks of the code.

use crate::task::{Key, NETWORK, Step, Task, Theme};

/// Modules of `tests/it` that `check-fast` leaves out: they train, kill processes, wait for timeouts,
/// build a copy of the repository, or try hundreds of pages.
pub const SLOW: &[&str] = &[
    "contributing",
    "corpus_file",
    "crf",
    "determinism",
    "exits",
    "forest",
    "hostile",
    "jobs",
    "markdown",
    "plan",
    "relabel",
    "render",
    "resume",
    "segmentation",
    "shards",
    "spark",
    "stop",
    "store",
    "web2text",
];

const FMT: Step = Step::Run("cargo fmt --all --check");

// --all-targets compiles tests, benches and examples, too.
const CLIPPY: Step =
    Step::Run("cargo clippy --workspace --all-targets --features {all} -- -D warnings");

// With an example among its targets, cargo chooses the features of dependencies as `clippy` does,
// and takes what that has compiled. Without it, parquet, arrow and tantivy would be compiled again.
const DOC: Step = Step::Run(
    "RUSTDOCFLAGS=-Dwarnings cargo doc --no-deps --workspace --features {all} \
     --lib --bin seeds --bin warcsieve-reproduce --bin xtask --example query",
);

// Reads what DOC has written.
const API: Step = Step::Run("python3 scripts/public_api.py target/doc/warcsieve check");

// The library alone, with crawls, and the program without experiments and stores: code that needs a
// feature which is not there shows in one of them.
const ALONE: Step = Step::Run("cargo check --no-default-features");
const CRAWL: Step = Step::Run("cargo check --no-default-features --features crawl");
const CLI: Step = Step::Run("cargo check --no-default-features --features cli");

const TEST: Step = Step::Run("cargo test --workspace --features {all}");

/// The theme.
pub const THEME: Theme = Theme {
    title: "Checks",
    tasks: &[
        Task {
            name: "api",
            does: "Writes tests/public_api.txt, the public API of the library, which `check` compares with the code.",
            needs: &[],
            takes: "2 minutes from nothing",
            keys: &[],
            steps: &[
                DOC,
                Step::Run("python3 scripts/public_api.py target/doc/warcsieve write"),
            ],
        },
        Task {
            name: "check",
            does: "Checks what a change must pass: format, lints, documentation of the code, the public API, features, \
                   all tests, and our pages in Chromium if it is installed. The quickest checks come first.",
            needs: &[],
            takes: "20 minutes from nothing",
            keys: &[],
            // What only checks shares what it compiles, and comes before what generates code.
            steps: &[
                FMT,
                CLIPPY,
                DOC,
                API,
                ALONE,
                CRAWL,
                CLI,
                TEST,
                // The program that the tests have built.
                Step::Run("python3 scripts/look/test.py target/debug/warcsieve short"),
            ],
        },
        Task {
            name: "check-fast",
            does: "Checks a change while you work on it: format, lints, the unit tests of all crates, and the \
                   quick tests of the program. It leaves out the slow tests and those on the labelled corpora.",
            needs: &[],
            takes: "under 4 minutes where most is built",
            keys: &[],
            steps: &[
                FMT,
                CLIPPY,
                // One build for both runs: they have different filters.
                Step::Run(
                    "cargo test --workspace --features {all} --lib --bin xtask --test it --no-run",
                ),
                Step::Run(
                    "WARCSIEVE_SHARED=target/no-corpora cargo test --workspace --features {all} --lib --bin xtask \
                     -- --skip linear_time",
                ),
                Step::Run(
                    "WARCSIEVE_SHARED=target/no-corpora cargo test --workspace --features {all} --test it \
                     -- {slow*}",
                ),
            ],
        },
        Task {
            name: "coverage",
            does: "Counts which lines the tests run, and writes the share of each crate to docs/coverage.md. The \
                   lines that no test runs are in target/coverage/missed.txt.",
            needs: &["llvm-profdata and llvm-cov (rustup component add llvm-tools)"],
            takes: "as long as `test`, and what is ours is built anew",
            keys: &[],
            steps: &[Step::Run(
                "sh scripts/coverage.sh target/coverage docs/coverage.md",
            )],
        },
        Task {
            name: "deny",
            does: "Checks the licences, the sources and the known vulnerabilities of all dependencies.",
            needs: &["cargo-deny (cargo install cargo-deny --locked)", NETWORK],
            takes: "seconds",
            keys: &[],
            steps: &[
                Step::Run("cargo deny check"),
                Step::Run("cargo deny --manifest-path python/Cargo.toml check"),
            ],
        },
        Task {
            name: "features",
            does: "Checks that the library builds with each feature alone, and the program with few features. \
                   `layout-test` builds the layout engines, whose crates take minutes.",
            needs: &[],
            takes: "4 minutes from nothing",
            keys: &[],
            steps: &[
                ALONE,
                CRAWL,
                CLI,
                Step::Run("cargo check --no-default-features --features libdeflate"),
                Step::Run("cargo check --no-default-features --features lol-html"),
                Step::Run("cargo check --no-default-features --features warc"),
                Step::Run("cargo check --no-default-features --features object-store"),
                Step::Run("cargo check --no-default-features --features lab"),
                Step::Run("cargo check --no-default-features --features tokenizers"),
                Step::Run("cargo check --no-default-features --features browser"),
            ],
        },
        Task {
            name: "fuzz",
            does: "Runs libFuzzer on every reader of untrusted bytes, on two cores. It fails if it finds \
                   anything.",
            needs: &["a C++ compiler"],
            takes: "10 minutes, and 8 to build",
            keys: &[
                Key {
                    name: "MINUTES",
                    help: "how many minutes the targets share: 10 if not given",
                },
                Key {
                    name: "TARGETS",
                    help: "a list of targets, such as TARGETS=\"warc http\": all if not given",
                },
            ],
            steps: &[Step::Run("sh scripts/fuzz.sh {MINUTES:10} [{TARGETS*}]")],
        },
        Task {
            name: "memcheck",
            does: "Runs valgrind's memcheck over the tests that reach `unsafe` or C, and over the program.",
            needs: &["valgrind"],
            takes: "5 minutes, and 10 to build",
            keys: &[],
            steps: &[Step::Run("sh scripts/memcheck.sh")],
        },
        Task {
            name: "msrv",
            does: "Checks that the program and the wheel build with the oldest Rust that Cargo.toml allows.",
            needs: &["rustup", NETWORK],
            takes: "6 minutes from nothing",
            keys: &[],
            steps: &[Step::Run("sh scripts/msrv.sh target/msrv")],
        },
        Task {
            name: "test",
            does: "Runs all tests.",
            needs: &[],
            takes: "most of the 20 minutes of `check`",
            keys: &[],
            steps: &[TEST],
        },
    ],
};
