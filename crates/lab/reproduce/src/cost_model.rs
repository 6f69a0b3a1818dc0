//! A linear cost model: a cost per page plus a cost per byte of HTML.

use crate::Result;

/// The labelled corpora whose pages represent those of crawls, old and new, small and large.
const CORPORA: &str = "cleaneval-test l3s-gn1 readability dragnet-a cleanportaleval wcxb-dev";

/// Measures each of [`CORPORA`] in turn, once per round.
pub fn in_rounds<T>(
    rounds: usize,
    mut measure: impl FnMut(&str) -> Result<T>,
) -> Result<Vec<(&'static str, Vec<T>)>> {
    let corpora = CORPORA.split(' ').map(|corpus| (corpus, Vec::new()));
    let mut done: Vec<_> = corpora.collect();
    for _ in 0..rounds {
        for (corpus, done) in &mut done {
            done.push(measure(corpus)?);
        }
    }
    Ok(done)
}

/// A line fitted to measurements of corpora.
#[derive(Clone, Copy)]
pub struct CostModel {
    pub a_page: f64,
    pub a_byte: f64,
}

impl CostModel {
    /// The line that minimises the squares of the relative errors at the points (pages, bytes,
    /// cost); both coefficients are at least 0.
    pub fn through(points: &[[f64; 3]]) -> Self {
        let [mut p, mut b, mut pp, mut pb, mut bb] = [0.0; 5];
        for [pages, bytes, cost] in points {
            let (page, byte) = (pages / cost, bytes / cost);
            p += page;
            b += byte;
            pp += page * page;
            pb += page * byte;
            bb += byte * byte;
        }
        let determinant = pp * bb - pb * pb;
        let model = |a_page, a_byte| Self { a_page, a_byte };
        let a_page = (p * bb - b * pb) / determinant;
        let a_byte = (b * pp - p * pb) / determinant;
        match (a_page < 0.0, a_byte < 0.0) {
            (true, _) => model(0.0, b / bb),
            (_, true) => model(p / pp, 0.0),
            _ => model(a_page, a_byte),
        }
    }

    /// The cost of `pages` pages of `page` bytes each.
    pub fn of(self, pages: f64, page: f64) -> f64 {
        pages * (self.a_page + self.a_byte * page)
    }

    /// The largest relative error at the points.
    pub fn error(self, points: &[[f64; 3]]) -> f64 {
        let error = |&[pages, bytes, taken]: &[f64; 3]| {
            (self.a_page * pages + self.a_byte * bytes) / taken - 1.0
        };
        points.iter().map(|p| error(p).abs()).fold(0.0, f64::max)
    }
}
