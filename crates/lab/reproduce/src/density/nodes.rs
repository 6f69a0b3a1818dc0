//! Figures 3, 4 and 6: the densities of a page's elements, in document order.

use crate::Result;
use crate::plot::{Frame, columns};
use std::path::Path;
use warcsieve_extract::Pipeline;
use warcsieve_features::density::{
    CompositeTextDensity, Counts, HybridTextDensity, count, hybrid_chars, text_density,
};
use warcsieve_html::document::Document;
use warcsieve_html::layout::{ElementBox, Layout, LayoutStatus};
use warcsieve_html::{ElementId, Tag};

/// Width of the page in pixels.
const WIDTH: f32 = 1000.0;

/// The parts of a page like that of Fig. 1, each with its place on the screen: left edge, upper
/// edge, width and height.
fn parts() -> [(&'static str, [f32; 4], String); 5] {
    let links = |names: &[&str]| -> String {
        let items = names
            .iter()
            .map(|name| format!("<li><a href=/>{name}</a></li>"));
        format!("<ul>{}</ul>", items.collect::<String>())
    };
    let sentence = "The bridge was closed for the winter, and the ferry that took its place left twice a day. ";
    let paragraphs: String = [4, 6, 3, 5]
        .iter()
        .map(|sentences| {
            format!(
                "<p>{}<a href=/>The timetable</a></p>",
                sentence.repeat(*sentences)
            )
        })
        .collect();
    let menu = ["Home", "World", "Companies", "Markets", "Comment", "Life"];
    let teasers = [
        "Ferries to the islands are full until spring",
        "What the closed bridge costs the town in a week",
        "Five towns that live without a bridge",
    ];
    let terms = "Copyright of the publisher. You may share this article by its tools, but not cut it from the page \
         or send it by mail or post it elsewhere.";
    [
        ("menu", [0.0, 0.0, WIDTH, 30.0], links(&menu)),
        ("sections", [0.0, 30.0, 160.0, 900.0], links(&menu)),
        (
            "article",
            [180.0, 30.0, 600.0, 900.0],
            format!(
                "<h1>The town without a bridge</h1><div>By a reporter</div><div>{paragraphs}</div>"
            ),
        ),
        ("teasers", [800.0, 30.0, 200.0, 900.0], links(&teasers)),
        (
            "footer",
            [0.0, 930.0, WIDTH, 40.0],
            format!("<p>{terms}</p>{}", links(&["Terms", "Privacy"])),
        ),
    ]
}

/// The page, laid out, and the range of elements of each part.
fn page() -> Result<(Document, Vec<std::ops::Range<ElementId>>)> {
    let parts = parts();
    let html: String = parts
        .iter()
        .map(|(_, _, html)| format!("<div>{html}</div>"))
        .collect();
    let mut doc = Document::default();
    let segmenter = Pipeline::built_in(&warcsieve_papers::METHODS, "cectd")?;
    segmenter
        .segmenter()
        .segment_html(&format!("<body>{html}</body>"), &mut doc)?;
    let body = body(&doc)?;
    let elements = (0..).zip(&doc.tree.elements);
    let ranges = elements.filter(|(id, e)| e.parent == body && *id > body);
    let ranges: Vec<_> = ranges.map(|(id, e)| id..e.end).collect();
    let boxes = (0..doc.tree.elements.len() as ElementId).map(|id| {
        let part = ranges.iter().position(|range| range.contains(&id));
        let place = part.map_or([0.0, 0.0, WIDTH, 970.0], |part| parts[part].1);
        let [x, y, width, height] = place;
        Some(ElementBox {
            x,
            y,
            width,
            height,
            visible: true,
            ..ElementBox::default()
        })
    });
    let boxes = boxes.collect();
    doc.layout = Some(Box::new(Layout {
        boxes,
        status: LayoutStatus::Done,
        ..Layout::default()
    }));
    Ok((doc, ranges))
}

fn body(doc: &Document) -> Result<ElementId> {
    let body = doc.tree.elements.iter().position(|e| e.tag == Tag::Body);
    Ok(body.ok_or("no body")? as ElementId)
}

/// Text density, composite and hybrid text density of all elements.
fn densities(doc: &Document) -> Result<[Vec<f64>; 3]> {
    let mut counts = Vec::new();
    count(doc, &mut counts);
    let layout = doc.boxes().ok_or("no layout")?;
    let mut hybrid = Vec::new();
    hybrid_chars(doc, layout, &mut hybrid);
    let body = body(doc)? as usize;
    let composite = CompositeTextDensity::new(&counts[body]);
    let weighed = HybridTextDensity::new(&counts[body], hybrid[body]);
    let each = |of: &dyn Fn(&Counts) -> f64| counts.iter().map(of).collect::<Vec<f64>>();
    let both = counts.iter().zip(&hybrid);
    Ok([
        each(&text_density),
        each(&|own| composite.of(own)),
        both.map(|(own, hybrid)| weighed.of(own, *hybrid)).collect(),
    ])
}

pub fn section(folder: &Path) -> Result<String> {
    let (doc, ranges) = page()?;
    let mut text = HEAD.to_owned();
    let figures = [
        ("3", "Text density"),
        ("4", "Composite text density"),
        ("6", "Hybrid text density"),
    ];
    for ((number, name), densities) in figures.into_iter().zip(densities(&doc)?) {
        let layers: Vec<_> = parts()
            .iter()
            .zip(&ranges)
            .map(|((part, ..), range)| {
                let own = (0..)
                    .zip(&densities)
                    .map(|(id, density)| match range.contains(&id) {
                        true => *density,
                        false => 0.0,
                    });
                ((*part).to_owned(), own.collect::<Vec<f64>>())
            })
            .collect();
        let title = format!("Figure {number}: {name} of each element");
        let frame = Frame {
            title: &title,
            x: "elements in document order",
            y: "density",
        };
        let file = format!("figure-{number}.svg");
        columns(&folder.join(&file), &frame, &layers, &[])?;
        text += &format!("\n![Figure {number}](text-density/{file})\n");
    }
    Ok(text)
}

const HEAD: &str = "\n## Figures 3, 4 and 6: density by element\n
The paper draws the densities of all nodes of one page of the Financial Times, which is not available to us. The figures here are of a page that was made for this purpose \
(`crates/lab/reproduce/src/density/nodes.rs`), of the same form: a menu, a column of sections, an article, a column of teasers, and a footer with terms. \
`html` and `body` are left out. As in the paper, composite density is lower than plain density in menus and teasers, and the terms of the footer still stand out. \
Hybrid density is lower everywhere, because no box has all of the attention. It is lowered least in the footer, whose box is the widest. Figures 1, 2 and 5 of the paper have nothing to measure: they show that page, the tree of a part of it, \
and how Eq. 3 cuts an area out of a bell curve.\n";

#[cfg(test)]
mod tests {
    use super::*;

    /// What the page says of its figures.
    #[test]
    fn the_figures_are_as_the_page_says() {
        let (doc, ranges) = page().unwrap();
        let [plain, composite, hybrid] = densities(&doc).unwrap();
        let most = |of: &[f64], part: usize| {
            let range = ranges[part].start as usize..ranges[part].end as usize;
            of[range].iter().copied().fold(0.0, f64::max)
        };
        assert_eq!(ranges.len(), parts().len());
        for links in [0, 1, 3] {
            assert!(most(&composite, links) < most(&plain, links) / 3.0);
        }
        assert!(most(&composite, 4) > 10.0);
        for of in [&plain, &composite, &hybrid] {
            assert!(most(of, 2) > most(of, 4));
        }
        for part in 0..ranges.len() {
            assert!(most(&hybrid, part) < most(&composite, part));
        }
        let share = |part: usize| most(&hybrid, part) / most(&composite, part);
        assert!((0..ranges.len() - 1).all(|part| share(part) < share(4)));
    }
}
