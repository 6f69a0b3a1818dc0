use super::*;
use crate::steps::Steps;
use crate::tests::Labeller;
use warcsieve_fixture::segmented;
use warcsieve_html::Segmentation;

/// A forest that gives blocks of more than five words a high probability, and others a low one.
const MODEL: &str = "format = 1\nclasses = [\"boilerplate\", \"content\"]\nbias = 0.5\n\
    calibration = { slope = 1.0, offset = 0.0 }\nfeatures = [\"link_density\", \"words\"]\n\
    trees = [\"1:5.5:0.1 -3.5 2.5\", \"0:0.5:-0.2 0.0 -4.0\"]\n";

fn pipeline(model: &str, params: &str) -> warcsieve_common::Result<Steps> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m"), model).unwrap();
    let name = folder.path().join("p.toml");
    let text = format!("[[step]]\nmethod = 'forest'\nmodel = 'm'\n{params}\n");
    Steps::parse(&crate::CORE, name.to_str().unwrap(), &text)
}

fn labelled(params: &str, doc: &Document) -> Labeller {
    let mut labeller = Labeller::new(&pipeline(MODEL, params).unwrap());
    labeller.label(doc);
    labeller
}

fn page() -> Document {
    let words = "one two three four five six seven eight nine ten ".repeat(12);
    let html = format!(
        "<ul><li><a href=/>home</a></ul><div><p>{words}<p>short one<p><a href=/x>{words}</a></div>\
         <div id=comments><p>{words}</div>"
    );
    segmented(&html, Segmentation::Inline)
}

fn content(labeller: &Labeller) -> Vec<bool> {
    labeller.labels.iter().map(|l| l.content).collect()
}

#[test]
fn the_likeliest_blocks_are_kept_and_comments_only_on_request() {
    let doc = page();
    let dropped = labelled("", &doc);
    assert_eq!(content(&dropped), [false, true, false, false, false]);
    let names = dropped.names().clone();
    let reason = |l: &Labeller, i: usize| names.reason_of(&l.labels[i]).to_owned();
    assert_eq!(reason(&dropped, 4), "among readers' comments");
    assert_eq!(
        reason(&dropped, 1),
        "among the likeliest content of the page"
    );
    let kept = labelled("comments = 'keep'", &doc);
    assert_eq!(content(&kept), [false, true, false, false, true]);
    // The `p` in a `div` are one group.
    let own = [3.0, -3.0, -1.0, 3.0_f32];
    let weights = [120.0, 2.0, 120.0, 120.0].map(f32::sqrt);
    let weighed: f32 = own
        .iter()
        .zip(weights)
        .map(|(own, weight)| own * weight)
        .sum();
    let mean = weighed / weights.iter().sum::<f32>();
    for (label, own) in kept.labels[1..].iter().zip(own) {
        let expected = warcsieve_model::forest::probability(0.7 * own + 0.3 * mean);
        assert!(
            (label.score - expected).abs() < 1e-5,
            "{label:?}, not {expected}"
        );
    }
    assert_eq!(dropped.labels[4].score, 0.0);
}

#[test]
fn a_page_with_too_little_expected_content_has_none() {
    let seven = "one two three four five six seven";
    let page = |html: String| segmented(&html, Segmentation::Inline);
    let doc = page(format!("<p><a href=/>{seven}</a>"));
    let none = labelled("", &doc);
    assert_eq!(content(&none), [false]);
    assert_eq!(none.chain.cut(), Some(1.0), "nothing is kept");
    let why = none.chain.explain(&doc, &none.labels, 0);
    let said = "2 tokens of content expected, 10 needed";
    assert!(why.contains(said), "{why}");
    assert_eq!(content(&labelled("least_tokens = 0", &doc)), [true]);
    // A small amount of text is kept if it is almost certainly content.
    assert_eq!(content(&labelled("", &page(format!("<p>{seven}")))), [true]);
}

#[test]
fn reasons_name_the_strongest_feature() {
    let doc = page();
    let labeller = labelled("reasons = true\ncomments = 'keep'", &doc);
    let names = labeller.names().clone();
    let reasons: Vec<_> = labeller.labels.iter().map(|l| names.reason_of(l)).collect();
    let (long, short, linked) = (
        "words: for content",
        "words: against content",
        "link_density: against content",
    );
    assert_eq!(reasons, [linked, long, short, linked, long]);
    let scores = |content: bool| {
        let labels = labeller.labels.iter().filter(move |l| l.content == content);
        labels.map(|l| l.score)
    };
    let (least, most) = (
        scores(true).fold(1.0, f32::min),
        scores(false).fold(0.0, f32::max),
    );
    assert_eq!(labeller.chain.cut(), Some(f32::midpoint(least, most)));
    let moved = labeller.chain.moved(&doc, 3).into_iter();
    let moved: Vec<String> = moved.take(2).map(|m| m.to_string()).collect();
    assert_eq!(moved, ["link_density 1 (-3.80)", "words 120 (+2.40)"]);
    let why = labeller.chain.explain(&doc, &labeller.labels, 3);
    let ends = "log-odds start at +0.40, +0.74 by blocks in like places";
    assert!(why.ends_with(ends), "{why}");
    // The only block in its place.
    let why = labeller.chain.explain(&doc, &labeller.labels, 0);
    assert!(why.ends_with("log-odds start at +0.40"), "{why}");
}

