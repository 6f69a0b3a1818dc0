use super::*;
use crate::Segmentation;
use crate::tests::segmented;
use proptest::prelude::*;

/// The outlines of a page's blocks.
fn outlines(doc: &Document) -> Vec<(String, String, Option<String>)> {
    let mut outline = Outline::default();
    (0..doc.blocks.len())
        .map(|i| {
            outline.block(doc, i);
            let Outline {
                tree, attributes, ..
            } = &outline;
            (
                tree.clone(),
                attributes.clone(),
                outline.preformatted.clone(),
            )
        })
        .collect()
}

/// The document that is restored from its outlines.
fn restored(doc: &Document, with_attributes: bool) -> Document {
    let (mut restorer, mut rebuilt) = (Restorer::default(), Document::default());
    for _ in 0..2 {
        restorer.begin(&mut rebuilt);
        for (block, (tree, attributes, preformatted)) in doc.blocks.iter().zip(outlines(doc)) {
            let outline = OutlineBlock {
                text: doc.block_text(block),
                tree: &tree,
                attributes: if with_attributes { &attributes } else { "" },
                preformatted: preformatted.as_deref(),
                counts: block.clone(),
            };
            restorer.add(&mut rebuilt, outline).unwrap();
        }
        restorer.end(&mut rebuilt);
    }
    rebuilt
}

/// Checks that the outlines of a page's blocks restore the page.
pub fn check(doc: &Document) {
    let rebuilt = restored(doc, true);
    assert_eq!(rebuilt.text, doc.text);
    assert_eq!(rebuilt.blocks, doc.blocks);
    assert_eq!(rebuilt.runs, doc.runs);
    assert_eq!(rebuilt.preformatted.blocks, doc.preformatted.blocks);
    assert!(
        doc.preformatted
            .text
            .starts_with(&rebuilt.preformatted.text)
    );
    if doc.blocks.is_empty() {
        return;
    }
    let shape = |doc: &Document| -> Vec<_> {
        let elements = doc.tree.elements.iter();
        elements
            .map(|e| (e.tag, e.parent, e.end, doc.attributes(e).to_owned()))
            .collect()
    };
    assert_eq!(shape(&rebuilt), shape(doc));
    let bare = restored(doc, false);
    assert_eq!(bare.blocks, doc.blocks);
    assert!(bare.tree.attrs.is_empty());
}

#[test]
fn an_outline_is_as_documented() {
    let html = "<html lang=en><body><p class=\"a b\">one <b>two</b> three<ul id=x><li>four</ul>";
    let doc = segmented(html, Segmentation::Inline);
    let outlines = outlines(&doc);
    let at = |i: usize| (outlines[i].0.as_str(), outlines[i].1.as_str());
    assert_eq!(
        at(0),
        ("<html<body<p.4<b.4>.", "0:7 2:11\nlang=enclass=\"a b\"")
    );
    assert_eq!(at(1), ("><ul<li.", "0:4\nid=x"));
    check(&doc);
}

#[test]
fn preformatted_text_keeps_its_white_space() {
    let doc = segmented("<pre>\n  a\n\n  b<br>c</pre>d", Segmentation::Inline);
    let outlines = outlines(&doc);
    assert_eq!(outlines[0].2.as_deref(), Some("\n  a\n\n  b"));
    assert_eq!(
        (&*outlines[1].0, outlines[1].2.as_deref()),
        ("<br>._1", Some("\nc"))
    );
    assert_eq!(outlines[2].2, None);
    check(&doc);
}

#[test]
fn what_no_page_has_is_refused() {
    for tree in [
        "",
        "p.",
        "<html",
        ".",
        ">.",
        "<no-such-tag.",
        "<html.9",
        "<html.1",
        "<html.1..",
        "<html._",
        "<html._1",
        "<html.99999999999",
        "<html.1.0.",
        "<html!.",
        "é",
    ] {
        let (mut restorer, mut doc) = (Restorer::default(), Document::default());
        restorer.begin(&mut doc);
        let block = OutlineBlock {
            text: "aé",
            tree,
            ..OutlineBlock::default()
        };
        assert!(restorer.add(&mut doc, block).is_err(), "{tree}");
    }
    for attributes in ["x", "0\n", "0:\na", "0:2\na", "0:1\né"] {
        let (mut restorer, mut doc) = (Restorer::default(), Document::default());
        restorer.begin(&mut doc);
        let block = OutlineBlock {
            text: "a",
            tree: "<html.",
            attributes,
            ..OutlineBlock::default()
        };
        assert!(restorer.add(&mut doc, block).is_err(), "{attributes}");
    }
}

proptest! {
    #[test]
    fn nothing_panics(
        blocks in prop::collection::vec(("[aé]{0,4}", "[<>._:0-9aphtml]{0,30}", "[0-9: a\n]{0,12}", any::<Option<String>>()), 0..5),
    ) {
        let (mut restorer, mut doc) = (Restorer::default(), Document::default());
        restorer.begin(&mut doc);
        for (text, tree, attributes, preformatted) in &blocks {
            let block = OutlineBlock {
                text,
                tree,
                attributes,
                preformatted: preformatted.as_deref(),
                ..OutlineBlock::default()
            };
            if restorer.add(&mut doc, block).is_err() {
                return Ok(());
            }
        }
        restorer.end(&mut doc);
        prop_assert_eq!(doc.blocks.len(), blocks.len());
    }
}
