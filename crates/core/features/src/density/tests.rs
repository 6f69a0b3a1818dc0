use super::*;
use proptest::prelude::*;
use warcsieve_fixture::density::Node;
use warcsieve_fixture::elements;
use warcsieve_fixture::trees::{any_laid_out_tree, any_tree, pages, segment};
use warcsieve_html::layout::{ElementBox, Layout, LayoutStatus};

fn counts_of(doc: &Document) -> Vec<Counts> {
    let mut counts = vec![Counts::default(); 3];
    count(doc, &mut counts);
    counts
}

fn counts(chars: u32, linked_chars: u32, tags: u32, linked_tags: u32) -> Counts {
    Counts {
        chars,
        linked_chars,
        tags,
        linked_tags,
    }
}

fn composite(own: &Counts, body: &Counts) -> f64 {
    CompositeTextDensity::new(body).of(own)
}

#[test]
fn the_papers_example() {
    let doc = segment(
        "<div class=\"main\">\n <div class=\"article\">\n  <div class=\"story-header\">\n   \
         Lunch with the FT: Biz Stone</div>\n  <div class=\"story-body\">\n   \
         Though the value of the company was\n   <a>recently estimated at $3.7bn</a>\n  \
         </div></div></div>",
    );
    let found: Vec<_> = counts_of(&doc)[2..]
        .iter()
        .map(|c| (c.chars, c.tags, (text_density(c) * 100.0).round() / 100.0))
        .collect();
    let printed = [
        (91, 4, 22.75),
        (91, 3, 30.33),
        (28, 0, 28.0),
        (63, 1, 63.0),
        (28, 0, 28.0),
    ];
    assert_eq!(found, printed);
}

#[test]
fn scripts_and_styles_are_not_counted() {
    let doc = segment(
        "<body>a &amp; b<!-- no --><script>var no</script><style>no</style>\
         <a href=/>c <b>d\n\n e</b></a><button>f</button>\
         <select><option>g<option>h</select><img></body>",
    );
    // a, b, button, select, option, option, img; text "a & b", "c", "d e", "f", "g", "h".
    let body = counts_of(&doc)[1];
    assert_eq!(body, counts(12, 7, 7, 3));
    let link = doc.tree.elements.iter().position(|e| e.tag == Tag::A);
    assert_eq!(counts_of(&doc)[link.unwrap()], counts(4, 4, 1, 0));
}

#[test]
fn composite_density_by_hand() {
    let page = counts(1000, 500, 90, 30);
    // 100/4 · ln(100/20 · 4/1) / ln ln(100/80 · 20 + 500/1000 · 100 + e)
    let found = composite(&counts(100, 20, 4, 1), &page);
    assert!((found - 50.917136991108).abs() < 1e-12, "{found}");
}

#[test]
fn composite_density_at_its_limits() {
    let (linked, unlinked) = (counts(10, 10, 1, 1), counts(10, 0, 0, 0));
    let zero = Counts::default();
    for page in [linked, unlinked, zero] {
        assert_eq!(composite(&zero, &page), 0.0);
        assert_eq!(composite(&counts(0, 0, 9, 1), &page), 0.0);
    }
    assert_eq!(composite(&linked, &linked), 0.0);
    assert_eq!(composite(&unlinked, &unlinked), f64::INFINITY);
    // C · T = 1: the logarithm of 1 to base 1.
    assert_eq!(composite(&counts(1, 0, 1, 0), &unlinked), f64::INFINITY);
}

#[test]
fn sums_and_neighbours() {
    let doc = elements(&[
        (0, Tag::Html, 0),
        (1, Tag::Body, 0),
        (2, Tag::P, 0),
        (2, Tag::Script, 0),
        (2, Tag::Div, 0),
        (3, Tag::A, 0),
        (2, Tag::P, 0),
    ]);
    let densities = [9.0, 9.0, 1.0, 0.0, 2.0, 5.0, 7.0];
    let mut out = vec![3.0];
    density_sums(&doc.tree, &densities, &mut out);
    assert_eq!(out, [9.0, 10.0, 0.0, 0.0, 5.0, 0.0, 0.0]);
    smooth(&doc.tree, &densities, &mut out);
    let four_thirds = 4.0 / 3.0;
    assert_eq!(out, [9.0, 9.0, four_thirds, 0.0, 3.0, 5.0, 16.0 / 3.0]);
}

