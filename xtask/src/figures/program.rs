//! Pages on the program: its speed, its costs, its pictures.

use crate::task::{CHROMIUM, CORPORA, Key, PROGRAM, Step, Task, Theme};

/// The theme.
pub const THEME: Theme = Theme {
    title: "Figures of the program",
    tasks: &[
        Task {
            name: "costs",
            does: "Writes the figures of docs/scale/costs.md: what known crawls cost.",
            needs: &[CORPORA],
            takes: "1 minute",
            keys: &[Key {
                name: "PRICE",
                help: "what a core-hour costs, in dollars",
            }],
            steps: &[
                PROGRAM,
                Step::Page {
                    page: "costs",
                    folder: "docs",
                    more: "[{PRICE}]",
                },
            ],
        },
        Task {
            name: "performance",
            does: "Writes docs/performance.md: the stages, the ratio to decompression, sizes of pages and files.",
            needs: &[CORPORA],
            takes: "8 minutes",
            keys: &[],
            steps: &[
                PROGRAM,
                Step::Page {
                    page: "performance",
                    folder: "docs",
                    more: "",
                },
            ],
        },
        Task {
            name: "pictures",
            does: "Takes the pictures of the documentation, in docs/pictures.",
            needs: &[CHROMIUM],
            takes: "10 seconds",
            keys: &[],
            steps: &[
                PROGRAM,
                Step::Run("python3 scripts/look/pictures.py {bin} docs/pictures"),
            ],
        },
    ],
};
