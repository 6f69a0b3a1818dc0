//! Pages for people, each one self-contained HTML file: a page's blocks and labels (`view`), the results of a run
//! (`report`), an evaluation (`evaluation`), and a labeller (`label`).
//!
//! ```text
//! pages, Parquet, scores ──structures──▶ JSON in the file ──its own script──▶ text nodes
//! ```
//!
//! Web pages are hostile, so their content is never used as markup. `document` writes it into the file as JSON, the
//! script makes text nodes of it, and a policy forbids any other script, style or request.

pub mod document;
pub mod evaluation;
pub mod label;
pub mod plot;
pub mod report;
mod sketch;
pub mod view;

use document::Kind;

/// A page's blocks.
const VIEW: Kind = Kind {
    style: include_str!("../assets/view.css"),
    script: concat!(
        include_str!("../assets/blocks.js"),
        include_str!("../assets/view.js")
    ),
};

/// A list of views.
const INDEX: Kind = Kind {
    style: include_str!("../assets/index.css"),
    script: include_str!("../assets/index.js"),
};

/// The results of a run.
const REPORT: Kind = Kind {
    style: include_str!("../assets/report.css"),
    script: include_str!("../assets/report.js"),
};

/// An evaluation.
const EVALUATION: Kind = Kind {
    style: concat!(
        include_str!("../assets/plot.css"),
        include_str!("../assets/evaluation.css")
    ),
    script: include_str!("../assets/evaluation.js"),
};

/// A labeller.
const LABEL: Kind = Kind {
    style: concat!(
        include_str!("../assets/view.css"),
        include_str!("../assets/label.css")
    ),
    script: concat!(
        include_str!("../assets/blocks.js"),
        include_str!("../assets/label.js")
    ),
};

#[cfg(test)]
const KINDS: [Kind; 5] = [VIEW, INDEX, REPORT, EVALUATION, LABEL];
