//! Clusters of pages: which pages are connected, by which rule, and which page stays.

use super::rule::Rule;

/// Clusters of pages, by page number, in a union-find structure. At first each page is its own
/// cluster. The root of a cluster is its lowest page.
///
/// Memory: 5 bytes per page; ranks take 8 more.
pub(super) struct Clusters {
    parents: Vec<u32>,
    rules: Vec<Option<Rule>>,
}

impl Clusters {
    pub(super) fn new(pages: u32) -> Self {
        Self {
            parents: (0..pages).collect(),
            rules: vec![None; pages as usize],
        }
    }

    /// The lowest page of a page's cluster. Shortens the path on the way.
    pub(super) fn root(&mut self, page: u32) -> u32 {
        let mut at = page;
        while self.parents[at as usize] != at {
            let above = self.parents[self.parents[at as usize] as usize];
            self.parents[at as usize] = above;
            at = above;
        }
        at
    }

    /// Connects two pages. A page keeps the first rule that connected it with another page.
    pub(super) fn connect(&mut self, a: u32, b: u32, rule: Rule) {
        for page in [a, b] {
            self.rules[page as usize].get_or_insert(rule);
        }
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }

    /// Whether two pages are in the same cluster.
    pub(super) fn are_connected(&mut self, a: u32, b: u32) -> bool {
        self.root(a) == self.root(b)
    }

    /// The first rule that connected this page with another one.
    pub(super) fn rule(&self, page: u32) -> Option<Rule> {
        self.rules[page as usize]
    }

    /// Chooses which page of each cluster stays, and counts its pages. The page with the highest
    /// rank stays. Among equal ranks, or without ranks, it is the lowest page.
    pub(super) fn choose(mut self, ranks: Option<&[f64]>) -> Chosen {
        let pages = self.parents.len() as u32;
        let mut kept: Vec<u32> = (0..pages).collect();
        let mut sizes = vec![0; pages as usize];
        for page in 0..pages {
            let root = self.root(page) as usize;
            sizes[root] += 1;
            if let Some(ranks) = ranks
                && ranks[page as usize] > ranks[kept[root] as usize]
            {
                kept[root] = page;
            }
        }
        Chosen {
            clusters: self,
            kept,
            sizes,
        }
    }
}

/// Clusters with their sizes, and the page of each that stays.
///
/// Memory: 13 bytes per page.
pub(super) struct Chosen {
    clusters: Clusters,
    /// Page that stays, indexed by the root. `sizes` has the same index.
    kept: Vec<u32>,
    sizes: Vec<u32>,
}

impl Chosen {
    /// The cluster of a page: its lowest page, its size, and the page that stays.
    pub(super) fn of(&mut self, page: u32) -> (u32, u32, u32) {
        let root = self.clusters.root(page);
        let at = root as usize;
        (root, self.sizes[at], self.kept[at])
    }

    /// The first rule that connected this page with another one.
    pub(super) fn rule(&self, page: u32) -> Option<Rule> {
        self.clusters.rule(page)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_or_the_best_stays_whatever_the_order() {
        let pairs = [(1, 3, Rule::Url), (6, 3, Rule::Near), (2, 5, Rule::Near)];
        for backwards in [false, true] {
            let mut clusters = Clusters::new(7);
            let mut pairs = pairs.to_vec();
            if backwards {
                pairs.reverse();
            }
            for (a, b, rule) in pairs {
                clusters.connect(a, b, rule);
            }
            assert!(clusters.are_connected(1, 6) && !clusters.are_connected(1, 2));
            let ranks = [0.0, 0.5, 0.0, f64::NAN, 0.0, 2.0, 0.5];
            let mut chosen = clusters.choose(Some(&ranks));
            assert_eq!(chosen.of(6), (1, 3, 1));
            assert_eq!(chosen.of(2), (2, 2, 5));
            assert_eq!(chosen.of(0), (0, 1, 0));
            assert_eq!(chosen.rule(0), None);
            assert_eq!(chosen.rule(2), Some(Rule::Near));
        }
    }
}
