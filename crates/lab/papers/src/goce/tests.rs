use super::*;
use crate::tests::{content, reasons};
use proptest::prelude::*;
use std::collections::BTreeMap;
use warcsieve_classify::Steps;
use warcsieve_features::genre::GENRE;
use warcsieve_features::page_layout::NUMBERS;
use warcsieve_fixture::{document, segmented, words};
use warcsieve_html::layout::{Layout, LayoutStatus};
use warcsieve_html::{Element, ElementTree, Segmentation, Tag};
use warcsieve_model::picture::Convolution;
use warcsieve_model::{LinearModel, PictureNetwork};

const ARTICLE: &str = "method = 'goce-article'";
const LIST: &str = "method = 'goce-list'";
/// The other readings: only elements with a class, and characters.
const WITH_CLASS: &str = "method = 'goce-list'\nclassless = false\nlength = 'characters'";

fn page(html: &str) -> Document {
    segmented(html, Segmentation::Inline)
}

fn kept(step: &str, html: &str) -> Vec<String> {
    let doc = page(html);
    let blocks = doc.blocks.iter().zip(content(step, &doc));
    let kept = blocks.filter(|(_, content)| *content);
    kept.map(|(b, _)| doc.block_text(b).to_owned()).collect()
}

fn explained(step: &str, doc: &Document) -> String {
    let text = format!("[[step]]\n{step}");
    let (mut chain, _) = Steps::parse(&crate::METHODS, "p", &text).unwrap().build();
    let mut labels = vec![Label::default(); doc.blocks.len()];
    chain.classify(doc, &mut labels);
    chain.explain(doc, &labels, 0)
}

#[test]
fn the_longest_child_is_descended_into_if_it_leads_by_more_than_the_deviation() {
    // 2, 8 and 1 words: a lead of 6 over a deviation of √(69/3 − (11/3)²) = 3.09; 4 and 4: none.
    let html = "<body><div>a b</div><div><p>1 2 3 4<p>5 6 7 8</div><div>c</div>";
    assert_eq!(kept(ARTICLE, html), ["1 2 3 4", "5 6 7 8"]);
    let doc = page(html);
    assert_eq!(
        explained(ARTICLE, &doc),
        "goce-article: chosen: html/body/div (8 words)"
    );
    assert_eq!(reasons(ARTICLE, &doc)[0], "not in the article's element");
}

#[test]
fn a_lead_of_the_deviation_itself_is_not_enough() {
    // 1 and 3 words: a lead of 2 over a deviation of 1; then 1, 1, 3: 2 over 0.94; 1, 3, 3: none.
    assert_eq!(kept(ARTICLE, "<body><p>a<p>b c d"), ["b c d"]);
    assert_eq!(kept(ARTICLE, "<body><p>a<p>b<p>c d e"), ["c d e"]);
    assert_eq!(kept(ARTICLE, "<body><p>a<p>b c d<p>e f g").len(), 3);
    // 0, 2, 3, 4 and 6 words: a lead of 2 over a deviation of √((9 + 1 + 0 + 1 + 9) / 5) = 2.
    let html = "<body><p><a href=x></a><p>a b<p>a b c<p>a b c d<p>a b c d e f";
    assert_eq!(kept(ARTICLE, html).len(), 4);
    // With a fourth child of none, 0, 0, 0, 4 against a lead of 4 over 1.73.
    assert_eq!(kept(ARTICLE, "<body><p><p><p><p>a b c d"), ["a b c d"]);
}

#[test]
fn own_text_next_to_an_only_child_is_dropped_as_printed() {
    assert_eq!(kept(ARTICLE, "<body><div>a b c<p>d</p></div>"), ["d"]);
}

#[test]
fn an_only_child_without_words_is_not_descended_into() {
    assert_eq!(kept(ARTICLE, "<body><p>a b c<a href=x></a>"), ["a b c"]);
    assert_eq!(kept(ARTICLE, "<body><p>a <b>b c</b>"), ["a b c"]);
}

