//! Content Extraction via Tag Ratios: clusters blocks by their characters per tag, and by how these
//! change.
//!
//! Weninger, Hsu, Han: CETR: Content Extraction via Tag Ratios, WWW 2010, §3 (CETR-KM);
//! a baseline of Song, Sun, Liao 2013, §4.
//!
//! The ratios, characters / tags (0 tags count as 1), are smoothed by a Gaussian. The change at a
//! block is the absolute difference between its own smoothed ratio and the mean of the next three,
//! smoothed again. Ratio and change form a point. k-means makes three clusters of the points; the
//! centre of one of them is always at the origin. Blocks outside of that cluster are content.
//!
//! # Deviations
//! * The paper uses lines of the source, and here blocks are used, since line breaks depend on who
//!   wrote the markup (as Song, Sun, Liao remark). The tags of a block are those inside it and
//!   those between it and the text before.
//! * The other two centres start at the mean of the points and at the point farthest from the
//!   origin, not at random. There are at most 50 rounds.

use warcsieve_classify::params::StepParams;
use warcsieve_classify::{Built, Classifier, Label, Method, Names, ReasonPair, shipped};
use warcsieve_common::emptied;
use warcsieve_html::document::{Block, Document};

/// The method as pipeline files and the command line know it.
pub const METHOD: Method = Method {
    name: "cetr",
    summary: "clusters blocks by their smoothed characters per tag, and by how these change",
    family: "Methods that the papers compare with",
    paper: "Weninger, Hsu, Han 2010 (CETR-KM); rival in Song, Sun, Liao 2013",
    pipelines: &[shipped!(
        "cetr",
        "The characters per tag of each block are smoothed. Blocks are clustered by this value and by how it changes, and the cluster near zero is boilerplate. No constant is learned from a corpus."
    )],
    build,
    ..Method::PLAIN
};

/// How many blocks to each side smoothing averages: four standard deviations.
const RADIUS: usize = 4;
/// How many blocks ahead the change averages.
const AHEAD: usize = 3;
/// The maximum number of rounds of k-means.
const ROUNDS: usize = 50;

type Point = [f64; 2];

struct Cetr {
    kernel: [f64; RADIUS + 1],
    raw: Vec<f64>,
    ratios: Vec<f64>,
    changes: Vec<f64>,
    points: Vec<Point>,
    centres: [Point; 3],
    reasons: ReasonPair,
}

pub(super) fn build(params: StepParams<'_>, names: &mut Names) -> Built {
    params.expect_none()?;
    Ok(Box::new(Cetr {
        kernel: kernel(),
        raw: Vec::new(),
        ratios: Vec::new(),
        changes: Vec::new(),
        points: Vec::new(),
        centres: [[0.0; 2]; 3],
        reasons: ReasonPair::new(
            names,
            "tag ratio and its change far from 0",
            "tag ratio and its change nearest to 0",
        ),
    }))
}

/// A Gaussian of standard deviation 1, from its middle to one side, not normalised.
fn kernel() -> [f64; RADIUS + 1] {
    std::array::from_fn(|i| libm::exp(-((i * i) as f64) / 2.0))
}

fn ratio(block: &Block) -> f64 {
    let tags = u64::from(block.tags_before) + u64::from(block.tags_inside);
    f64::from(block.chars) / tags.max(1) as f64
}

/// Smooths values. At the ends only the part of the kernel on the page is used.
fn smooth(kernel: &[f64; RADIUS + 1], values: &[f64], smoothed: &mut Vec<f64>) {
    emptied(smoothed).extend((0..values.len()).map(|i| {
        let from = i.saturating_sub(RADIUS);
        let to = (i + RADIUS + 1).min(values.len());
        let (mut sum, mut weights) = (0.0, 0.0);
        for (j, value) in values[from..to].iter().enumerate() {
            let weight = kernel[i.abs_diff(from + j)];
            sum += weight * value;
            weights += weight;
        }
        sum / weights
    }));
}

/// The absolute difference between each value and the mean of the next ones; 0 at the end.
fn change(values: &[f64], changes: &mut Vec<f64>) {
    emptied(changes).extend(values.iter().enumerate().map(|(i, value)| {
        let next = &values[i + 1..(i + 1 + AHEAD).min(values.len())];
        if next.is_empty() {
            return 0.0;
        }
        (next.iter().sum::<f64>() / next.len() as f64 - value).abs()
    }));
}

/// The squared Euclidean distance.
fn squared_distance(a: Point, b: Point) -> f64 {
    let (x, y) = (a[0] - b[0], a[1] - b[1]);
    x * x + y * y
}

/// The nearest centre; of equally near ones, the first.
fn nearest(centres: &[Point; 3], point: Point) -> usize {
    let mut nearest = 0;
    for i in 1..centres.len() {
        if squared_distance(centres[i], point) < squared_distance(centres[nearest], point) {
            nearest = i;
        }
    }
    nearest
}

