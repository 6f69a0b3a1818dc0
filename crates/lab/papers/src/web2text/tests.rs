use super::*;
use crate::tests::Labeller;
use warcsieve_classify::Steps;
use warcsieve_fixture::segmented;
use warcsieve_html::Segmentation;
use warcsieve_model::network::{Layer, Network};

/// Networks written by hand: long blocks are content, linked ones are not, and blocks with the same
/// parent get the same label.
fn model() -> PotentialNetworks {
    let layer = |inputs, outputs, width, weights: &[f32]| Layer {
        inputs,
        outputs,
        width,
        weights: weights.to_vec(),
        bias: vec![0.0; outputs],
    };
    let mut length = vec![0.0; 18];
    // The middle tap: ln(characters) − 4 − 3 · share of linked characters, and its negative.
    length[6..12].copy_from_slice(&[1.0, -1.0, -3.0, 3.0, 0.0, 0.0]);
    let names = [
        "block.logNCharacters",
        "block.rCharsInLink",
        "edge.sameParent",
    ];
    PotentialNetworks {
        about: [("data".to_owned(), "none: written by hand".to_owned())].into(),
        features: names.map(str::to_owned).to_vec(),
        offset: vec![4.0, 0.0, 0.0],
        scale: vec![1.0; 3],
        unary: Network {
            layers: vec![
                layer(3, 2, 3, &length),
                layer(2, 2, 1, &[0.0, 2.0, 0.0, -2.0]),
            ],
        },
        pairwise: Network {
            layers: vec![layer(
                3,
                4,
                1,
                &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 2.0],
            )],
        },
    }
}

fn pipeline(model: &PotentialNetworks, params: &str) -> warcsieve_common::Result<Steps> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m"), model.to_bytes().unwrap()).unwrap();
    let name = folder.path().join("p.toml");
    let text = format!("[[step]]\nmethod = 'web2text'\nmodel = 'm'\n{params}\n");
    Steps::parse(&crate::METHODS, name.to_str().unwrap(), &text)
}

fn labelled(params: &str, doc: &Document) -> Labeller {
    let mut labeller = Labeller::new(&pipeline(&model(), params).unwrap());
    labeller.label(doc);
    labeller
}

#[test]
fn a_model_may_ask_for_further_features() {
    let mut model = model();
    model.features[0] = "block.logNWords".to_owned();
    model.offset[0] = 1.0;
    let mut labeller = Labeller::new(&pipeline(&model, "").unwrap());
    labeller.label(&page());
    assert_eq!(content(&labeller), [false, false, true, true, true]);
    model.features[0] = "block.logNPages".to_owned();
    let e = pipeline(&model, "").err().unwrap().to_string();
    assert!(e.contains("there is no feature `block.logNPages`"), "{e}");
}

/// A menu, then prose with a short block in it.
fn page() -> Document {
    let words = "one two three four five six seven eight nine ten ".repeat(4);
    let html = format!(
        "<ul><li><a href=/>home</a><li><a href=/x>about</a></ul>\
         <div><p>{words}<p>short, but not in vain<p>{words}</div>"
    );
    segmented(&html, Segmentation::Leaves)
}

fn content(labeller: &Labeller) -> Vec<bool> {
    labeller.labels.iter().map(|l| l.content).collect()
}

fn reasons(labeller: &Labeller) -> Vec<&str> {
    let labels = labeller.labels.iter();
    labels.map(|l| labeller.names().reason_of(l)).collect()
}

#[test]
fn neighbours_can_change_a_blocks_own_label() {
    let doc = page();
    let alone = labelled("decode = 'unary'", &doc);
    assert_eq!(content(&alone), [false, false, true, false, true]);
    let chain = labelled("", &doc);
    assert_eq!(content(&chain), [false, false, true, true, true]);
    let (own, other) = (
        "likely content by itself",
        "content for the sake of its neighbours",
    );
    assert_eq!(reasons(&chain)[2..], [own, other, own]);
    assert_eq!(reasons(&chain)[0], "likely boilerplate by itself");
    assert!(chain.labels[3].score > 0.5 && alone.labels[3].score < 0.5);
    assert_eq!(
        content(&labelled("decode = 'viterbi'", &doc)),
        content(&chain)
    );
}

#[test]
fn scores_equal_the_formula() {
    let doc = page();
    let alone = labelled("decode = 'unary'", &doc);
    // Softmax of 0 and 2 · (ln(characters) − 4).
    let logit = 2.0 * (f64::from(doc.blocks[3].chars).ln() - 4.0);
    let expected = 1.0 / (1.0 + (-logit).exp());
    assert!((f64::from(alone.labels[3].score) - expected).abs() < 1e-5);
}

#[test]
fn the_likeliest_blocks_are_chosen() {
    let doc = page();
    let chosen = labelled("decode = 'expected-f1'", &doc);
    assert_eq!(content(&chosen), [false, false, true, true, true]);
    assert_eq!(
        reasons(&chosen)[3],
        "among the likeliest content of the page"
    );
    assert_eq!(
        reasons(&chosen)[0],
        "not among the likeliest content of the page"
    );
    let none = labelled(
        "decode = 'expected-f1'\nleast_tokens = 1000",
        &segmented(
            "<p>one line of a few words that may be content, or not",
            Segmentation::Leaves,
        ),
    );
    assert_eq!(content(&none), [false]);
    assert_eq!(
        reasons(&none),
        ["the page is expected to have next to no content"]
    );
    // If only precision counts, the most probable blocks.
    let sure = labelled("decode = 'expected-f1'\nbeta = 0.001", &doc);
    assert_eq!(content(&sure), [false, false, true, false, true]);
}

#[test]
fn explanations_show_the_potentials() {
    let doc = page();
    let of = |params, block| {
        let labeller = labelled(params, &doc);
        labeller.chain.explain(&doc, &labeller.labels, block)
    };
    let why = of("", 3);
    for said in [
        "content 0.14 by itself; 0.78 in its chain",
        "with the one before neither 0.44, this only 0.06, that only 0.06, both 0.44",
        "with the next neither 0.44",
    ] {
        assert!(why.contains(said), "{said}: {why}");
    }
    assert!(!of("", 0).contains("before") && !of("", 4).contains("next"));
    assert!(!of("decode = 'unary'", 3).contains("chain"));
    assert!(of("decode = 'expected-f1'", 3).contains("the page's cut is 0."));
}

#[test]
fn invalid_parameters_and_models_are_refused() {
    let refused = |params: &str| pipeline(&model(), params).unwrap_err().to_string();
    for params in ["beta = 1.0", "\ndecode = 'unary'\nleast_tokens = 3"] {
        let e = refused(params);
        assert!(e.contains("\"expected-f1\" only"), "{e}");
        let line = 3 + params.lines().count();
        assert!(e.contains(&format!("p.toml:{line}:")), "{e}");
    }
    let e = refused("decode = 'expected-f1'\nbeta = 0.0");
    assert!(e.contains("above 0"), "{e}");
    let mut other = model();
    other.features[2] = "edge.nonsense".to_owned();
    let e = pipeline(&other, "").unwrap_err().to_string();
    assert!(
        e.contains("p.toml:3:") && e.contains("no feature `edge.nonsense`"),
        "{e}"
    );
}

#[test]
fn the_model_that_ships_is_small() {
    let model = crate::METHODS.models.iter().find(|m| m.0 == "web2text");
    let bytes = model.unwrap().1;
    assert!(bytes.len() <= 600_000, "{} bytes", bytes.len());
    packed(bytes).unwrap();
}
