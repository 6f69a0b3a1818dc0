//! Compares scores with the formulas, computed from the pages' texts.

use super::*;
use crate::index::fixture::{TestPage, index as make};
use crate::index::{Bands, IndexedText, Sliding, Stemming};
use proptest::prelude::*;
use std::collections::HashMap;
use warcsieve_corpus::InLinks;

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
            ..TestPage::default()
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
        text: IndexedText::Raw,
        bands: Bands(vec![0.0, 0.25, 0.75]),
        ..IndexSettings::default()
    }
}

/// The texts of a page that a scope searches, each with its weight. Without a weight if they are one text.
fn searched(page: &TestPage, scope: &Scope) -> Vec<(String, Option<FieldWeight>)> {
    let blocks = page.entry_blocks();
    let chosen = |keep: &dyn Fn(&crate::index::EntryBlock<'_>) -> bool| {
        let kept = blocks.iter().filter(|b| keep(b)).map(|b| b.text);
        kept.collect::<Vec<_>>().join("\n")
    };
    let with_title = |title: bool, text: String| match title {
        true => format!("{}\n{text}", page.title),
        false => text,
    };
    let whole = match scope {
        Scope::Body => with_title(true, page.text()),
        Scope::Title => page.title.clone(),
        Scope::MinWords { words, title } => with_title(*title, chosen(&|b| b.words >= *words)),
        Scope::MinDensity { density, title } => {
            with_title(*title, chosen(&|b| b.density >= *density))
        }
        Scope::Weighted(weights) => {
            let mut texts = vec![(page.title.clone(), Some(weights.title))];
            let bounds = settings().bands.0;
            for (at, &from) in bounds.iter().enumerate() {
                let to = bounds.get(at + 1).copied().unwrap_or(f32::MAX);
                let text = chosen(&|b| (from..to).contains(&b.score));
                texts.push((text, Some(weights.band(from))));
            }
            texts.push((with_title(true, page.text()), Some(weights.body)));
            texts.retain(|(_, by)| by.is_some_and(|by| by.weight > 0.0));
            return texts;
        }
    };
    vec![(whole, None)]
}

/// Reference implementation: counts everything from the texts.
struct Slow {
    ids: Vec<String>,
    fields: Vec<SlowField>,
}

/// One of the searched texts, on every page.
struct SlowField {
    counts: Vec<HashMap<String, f64>>,
    lengths: Vec<f64>,
    weight: Option<FieldWeight>,
}

impl SlowField {
    fn tf(&self, page: usize, term: &str) -> f64 {
        self.counts[page].get(term).copied().unwrap_or(0.0)
    }

    fn cf(&self, term: &str) -> f64 {
        (0..self.counts.len()).map(|page| self.tf(page, term)).sum()
    }

    fn terms(&self) -> f64 {
        self.lengths.iter().sum()
    }

    fn weight(&self) -> f64 {
        self.weight.map_or(1.0, |by| by.weight)
    }
}

impl Slow {
    fn new(pages: &[TestPage], scope: &Scope) -> Self {
        let texts: Vec<_> = pages.iter().map(|p| searched(p, scope)).collect();
        let count = |text: &String| {
            let mut counts = HashMap::new();
            for word in text.split_whitespace() {
                *counts.entry(word.to_owned()).or_insert(0.0) += 1.0;
            }
            counts
        };
        let field = |at: usize| SlowField {
            counts: texts.iter().map(|texts| count(&texts[at].0)).collect(),
            lengths: (texts.iter())
                .map(|texts| texts[at].0.split_whitespace().count() as f64)
                .collect(),
            weight: texts[0][at].1,
        };
        Self {
            ids: pages.iter().map(|p| p.id.clone()).collect(),
            fields: (0..texts[0].len()).map(field).collect(),
        }
    }

    fn terms(&self) -> f64 {
        self.fields.iter().map(SlowField::terms).sum()
    }

    fn tf(&self, page: usize, term: &str) -> f64 {
        self.fields.iter().map(|field| field.tf(page, term)).sum()
    }

