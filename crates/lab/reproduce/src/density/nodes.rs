//! Figures 3, 4 and 6: the densities of a page's elements, in document order.

use crate::plot::{columns, frame};
use crate::{Job, Result, data, number};
use std::ops::Range;
use warcsieve_extract::Pipeline;
use warcsieve_features::density::{
    CompositeTextDensity, Counts, HybridTextDensity, count, hybrid_chars, text_density,
};
use warcsieve_html::document::Document;
use warcsieve_html::layout::{ElementBox, Layout, LayoutStatus};
use warcsieve_html::{ElementId, Tag};

/// A page that resembles the one in Fig. 1.
const PAGE: &str = include_str!("../../data/density/page.html");
/// The place of the page on the screen: left edge, upper edge, width and height.
const WHOLE: [f32; 4] = [0.0, 0.0, 1000.0, 970.0];

/// A part of the page: its name and its elements.
type Part = (&'static str, Range<ElementId>);

/// The page, laid out, and its parts.
fn page() -> Result<(Document, Vec<Part>)> {
    let mut doc = Document::default();
    let mut segmenter = Pipeline::built_in(&warcsieve_papers::METHODS, "cectd")?.segmenter();
    segmenter.segment_html(PAGE, &mut doc)?;
    let body = body(&doc)?;
    let elements = (0..).zip(&doc.tree.elements);
    let parts = elements.filter(|(id, e)| e.parent == body && *id > body);
    let parts: Vec<_> = parts.map(|(id, e)| id..e.end).collect();
    let mut places = vec![WHOLE; doc.tree.elements.len()];
    let mut named = Vec::new();
    for ([name, place @ ..], part) in data!("density/parts.tsv")?.rows::<5>()?.iter().zip(parts) {
        let mut edges = WHOLE;
        for (edge, cell) in edges.iter_mut().zip(place) {
            *edge = number(cell)? as f32;
        }
        places[part.start as usize..part.end as usize].fill(edges);
        named.push((*name, part));
    }
    let boxes = places.into_iter().map(|[x, y, width, height]| {
        Some(ElementBox {
            x,
            y,
            width,
            height,
            visible: true,
            ..ElementBox::default()
        })
    });
    doc.layout = Some(Box::new(Layout {
        boxes: boxes.collect(),
        status: LayoutStatus::Done,
        ..Layout::default()
    }));
    Ok((doc, named))
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

/// Draws the figures.
pub fn draw(job: &Job) -> Result {
    let (doc, parts) = page()?;
    let figures = [
        ("3", "Text density"),
        ("4", "Composite text density"),
        ("6", "Hybrid text density"),
    ];
    for ((number, name), densities) in figures.into_iter().zip(densities(&doc)?) {
        let layers = parts.iter().map(|(part, range)| {
            let own = (0..).zip(&densities);
            let own = own.map(|(id, density)| if range.contains(&id) { *density } else { 0.0 });
            ((*part).to_owned(), own.collect())
        });
        let title = format!("Figure {number}: {name} of each element");
        let frame = frame(&title, "elements in document order", "density");
        let plot = columns(&frame, &layers.collect::<Vec<_>>(), &[]);
        job.plot(&format!("text-density/figure-{number}.svg"), &plot)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page's statements about its figures.
    #[test]
    fn the_figures_are_as_the_page_says() {
        let (doc, parts) = page().unwrap();
        let [plain, composite, hybrid] = densities(&doc).unwrap();
        let most = |of: &[f64], part: usize| {
            let range = parts[part].1.start as usize..parts[part].1.end as usize;
            of[range].iter().copied().fold(0.0, f64::max)
        };
        assert_eq!(parts.len(), 5);
        for links in [0, 1, 3] {
            assert!(most(&composite, links) < most(&plain, links) / 3.0);
        }
        assert!(most(&composite, 4) > 10.0);
        for of in [&plain, &composite, &hybrid] {
            assert!(most(of, 2) > most(of, 4));
        }
        for part in 0..parts.len() {
            assert!(most(&hybrid, part) < most(&composite, part));
        }
        let share = |part: usize| most(&hybrid, part) / most(&composite, part);
        assert!((0..parts.len() - 1).all(|part| share(part) < share(4)));
    }
}
