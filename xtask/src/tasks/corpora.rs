//! The program on the labelled corpora.

use crate::task::{CORPORA, Key, NETWORK, PROGRAM, Step, Task, Theme};

/// The theme.
pub const THEME: Theme = Theme {
    title: "The program on the labelled corpora",
    tasks: &[
        Task {
            name: "ceiling",
            does: "Prints the best figures that any labels of blocks can reach against the gold text.",
            needs: &[CORPORA],
            takes: "1 minute",
            keys: &[],
            steps: &[Step::Run(
                "cargo test --workspace --features {all} --test it -- gold --ignored --nocapture",
            )],
        },
        Task {
            name: "columns",
            does: "Exports wcxb-dev in the columns of published corpora, and compares schemas, values and numbers \
                   of tokens with pyarrow, DuckDB, datasets and tokenizers.",
            needs: &[CORPORA, NETWORK],
            takes: "3 minutes",
            keys: &[],
            steps: &[
                Step::Run("cargo test -p warcsieve-retrieval --features tokenizers --lib tokens"),
                Step::Run("cargo build --release --features {all},tokenizers"),
                Step::Run("sh scripts/corpus_columns.sh {bin} {shared}"),
            ],
        },
        Task {
            name: "corpora",
            does: "Cleans all corpora in one run and checks the output with DuckDB and pyarrow: sums, footers, \
                   hashes and ids.",
            needs: &[CORPORA, NETWORK],
            takes: "3 minutes",
            keys: &[],
            steps: &[PROGRAM, Step::Run("sh scripts/corpora.sh {bin} {shared}")],
        },
        Task {
            name: "eval",
            does: "Prints the figures of every pipeline that ships. Reports go to target/accuracy.",
            needs: &[CORPORA],
            takes: "2 minutes",
            keys: &[Key {
                name: "PIPELINES",
                help: "a list of pipelines: all if not given",
            }],
            steps: &[
                PROGRAM,
                Step::Run("sh scripts/accuracy.sh {bin} {shared} target/accuracy [{PIPELINES*}]"),
            ],
        },
        Task {
            name: "exports",
            does: "Exports wcxb-dev in every format and reads all of it back in Python.",
            needs: &[CORPORA, NETWORK],
            takes: "1 minute",
            keys: &[],
            steps: &[PROGRAM, Step::Run("sh scripts/exports.sh {bin} {shared}")],
        },
        Task {
            name: "oracle",
            does: "Compares all labelled pages with html5ever, in every segmentation.",
            needs: &[CORPORA],
            takes: "2 minutes",
            keys: &[],
            steps: &[Step::Run(
                "WARCSIEVE_FULL=1 cargo test --workspace --features {all} --test it -- segmentation render --nocapture",
            )],
        },
    ],
};
