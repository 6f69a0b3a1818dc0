//! Compares scores with the formulas, computed from the pages' texts.

use super::*;
use crate::index::fixture::{TestPage, index as make};
use crate::index::{Sliding, Stemming};
use proptest::prelude::*;
use std::collections::HashMap;

const WORDS: [&str; 8] = ["a", "be", "sea", "deer", "eve", "effort", "gem", "h1"];

fn pages() -> impl Strategy<Value = Vec<TestPage>> {
    let words = |n| {
        let word = proptest::sample::select(&WORDS[..]);
        proptest::collection::vec(word, n).prop_map(|words| words.join(" "))
    };
    let page = (words(0..4), proptest::collection::vec(words(0..12), 0..5));
    proptest::collection::vec(page, 1..25).prop_map(|pages| {
        let page = |(i, (title, blocks))| TestPage {
            id: format!("page-{i:02}"),
            title,
            blocks,
        };
        pages.into_iter().enumerate().map(page).collect()
    })
}

fn settings() -> IndexSettings {
    IndexSettings {
        stemming: Stemming::None,
        sliding: Sliding {
            words: vec![1, 3, 6, 9],
            density: vec![2.0, 10.0, 18.0],
        },
        ..IndexSettings::default()
    }
}

/// The text of a page that a scope searches.
fn searched(page: &TestPage, scope: Scope) -> String {
    let blocks = page.entry_blocks();
    let chosen = |keep: &dyn Fn(&crate::index::EntryBlock<'_>) -> bool| {
        let kept = blocks.iter().filter(|b| keep(b)).map(|b| b.text);
        kept.collect::<Vec<_>>().join("\n")
    };
    match scope {
        Scope::Body => format!("{}\n{}", page.title, page.text()),
        Scope::Title => page.title.clone(),
        Scope::MinWords(n) => chosen(&|b| b.words >= n),
        Scope::MinDensity(d) => chosen(&|b| b.density >= d),
    }
}

/// Reference implementation: counts everything from the texts.
struct Slow {
    ids: Vec<String>,
    counts: Vec<HashMap<String, f64>>,
    lengths: Vec<f64>,
}

impl Slow {
    fn new(pages: &[TestPage], scope: Scope) -> Self {
        let texts: Vec<_> = pages.iter().map(|p| searched(p, scope)).collect();
        let counts = texts.iter().map(|text| {
            let mut counts = HashMap::new();
            for word in text.split_whitespace() {
                *counts.entry(word.to_owned()).or_insert(0.0) += 1.0;
            }
            counts
        });
        Self {
            ids: pages.iter().map(|p| p.id.clone()).collect(),
            counts: counts.collect(),
            lengths: texts
                .iter()
                .map(|t| t.split_whitespace().count() as f64)
                .collect(),
        }
    }

    fn tf(&self, page: usize, term: &str) -> f64 {
        self.counts[page].get(term).copied().unwrap_or(0.0)
    }

    /// The published formulas, without precomputation.
    fn score(&self, model: Model, query: &[(String, f64)], page: usize) -> f64 {
        let (n, all) = (self.ids.len() as f64, self.lengths.iter().sum::<f64>());
        let mut sum = 0.0;
        for (term, weight) in query {
            let tf = self.tf(page, term);
            let df = (0..self.ids.len())
                .filter(|&p| self.tf(p, term) > 0.0)
                .count() as f64;
            let cf: f64 = (0..self.ids.len()).map(|p| self.tf(p, term)).sum();
            if df == 0.0 {
                continue;
            }
            sum += weight
                * match model {
                    Model::Bm25 { k1, b } => {
                        let idf = (1.0 + (n - df + 0.5) / (df + 0.5)).ln();
                        if tf == 0.0 {
                            continue;
                        }
                        idf * tf / (tf + k1 * (1.0 - b + b * self.lengths[page] / (all / n)))
                    }
                    Model::QueryLikelihood { mu } => {
                        ((tf + mu * cf / all) / (self.lengths[page] + mu)).ln()
                    }
                };
        }
        sum
    }

    fn rank(&self, model: Model, query: &[(String, f64)]) -> Vec<(String, f64)> {
        let has = |page: &usize| query.iter().any(|(term, _)| self.tf(*page, term) > 0.0);
        let pages = (0..self.ids.len()).filter(has);
        let mut ranked: Vec<_> = pages
            .map(|page| (self.ids[page].clone(), self.score(model, query, page)))
            .collect();
        ranked.sort_by(|a, b| (b.1 as f32).total_cmp(&(a.1 as f32)).then(b.0.cmp(&a.0)));
        ranked
    }