/// Ten cards, a menu of twenty links, and a wide element around the cards.
fn cards() -> String {
    let links = "<li class=item>link".repeat(20);
    let cards = "<div class='card big'>Some text of a card that tells more.</div>".repeat(10);
    format!("<body><ul>{links}</ul><h1>Cards</h1><section>{cards}</section>")
}

#[test]
fn the_list_is_the_class_with_most_text_among_those_of_many_elements() {
    let html = cards();
    assert_eq!(kept(WITH_CLASS, &html).len(), 10);
    let doc = page(&html);
    // R of the cards 2·10·360/370, of the items 2·20·80/100.
    assert_eq!(
        explained(WITH_CLASS, &doc),
        "goce-list: chosen: 10 of class \"card big\" at depth 3 (R 19.5, 36.0 characters each)"
    );
    assert_eq!(
        reasons(WITH_CLASS, &doc)[0],
        "in no element of the list's class"
    );
}

#[test]
fn fewer_candidates_are_those_with_the_greatest_r() {
    let step = format!("{WITH_CLASS}\ncandidates = 1");
    assert_eq!(kept(&step, &cards()), vec!["link"; 20]);
    let text = "[[step]]\nmethod = 'goce-list'\ncandidates = 0\n";
    let e = Steps::parse(&crate::METHODS, "p", text)
        .unwrap_err()
        .to_string();
    assert!(e.starts_with("p:3:"), "{e}");
}

#[test]
fn elements_without_a_class_at_one_depth_are_a_class() {
    let items = "<li>Some text of an item that tells more than the menu.".repeat(12);
    let html = format!("<body><p class=a>short<ul>{items}</ul>");
    // Of three candidates, the items have the greatest R, then the list and what is around it.
    let step = "method = 'goce-list'\ncandidates = 1";
    assert_eq!(kept(step, &html).len(), 12);
    let doc = page(&html);
    let said = explained(step, &doc);
    assert_eq!(
        said,
        "goce-list: chosen: 12 of no class at depth 3 (R 22.0, 11.0 words each)"
    );
    assert_eq!(kept(WITH_CLASS, &html), ["short"]);
}

#[test]
fn classes_at_different_depths_are_different() {
    let html = "<body><p class=a>one two<p class=a>three four<div><p class=a>five</div>";
    assert_eq!(kept(WITH_CLASS, html), ["one two", "three four"]);
}

#[test]
fn of_equal_classes_the_first_wins() {
    assert_eq!(
        kept(WITH_CLASS, "<body><p class=b>same<p class=a>size"),
        ["same"]
    );
}

#[test]
fn a_page_without_classes_is_all_content() {
    for step in [ARTICLE, WITH_CLASS, "method = 'goce'"] {
        assert_eq!(content(step, &document(&["a", &words(9)])), [true, true]);
    }
    assert_eq!(
        kept(WITH_CLASS, "<body><p class=''>a<p>b<i class=c></i>").len(),
        2
    );
}

#[test]
fn the_genre_selects_the_algorithm() {
    let sentence = "It goes on, and on, and nobody, not even he, knows why. ";
    let article = format!(
        "<body><ul><li>a<li>b</ul><div><p>{}</div>",
        sentence.repeat(40)
    );
    let item = "<li class=card><a href=x><img src=x></a><b class=t>Item 42</b><i class=p>19</i>";
    let list = format!("<body><ul>{}</ul>", item.repeat(60));
    let goce = "method = 'goce'";
    for (html, other, genre) in [(article, ARTICLE, "article"), (list, LIST, "list_view")] {
        let doc = page(&html);
        assert_eq!(content(goce, &doc), content(other, &doc));
        let (said, chosen) = (explained(goce, &doc), explained(other, &doc));
        assert!(
            said.starts_with(&format!("goce: {genre}, margin ")),
            "{said}"
        );
        assert!(
            said.contains(" of text_length ") && said.contains(", digits "),
            "{said}"
        );
        let (_, chosen) = chosen.split_once(": ").unwrap();
        assert!(said.ends_with(chosen), "{said}");
    }
}