/// The centres of three clusters, the first at the origin. A cluster without points
/// keeps its centre.
fn cluster(points: &[Point]) -> [Point; 3] {
    const ORIGIN: Point = [0.0; 2];
    let n = points.len().max(1) as f64;
    let sum = points
        .iter()
        .fold(ORIGIN, |s, p| [s[0] + p[0], s[1] + p[1]]);
    let mut farthest = ORIGIN;
    for &point in points {
        if squared_distance(ORIGIN, point) > squared_distance(ORIGIN, farthest) {
            farthest = point;
        }
    }
    let mut centres = [ORIGIN, [sum[0] / n, sum[1] / n], farthest];
    for _ in 0..ROUNDS {
        let mut sums = [(ORIGIN, 0u64); 3];
        for &point in points {
            let (sum, count) = &mut sums[nearest(&centres, point)];
            *sum = [sum[0] + point[0], sum[1] + point[1]];
            *count += 1;
        }
        let before = centres;
        for i in 1..centres.len() {
            let (sum, count) = sums[i];
            if count > 0 {
                centres[i] = [sum[0] / count as f64, sum[1] / count as f64];
            }
        }
        if centres == before {
            break;
        }
    }
    centres
}

impl Classifier for Cetr {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        emptied(&mut self.raw).extend(doc.blocks.iter().map(ratio));
        smooth(&self.kernel, &self.raw, &mut self.ratios);
        change(&self.ratios, &mut self.raw);
        smooth(&self.kernel, &self.raw, &mut self.changes);
        emptied(&mut self.points);
        let points = self.ratios.iter().zip(&self.changes);
        self.points
            .extend(points.map(|(&ratio, &change)| [ratio, change]));
        self.centres = cluster(&self.points);
        for (label, &point) in labels.iter_mut().zip(&self.points) {
            *label = self.reasons.label(nearest(&self.centres, point) != 0);
        }
    }

    fn explain(&self, _: &Document, _: &[Label], block: usize) -> String {
        let [ratio, change] = self.points[block];
        let [_, near, far] = self.centres;
        format!(
            "cetr: {ratio:.1} chars a tag, change {change:.1}; centres 0, 0; {:.1}, {:.1}; {:.1}, {:.1}",
            near[0], near[1], far[0], far[1]
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::content;
    use proptest::prelude::*;
    use warcsieve_fixture::{document, words};

    #[test]
    fn smoothing_by_hand() {
        let mut smoothed = Vec::new();
        smooth(&kernel(), &[3.0; 20], &mut smoothed);
        assert!(smoothed.iter().all(|s| (s - 3.0).abs() < 1e-12));
        let mut one = [0.0; 17];
        one[8] = 1.0;
        smooth(&kernel(), &one, &mut smoothed);
        // Tables of the normal distribution: 0.39894, 0.24197, 0.05399.
        for (at, expected) in [(8, 0.39894), (7, 0.24197), (10, 0.05399)] {
            assert!((smoothed[at] - expected).abs() < 2e-4, "{smoothed:?}");
        }
    }

    #[test]
    fn changes_by_hand() {
        let mut changes = Vec::new();
        change(&[1.0, 4.0, 4.0, 1.0], &mut changes);
        assert_eq!(changes, [2.0, 1.5, 3.0, 0.0]);
    }

    #[test]
    fn three_clusters_by_hand() {
        let points = [
            [0.0, 0.0],
            [1.0, 0.0],
            [10.0, 0.0],
            [12.0, 0.0],
            [30.0, 4.0],
        ];
        let centres = cluster(&points);
        assert_eq!(centres, [[0.0, 0.0], [11.0, 0.0], [30.0, 4.0]]);
        assert_eq!(points.map(|p| nearest(&centres, p)), [0, 0, 1, 1, 2]);
    }

    #[test]
    fn long_text_among_menus_is_content() {
        let sizes: Vec<_> = [[2; 20], [60; 20], [2; 20]].concat();
        let mut doc = document(&sizes.iter().map(|&n| words(n)).collect::<Vec<_>>());
        for block in &mut doc.blocks {
            block.tags_before = 2;
        }
        let content = content("method = 'cetr'", &doc);
        assert!(content[21..39].iter().all(|&c| c));
        assert!(content[..17].iter().chain(&content[43..]).all(|&c| !c));
    }

    proptest! {
        /// The clusters have converged: centres are the means of the points nearest to them.
        #[test]
        fn centres_are_means(points in prop::collection::vec((0..50u32, 0..50u32), 1..40)) {
            let points: Vec<Point> = points.iter().map(|&(x, y)| [x.into(), y.into()]).collect();
            let centres = cluster(&points);
            prop_assert_eq!(centres[0], [0.0; 2]);
            for i in 1..3 {
                let mine: Vec<_> = points.iter().filter(|&&p| nearest(&centres, p) == i).collect();
                for axis in 0..2 {
                    let mean = mine.iter().map(|p| p[axis]).sum::<f64>() / mine.len() as f64;
                    prop_assert!(mine.is_empty() || (mean - centres[i][axis]).abs() < 1e-9);
                }
            }
        }
    }
}
