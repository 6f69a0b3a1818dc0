use super::*;
use proptest::prelude::*;

const SMALL: &str = "format = 1
classes = [\"boilerplate\", \"content\"]
rules = '''
link_density <= 0.333333
# a note

| words <= 16: boilerplate (900, 100)
| words > 16: content (20, 4000)
link_density > 0.333333: boilerplate
'''
";

#[test]
fn a_small_tree() {
    let tree = DecisionTree::parse(SMALL).unwrap();
    assert_eq!(tree.features(), ["link_density", "words"]);
    assert_eq!(tree.leaf(&[0.333_333, 16.0]).weights, [900, 100]);
    assert_eq!(tree.leaf(&[0.333_333, 16.5]).class, 1);
    assert_eq!(tree.leaf(&[0.4, 99.0]).weights, [0, 0]);
    assert_eq!(tree.leaf(&[0.4, 99.0]).share(0), 1.0);
    assert!(tree.to_text().ends_with("> 0.333333: boilerplate\n'''\n"));
    assert_eq!(tree.leaf(&[0.0, 0.0]).share(1), 0.1);
    assert_eq!(
        tree.to_string(),
        "link_density <= 0.333333\n\
         | words <= 16: boilerplate\n\
         | words > 16: content\n\
         link_density > 0.333333: boilerplate\n"
    );
    assert_eq!(tree.paths()[1], [(0, true, 0.333_333), (1, false, 16.0)]);
}

#[test]
fn errors_name_the_line() {
    let broken = |from: &str, to: &str| {
        assert!(SMALL.contains(from), "{from}");
        let e = DecisionTree::parse(&SMALL.replace(from, to)).unwrap_err();
        (e.line, e.message)
    };
    let cases = [
        ("format = 1", "format = 2", 1, "format 2"),
        ("format = 1", "format = 1\nother = 2", 2, "other"),
        ("\"boilerplate\"", "\"boiler plate\"", 2, "not a valid name"),
        ("\"boilerplate\"", "\"content\"", 2, "twice"),
        ("| words <= 16", "words <= 16", 7, "0 `|`, not 1"),
        ("| words <= 16", "| | words <= 16", 7, "2 `|`, not 1"),
        ("| words <= 16", "| words < 16", 7, "no test"),
        ("| words <= 16", "| words <= many", 7, "`many`"),
        ("| words <= 16", "| words <= inf", 7, "finite"),
        ("| words <= 16", "| words > 16", 7, "before"),
        ("| words > 16", "| words > 17", 8, "words > 16"),
        ("| words > 16", "| words <= 16", 8, "words > 16"),
        ("(20, 4000)", "(20)", 8, "2 classes"),
        ("(20, 4000)", "(20, -1)", 8, "`-1`"),
        ("(20, 4000)", "(20, 18446744073709551615)", 8, "no weight"),
        (": content", ": contents", 8, "`contents`"),
        (
            "link_density > 0.333333: boilerplate\n",
            "",
            8,
            "link_density > 0.333333",
        ),
        (
            "link_density > 0.333333: boilerplate\n",
            "link_density > 0.333333\n",
            9,
            "no rule for",
        ),
        (
            "0.333333: boilerplate\n'''",
            "0.333333: boilerplate\nwords <= 1: content\n'''",
            10,
            "complete",
        ),
    ];
    for (from, to, line, message) in cases {
        let e = broken(from, to);
        assert!(e.0 == line && e.1.contains(message), "{from} → {to}: {e:?}");
    }
}

#[test]
fn hostile_files_are_refused() {
    let file = |rules: &str| format!("format = 1\nclasses = ['a']\nrules = '''\n{rules}'''\n");
    let deep: String = (0..1000).map(|d| "| ".repeat(d) + "x <= 1\n").collect();
    let e = DecisionTree::parse(&file(&deep)).unwrap_err();
    assert_eq!(e.line, 4 + DecisionTree::MAX_DEPTH, "{e}");
    // A complete tree with 2^13 leaves.
    fn full(depth: usize, rules: &mut String) {
        for sign in ["<=", ">"] {
            *rules += &format!("{}x {sign} 1", "| ".repeat(depth));
            if depth == 12 {
                *rules += ": a\n";
            } else {
                rules.push('\n');
                full(depth + 1, rules);
            }
        }
    }
    let mut rules = String::new();
    full(0, &mut rules);
    let e = DecisionTree::parse(&file(&rules)).unwrap_err();
    assert!(e.message.contains("4096 leaves"), "{e}");
    assert!(DecisionTree::from_bytes(b"\xff").is_err());
}

#[derive(Clone, Debug)]
enum Shape {
    Leaf(u8, Vec<u64>),
    Split(String, f32, Box<Shape>, Box<Shape>),
}

fn shape() -> impl Strategy<Value = Shape> {
    let threshold = prop::num::f32::NORMAL | prop::num::f32::ZERO | prop::num::f32::SUBNORMAL;
    let leaf = (0..3u8, prop::collection::vec(0..=MAX_WEIGHT, 3));
    leaf.prop_map(|(class, weights)| Shape::Leaf(class, weights))
        .prop_recursive(6, 40, 2, move |inner| {
            ("[a-c]{1,2}", threshold, inner.clone(), inner)
                .prop_map(|(f, t, l, r)| Shape::Split(f, t, l.into(), r.into()))
        })
}

fn build(shape: &Shape, builder: &mut Builder) {
    match shape {
        Shape::Leaf(class, weights) => builder
            .leaf(Leaf {
                class: *class,
                weights: weights.clone(),
            })
            .unwrap(),
        Shape::Split(feature, threshold, left, right) => {
            builder.split(feature, *threshold).unwrap();
            build(left, builder);
            build(right, builder);
        }
    }
}

proptest! {
    #[test]
    fn a_tree_survives_a_round_trip(
        shape in shape(),
        about in prop::collection::btree_map("\\PC{0,8}", any::<String>(), 0..4),
    ) {
        let classes = ["one", "two", "three"].map(str::to_owned);
        let mut builder = Builder::new(&classes).unwrap();
        build(&shape, &mut builder);
        let mut tree = builder.finish().unwrap();
        tree.about = about;
        let text = tree.to_text();
        prop_assert_eq!(&DecisionTree::parse(&text).unwrap(), &tree, "{}", text);
    }

    #[test]
    fn a_leaf_is_where_its_path_leads(shape in shape(), row in prop::collection::vec(-3.0..3f32, 20)) {
        let mut builder = Builder::new(&["one", "two", "three"].map(str::to_owned)).unwrap();
        build(&shape, &mut builder);
        let tree = builder.finish().unwrap();
        let here = tree.leaf_index(|f| row[f]);
        for (i, path) in tree.paths().iter().enumerate() {
            let holds = path.iter().all(|&(f, below, t)| (row[f] <= t) == below);
            prop_assert_eq!(holds, i == here);
        }
    }

    #[test]
    fn no_text_panics(text in "[ -~\n|]{0,200}", at in 0..200usize) {
        let _ = DecisionTree::parse(&text);
        let mut broken = SMALL.to_owned();
        broken.insert_str(at.min(SMALL.len()), &text);
        let _ = DecisionTree::parse(&broken);
    }
}
