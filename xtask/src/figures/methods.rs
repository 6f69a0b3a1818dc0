//! Pages on the methods, and on the default among them.

use crate::task::{CORPORA, NETWORK, PROGRAM, Step, Task, Theme};

const fn page(page: &'static str) -> Step {
    Step::Page {
        page,
        folder: "docs",
        more: "",
    }
}

/// The theme.
pub const THEME: Theme = Theme {
    title: "Figures of methods",
    tasks: &[
        Task {
            name: "ablation",
            does: "Writes docs/ablation.md: the default without each family of features. It goes on where it \
                   stopped.",
            needs: &[CORPORA],
            takes: "10 minutes",
            keys: &[],
            steps: &[page("ablation")],
        },
        Task {
            name: "accuracy",
            does: "Writes docs/accuracy.md and docs/accuracy-limits.md: the default on every corpus, next to \
                   other programs. On a corpus that it learned from, it is judged on pages it has not seen.",
            needs: &[CORPORA],
            takes: "14 minutes",
            keys: &[],
            steps: &[page("accuracy")],
        },
        Task {
            name: "crawl",
            does: "Writes docs/crawl.md: texts that the pages of a site share.",
            needs: &[CORPORA],
            takes: "6 minutes",
            keys: &[],
            steps: &[page("crawl")],
        },
        Task {
            name: "frontier",
            does: "Writes docs/frontier.md: accuracy against cost, for forests of several sizes. It goes on \
                   where it stopped.",
            needs: &[CORPORA],
            takes: "20 minutes",
            keys: &[],
            steps: &[page("frontier")],
        },
        Task {
            name: "headlines",
            does: "Writes docs/headlines.md: whether the text has the headline, and what that costs.",
            needs: &[CORPORA],
            takes: "2 minutes",
            keys: &[],
            steps: &[page("headlines")],
        },
        Task {
            name: "languages",
            does: "Writes docs/languages.md: accuracy, calibration and cost of finding the language. It uses \
                   labelled pages, too, if they are there.",
            needs: &["npm", NETWORK],
            takes: "3 minutes from nothing",
            keys: &[],
            steps: &[
                Step::Run("cargo build --release -p warcsieve-language --example languages"),
                Step::Run("sh scripts/languages.sh target/release/examples/languages {shared}"),
            ],
        },
        Task {
            name: "layout",
            does: "Prints the figures of docs/layout.md: cehtd next to cectd on the labelled corpora, and how \
                   many pages are laid out.",
            needs: &[CORPORA],
            takes: "20 minutes",
            keys: &[],
            steps: &[
                Step::Run("cargo build --release --features layout"),
                Step::Run("sh scripts/layout.sh {bin} {shared} target/layout"),
            ],
        },
        Task {
            name: "methods",
            does: "Writes docs/methods.md: the accuracy and the time of every pipeline that ships.",
            needs: &[CORPORA],
            takes: "4 minutes",
            keys: &[],
            steps: &[page("methods")],
        },
        Task {
            name: "presets",
            does: "Writes docs/presets.md: what each preset of filters removes of the labelled pages.",
            needs: &[CORPORA, NETWORK],
            takes: "8 minutes",
            keys: &[],
            steps: &[
                PROGRAM,
                Step::Python {
                    modules: "pyarrow, fastwarc, resiliparse, trafilatura, justext",
                    packages: "pyarrow fastwarc resiliparse trafilatura justext lxml_html_clean",
                    run: "scripts/presets.py {bin} {shared} target/presets docs/presets.md",
                },
            ],
        },
    ],
};
