//! Layout engines, and our pages in a browser.

use crate::task::{CHROMIUM, CORPORA, Key, PROGRAM, Step, Task, Theme};

/// The theme.
pub const THEME: Theme = Theme {
    title: "Layout and browsers",
    tasks: &[
        Task {
            name: "layout-agree",
            does: "Compares Blitz with Chromium on the labelled corpora: the boxes of blocks, and what cehtd \
                   keeps.",
            needs: &[CORPORA, CHROMIUM],
            takes: "40 minutes",
            keys: &[],
            steps: &[
                Step::Run("cargo build --release --features layout,browser"),
                Step::Run("sh scripts/layout_agree.sh {bin} {shared} target/layout-agree"),
            ],
        },
        Task {
            name: "layout-test",
            does: "Tests the layout engines: boxes against those worked out by hand, hostile pages, and the same \
                   bytes on any number of threads.",
            needs: &["Rust 1.91"],
            takes: "10 minutes from nothing",
            keys: &[],
            steps: &[
                Step::Run("cargo test --release -p warcsieve-layout --features blitz,browser"),
                Step::Run("cargo test --features {all},layout,browser --test it -- layout"),
            ],
        },
        Task {
            name: "look-test",
            does: "Tests the pages of `view`, `report`, `eval --html` and `label` in Chromium.",
            needs: &[CHROMIUM],
            takes: "2 minutes",
            keys: &[Key {
                name: "PICTURES",
                help: "a folder that keeps screenshots",
            }],
            steps: &[
                PROGRAM,
                Step::Run("python3 scripts/look/test.py {bin} [--pictures {PICTURES}]"),
            ],
        },
    ],
};