#[test]
fn elements_inside_links_count_as_links_on_request() {
    let doc = segment(
        "<body><p>text <a>link <b>bold</b></a></p><ul><li><a>one</a></li><li><a>two</a></li></ul>\
         <div><a>three</a> more</div></body>",
    );
    let mut found = counts_of(&doc);
    let of = |counts: &[Counts], tag: Tag| {
        let at = doc.tree.elements.iter().position(|e| e.tag == tag);
        counts[at.unwrap()].linked_tags
    };
    assert_eq!(
        [Tag::P, Tag::A, Tag::Ul, Tag::Div].map(|t| of(&found, t)),
        [1, 0, 2, 1]
    );
    count_linked_elements(&doc.tree, &mut found);
    // The bold word in the first link; then both items, which contain only a link.
    assert_eq!(
        [Tag::P, Tag::A, Tag::Ul, Tag::Div].map(|t| of(&found, t)),
        [2, 1, 4, 1]
    );
    // p, a, b; ul and its four, and ul itself, as all in it is linked; the last link.
    assert_eq!(of(&found, Tag::Body), 2 + 5 + 1);
}

#[test]
fn sums_with_text_by_hand() {
    let doc = segment(
        "<body><div>abcd<p>one</p>efg<p>three</p>h</div><p>leaf<script>x</script></p></body>",
    );
    let densities: Vec<f64> = counts_of(&doc).iter().map(text_density).collect();
    let mut sums = Vec::new();
    density_sums_with_text(&doc, &densities, |chars| f64::from(chars) * 10.0, &mut sums);
    let of = |tag: Tag| sums[doc.tree.elements.iter().position(|e| e.tag == tag).unwrap()];
    assert_eq!(of(Tag::Div), 3.0 + 5.0 + 10.0 * (4.0 + 3.0 + 1.0));
    assert_eq!(sums[3], 3.0, "a leaf's sum is its density");
    let last = doc.tree.elements.iter().rposition(|e| e.tag == Tag::P);
    assert_eq!(sums[last.unwrap()], 4.0, "scripts are no children");
}

