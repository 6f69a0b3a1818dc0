//! Pages on other programs.

use crate::task::{CORPORA, Key, NETWORK, PROGRAM, Step, Task, Theme, WARC};

/// The theme.
pub const THEME: Theme = Theme {
    title: "Figures of other programs",
    tasks: &[
        Task {
            name: "bad-warcs",
            does: "Writes docs/bad-warcs.md: what other readers do with testdata/bad-warcs.",
            needs: &[NETWORK],
            takes: "1 minute",
            keys: &[Key {
                name: "JWARC",
                help: "the file jwarc.jar; without it, jwarc is left out",
            }],
            steps: &[
                PROGRAM,
                Step::Python {
                    modules: "warcio, fastwarc",
                    packages: "warcio fastwarc",
                    run: "scripts/bad_warcs_peers.py {bin} testdata/bad-warcs docs/bad-warcs.md [{JWARC}]",
                },
            ],
        },
        Task {
            name: "metadata",
            does: "Prints the table of docs/metadata.md: how much of the authors and dates of pages is found, \
                   next to trafilatura.",
            needs: &[CORPORA, NETWORK],
            takes: "2 minutes",
            keys: &[],
            steps: &[
                PROGRAM,
                Step::Python {
                    modules: "trafilatura, fastwarc",
                    packages: "trafilatura lxml_html_clean fastwarc",
                    run: "scripts/metadata.py {bin} {shared}/corpora/wcxb-dev.warc.gz \
                          {shared}/corpora/wcxb-dev.gold.jsonl.gz testdata/metadata/wcxb-dev-unseen.jsonl \
                          testdata/metadata/wcxb-dev.jsonl",
                },
            ],
        },
        Task {
            name: "peers",
            does: "Writes docs/peers.md: today's programs on the same pages, in turn with ours. Without WARC, \
                   the pages are those of wcxb-dev.",
            needs: &[CORPORA, NETWORK],
            takes: "15 minutes",
            keys: &[WARC],
            steps: &[
                PROGRAM,
                Step::Run(
                    "sh scripts/peers.sh {bin} {WARC:{shared}/corpora/wcxb-dev.warc.gz} docs/peers.md",
                ),
            ],
        },
        Task {
            name: "python-peers",
            does: "Writes the part of docs/peers.md on Python: extractors on the same pages, threads, and the \
                   library in Rust. It builds the wheel first.",
            needs: &[CORPORA, NETWORK],
            takes: "10 minutes more than the wheel",
            keys: &[],
            steps: &[
                Step::Task("wheel"),
                Step::Run(
                    "cargo build --release --manifest-path python/Cargo.toml --target-dir target --example library",
                ),
                Step::Run(
                    "sh scripts/python_speed.sh target/wheels {shared}/corpora/wcxb-dev.warc.gz docs/peers.md",
                ),
            ],
        },
    ],
};
