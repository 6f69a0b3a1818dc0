//! Table 3 of Vogels et al. 2018: P@10, R@10, F1@10, MAP and nDCG on ClueWeb12.

/// A row of the table.
pub struct Published {
    /// The name of the method in the paper.
    pub name: &'static str,
    /// Our pipeline, if there is one.
    pub pipeline: Option<&'static str>,
    /// Figures for CW12-A by query likelihood and by the relevance model, then for CW12-B: in
    /// thousandths, as printed.
    figures: [[u16; 5]; 4],
}

impl Published {
    /// The figures of a part; `None` if our copy of the paper lacks them.
    pub fn figures(&self, part: usize) -> [Option<f64>; 5] {
        self.figures[part].map(|f| (f != LOST).then(|| f64::from(f) / 1000.0))
    }

    /// MAP of a part.
    pub fn map(&self, part: usize) -> f64 {
        f64::from(self.figures[part][3]) / 1000.0
    }
}

/// The paper's name for pages that are not cleaned.
pub const RAW: &str = "raw content";

/// Placeholder for a figure that is missing in our copy.
const LOST: u16 = u16::MAX;

/// The table in its order; the first row is [`RAW`].
pub const TABLE3: [Published; 8] = [
    Published {
        name: RAW,
        pipeline: None,
        figures: [
            [316, 56, 95, 137, 459],
            [278, 48, 82, 121, 439],
            [210, 25, 45, 37, 134],
            [172, 21, 37, 30, 122],
        ],
    },
    Published {
        name: "CRF",
        pipeline: Some("crf"),
        figures: [
            [342, 68, 113, 147, 543],
            [301, 57, 96, 138, 487],
            [241, 31, 55, 48, 165],
            [198, 28, 49, 41, 143],
        ],
    },
    Published {
        name: "BTE",
        pipeline: Some("bte"),
        figures: [
            [301, 48, 83, 128, 435],
            [262, 41, 71, 110, 409],
            [193, 19, 35, 30, 121],
            [158, 15, 27, 22, 111],
        ],
    },
    Published {
        name: "default-ext",
        pipeline: Some("boilerpipe-default"),
        figures: [
            [318, 55, 94, 138, 462],
            [277, 48, 82, 123, 442],
            [212, 26, 46, 38, 132],
            [170, 20, 36, 29, 124],
        ],
    },
    Published {
        name: "article-ext",
        pipeline: Some("boilerpipe-article-1-2"),
        figures: [
            [298, 49, 84, 126, 433],
            [260, 39, 68, 109, 411],
            [199, 17, 31, 31, 120],
            [156, 15, 27, 19, 109],
        ],
    },
    Published {
        name: "largest-ext",
        pipeline: Some("boilerpipe-largest"),
        figures: [
            [279, 44, 76, 112, 417],
            [248, 32, 57, 97, 401],
            [178, 15, 28, 24, 107],
            [145, 13, 24, 15, 95],
        ],
    },
    Published {
        name: "Unfluff",
        pipeline: None,
        figures: [
            [304, 51, 87, 128, 428],
            [264, 41, 71, 111, 407],
            [195, 20, 36, 29, 121],
            [159, 16, 29, 21, 112],
        ],
    },
    Published {
        name: "Web2Text",
        pipeline: Some("web2text"),
        figures: [
            [361, 79, 130, 154, 578],
            [325, 69, 114, 145, 525],
            [266, 38, 67, 55, 181],
            [213, LOST, 56, 46, 165],
        ],
    },
];