fn equals_the_recursive_definition(doc: &Document) {
    let root = Node::of(doc, 0, false);
    let page = root.children.iter().find(|c| c.tag == Tag::Body);
    let page = page.unwrap_or(&root);
    let found = counts_of(doc);
    let plain: Vec<_> = found.iter().map(text_density).collect();
    let composite: Vec<_> = found
        .iter()
        .map(|own| composite(own, &found[page.id]))
        .collect();
    type Density<'a> = &'a dyn Fn(&Node) -> f64;
    let densities: [(&[f64], Density<'_>); 2] = [
        (&plain, &Node::text_density),
        (&composite, &|n| n.composite_text_density(page)),
    ];
    for (found, slow) in densities {
        let (mut sums, mut smoothed) = (vec![], vec![]);
        density_sums(&doc.tree, found, &mut sums);
        smooth(&doc.tree, found, &mut smoothed);
        let mut expected = found.to_vec();
        root.smooth(slow, &mut expected);
        root.each(&mut |node| {
            let i = node.id;
            assert_eq!(found[i], slow(node), "density of element {i}");
            assert_eq!(sums[i], node.density_sum(slow), "sum of element {i}");
            assert_eq!(smoothed[i], expected[i], "smoothed density of element {i}");
        });
    }
    root.each(&mut |node| {
        assert_eq!(found[node.id].linked_chars, node.linked_chars());
        assert_eq!(found[node.id].linked_tags, node.linked_tags());
    });
}

#[test]
fn pages_equal_the_recursive_definition() {
    for (name, doc) in pages() {
        println!("{name}");
        equals_the_recursive_definition(&doc);
    }
}

proptest! {
    #[test]
    fn trees_equal_the_recursive_definition(doc in any_tree()) {
        equals_the_recursive_definition(&doc);
    }

    #[test]
    fn densities_are_numbers_and_not_negative(
        [chars, linked, tags, links, rest] in any::<[u32; 5]>(),
    ) {
        let own = counts(chars, linked.min(chars), tags, links.min(tags));
        let page = counts(chars.saturating_add(rest), own.linked_chars.max(rest / 2), tags, links);
        prop_assert!(composite(&own, &page) >= 0.0);
    }
}

fn at(x: f32, width: f32) -> ElementBox {
    ElementBox {
        x,
        width,
        height: 10.0,
        visible: true,
        ..ElementBox::default()
    }
}

fn laid_out(boxes: Vec<Option<ElementBox>>) -> Layout {
    Layout {
        boxes,
        status: LayoutStatus::Done,
        ..Layout::default()
    }
}

#[test]
fn importance_is_the_share_of_the_normal_distribution() {
    let hidden = ElementBox {
        visible: false,
        ..at(0.0, 5000.0)
    };
    // The root does not count, and neither do hidden elements.
    let page = vec![
        Some(at(0.0, 9000.0)),
        Some(at(100.0, 800.0)),
        None,
        Some(hidden),
    ];
    let importance = VisualImportance::new(&laid_out(page));
    assert_eq!(importance.widest, (100.0, 800.0));
    // From a table of the normal distribution: its mean is 500, its deviation 400.
    for (x, width, expected) in [
        (100.0, 800.0, 0.682_689),
        (500.0, 400.0, 0.341_345),
        (300.0, 400.0, 0.382_925),
        (900.0, 400.0, 0.135_905),
        (-9000.0, 20_000.0, 1.0),
        (5000.0, 100.0, 0.0),
        (500.0, 0.0, 0.0),
        (f32::NAN, 9.0, 0.0),
        (0.0, f32::INFINITY, 0.0),
    ] {
        let found = importance.of(&at(x, width));
        assert!((found - expected).abs() < 2e-6, "{x} {width}: {found}");
    }
    assert_eq!(importance.of(&hidden), 0.0);
    let flat = ElementBox {
        height: 0.0,
        ..at(100.0, 800.0)
    };
    assert_eq!(importance.of(&flat), 0.0);
    let nothing = VisualImportance::new(&laid_out(vec![Some(at(0.0, 100.0)); 1]));
    assert_eq!(nothing.of(&at(0.0, 100.0)), 0.0);
}

#[test]
fn hybrid_characters_by_hand() {
    // html, body, div with own text and a half-width link in it, a script, a hidden p.
    let mut doc = elements(&[
        (0, Tag::Html, 0),
        (1, Tag::Body, 0),
        (2, Tag::Div, 100),
        (3, Tag::A, 10),
        (2, Tag::Script, 50),
        (2, Tag::P, 70),
        (2, Tag::Span, 30),
    ]);
    let hidden = ElementBox {
        visible: false,
        ..at(0.0, 1000.0)
    };
    let boxes = vec![
        None,
        Some(at(0.0, 1000.0)),
        Some(at(0.0, 1000.0)),
        Some(at(500.0, 500.0)),
        None,
        Some(hidden),
        None,
    ];
    doc.layout = Some(Box::new(laid_out(boxes)));
    let mut hybrid = vec![9.0];
    hybrid_chars(&doc, doc.boxes().unwrap(), &mut hybrid);
    let [full, half] = [0.682_689, 0.341_345];
    let div = 100.0 * full + 10.0 * half;
    // The span without a box has its parent's importance.
    let body = div + 30.0 * full;
    let expected = [body, body, div, 10.0 * half, 0.0, 0.0, 30.0 * full];
    for (found, expected) in hybrid.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-3, "{found} {expected}");
    }
}

