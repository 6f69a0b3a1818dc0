use super::*;
use crate::tests::{content, reasons};
use proptest::prelude::*;
use warcsieve_classify::Steps;
use warcsieve_fixture::density::Node;
use warcsieve_fixture::trees::{any_tree, pages, segment, with_boxes};
use warcsieve_fixture::{document, words};
use warcsieve_html::Tag;
use warcsieve_html::layout::{ElementBox, LayoutStatus};

const METHODS: [&str; 4] = [
    "method = 'cetd'",
    "method = 'cectd'",
    "method = 'cectd-s'",
    "method = 'cehtd'",
];

const LONG: &str =
    "The road ends where the map says it goes on, and nobody in the village knows why.";

fn page() -> Document {
    segment(&format!(
        "<body><ul><li><a>Home</a><li><a>News</a><li><a>Contact us</a></ul>\
         <div id=main><h1>Where roads end</h1><p>{LONG}</p><p>{LONG} <a>Read on</a></p>\
         <p>Short.</p></div>\
         <div><a>Imprint</a> <a>Privacy</a> <a>Terms</a></div>"
    ))
}

#[test]
fn the_element_with_dense_children_is_content_with_its_subtree() {
    let expected = [false, false, false, true, true, true, true, false];
    for step in [METHODS[0], METHODS[1], METHODS[3]] {
        assert_eq!(content(step, &page()), expected, "{step}");
    }
}

#[test]
fn the_smoothed_variant_decides_each_element_by_itself() {
    let doc = page();
    let found = content(METHODS[2], &doc);
    assert_eq!(found[3..7], [true; 4]);
    assert_eq!(reasons(METHODS[2], &doc)[4], "element is dense enough");
}

#[test]
fn a_block_is_content_if_half_of_it_is_chosen() {
    // The children of `span` are densest; it has 13 characters of the block.
    let block = |own: &str| {
        let html = format!("<body><p>{own} <span><b>bbbb bbbb</b><b>cccc</b></span></p>");
        content(METHODS[0], &segment(&html))
    };
    assert_eq!(block("aaaaaaaaaaaaa"), [true]);
    assert_eq!(block("aaaaaaaaaaaaaa"), [false]);
}

#[test]
fn ancestors_of_chosen_elements_are_kept_on_request() {
    let doc = segment(&format!(
        "<body>Around. <div>{}</div><ul><li><a>Home</a><li><a>News</a></ul>",
        format!("<p>{LONG}</p>").repeat(3)
    ));
    for method in ["cetd", "cectd"] {
        let step = format!("method = '{method}'");
        let chosen = [false, true, true, true, false, false];
        assert_eq!(content(&step, &doc), chosen, "{method}");
        let step = format!("{step}\nkeep_ancestors = true");
        let kept = [true, true, true, true, false, false];
        assert_eq!(content(&step, &doc), kept, "{method}");
        let all = reasons(&step, &doc);
        assert_eq!(all[0], "in or above an element of dense children");
    }
}

#[test]
fn own_text_adds_to_the_sum_on_request() {
    // As above: the children of `span` are densest, and have 13 of 27 characters.
    let html = "<body><p>aaaaaaaaaaaaaa <span><b>bbbb bbbb</b><b>cccc</b></span></p>";
    let doc = segment(html);
    assert_eq!(content(METHODS[0], &doc), [false]);
    let own_text = format!("{}\nown_text = true", METHODS[0]);
    assert_eq!(content(&own_text, &doc), [true]);
}

#[test]
fn elements_inside_links_lower_the_density_on_request() {
    let doc = segment(&format!(
        "<body><div id=a><p>{LONG}</p><p>{LONG}</p></div>\
         <div id=b><a><b>x</b><i>y</i><b>z</b></a> {LONG} {LONG}</div>"
    ));
    let densities = |linked_elements: bool| {
        let params = Params {
            linked_elements,
            ..Params::default()
        };
        let mut method = Cetd::new("", Variant::Composite, params, &mut Names::default());
        method.measure(&doc);
        let of = |nth: usize| {
            let divs = doc.tree.elements.iter().enumerate();
            let mut divs = divs.filter(|(_, e)| e.tag == Tag::Div);
            method.densities[divs.nth(nth).unwrap().0]
        };
        [of(0), of(1)]
    };
    let [printed, authors] = [densities(false), densities(true)];
    assert_eq!(printed[0], authors[0]);
    assert!(printed[1] > authors[1], "{printed:?} {authors:?}");
}