#[test]
fn a_list_page_without_classes_is_kept_entirely_with_a_reason() {
    let said = "list page on which no element with text has a class";
    let doc = page("<body><p>a<p>b<hr class=x>");
    assert_eq!(reasons(WITH_CLASS, &doc), [said, said]);
    assert_eq!(content(WITH_CLASS, &doc), [true, true]);
    let doc = page("<body><p class=x>a");
    assert_eq!(
        reasons(WITH_CLASS, &doc),
        ["in an element of the list's class"]
    );
}

#[test]
fn a_model_with_other_features_is_refused_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let shipped = str::from_utf8(crate::METHODS.model("genre").unwrap()).unwrap();
    std::fs::write(
        folder.path().join("m.svm"),
        shipped.replace("commas", "koms"),
    )
    .unwrap();
    let file = folder.path().join("p.toml");
    let text = "[[step]]\nmethod = 'goce'\n\nmodel = 'm.svm'\n";
    let e = Steps::parse(&crate::METHODS, file.to_str().unwrap(), text).unwrap_err();
    let e = e.to_string();
    assert!(
        e.contains("p.toml:4:") && e.contains("koms") && e.contains("expected"),
        "{e}"
    );
    let cut = shipped.len() / 2;
    std::fs::write(folder.path().join("m.svm"), &shipped[..cut]).unwrap();
    let e = Steps::parse(&crate::METHODS, file.to_str().unwrap(), text).unwrap_err();
    assert!(e.to_string().contains("m.svm: line "), "{e}");
}

#[test]
fn page_types_map_to_genres() {
    assert_eq!(Genre::of_type("listing"), Genre::ListView);
    assert_eq!(Genre::of_type("collection"), Genre::ListView);
    assert_eq!(Genre::of_type("forum"), Genre::Article);
    assert_eq!(CLASSES[Genre::of_type("listing") as usize], "list_view");
}

/// Algorithm 1 as printed, recursive and with a deviation in floating point.
fn printed_article(doc: &Document, element: ElementId) -> ElementId {
    let words = |id: ElementId| -> f64 {
        let all = id..doc.tree.elements[id as usize].end;
        let blocks = doc.blocks.iter().filter(|b| all.contains(&b.element));
        blocks.map(|b| f64::from(b.words)).sum()
    };
    let mut children: Vec<_> = doc.tree.children(element).collect();
    let n = children.len() as f64;
    let mean = children.iter().map(|c| words(*c)).sum::<f64>() / n;
    let squares = children.iter().map(|c| (words(*c) - mean).powi(2));
    let deviation = (squares.sum::<f64>() / n).sqrt();
    children.sort_by(|a, b| words(*b).total_cmp(&words(*a)));
    match children[..] {
        [] => element,
        [only] if words(only) == 0.0 => element,
        [only] => printed_article(doc, only),
        [first, second, ..] if words(first) - words(second) > deviation + 1e-9 => {
            printed_article(doc, first)
        }
        _ => element,
    }
}

/// Algorithm 2 with dictionaries.
fn printed_list(doc: &Document, reading: Reading) -> Option<Vec<ElementId>> {
    let n = reading.candidates.get() as usize;
    let depth = |id: ElementId| doc.tree.ancestors(id).count();
    let mut elements: BTreeMap<(usize, String), (Vec<ElementId>, u32)> = BTreeMap::new();
    for id in 0..doc.tree.elements.len() as ElementId {
        let element = &doc.tree.elements[id as usize];
        let class = warcsieve_html::attribute(doc.attributes(element), "class");
        let class = class.unwrap_or_default().trim_ascii().to_owned();
        if reading.classless || !class.is_empty() {
            let entry = elements.entry((depth(id), class)).or_default();
            entry.0.push(id);
            let all = id..element.end;
            let blocks = doc.blocks.iter().filter(|b| all.contains(&b.element));
            let lengths = blocks.map(|b| match reading.length {
                Length::Characters => b.chars,
                Length::Words => b.words,
            });
            entry.1 += lengths.sum::<u32>();
        }
    }
    let mut ids: Vec<_> = elements.into_values().filter(|e| e.1 > 0).collect();
    let (o, l) = (
        |e: &(Vec<ElementId>, u32)| e.0.len() as f64,
        |e: &(Vec<ElementId>, u32)| f64::from(e.1),
    );
    let r = |e: &_| 2.0 * o(e) * l(e) / (o(e) + l(e));
    ids.sort_by_key(|e| e.0[0]);
    ids.sort_by(|a, b| r(b).total_cmp(&r(a)));
    ids.truncate(n);
    ids.sort_by_key(|e| e.0[0]);
    ids.sort_by(|a, b| (l(b) / o(b)).total_cmp(&(l(a) / o(a))));
    ids.into_iter().next().map(|e| e.0)
}