    /// The published formulas, without precomputation.
    fn score(&self, model: Model, query: &[(String, f64)], page: usize) -> f64 {
        let (n, all) = (self.ids.len() as f64, self.terms());
        let mut sum = 0.0;
        for (term, weight) in query {
            let df = (0..self.ids.len())
                .filter(|&p| self.tf(p, term) > 0.0)
                .count() as f64;
            if df == 0.0 {
                continue;
            }
            sum += weight
                * match model {
                    Model::Bm25 { k1, b } => {
                        let idf = (1.0 + (n - df + 0.5) / (df + 0.5)).ln();
                        if self.tf(page, term) == 0.0 {
                            continue;
                        }
                        let normalised = self.fields.iter().map(|field| {
                            let b = field.weight.and_then(|by| by.b).unwrap_or(b);
                            let average = field.terms() / n;
                            let norm = 1.0 - b + b * field.lengths[page] / average;
                            match field.tf(page, term) {
                                0.0 => 0.0,
                                tf => field.weight() * tf / norm,
                            }
                        });
                        let tf: f64 = normalised.sum();
                        idf * tf / (tf + k1)
                    }
                    Model::TfIdf => {
                        let idf = 1.0 + (n / (df + 1.0)).ln();
                        let length: f64 = self.fields.iter().map(|f| f.lengths[page]).sum();
                        idf * idf * (self.tf(page, term) / length.max(1.0)).sqrt()
                    }
                    Model::QueryLikelihood { mu } => {
                        let weights: f64 = self.fields.iter().map(SlowField::weight).sum();
                        let likelihood = self.fields.iter().map(|field| {
                            if field.terms() == 0.0 {
                                return 0.0;
                            }
                            let mu = mu * field.terms() / all;
                            let expected = mu * field.cf(term) / field.terms();
                            let tf = field.tf(page, term) + expected;
                            field.weight() / weights * tf / (field.lengths[page] + mu)
                        });
                        likelihood.sum::<f64>().ln()
                    }
                };
        }
        if model == Model::TfIdf {
            let there = query.iter().filter(|(term, _)| self.tf(page, term) > 0.0);
            sum *= there.count() as f64 / query.len() as f64;
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
            Model::Bm25 { .. } | Model::TfIdf => score,
            Model::QueryLikelihood { .. } => score.exp(),
        };
        let all: f64 = first.iter().map(|(_, s)| likelihood(*s)).sum();
        let mut mixture = HashMap::<String, f64>::new();
        for (id, score) in &first {
            let page = self.ids.iter().position(|i| i == id).unwrap();
            let length = |field: &SlowField| field.weight() * field.lengths[page];
            let length: f64 = self.fields.iter().map(length).sum();
            for field in &self.fields {
                for (term, tf) in &field.counts[page] {
                    *mixture.entry(term.clone()).or_default() +=
                        field.weight() * tf / length * likelihood(*score) / all;
                }
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
        for (term, weight) in query.iter().filter(|_| original > 0.0) {
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

fn scopes() -> Vec<Scope> {
    let words = |words, title| Scope::MinWords { words, title };
    let density = |density, title| Scope::MinDensity { density, title };
    let weighted = |text: &str| Scope::Weighted(text.parse().unwrap());
    vec![
        Scope::Body,
        Scope::Title,
        words(1, false),
        words(6, true),
        density(2.0, true),
        density(18.0, false),
        weighted("title=2,0=0.5,0.25=1:0.8,0.75=3:0"),
        weighted("0.25=1,0.75=0.3"),
        weighted("title=1.5"),
        weighted("body=0.7:0.9"),
    ]
}

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
        for scope in scopes() {
            let scoped = index.scope(scope.clone()).unwrap();
            let slow = Slow::new(&pages, &scope);
            prop_assert_eq!(scoped.collection().terms as f64, slow.terms());
            let of_one_field = (!matches!(scope, Scope::Weighted(_))).then_some(Model::TfIdf);
            for model in MODELS.into_iter().chain(of_one_field) {
                let found = scoped.rank(model, &terms, 100).unwrap();
                assert_near(&found, &slow.rank(model, &slow_terms));
                let few = scoped.rank(model, &terms, 3).unwrap();
                prop_assert_eq!(&few[..], &found[..found.len().min(3)]);
                // If many pages match equally, rounding may decide which page is the last.
                for original in [FEEDBACK.original, 0.0] {
                    if found.len() > FEEDBACK.pages {
                        continue;
                    }
                    let feedback = Feedback { original, ..FEEDBACK };
                    let expanded = scoped.expand(model, &terms, &feedback).unwrap();
                    let slow_expanded: HashMap<_, _> =
                        slow.expand(model, &slow_terms, &feedback).into_iter().collect();
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

#[test]
fn tf_idf_has_no_weights() {
    let folder = tempfile::tempdir().unwrap();
    let settings = IndexSettings {
        text: IndexedText::Raw,
        bands: Bands(vec![0.0]),
        ..IndexSettings::default()
    };
    make(folder.path(), &settings, &[page("a", "", "one two")], 1);
    let index = SearchIndex::open(folder.path()).unwrap();
    let scoped = index
        .scope(Scope::Weighted("0=1".parse().unwrap()))
        .unwrap();
    let refused = scoped
        .rank(Model::TfIdf, &index.query("one"), 9)
        .unwrap_err();
    assert!(refused.to_string().contains("one field"), "{refused}");
}

#[test]
fn one_weight_for_all_is_a_search_of_one_field() {
    let folder = tempfile::tempdir().unwrap();
    let settings = IndexSettings {
        text: IndexedText::Raw,
        bands: Bands(vec![0.0]),
        title: false,
        ..IndexSettings::default()
    };
    let pages = ["one two", "one one three", "four"].map(|text| page(text, "one", text));
    make(folder.path(), &settings, &pages, 2);
    let index = SearchIndex::open(folder.path()).unwrap();
    let body = index.scope(Scope::Body).unwrap();
    let band = index
        .scope(Scope::Weighted("0=1".parse().unwrap()))
        .unwrap();
    for model in MODELS {
        let query = index.query("one three");
        let [body, band] = [&body, &band].map(|scope| scope.rank(model, &query, 9).unwrap());
        assert_eq!(body, band, "{model:?}");
        assert_eq!(body.len(), 2);
    }
}

#[test]
fn many_pages_are_searched_as_few() {
    let settings = IndexSettings {
        text: IndexedText::Raw,
        bands: Bands(vec![0.0]),
        title: false,
        ..IndexSettings::default()
    };
    let text = |at: usize| match at {
        9_000 | 12_287 | 12_288 => "seldom one".to_owned(),
        // Several thousand pages in a row without the terms.
        4_000..8_500 => "other".to_owned(),
        _ => "one ".repeat(at % 5) + &"two ".repeat(at % 3) + "other",
    };
    let pages: Vec<_> = (0..13_000)
        .map(|at| page(&format!("{at:05}"), "", &text(at)))
        .collect();
    // Few enough pages in each segment for one window, and all pages in one segment.
    let found = [3_000, 20_000].map(|shard| {
        let folder = tempfile::tempdir().unwrap();
        make(folder.path(), &settings, &pages, shard);
        let index = SearchIndex::open(folder.path()).unwrap();
        let body = index.scope(Scope::Body).unwrap();
        let weighted = Scope::Weighted("0=1".parse().unwrap());
        let band = index.scope(weighted).unwrap();
        let mut all = Vec::new();
        for model in MODELS {
            for (query, expected) in [
                ("seldom", 3),
                ("one two", 7_934),
                ("two seldom other", 13_000),
            ] {
                let query = index.query(query);
                let [body, band] = [&body, &band].map(|s| s.rank(model, &query, 20_000).unwrap());
                assert_eq!(body, band, "{model:?}");
                assert_eq!(body.len(), expected);
                all.extend(body.into_iter().map(|page| (page.id, page.score)));
            }
        }
        all
    });
    assert!(found[0] == found[1]);
}

#[test]
fn anchors_are_a_field_and_pages_without_links_keep_their_scores() {
    let folder = tempfile::tempdir().unwrap();
    let settings = IndexSettings {
        anchors: Some("hash".to_owned()),
        ..IndexSettings::default()
    };
    let links = |links, texts: &str| InLinks {
        links,
        pages: links,
        texts: texts.to_owned(),
    };
    let linked = TestPage {
        inlinks: Some(links(2, "one\none")),
        ..page("b", "", "two")
    };
    let pages = [page("a", "", "one two"), linked, page("c", "", "three")];
    make(folder.path(), &settings, &pages, 2);
    let index = SearchIndex::open(folder.path()).unwrap();
    let rank = |weights: &str, query| {
        let scope = index.scope(Scope::Weighted(weights.parse().unwrap()));
        let found = scope.unwrap().rank(Model::BM25, &index.query(query), 9);
        let found = found.unwrap().into_iter();
        found.map(|page| (page.id, page.score)).collect::<Vec<_>>()
    };
    // `one` is on two of three pages; titles and texts have 4/3 terms on average, anchors 2/3.
    let idf = 1.6_f64.ln();
    let saturated = |t: f64| (idf * t / (0.9 + t)) as f32;
    let of_text = saturated(1.0 / (0.6 + 0.4 * 2.0 / (4.0 / 3.0)));
    let of_anchors = saturated(0.5 * 2.0 / (0.6 + 0.4 * 2.0 / (2.0 / 3.0)));
    let expected = [("a".to_owned(), of_text), ("b".to_owned(), of_anchors)];
    assert_eq!(rank("body=1,anchors=0.5", "one"), expected);
    assert_eq!(rank("anchors=1", "one").len(), 1);
    // No link has the term, so nothing changes.
    assert_eq!(
        rank("body=1,anchors=0.5", "two three"),
        rank("body=1", "two three")
    );
    let body = index.scope(Scope::Body).unwrap();
    let found = body.rank(Model::BM25, &index.query("one two"), 9).unwrap();
    assert_eq!(found.len(), 2);
    let inlinks = |at: usize| index.show(&found[at]).unwrap().inlinks;
    assert_eq!([inlinks(0), inlinks(1)], [0, 2]);
    for (weights, why) in [
        ("anchors=1", "--anchors"),
        ("body=1,title=1", "not to both"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        make(folder.path(), &IndexSettings::default(), &pages, 2);
        let index = SearchIndex::open(folder.path()).unwrap();
        let refused = index.scope(Scope::Weighted(weights.parse().unwrap())).err();
        let refused = refused.unwrap().to_string();
        assert!(refused.contains(why), "{refused}");
    }
}

fn page(id: &str, title: &str, text: &str) -> TestPage {
    TestPage {
        id: id.to_owned(),
        title: title.to_owned(),
        blocks: vec![text.to_owned()],
        ..TestPage::default()
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
    // The first page is indexed twice, and must not take the place of another.
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
    let of_words = Scope::MinWords {
        words: 3,
        title: false,
    };
    let refused = index.scope(of_words).err().unwrap().to_string();
    assert!(refused.contains("--sliding"), "{refused}");
    let refused = index
        .scope(Scope::Weighted(Weights::soft(Model::BM25)))
        .err()
        .unwrap();
    assert!(refused.to_string().contains("--bands"), "{refused}");
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