#[test]
fn parameters_are_those_of_the_density() {
    let error = |method: &str, key: &str| {
        let text = format!("[[step]]\nmethod = '{method}'\n{key} = true");
        Steps::parse(&crate::METHODS, "p", &text)
            .err()
            .map(|e| e.to_string())
    };
    assert_eq!(error("cectd", "linked_elements"), None);
    for (method, key) in [
        ("cetd", "linked_elements"),
        ("cectd-s", "own_text"),
        ("cehtd", "keep_ancestors"),
    ] {
        let e = error(method, key).unwrap();
        assert!(e.starts_with("p:3:") && e.contains(key), "{e}");
    }
}

#[test]
fn a_page_without_links_is_all_content_by_composite_density() {
    let html = format!("<body><div><p>{LONG}</p><p>{LONG}</p></div><div><i>x</i></div><hr>");
    assert_eq!(content(METHODS[0], &segment(&html)), [true, true, false]);
    assert_eq!(content(METHODS[1], &segment(&html)), [true, true, true]);
}

#[test]
fn text_without_elements_is_all_content() {
    for step in METHODS {
        assert_eq!(content(step, &document(&["a", &words(9)])), [true, true]);
    }
}

#[test]
fn explanations_name_element_density_and_threshold() {
    let doc = page();
    let (mut chain, _) = Steps::parse(&crate::METHODS, "p", &format!("[[step]]\n{}", METHODS[0]))
        .unwrap()
        .build();
    let mut labels = vec![Label::default(); doc.blocks.len()];
    chain.classify(&doc, &mut labels);
    // 18, 190 and 19 characters in the three parts, with 6, 5 and 3 tags below them.
    assert_eq!(
        chain.explain(&doc, &labels, 0),
        "cetd: html/body/ul/li/a (density 4.000, DensitySum 0.000); threshold 13.353"
    );
    assert_eq!(
        chain.explain(&doc, &labels, 6),
        "cetd: html/body/div/p (density 6.000, DensitySum 0.000); threshold 13.353; \
         chosen: html/body/div (density 38.000, DensitySum 190.000)"
    );
}

/// Algorithm 2 as printed, on nodes that own their children.
struct Printed<'a> {
    density: &'a dyn Fn(&Node) -> f64,
    choice: Choice,
    threshold: f64,
    marked: Vec<bool>,
}

impl<'a> Printed<'a> {
    fn extract(body: &Node, choice: Choice, len: usize, density: &'a dyn Fn(&Node) -> f64) -> Self {
        let mut this = Self {
            density,
            choice,
            threshold: f64::INFINITY,
            marked: vec![false; len],
        };
        let greatest = this.find_max_density_sum(body).id;
        this.find_threshold(body, greatest);
        this.extract_content(body);
        this
    }

    fn find_max_density_sum<'n>(&self, node: &'n Node) -> &'n Node {
        let mut best = node;
        node.each(&mut |below| {
            if below.density_sum(self.density) > best.density_sum(self.density) {
                best = below;
            }
        });
        best
    }

    /// Whether `greatest` is at or below the node.
    fn find_threshold(&mut self, node: &Node, greatest: usize) -> bool {
        let on_path = node.id == greatest
            || node
                .children
                .iter()
                .any(|c| self.find_threshold(c, greatest));
        if on_path {
            self.threshold = self.threshold.min((self.density)(node));
        }
        on_path
    }

    fn extract_content(&mut self, node: &Node) {
        if (self.density)(node) >= self.threshold {
            match self.choice {
                Choice::Own => self.marked[node.id] = true,
                Choice::Greatest => {
                    let greatest = self.find_max_density_sum(node);
                    greatest.each(&mut |below| self.marked[below.id] = true);
                }
            }
            for child in &node.children {
                self.extract_content(child);
            }
        }
    }
}

