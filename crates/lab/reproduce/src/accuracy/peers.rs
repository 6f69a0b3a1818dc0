//! Programs in use today, measured by us on the same pages.

use super::sets::MEAN;
use crate::corpora::TYPES;

/// A program, and its word F1 on the sets on which it was measured.
pub struct Peer {
    pub name: &'static str,
    /// Figures for the sets of [`MEAN`], in its order.
    pub f1: [Option<f64>; MEAN.len()],
}

const fn peer(name: &'static str, [wcxb, clean_eval, l3s, dragnet]: [f64; 4]) -> Peer {
    Peer {
        name,
        f1: [Some(wcxb), Some(clean_eval), Some(l3s), Some(dragnet)],
    }
}

const TRAFILATURA: [f64; 4] = [0.828, 0.909, 0.896, 0.797];
const TRAFILATURA_OFF: [f64; 4] = [0.831, 0.904, 0.884, 0.885];

pub const PEERS: [Peer; 17] = [
    peer("trafilatura 0.6 (Rust)", TRAFILATURA),
    peer("trafilatura 0.6 (Rust), comments off", TRAFILATURA_OFF),
    peer(
        "trafilatura 0.6 (Rust), comments by each set's convention",
        [
            TRAFILATURA_OFF[0],
            TRAFILATURA[1],
            TRAFILATURA[2],
            TRAFILATURA_OFF[3],
        ],
    ),
    peer("trafilatura 2.3 (Python)", [0.818, 0.886, 0.897, 0.811]),
    peer("dom_smoothie 0.19", [0.778, 0.902, 0.915, 0.891]),
    peer("readability-lxml 0.9", [0.703, 0.889, 0.911, 0.905]),
    peer("legible 0.5", [0.770, 0.901, 0.916, 0.887]),
    peer("rs-trafilatura 0.2", [0.844, 0.765, 0.789, 0.833]),
    peer(
        "resiliparse 2.0, main content",
        [0.776, 0.892, 0.836, 0.734],
    ),
    peer("turbohtml 1.15, `article`", [0.596, 0.862, 0.835, 0.780]),
    peer(
        "turbohtml 1.15, `boilerplate`",
        [0.573, 0.788, 0.749, 0.763],
    ),
    peer("resiliparse 2.0, all text", [0.680, 0.886, 0.696, 0.506]),
    Peer {
        name: "boilerpy3, default (HTML repaired first)",
        f1: [None, Some(0.870), Some(0.880), Some(0.730)],
    },
    Peer {
        name: "boilerpy3, article (HTML repaired first)",
        f1: [None, Some(0.807), Some(0.899), Some(0.846)],
    },
    peer("jusText 3.0 (Python)", [0.691, 0.875, 0.808, 0.729]),
    peer(
        "dom-content-extraction (Rust, CETD)",
        [0.687, 0.711, 0.778, 0.596],
    ),
    peer("boilerpipe (Rust)", [0.605, 0.699, 0.802, 0.688]),
];

/// Some of them by page type of wcxb-dev, in the order of [`TYPES`].
pub const BY_TYPE: [(&str, [f64; TYPES.len()]); 4] = [
    (
        "rs-trafilatura 0.2",
        [0.934, 0.676, 0.939, 0.727, 0.665, 0.626, 0.825],
    ),
    (
        "trafilatura 0.6 (Rust), comments off",
        [0.941, 0.587, 0.921, 0.713, 0.645, 0.599, 0.786],
    ),
    (
        "dom_smoothie 0.19",
        [0.929, 0.493, 0.912, 0.478, 0.538, 0.493, 0.731],
    ),
    (
        "resiliparse 2.0, main content",
        [0.874, 0.518, 0.892, 0.716, 0.500, 0.565, 0.784],
    ),
];

/// Share of the pages of wcxb-dev on which some of them lose more than half of the content, in
/// percent.
pub const MISSED: [(&str, u32); 4] = [
    ("rs-trafilatura 0.2", 9),
    ("dom_smoothie 0.19", 20),
    ("readability-lxml 0.9", 31),
    ("boilerpipe (Rust)", 43),
];