/// Pages of nested elements with classes and text.
fn any_page() -> impl Strategy<Value = Document> {
    let piece = prop_oneof![
        3 => "<(div|p|span|ul|li)( class=[abc])?>",
        2 => "</(div|p|span|ul|li)>",
        3 => "(x|yy zz|, 1){1,5}",
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| page(&pieces.concat()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn the_algorithms_equal_the_printed_ones(
        doc in any_page(), candidates in 1..5u32, classless: bool, words: bool
    ) {
        let length = if words { Length::Words } else { Length::Characters };
        let candidates = NonZeroU32::new(candidates).unwrap();
        let reading = Reading { candidates, classless, length };
        let mut article = Article::default();
        article.choose(&doc);
        prop_assert_eq!(article.element, printed_article(&doc, 0));
        let (mut list, mut classes) = (ListView::default(), Vec::new());
        class_hashes(&doc, &mut classes);
        list.choose(&doc, &classes, reading);
        let expected = printed_list(&doc, reading);
        let inside = |id: ElementId| match &expected {
            None => true,
            Some(chosen) => chosen.iter().any(|&e| {
                (e..doc.tree.elements[e as usize].end).contains(&id)
            }),
        };
        for id in 0..doc.tree.elements.len() as ElementId {
            prop_assert_eq!(list.is_inside(id), inside(id));
        }
    }
}

#[test]
fn colliding_class_hashes_are_harmless() {
    // Every element under the root has the same key, down to a depth of 400.
    let depth = 400u32;
    let mut doc = document(&["text"]);
    doc.tree = ElementTree {
        elements: (0..depth)
            .map(|i| Element {
                tag: Tag::Div,
                parent: i.saturating_sub(1),
                end: depth,
                ..Element::default()
            })
            .collect(),
        ..ElementTree::default()
    };
    doc.blocks[0].element = depth - 1;
    doc.blocks[0].chars = u32::MAX;
    let classes: Vec<u64> = (0..u64::from(depth))
        .map(|depth| 7 ^ depth.wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .collect();
    let mut list = ListView::default();
    let reading = Reading {
        length: Length::Characters,
        ..Reading::default()
    };
    list.choose(&doc, &classes, reading);
    assert_eq!(
        list.chosen.map(|g| (g.occurrences, g.length)),
        Some((depth, u32::MAX))
    );
    assert!(list.is_inside(depth - 1));
}

/// A pipeline's step with a model in a file.
fn with_model(bytes: &[u8]) -> Result<Steps, warcsieve_common::Error> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("genre.model"), bytes).unwrap();
    let name = folder.path().join("p.toml");
    Steps::parse(
        &crate::METHODS,
        name.to_str().unwrap(),
        "[[step]]\nmethod = 'goce'\nmodel = 'genre.model'\n",
    )
}

/// A linear model whose margin is one feature minus a bias.
fn linear(names: &[&str], feature: &str, bias: f64) -> Vec<u8> {
    let weight = |name: &&str| warcsieve_model::Weight {
        name: (*name).to_owned(),
        offset: 0.0,
        scale: 1.0,
        weight: f64::from(u8::from(*name == feature)),
    };
    let model = LinearModel {
        classes: CLASSES.map(str::to_owned),
        about: BTreeMap::new(),
        bias: -bias,
        features: names.iter().map(weight).collect(),
    };
    model.to_text().into_bytes()
}

/// The explanation of a page's first block.
fn explained_by(steps: &Steps, doc: &Document) -> String {
    let (mut chain, _) = steps.build();
    let mut labels = vec![Label::default(); doc.blocks.len()];
    chain.classify(doc, &mut labels);
    chain.explain(doc, &labels, 0)
}

fn laid_out(html: &str, layout: Layout) -> Document {
    let mut doc = page(html);
    doc.layout = Some(Box::new(Layout {
        status: LayoutStatus::Done,
        viewport_width: 1280,
        ..layout
    }));
    doc
}

#[test]
fn the_layout_tells_the_genre_if_the_model_has_its_numbers() {
    let names: Vec<&str> = GENRE.iter().chain(&NUMBERS).map(|f| f.name).collect();
    let steps = with_model(&linear(&names, "page_height", 8.0)).unwrap();
    assert_eq!(steps.sees, Sees::Layout);
    let html = "<body><p class=a>text";
    for (page_height, genre) in [
        (9_000.0, "list_view, margin 1.1"),
        (900.0, "article, margin -1"),
    ] {
        let layout = Layout {
            page_height,
            ..Layout::default()
        };
        let said = explained_by(&steps, &laid_out(html, layout));
        assert!(said.starts_with(&format!("goce: {genre}")), "{said}");
        assert!(said.contains("page_height"), "{said}");
    }
    let said = explained_by(&steps, &page(html));
    assert!(
        said.starts_with("goce: article, as there is no layout;"),
        "{said}"
    );
    let short: Vec<&str> = names[1..].to_vec();
    let error = with_model(&linear(&short, "page_height", 8.0)).unwrap_err();
    assert!(
        error.to_string().contains("expected text_length"),
        "{error}"
    );
    let markup: Vec<&str> = GENRE.iter().map(|f| f.name).collect();
    let steps = with_model(&linear(&markup, "images", 0.5)).unwrap();
    assert_eq!(steps.sees, Sees::Markup);
}

#[test]
fn the_picture_tells_the_genre_if_the_model_is_a_network() {
    // The log-odds are the mean of red, less .25: of dark pictures −.25, of white ones .25.
    let mut weights = vec![0.0; 4 * 4 * 3];
    weights[0] = 1.0;
    let network = PictureNetwork {
        classes: CLASSES.map(str::to_owned),
        size: [4, 4],
        layers: vec![Convolution {
            size: 4,
            inputs: 3,
            outputs: 1,
            weights,
            bias: vec![0.0],
        }],
        weights: vec![1.0],
        bias: -0.25,
        ..PictureNetwork::default()
    };
    let steps = with_model(&network.to_bytes().unwrap()).unwrap();
    assert_eq!(steps.sees, Sees::Picture);
    let html = "<body><p class=a>text";
    let pictured = |value: u8| {
        let mut webp = Vec::new();
        image_webp::WebPEncoder::new(&mut webp)
            .encode(&[value; 48], 4, 4, image_webp::ColorType::Rgb8)
            .unwrap();
        let layout = Layout {
            screenshot: Some(webp),
            ..Layout::default()
        };
        explained_by(&steps, &laid_out(html, layout))
    };
    let [dark, white] = [0, 255].map(pictured);
    assert!(
        dark.starts_with("goce: article, margin -0.250 of the picture;"),
        "{dark}"
    );
    assert!(
        white.starts_with("goce: list_view, margin 0.250 of the picture;"),
        "{white}"
    );
    let said = explained_by(&steps, &laid_out(html, Layout::default()));
    assert!(
        said.starts_with("goce: article, as there is no picture;"),
        "{said}"
    );
    let others = PictureNetwork {
        classes: ["a", "b"].map(str::to_owned),
        ..network
    };
    let error = with_model(&others.to_bytes().unwrap()).unwrap_err();
    assert!(error.to_string().contains("list_view"), "{error}");
}
