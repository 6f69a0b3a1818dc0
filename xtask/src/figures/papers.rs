//! The tables and figures of papers.

use crate::task::{CHROMIUM, CORPORA, Key, NETWORK, NODE, Step, Task, Theme};

const fn paper(page: &'static str) -> Step {
    Step::Page {
        page,
        folder: "docs/reproduction",
        more: "",
    }
}

/// Writes the texts of Unfluff that are not there, if Node.js is.
pub const UNFLUFF: Step = Step::Python {
    modules: "fastwarc, resiliparse",
    packages: "fastwarc resiliparse",
    run: "scripts/unfluff.py {shared}/corpora target/reproduction/unfluff",
};

/// The theme.
pub const THEME: Theme = Theme {
    title: "Figures of papers",
    tasks: &[
        Task {
            name: "density",
            does: "Writes docs/reproduction/text-density.md: the tables of the 2013 paper next to ours.",
            needs: &[CORPORA],
            takes: "2 minutes",
            keys: &[],
            steps: &[paper("density")],
        },
        Task {
            name: "genre",
            does: "Writes docs/reproduction/genre.md: the tables of the genre paper next to ours. It runs \
                   `kept-layouts` first and trains 11 networks on pictures.",
            needs: &[CORPORA, CHROMIUM],
            takes: "15 minutes more than `kept-layouts`",
            keys: &[],
            steps: &KEPT_AND_GENRE,
        },
        Task {
            name: "kept-layouts",
            does: "Lays out wcxb-dev by Chromium, with pictures, into target/reproduction/layouts. It goes on \
                   where it stopped.",
            needs: &[CORPORA, CHROMIUM],
            takes: "12 minutes",
            keys: &[],
            steps: &KEPT,
        },
        Task {
            name: "noise",
            does: "Writes docs/reproduction/noise-blocks.md: the table of the noise block paper next to ours.",
            needs: &[CORPORA],
            takes: "1 minute",
            keys: &[],
            steps: &[paper("noise")],
        },
        Task {
            name: "shallow",
            does: "Writes docs/reproduction/shallow-text-features.md: the tables and figures of the 2010 paper \
                   next to ours.",
            needs: &[CORPORA],
            takes: "8 minutes",
            keys: &[],
            steps: &[paper("shallow")],
        },
        Task {
            name: "unfluff",
            does: "Writes the texts of Unfluff, with which the Web2Text paper compares, into \
                   target/reproduction/unfluff. It goes on where it stopped. `web2text` and `judged` run it first; \
                   without Node.js they leave out its rows.",
            needs: &[CORPORA, NETWORK, NODE],
            takes: "7 minutes",
            keys: &[],
            steps: &[UNFLUFF],
        },
        Task {
            name: "web2text",
            does: "Writes docs/reproduction/web2text.md: the table of the Web2Text paper next to ours. It trains \
                   all networks. Those of WCXB go on where they stopped.",
            needs: &[CORPORA],
            takes: "35 minutes",
            keys: &[],
            steps: &[UNFLUFF, paper("web2text")],
        },
        Task {
            name: "web2text-splits",
            does: "Writes docs/reproduction/web2text-splits.md: the same table on the authors' own divisions of \
                   CleanEval, step by step. It goes on where it stopped.",
            needs: &[CORPORA],
            takes: "as long as the trainings that are left",
            keys: &[Key {
                name: "MINUTES",
                help: "the number of minutes after which no training begins: no bound if not given",
            }],
            steps: &[Step::Page {
                page: "web2text-splits",
                folder: "docs/reproduction",
                more: "[{MINUTES}]",
            }],
        },
    ],
};

const BROWSER: Step = Step::Run("cargo build --release --features browser");
const LAYOUTS: Step =
    Step::Run("sh scripts/kept_layouts.sh {bin} {shared} target/reproduction/layouts");
const KEPT: [Step; 2] = [BROWSER, LAYOUTS];
const KEPT_AND_GENRE: [Step; 3] = [BROWSER, LAYOUTS, paper("genre")];