#[test]
fn hybrid_density_by_hand() {
    let page = counts(1000, 500, 90, 30);
    let density = HybridTextDensity::new(&page, 400.0);
    // 60/4 · ln(60/20 · 4/1) / ln ln(60/80 · 20 + 500/400 · 60 + e)
    let found = density.of(&counts(100, 20, 4, 1), 60.0);
    assert!((found - 24.674_273_028_337).abs() < 1e-9, "{found}");
    // T := 15/50 = .3: 15/.3 · ln(15 · .3) / ln ln(1.25 · 15 + e)
    let found = density.of(&counts(50, 0, 0, 0), 15.0);
    assert!((found - 67.112_647_001_928).abs() < 1e-9, "{found}");
    // The logarithm of .9 · .9 would be negative.
    assert_eq!(density.of(&counts(1, 0, 0, 0), 0.9), 0.0);
    assert_eq!(density.of(&counts(50, 0, 0, 0), 0.0), 0.0);
    // The body is invisible, but something in it is visible: no page may lead to a denominator of
    // 0.
    let unseen = HybridTextDensity::new(&page, 0.0).of(&counts(50, 5, 1, 1), 50.0);
    assert!(unseen > 0.0 && unseen.is_finite());
}

fn hybrid_equals_the_recursive_definition(doc: &Document) {
    let layout = doc.boxes().unwrap();
    let root = Node::of(doc, 0, false);
    let page = root.children.iter().find(|c| c.tag == Tag::Body).unwrap();
    let importance = VisualImportance::new(layout);
    let (x, width) = importance.widest;
    let of = |mut id: usize| loop {
        match &layout.boxes[id] {
            Some(own) => return importance.of(own),
            None if id == 0 => return importance.of(&at(x as f32, width as f32)),
            None => id = doc.tree.elements[id].parent as usize,
        }
    };
    let counts = counts_of(doc);
    let mut hybrid = vec![7.0];
    hybrid_chars(doc, layout, &mut hybrid);
    let density = HybridTextDensity::new(&counts[page.id], hybrid[page.id]);
    root.each(&mut |node| {
        let i = node.id;
        assert_eq!(hybrid[i], node.hybrid_chars(&of), "characters of {i}");
        let slow = node.hybrid_text_density(page, &of);
        assert_eq!(density.of(&counts[i], hybrid[i]), slow, "density of {i}");
    });
}

proptest! {
    #[test]
    fn hybrid_density_equals_the_recursive_definition(doc in any_laid_out_tree()) {
        hybrid_equals_the_recursive_definition(&doc);
    }

    #[test]
    fn hybrid_density_is_composite_density_where_all_is_important(doc in any_tree()) {
        let counts = counts_of(&doc);
        let (composite, hybrid) = (
            CompositeTextDensity::new(&counts[1]),
            HybridTextDensity::new(&counts[1], f64::from(counts[1].chars)),
        );
        for own in &counts {
            prop_assert_eq!(hybrid.of(own, f64::from(own.chars)), composite.of(own));
        }
    }

    #[test]
    fn importance_is_the_integral(x in -2000f32..3000.0, width in 0f32..3000.0) {
        let importance = VisualImportance { widest: (100.0, 800.0) };
        // Eq. 3 by the rule of midpoints.
        let (steps, mut sum) = (20_000, 0.0);
        for i in 0..steps {
            let at = f64::from(x) + f64::from(width) * (f64::from(i) + 0.5) / f64::from(steps);
            let z = (at - 500.0) / 400.0;
            sum += (-z * z / 2.0).exp();
        }
        let width_of_step = f64::from(width) / f64::from(steps) / 400.0;
        let expected = sum * width_of_step / (2.0 * std::f64::consts::PI).sqrt();
        let found = importance.of(&at(x, width));
        prop_assert!((found - expected).abs() < 1e-5, "{found} {expected}");
    }
}