#[test]
fn scores_do_not_depend_on_the_batch() {
    let html: String = (0..700)
        .map(|i| format!("<p>{}", "word ".repeat(1 + i % 9)))
        .collect();
    let doc = segmented(&html, Segmentation::Inline);
    let labeller = labelled("", &doc);
    for (i, label) in labeller.labels.iter().enumerate() {
        assert_eq!(label.score, labeller.labels[i % 9].score, "block {i}");
    }
}

#[test]
fn models_with_unknown_features_are_refused() {
    let e = pipeline(&MODEL.replace("link_density", "nonsense"), "").unwrap_err();
    let e = e.to_string();
    assert!(
        e.contains("p.toml:3:") && e.contains("no feature `nonsense`"),
        "{e}"
    );
}

/// A forest that uses only the path score: content if the path has `story`, or a token in the same
/// slot.
fn by_names(slots: usize) -> String {
    let hash = "story".bytes().fold(0u32, |hash, letter| {
        (hash.rotate_left(5) ^ u32::from(letter)).wrapping_mul(0x9e37_79b1)
    });
    let at = warcsieve_features::structure::slot(hash, slots);
    let bytes: Vec<u8> = (0..slots)
        .flat_map(|slot| [if slot == at { 127 } else { 0 }; 3])
        .collect();
    format!(
        "format = 1\nclasses = [\"boilerplate\", \"content\"]\nbias = 0.0\n\
         calibration = {{ slope = 1.0, offset = 0.0 }}\nfeatures = [\"path_score\"]\n\
         trees = [\"0:1.5:0.0 -3.0 3.0\"]\npaths = {{ unit = 0.05, slots = \"{}\" }}\n",
        data_encoding::BASE64.encode(&bytes)
    )
}

#[test]
fn the_weights_of_names_are_those_of_the_model() {
    let words = "one two three four five six seven eight nine ten ".repeat(3);
    let html = format!("<div class=story><p>{words}</div><div class=other><p>{words}</div>");
    let doc = segmented(&html, Segmentation::Inline);
    let mut labeller = Labeller::new(&pipeline(&by_names(256), "").unwrap());
    labeller.label(&doc);
    assert_eq!(content(&labeller), [true, false]);
    let without = by_names(1);
    let without = without.split("paths").next().unwrap();
    let e = pipeline(without, "").unwrap_err().to_string();
    assert!(e.contains("no weights for its path score"), "{e}");
}

#[test]
fn the_model_that_ships_is_small() {
    let model = crate::CORE.models.iter().find(|m| m.0 == "default");
    let bytes = model.unwrap().1;
    assert!(bytes.len() <= 400_000, "{} bytes", bytes.len());
    Model::from_bytes(bytes).unwrap();
}

#[test]
fn posts_of_a_forum_are_content_unless_they_are_to_be_comments() {
    let words = "one two three four five six seven eight nine ten ";
    let posts = format!(
        "<div id=comments><p>{}<p>{}</div>",
        words.repeat(9),
        words.repeat(8)
    );
    let other = format!("<p>{}", words.repeat(4));
    let forum = "<meta name=generator content='phpBB 3'>";
    let kept = |params: &str, html: &str| {
        let labeller = labelled(params, &segmented(html, Segmentation::Inline));
        let names = labeller.names().clone();
        let reasons = labeller
            .labels
            .iter()
            .map(|label| (label.content, names.reason_of(label).to_owned()));
        reasons.collect::<Vec<_>>()
    };
    let thread = kept("", &format!("{forum}{other}{posts}"));
    assert!(thread.iter().all(|(content, _)| *content), "{thread:?}");
    assert_eq!(thread[1].1, "a post of a forum");
    let contents = |params: &str, html: &str| -> Vec<bool> {
        kept(params, html)
            .iter()
            .map(|(content, _)| *content)
            .collect()
    };
    let page = format!("{forum}{other}{posts}");
    assert_eq!(
        contents("forum_posts = 'comments'", &page),
        [true, false, false]
    );
    assert_eq!(
        contents("", &format!("{other}{posts}")),
        [true, false, false]
    );
    // A forum whose page says enough without them, such as news with comments.
    let long = format!("{forum}<p>{}{posts}", words.repeat(20));
    assert_eq!(contents("", &long), [true, false, false]);
}
