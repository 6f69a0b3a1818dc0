//! What does labelling cost? Nanoseconds a block for every method, on a page of
//! 1,000 blocks: menus, headings, paragraphs, teasers. And nanoseconds an element for
//! methods on the tree, which must not grow with the page. And what each step of the default takes
//! of the time of a page of 300 blocks, and networks of that of a page of 400.

use divan::Bencher;
use divan::counter::ItemsCount;
use warcsieve_classify::{Classifier, Label};
use warcsieve_extract::Pipeline;
use warcsieve_html::document::Document;
use warcsieve_html::{Segmenter, SegmenterOptions};
use warcsieve_papers::METHODS;

const BLOCKS: usize = 1_000;

fn main() {
    divan::main();
}

#[divan::bench(args = METHODS.methods.iter().map(|m| m.name))]
fn classify(bencher: Bencher, method: &str) {
    let page = page(BLOCKS);
    let blocks = page.blocks.len();
    label(bencher.counter(ItemsCount::new(blocks)), method, &page);
}

const ON_TREE: [&str; 6] = [
    "cetd",
    "cectd",
    "cectd-s",
    "goce-article",
    "goce-list",
    "goce",
];

#[divan::bench(args = [1_000, 100_000, 1_000_000], consts = [0, 1, 2, 3, 4, 5], sample_count = 20)]
fn elements<const METHOD: usize>(bencher: Bencher, elements: usize) {
    // 23 elements a round of 10 blocks.
    let page = page(elements * 10 / 23);
    let elements = page.tree.elements.len();
    label(
        bencher.counter(ItemsCount::new(elements)),
        ON_TREE[METHOD],
        &page,
    );
}

/// The steps of `forest`, on one page.
mod forest {
    use super::page;
    use divan::Bencher;
    use warcsieve_classify::expected_f::{Options, Scored, choose};
    use warcsieve_classify::pooling::Pooling;
    use warcsieve_features::structure::{Columns, Comment, FOREST, Structure};
    use warcsieve_html::document::Document;
    use warcsieve_model::Forest;
    use warcsieve_model::forest::{Batch, Scorer};

    const BLOCKS: usize = 300;

    #[divan::bench]
    fn read(bencher: Bencher) {
        let page = page(BLOCKS);
        let mut structure = Structure::default();
        bencher.bench_local(|| structure.read(divan::black_box(&page)));
    }

    #[divan::bench]
    fn columns(bencher: Bencher) {
        let page = page(BLOCKS);
        let mut structure = Structure::default();
        structure.read(&page);
        let mut columns = Columns::default();
        bencher.bench_local(|| {
            for start in (0..page.blocks.len()).step_by(Columns::BLOCKS) {
                let end = (start + Columns::BLOCKS).min(page.blocks.len());
                structure.columns(&page, start..end, &mut columns);
                divan::black_box(&columns);
            }
        });
    }

    #[divan::bench]
    fn add_up(bencher: Bencher) {
        let (columns, scorer) = (features(&page(BLOCKS)), Scorer::new(&shipped()));
        let mut log_odds = [0.0; BLOCKS];
        bencher.bench_local(|| {
            sums(&scorer, &columns, &mut log_odds);
            divan::black_box(&log_odds);
        });
    }

    #[divan::bench]
    fn pool_like_places(bencher: Bencher) {
        let page = page(BLOCKS);
        let (mut structure, mut pooling) = (Structure::default(), Pooling::default());
        structure.read(&page);
        let mut log_odds = [0.0; BLOCKS];
        sums(&Scorer::new(&shipped()), &features(&page), &mut log_odds);
        bencher.bench_local(|| {
            let mut pooled = log_odds;
            let tokens = page.blocks.iter().map(|block| block.tokens);
            pooling.pool(structure.groups(), tokens, &mut pooled);
            divan::black_box(&pooled);
        });
    }

    #[divan::bench]
    fn choose_content(bencher: Bencher) {
        let page = page(BLOCKS);
        let forest = shipped();
        let (mut log_odds, mut order) = ([0.0; BLOCKS], Vec::new());
        sums(&Scorer::new(&forest), &features(&page), &mut log_odds);
        let blocks = page.blocks.iter().zip(log_odds);
        let scored: Vec<Scored> = blocks
            .map(|(block, log_odds)| Scored {
                probability: forest.calibration.probability(log_odds),
                tokens: block.tokens,
                comment: Comment::No,
            })
            .collect();
        bencher.bench_local(|| {
            divan::black_box(choose(&scored, Options::default(), &mut order));
        });
    }

    fn features(page: &Document) -> Vec<Columns> {
        let mut structure = Structure::default();
        structure.read(page);
        let batch = |start: usize| {
            let mut columns = Columns::default();
            let end = (start + Columns::BLOCKS).min(BLOCKS);
            structure.columns(page, start..end, &mut columns);
            columns
        };
        (0..BLOCKS).step_by(Columns::BLOCKS).map(batch).collect()
    }

    fn sums(scorer: &Scorer, columns: &[Columns], log_odds: &mut [f32]) {
        let mut batch = Batch::default();
        for (columns, sums) in columns.iter().zip(log_odds.chunks_mut(Columns::BLOCKS)) {
            scorer.log_odds(columns.values(), Columns::STRIDE, sums, &mut batch);
        }
    }

