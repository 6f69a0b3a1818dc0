//! Measurements of speed.

use crate::task::{CORPORA, Key, NETWORK, PROGRAM, SYNTHETIC, Step, Task, Theme, WARC};

/// The theme.
pub const THEME: Theme = Theme {
    title: "Speed",
    tasks: &[
        Task {
            name: "bench",
            does: "Measures where the time of a page goes, stage by stage. Without WARC it uses a synthetic \
                   crawl, and wcxb-dev if it is there.",
            needs: &[],
            takes: "2 minutes",
            keys: &[WARC],
            steps: &[Step::Run("sh scripts/bench.sh {shared} [{WARC}]")],
        },
        Task {
            name: "bench-index",
            does: "Measures speed and memory of indexing the labelled corpora, twelve times over.",
            needs: &[CORPORA],
            takes: "3 minutes",
            keys: &[],
            steps: &[PROGRAM, Step::Run("sh scripts/index.sh {bin} {shared}")],
        },
        Task {
            name: "bench-instructions",
            does: "Counts the instructions of a run and compares them with those of benches/instructions.txt. It \
                   fails where a stage takes 3 % more.",
            needs: &["valgrind"],
            takes: "2 minutes",
            keys: &[Key {
                name: "UPDATE",
                help: "1, to accept what is counted",
            }],
            steps: &[
                PROGRAM,
                SYNTHETIC,
                Step::Run(
                    "[UPDATE={UPDATE}] sh scripts/instructions.sh {bin} {synthetic} benches/instructions.txt",
                ),
            ],
        },
        Task {
            name: "bench-micro",
            does: "Runs the small benchmarks: methods, measures and trainers.",
            needs: &[],
            takes: "4 minutes",
            keys: &[],
            steps: &[Step::Run(
                "cargo bench --features {all} --bench classify --bench measures --bench train",
            )],
        },
        Task {
            name: "bench-ratio",
            does: "Measures the whole job and decompressing the same file alone, in turn. Without WARC it uses a \
                   synthetic crawl.",
            needs: &[],
            takes: "3 minutes",
            keys: &[WARC],
            steps: &[Step::Run(
                "cargo bench --features {all} --bench speed -- ratio [{WARC}]",
            )],
        },
        Task {
            name: "bench-segment",
            does: "Measures tokenizers and segmentation, on labelled and on large pages.",
            needs: &[CORPORA],
            takes: "5 minutes",
            keys: &[],
            steps: &[Step::Run(
                "cargo test --release -p warcsieve-html --lib -- --ignored --nocapture --test-threads 1 scan::tests::speed",
            )],
        },
        Task {
            name: "forget",
            does: "Measures forgetting one page in a hundred of a synthetic crawl beside a run that never saw \
                   these pages, and compares the bytes of their tables.",
            needs: &[],
            takes: "8 minutes",
            keys: &[Key {
                name: "PAGES",
                help: "how many pages, 100000 if not given",
            }],
            steps: &[
                PROGRAM,
                Step::Run("python3 scripts/forget.py {bin} [{PAGES}]"),
            ],
        },
        Task {
            name: "minhash",
            does: "Measures the CPU time of finding near duplicates and compares it with datatrove's, on the \
                   labelled pages.",
            needs: &[CORPORA, NETWORK],
            takes: "3 minutes",
            keys: &[],
            steps: &[
                PROGRAM,
                Step::Python {
                    modules: "datatrove, spacy, pyarrow, orjson",
                    packages: "datatrove spacy regex pyarrow orjson nltk xxhash<4",
                    run: "scripts/minhash.py {bin} {shared} target/minhash",
                },
            ],
        },
        Task {
            name: "signals-cost",
            does: "Measures the CPU time of signals and compares it with that of cleaning, family by family.",
            needs: &[CORPORA],
            takes: "2 minutes",
            keys: &[],
            steps: &[
                PROGRAM,
                Step::Run(
                    "python3 scripts/signals_cost.py {bin} {shared}/corpora/wcxb-dev.warc.gz target/signals-cost",
                ),
            ],
        },
    ],
};