    fn expand(&self, model: Model, query: &[(String, f64)], by: &Feedback) -> Vec<(String, f64)> {
        let mut first = self.rank(model, query);
        first.truncate(by.pages);
        let likelihood = |score: f64| match model {
            Model::Bm25 { .. } => score,
            Model::QueryLikelihood { .. } => score.exp(),
        };
        let all: f64 = first.iter().map(|(_, s)| likelihood(*s)).sum();
        let mut mixture = HashMap::<String, f64>::new();
        for (id, score) in &first {
            let page = self.ids.iter().position(|i| i == id).unwrap();
            for (term, tf) in &self.counts[page] {
                *mixture.entry(term.clone()).or_default() +=
                    tf / self.lengths[page] * likelihood(*score) / all;
            }
        }
        let mut terms: Vec<_> = mixture.into_iter().filter(|(t, _)| t.len() >= 2).collect();
        terms.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        terms.truncate(by.terms);
        let (in_query, in_terms): (f64, f64) = (
            query.iter().map(|t| t.1).sum(),
            terms.iter().map(|t| t.1).sum(),
        );
        let mut mixed = HashMap::<String, f64>::new();
        let original = if terms.is_empty() { 1.0 } else { by.original };
        for (term, weight) in query {
            *mixed.entry(term.clone()).or_default() += original * weight / in_query;
        }
        for (term, weight) in terms {
            *mixed.entry(term).or_default() += (1.0 - original) * weight / in_terms;
        }
        mixed.into_iter().collect()
    }
}

const MODELS: [Model; 4] = [
    Model::BM25,
    Model::Bm25 { k1: 0.0, b: 1.0 },
    Model::QUERY_LIKELIHOOD,
    Model::QueryLikelihood { mu: 10.0 },
];

const SCOPES: [Scope; 6] = [
    Scope::Body,
    Scope::Title,
    Scope::MinWords(1),
    Scope::MinWords(6),
    Scope::MinDensity(2.0),
    Scope::MinDensity(18.0),
];

/// All terms are kept, so that rounding cannot decide which terms are cut off.
const FEEDBACK: Feedback = Feedback {
    pages: 5,
    terms: WORDS.len(),
    original: 0.6,
    max_share: 1.0,
};

fn assert_near(found: &[Found], expected: &[(String, f64)]) {
    assert_eq!(found.len(), expected.len());
    let expected: HashMap<_, _> = expected.iter().cloned().collect();
    for pair in found.windows(2) {
        let ordered = (pair[0].score, &pair[0].id) > (pair[1].score, &pair[1].id);
        assert!(ordered, "{pair:?}");
    }
    for page in found {
        let difference = f64::from(page.score) - expected[&page.id];
        assert!(difference.abs() < 1e-4, "{page:?} {difference}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn scores_follow_the_formulas(
        pages in pages(),
        shard in 1..30usize,
        query in proptest::collection::vec(proptest::sample::select(&WORDS[..]), 1..5),
    ) {
        let folder = tempfile::tempdir().unwrap();
        make(folder.path(), &settings(), &pages, shard);
        let index = SearchIndex::open(folder.path()).unwrap();
        let terms = index.query(&(query.join(" ") + " nowhere"));
        let slow_terms: Vec<_> = terms.iter().map(|t| (t.text.clone(), t.weight)).collect();
        for scope in SCOPES {
            let scoped = index.scope(scope).unwrap();
            let slow = Slow::new(&pages, scope);
            prop_assert_eq!(scoped.collection().terms as f64, slow.lengths.iter().sum::<f64>());
            for model in MODELS {
                let found = scoped.rank(model, &terms, 100).unwrap();
                assert_near(&found, &slow.rank(model, &slow_terms));
                let few = scoped.rank(model, &terms, 3).unwrap();
                prop_assert_eq!(&few[..], &found[..found.len().min(3)]);
                // If many pages match equally, rounding may decide which page is the last.
                if scope == Scope::Body && found.len() <= FEEDBACK.pages {
                    let expanded = scoped.expand(model, &terms, &FEEDBACK).unwrap();
                    let slow_expanded: HashMap<_, _> =
                        slow.expand(model, &slow_terms, &FEEDBACK).into_iter().collect();
                    prop_assert_eq!(expanded.len(), slow_expanded.len());
                    for term in &expanded {
                        let difference = term.weight - slow_expanded[&term.text];
                        prop_assert!(difference.abs() < 1e-6, "{:?} {}", term, difference);
                    }
                    let slow_expanded: Vec<_> = slow_expanded.into_iter().collect();
                    let found = scoped.rank(model, &expanded, 100).unwrap();
                    assert_near(&found, &slow.rank(model, &slow_expanded));
                }
            }
        }
    }
}

fn page(id: &str, title: &str, text: &str) -> TestPage {
    TestPage {
        id: id.to_owned(),
        title: title.to_owned(),
        blocks: vec![text.to_owned()],
    }
}

#[test]
fn ties_are_ordered_by_id_across_segments_and_ids_are_unique() {
    let folder = tempfile::tempdir().unwrap();
    let pages = ["b", "a", "d", "c", "a"].map(|id| page(id, "", "one two"));
    make(folder.path(), &IndexSettings::default(), &pages, 2);
    let index = SearchIndex::open(folder.path()).unwrap();
    let scoped = index.scope(Scope::Body).unwrap();
    let ids = |limit| {
        let found = scoped
            .rank(Model::BM25, &index.query("one"), limit)
            .unwrap();
        found
            .iter()
            .map(|f| f.id.clone())
            .collect::<Vec<_>>()
            .join("")
    };
    assert_eq!(ids(10), "dcba");
    assert_eq!(ids(2), "dc");
    assert_eq!(ids(0), "");
    // The first page is indexed twice, and does not take the place of another.
    let pages = ["a", "b", "c"].map(|id| page(id, "", if id == "c" { "one one" } else { "one" }));
    let twice = [&pages[..], &pages].concat();
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), &IndexSettings::default(), &twice, 4);
    let index = SearchIndex::open(folder.path()).unwrap();
    let scoped = index.scope(Scope::Body).unwrap();
    let found = scoped.rank(Model::BM25, &index.query("one"), 2).unwrap();
    assert_eq!([&*found[0].id, &*found[1].id], ["c", "b"]);
}

