//! The figures of the paper, in percent.

/// Precision, recall, F1 and score on one of its collections.
pub type Figures = [f64; 4];

/// Its collections, in the order of Tables 1 to 3.
pub const COLLECTIONS: [&str; 7] = [
    "CleanEval-Eng",
    "NYTimes",
    "Yahoo!",
    "Wikipedia",
    "BBC",
    "Ars Technica",
    "Chaos",
];

/// Tables 1 to 3: the method, our pipeline, and its figures on the collections.
pub const OWN_TABLES: [(&str, &str, [Figures; 7]); 3] = [
    (
        "Table 1: CETD-DS",
        "cetd",
        [
            [92.96, 94.52, 93.73, 88.96],
            [98.38, 95.84, 97.09, 94.42],
            [83.16, 85.90, 84.51, 72.84],
            [98.32, 97.22, 97.77, 95.76],
            [84.39, 95.21, 89.48, 80.66],
            [97.81, 98.85, 98.33, 96.71],
            [92.23, 94.99, 93.59, 88.76],
        ],
    ),
    (
        "Table 2: CECTD-DS",
        "cectd",
        [
            [95.87, 97.15, 96.51, 93.87],
            [99.69, 98.16, 98.92, 97.86],
            [84.59, 93.99, 89.04, 80.71],
            [98.25, 92.77, 95.43, 91.49],
            [86.15, 97.95, 91.67, 84.44],
            [98.04, 99.51, 98.76, 97.57],
            [96.21, 96.10, 96.15, 93.47],
        ],
    ),
    (
        "Table 3: CECTD-S",
        "cectd-s",
        [
            [90.35, 92.60, 91.46, 87.24],
            [96.72, 96.56, 96.64, 94.41],
            [80.33, 93.34, 86.35, 76.16],
            [98.02, 97.61, 97.81, 95.75],
            [82.55, 93.77, 87.80, 79.65],
            [94.61, 93.56, 94.08, 91.65],
            [89.64, 92.86, 91.22, 86.17],
        ],
    ),
];

/// Table 4: CEHTD-DS.
pub const HYBRID: [Figures; 7] = [
    [94.97, 94.07, 94.52, 90.61],
    [99.72, 95.96, 97.80, 95.69],
    [91.99, 88.59, 90.26, 81.93],
    [96.58, 90.41, 93.39, 87.86],
    [95.55, 96.46, 96.00, 92.29],
    [98.12, 98.83, 98.48, 97.01],
    [94.74, 96.42, 95.57, 92.05],
];

/// A row of Tables 5 to 7.
pub struct Method {
    pub name: &'static str,
    /// Our pipeline, if there is one.
    pub pipeline: Option<&'static str>,
    /// F1, precision and recall on CleanEval, and their averages over all collections.
    pub clean_eval: [f64; 3],
    pub average: [f64; 3],
}

/// Tables 5 to 7.
pub const METHODS: [Method; 11] = [
    method(
        "BTE",
        Some("bte"),
        [92.22, 88.87, 95.83],
        [80.83, 71.95, 94.10],
    ),
    method(
        "CCB",
        Some("ccb"),
        [86.24, 80.61, 92.71],
        [72.66, 61.48, 90.70],
    ),
    method(
        "DSC",
        Some("dsc"),
        [74.07, 91.94, 62.01],
        [80.17, 92.61, 72.16],
    ),
    method("FE", None, [17.56, 73.87, 9.97], [8.97, 77.26, 4.28]),
    method("KFE", None, [74.13, 79.28, 69.61], [68.73, 73.64, 65.19]),
    method(
        "LQF",
        Some("lqf"),
        [91.23, 88.60, 94.02],
        [86.42, 82.14, 91.82],
    ),
    method(
        "CETR",
        Some("cetr"),
        [88.59, 91.26, 86.08],
        [82.78, 81.61, 84.93],
    ),
    method(
        "CETD-DS",
        Some("cetd"),
        [93.73, 92.96, 94.52],
        [93.50, 92.66, 94.65],
    ),
    method(
        "CECTD-S",
        Some("cectd-s"),
        [91.46, 90.35, 92.60],
        [92.24, 90.33, 93.97],
    ),
    method(
        "CECTD-DS",
        Some("cectd"),
        [96.51, 95.87, 97.15],
        [95.21, 94.11, 96.52],
    ),
    method(
        "CEHTD-DS",
        None,
        [94.52, 94.97, 94.07],
        [95.15, 95.95, 94.39],
    ),
];

const fn method(
    name: &'static str,
    pipeline: Option<&'static str>,
    clean_eval: [f64; 3],
    average: [f64; 3],
) -> Method {
    Method {
        name,
        pipeline,
        clean_eval,
        average,
    }
}
