use super::*;
use proptest::prelude::*;
use warcsieve_fixture::density::Node;
use warcsieve_fixture::elements;
use warcsieve_fixture::trees::{any_tree, pages, segment};

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