#[test]
fn searches_for_missing_fields_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let settings = IndexSettings {
        store: false,
        ..IndexSettings::default()
    };
    make(folder.path(), &settings, &[page("a", "", "one")], 1);
    let index = SearchIndex::open(folder.path()).unwrap();
    let scoped = index.scope(Scope::Body).unwrap();
    let query = index.query("one");
    let refused = scoped.expand(Model::BM25, &query, &Feedback::default());
    assert!(refused.unwrap_err().to_string().contains("does not store"));
    let refused = index.scope(Scope::MinWords(3)).err().unwrap().to_string();
    assert!(refused.contains("--sliding"), "{refused}");
    assert!(
        scoped
            .rank(Model::BM25, &index.query("?"), 5)
            .unwrap()
            .is_empty()
    );
}

#[test]
fn excerpts_show_terms_of_the_query() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "{}the running dog sleeps. {}",
        "filler ".repeat(80),
        "filler ".repeat(80)
    );
    make(
        folder.path(),
        &IndexSettings::default(),
        &[page("a", "T", &text)],
        1,
    );
    let index = SearchIndex::open(folder.path()).unwrap();
    let scoped = index.scope(Scope::Body).unwrap();
    let query = index.query("dogs run");
    let excerpts = Excerpts::new(&scoped, &query, 60).unwrap();
    let found = scoped.rank(Model::BM25, &query, 1).unwrap();
    let shown = index.show(&found[0]).unwrap();
    assert_eq!(
        (shown.title.as_str(), shown.url.as_str()),
        ("T", "http://x/")
    );
    let excerpt = excerpts.of(&shown.text, 60);
    let marked: Vec<_> = excerpt
        .terms
        .iter()
        .map(|r| &excerpt.text[r.clone()])
        .collect();
    assert_eq!(marked, ["running", "dog"]);
    assert_eq!(excerpts.of("nothing of it", 7).text, "nothing");
}

#[cfg(unix)]
#[test]
fn a_read_only_index_can_be_searched() {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    make(
        folder.path(),
        &IndexSettings::default(),
        &[page("a", "", "one")],
        1,
    );
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    for file in fs::read_dir(folder.path()).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|e| e != "lock") {
            assert_eq!(
                mode(&path),
                mode(&folder.path().join("warcsieve.json")),
                "{path:?}"
            );
        }
    }
    fs::set_permissions(folder.path(), Permissions::from_mode(0o555)).unwrap();
    let index = SearchIndex::open(folder.path());
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    let index = index.unwrap();
    let scoped = index.scope(Scope::Body).unwrap();
    assert_eq!(
        scoped
            .rank(Model::BM25, &index.query("one"), 5)
            .unwrap()
            .len(),
        1
    );
}
