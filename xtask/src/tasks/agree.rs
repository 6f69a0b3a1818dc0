//! Our results compared with those of other programs.

use crate::task::{CORPORA, JAVA, Key, NETWORK, PROGRAM, Step, Task, Theme};

/// The theme.
pub const THEME: Theme = Theme {
    title: "Comparisons with other programs",
    tasks: &[
        Task {
            name: "agree",
            does: "Compares `eval` with the corpora's own program, for every method.",
            needs: &[CORPORA, NETWORK],
            takes: "10 minutes",
            keys: &[],
            steps: &[
                PROGRAM,
                Step::Python {
                    modules: "pyarrow, duckdb",
                    packages: "pyarrow duckdb",
                    run: "scripts/agree.py {bin} {shared}",
                },
            ],
        },
        Task {
            name: "agree-measures",
            does: "Compares `measure` with trec_eval, on a real run and 200 random ones.",
            needs: &[CORPORA, NETWORK],
            takes: "1 minute",
            keys: &[],
            steps: &[
                PROGRAM,
                Step::Python {
                    modules: "pytrec_eval",
                    packages: "pytrec_eval-terrier",
                    run: "scripts/agree_measures.py {bin} {shared}",
                },
            ],
        },
        Task {
            name: "agree-tokenizers",
            does: "Compares our tokenizer with lol_html and html5ever, on 10 million generated pages and all \
                   labelled ones.",
            needs: &[CORPORA],
            takes: "12 minutes",
            keys: &[],
            steps: &[Step::Run(
                "WARCSIEVE_FULL=1 WARCSIEVE_ROUNDS=10000000 cargo test --release -p warcsieve-html --lib -- --nocapture scan",
            )],
        },
        Task {
            name: "clients",
            does: "Reads what `clean` writes with DuckDB, pyarrow, pandas, Polars, ClickHouse, fastparquet, datasets, Daft, \
                   Ray and Spark, an index with cdxj-indexer and pywb, a WACZ with `wacz validate`, and the crawl files \
                   of a folder with warcio and FastWARC. Runs the queries of the docs. A client that cannot be installed \
                   is left out.",
            needs: &[NETWORK, JAVA],
            takes: "10 minutes, and 8 to build",
            keys: &[
                Key {
                    name: "OUT",
                    help: "a file for the table",
                },
                Key {
                    name: "ZOO",
                    help: "a folder of crawl files for warcio and FastWARC",
                },
            ],
            steps: &[
                PROGRAM,
                Step::Run(
                    "python3 scripts/clients.py {bin} target/clients [--out {OUT}] [--zoo {ZOO}]",
                ),
            ],
        },
        Task {
            name: "duplicates",
            does: "Plants near duplicates in generated pages and compares what `dedup`, DuckDB and Spark find. \
                   Without Java, Spark is left out.",
            needs: &[NETWORK, JAVA],
            takes: "5 minutes",
            keys: &[
                Key {
                    name: "PAGES",
                    help: "how many pages are made: 200,000 if not given",
                },
                Key {
                    name: "WORDS",
                    help: "how many words a page has: 204 if not given",
                },
            ],
            steps: &[
                PROGRAM,
                Step::Python {
                    modules: "duckdb, pyspark",
                    packages: "duckdb pyspark==4.*",
                    run: "scripts/duplicates.py {bin} target/duplicates {PAGES:200000} {WORDS:204}",
                },
            ],
        },
        Task {
            name: "signals",
            does: "Compares the signals of labelled pages with those of datatrove and Dolma.",
            needs: &[CORPORA, NETWORK],
            takes: "6 minutes",
            keys: &[Key {
                name: "EVERY",
                help: "a number n, to take every n-th page alone",
            }],
            steps: &[
                PROGRAM,
                Step::Run("sh scripts/signals.sh {bin} {shared} target/signals [{EVERY}]"),
            ],
        },
        Task {
            name: "xpath",
            does: "Resolves the paths of all blocks of the labelled pages in lxml.",
            needs: &[CORPORA, NETWORK],
            takes: "5 minutes, and 8 to build",
            keys: &[],
            steps: &[
                PROGRAM,
                Step::Python {
                    modules: "lxml, pyarrow, selectolax, warcio, webencodings",
                    packages: "lxml pyarrow selectolax warcio webencodings",
                    run: "scripts/xpath.py {bin} {shared}",
                },
            ],
        },
    ],
};