/// The page with a column of links at the left that is as dense as the text.
fn column(left: f32, hidden: bool) -> Document {
    let links = format!("<li>{LONG}").repeat(3);
    let mut doc = segment(&format!(
        "<body><ul>{links}</ul><div id=main><p>{LONG}</p><p>{LONG}</p><a>Next</a></div>"
    ));
    let boxes = doc.tree.elements.iter().map(|element| {
        let (x, width) = match element.tag {
            Tag::Ul | Tag::Li => (0.0, left),
            Tag::Html | Tag::Body => (0.0, 1000.0),
            _ => (left, 1000.0 - left),
        };
        Some(ElementBox {
            x,
            width,
            height: 20.0,
            visible: !(hidden && matches!(element.tag, Tag::Ul | Tag::Li)),
            ..ElementBox::default()
        })
    });
    doc.layout = Some(Box::new(Layout {
        boxes: boxes.collect(),
        status: LayoutStatus::Done,
        ..Layout::default()
    }));
    doc
}

#[test]
fn narrow_or_hidden_text_loses_to_text_in_the_middle() {
    let step = METHODS[3];
    let main = [false, false, false, true, true, true];
    assert_eq!(content(step, &column(10.0, false)), main);
    assert_eq!(content(step, &column(500.0, true)), main);
    // If the column takes half of the screen, its text is denser than the main text.
    let column_alone = main.map(|content| !content);
    assert_eq!(content(step, &column(500.0, false)), column_alone);
    assert_eq!(
        reasons(step, &column(10.0, false))[0],
        "in no element of dense children"
    );
}

#[test]
fn a_page_without_layout_is_labelled_by_composite_density_and_says_so() {
    for status in LayoutStatus::ALL {
        let mut doc = column(100.0, false);
        let expected = content(METHODS[1], &doc);
        if let Some(layout) = &mut doc.layout
            && status != LayoutStatus::Done
        {
            (layout.status, layout.boxes) = (status, Vec::new());
            assert_eq!(content(METHODS[3], &doc), expected);
            let found = reasons(METHODS[3], &doc);
            assert!(found.iter().all(|r| r.starts_with("no layout: in ")));
        }
    }
    let mut doc = column(100.0, false);
    doc.layout = None;
    assert!(reasons(METHODS[3], &doc)[0].starts_with("no layout: "));
    assert_eq!(
        reasons(METHODS[1], &doc)[0],
        reasons(METHODS[1], &page())[3]
    );
}

#[test]
fn where_all_has_one_width_hybrid_density_orders_elements_as_composite_does() {
    let own = ElementBox {
        width: 1000.0,
        height: 20.0,
        visible: true,
        ..ElementBox::default()
    };
    assert_eq!(
        content(METHODS[3], &with_boxes(page(), own)),
        content(METHODS[1], &page())
    );
}

fn equals_the_printed_algorithm(doc: &Document) {
    let root = Node::of(doc, 0, false);
    let body = root.children.iter().find(|c| c.tag == Tag::Body);
    let body = body.unwrap_or(&root);
    let composite = |n: &Node| n.composite_text_density(body);
    let mut smoothed = vec![0.0; doc.tree.elements.len()];
    smoothed[0] = composite(&root);
    root.smooth(&composite, &mut smoothed);
    let smoothed = |n: &Node| smoothed[n.id];
    type Density<'a> = &'a dyn Fn(&Node) -> f64;
    let variants: [(Variant, Choice, Density<'_>); 3] = [
        (Variant::Plain, Choice::Greatest, &Node::text_density),
        (Variant::Composite, Choice::Greatest, &composite),
        (Variant::Smoothed, Choice::Own, &smoothed),
    ];
    for (variant, choice, density) in variants {
        let printed = Printed::extract(body, choice, doc.tree.elements.len(), density);
        let mut method = Cetd::new("", variant, Params::default(), &mut Names::default());
        method.measure(doc);
        assert_eq!(method.extract.threshold, printed.threshold);
        body.each(&mut |node| {
            let found = method.extract.inside[node.id];
            assert_eq!(found, printed.marked[node.id], "{variant:?}: {}", node.id);
        });
    }
}

#[test]
fn pages_equal_the_printed_algorithm() {
    for (name, doc) in pages() {
        println!("{name}");
        equals_the_printed_algorithm(&doc);
    }
}

proptest! {
    #[test]
    fn trees_equal_the_printed_algorithm(doc in any_tree()) {
        equals_the_printed_algorithm(&doc);
    }
}