    /// The forest that ships, its features numbered as in a row.
    fn shipped() -> Forest {
        let model = warcsieve_papers::METHODS
            .models
            .iter()
            .find(|(name, _)| *name == "default");
        let (_, bytes) = model.expect("a model of that name ships");
        let forest = Forest::from_bytes(bytes).expect("it can be read");
        let place = |name: &String| FOREST.iter().position(|f| f.name == *name);
        let places: Option<Vec<usize>> = forest.features.iter().map(place).collect();
        let places = places.expect("its features are known");
        forest.renumbered(|feature| places[feature] as u16)
    }
}

/// The networks of Web2Text, of the published shape, on 67 features.
mod network {
    use divan::Bencher;
    use divan::counter::ItemsCount;
    use std::ops::Range;
    use std::sync::Arc;
    use warcsieve_model::PotentialNetworks;
    use warcsieve_model::network::{Forward, Layer, Network, Packed};

    const BLOCKS: usize = 400;
    const FEATURES: usize = 67;

    #[divan::bench]
    fn potentials(bencher: Bencher) {
        let features: Vec<String> = (0..FEATURES).map(|i| i.to_string()).collect();
        let networks = PotentialNetworks {
            offset: vec![0.0; FEATURES],
            scale: vec![1.0; FEATURES],
            unary: network(2),
            pairwise: network(4),
            features: features.clone(),
            ..PotentialNetworks::default()
        };
        let names: Vec<&str> = features.iter().map(String::as_str).collect();
        let packed = Packed::new(&networks, &names).expect("the shapes fit");
        let mut forward = Forward::new(Arc::new(packed));
        let rows = numbers(BLOCKS * FEATURES);
        let fill = |blocks: Range<usize>, to: &mut Vec<f32>| {
            to.extend_from_slice(&rows[blocks.start * FEATURES..blocks.end * FEATURES]);
        };
        let (mut unary, mut pairwise) = (Vec::new(), Vec::new());
        bencher.counter(ItemsCount::new(BLOCKS)).bench_local(|| {
            forward.potentials(BLOCKS, fill, &mut unary, &mut pairwise);
            divan::black_box((&unary, &pairwise));
        });
    }

    fn network(classes: usize) -> Network {
        let outputs = [50, 50, 50, 50, 50, 50, 10, classes];
        let layers = (0..).zip(outputs).map(|(i, outputs)| {
            let inputs = [FEATURES, 50, 50, 50, 50, 50, 50, 10][i];
            let width = if i < 7 { 3 } else { 1 };
            Layer {
                inputs,
                outputs,
                width,
                weights: numbers(width * inputs * outputs),
                bias: numbers(outputs),
            }
        });
        Network {
            layers: layers.collect(),
        }
    }

    /// So many numbers within ±.1.
    fn numbers(many: usize) -> Vec<f32> {
        let number = |i: usize| (i * 7919 % 2003) as f32 / 10_015.0 - 0.1;
        (0..many).map(number).collect()
    }
}

fn label(bencher: Bencher, method: &str, page: &Document) {
    let found = METHODS.methods.iter().find(|m| m.name == method);
    let found = found.expect("the argument is from the table");
    // A step that changes labels finds all blocks to be content; their own cost is next to nothing.
    let before = if found.follows {
        "[[step]]\nmethod = \"keep-all\"\n"
    } else {
        ""
    };
    let text = format!(
        "{before}[[step]]\nmethod = \"{method}\"\n{}\n",
        found.required
    );
    let (mut chain, _) = Pipeline::parse(&warcsieve_papers::METHODS, "bench", &text)
        .expect("every method builds with its defaults")
        .build();
    let mut labels = vec![Label::default(); page.blocks.len()];
    bencher.bench_local(|| {
        chain.classify(page, &mut labels);
        divan::black_box(&labels);
    });
}

/// A page of about that many blocks.
fn page(blocks: usize) -> Document {
    const SENTENCE: &str =
        "It was the best of times and the worst of times for all who had come to see it. ";
    let mut html = String::from("<html><body>");
    for round in 0..blocks / 10 {
        // Classes of all kinds: one for all, some dozens, and one of its own.
        html += &format!("<div class=round><ul class=menu-{}>", round % 50);
        html += &"<li class=item><a href=/>Home and garden</a>".repeat(4);
        html += &format!("</ul><div class=post-{round}><h2>What we saw there</h2>");
        for i in 5..8 {
            html += "<p>It is <b>said</b>: ";
            html += &SENTENCE.repeat(1 + (10 * round + i) % 7);
        }
        html += "</div><div><a href=/>Read all about it in our newsletter of today</a></div>\
                 <div><span>12 <i>comments</i></span></div></div>";
    }
    let mut page = Document::default();
    Segmenter::new(SegmenterOptions {
        max_elements: usize::MAX,
        max_page_bytes: 1 << 30,
        ..SegmenterOptions::default()
    })
    .segment_html(&html, &mut page)
    .expect("the page keeps its bounds");
    page
}
