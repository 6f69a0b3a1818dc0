//! Features of a page's layout by which its genre is detected: lists look like lists.
//!
//! Song, Sun, Liao and Nguyen-Hoang et al. use rendered pages, the latter with networks. These features are not from
//! their papers. A *text box* is the box of the deepest element that holds a block, if it is visible and has an area.

use super::genre::GenreFeature;
use libm::log1p;
use warcsieve_html::Tag;
use warcsieve_html::document::{Block, Document};
use warcsieve_html::layout::{ElementBox, Layout};

/// How many features there are.
pub const COUNT: usize = 24;

/// Bins of widths of text boxes, each a ninth of the window.
const BINS: usize = 9;

const fn number(name: &'static str, about: &'static str) -> GenreFeature {
    GenreFeature { name, about }
}

/// The features in the order of [`numbers`]. Sizes and counts are ln(1 + n), the others are shares.
pub static NUMBERS: [GenreFeature; COUNT] = [
    number("page_height", "height of the page in pixels"),
    number(
        "width_0",
        "characters in text boxes of up to a ninth of the window's width",
    ),
    number("width_1", "characters in text boxes of up to two ninths"),
    number("width_2", "characters in text boxes of up to three ninths"),
    number("width_3", "characters in text boxes of up to four ninths"),
    number("width_4", "characters in text boxes of up to five ninths"),
    number("width_5", "characters in text boxes of up to six ninths"),
    number("width_6", "characters in text boxes of up to seven ninths"),
    number("width_7", "characters in text boxes of up to eight ninths"),
    number("width_8", "characters in wider text boxes"),
    number("text_boxes", "text boxes"),
    number("image_boxes", "images that take place"),
    number("image_area", "their area in pixels"),
    number("text_area", "area of the text boxes in pixels"),
    number("largest_font", "largest font size of a text box"),
    number("mean_font", "mean font size, by characters"),
    number("font_sizes", "different font sizes of text boxes"),
    number("linked_chars", "share of characters in links"),
    number(
        "linked_boxes",
        "share of text boxes most of whose text is linked",
    ),
    number(
        "linked_area",
        "share of the text boxes' area that these have",
    ),
    number(
        "repeated",
        "share of text boxes as wide and high as another",
    ),
    number(
        "aligned",
        "share of text boxes that begin at the most frequent left edge",
    ),
    number("hidden_chars", "share of characters that cannot be seen"),
    number("css_missing", "style sheets that were not at hand"),
];

/// The features of a page; all are 0 if it has no layout.
pub fn numbers(doc: &Document) -> [f64; COUNT] {
    match doc.boxes() {
        Some(layout) => of(doc, layout),
        None => [0.0; COUNT],
    }
}

fn of(doc: &Document, layout: &Layout) -> [f64; COUNT] {
    let seen = |b: &ElementBox| b.visible && b.width > 0.0 && b.height > 0.0;
    let area = |b: &ElementBox| f64::from(b.width) * f64::from(b.height);
    let mut bins = [0.0; BINS];
    let [mut linked, mut hidden, mut all, mut fonts] = [0.0; 4];
    let [mut boxes_area, mut linked_area, mut linked_boxes] = [0.0; 3];
    let mut boxes: Vec<&ElementBox> = Vec::new();
    for block in &doc.blocks {
        let Block {
            chars,
            linked_chars,
            ..
        } = block;
        let (chars, in_links) = (f64::from(*chars), f64::from(*linked_chars));
        all += chars;
        linked += in_links;
        let Some(own) = layout.of(block.element).filter(|own| seen(own)) else {
            hidden += chars;
            continue;
        };
        let ninth = own.width * BINS as f32 / layout.viewport_width.max(1) as f32;
        bins[(ninth.ceil() as usize).clamp(1, BINS) - 1] += chars;
        fonts += chars * f64::from(own.font_size);
        boxes_area += area(own);
        if 2.0 * in_links > chars {
            linked_boxes += 1.0;
            linked_area += area(own);
        }
        boxes.push(own);
    }
    let elements = (0..).zip(&doc.tree.elements);
    let images = elements.filter(|(_, e)| e.tag == Tag::Img);
    let images = images.filter_map(|(i, _)| layout.of(i).filter(|own| seen(own)));
    let (image_boxes, image_area) =
        images.fold((0.0, 0.0), |(n, sum), own| (n + 1.0, sum + area(own)));
    let count = boxes.len() as f64;
    let largest = boxes.iter().map(|b| f64::from(b.font_size));
    let largest = largest.fold(0.0, f64::max);
    let sizes = groups(&boxes, |b| [b.width, b.height]);
    let repeated: usize = sizes.iter().filter(|n| **n > 1).sum();
    let aligned = groups(&boxes, |b| [b.x, 0.0]).into_iter().max();
    let font_sizes = groups(&boxes, |b| [b.font_size, 0.0]).len() as f64;
    let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
    let mut numbers = [0.0; COUNT];
    numbers[0] = log1p(f64::from(layout.page_height.max(0.0)));
    for (number, chars) in numbers[1..].iter_mut().zip(bins) {
        *number = log1p(chars);
    }
    numbers[1 + BINS..].copy_from_slice(&[
        log1p(count),
        log1p(image_boxes),
        log1p(image_area),
        log1p(boxes_area),
        log1p(largest),
        log1p(share(fonts, all - hidden)),
        log1p(font_sizes),
        share(linked, all),
        share(linked_boxes, count),
        share(linked_area, boxes_area),
        share(repeated as f64, count),
        share(aligned.unwrap_or(0) as f64, count),
        share(hidden, all),
        log1p(f64::from(layout.css_missing)),
    ]);
    numbers
}

/// How many boxes have each value, to the pixel.
fn groups(boxes: &[&ElementBox], value: impl Fn(&ElementBox) -> [f32; 2]) -> Vec<usize> {
    let mut values: Vec<[i64; 2]> = boxes
        .iter()
        .map(|own| value(own).map(|n| n.round() as i64))
        .collect();
    values.sort_unstable();
    values.chunk_by(|a, b| a == b).map(<[_]>::len).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use warcsieve_fixture::trees::segment;
    use warcsieve_html::layout::LayoutStatus;

    #[test]
    fn a_page_without_layout_has_none() {
        assert_eq!(numbers(&segment("<p>text")), [0.0; COUNT]);
    }

    #[test]
    fn numbers_by_hand() {
        let mut doc = segment(
            "<body><p>1234567890</p><p>12345</p><p><a>12345</a></p><p>12345</p><img src=a>",
        );
        let own = |x, width, font_size, visible| {
            Some(ElementBox {
                x,
                y: 0.0,
                width,
                height: 10.0,
                font_size,
                visible,
            })
        };
        // html, body, p, p, p, a, p, img
        let boxes = vec![
            None,
            own(0.0, 900.0, 16.0, true),
            own(0.0, 900.0, 32.0, true),
            own(10.0, 100.0, 16.0, true),
            own(10.0, 200.0, 16.0, true),
            own(10.0, 100.4, 16.0, true),
            own(10.0, 100.0, 16.0, false),
            own(0.0, 20.0, 16.0, true),
        ];
        assert_eq!(boxes.len(), doc.tree.elements.len());
        doc.layout = Some(Box::new(Layout {
            boxes,
            viewport_width: 900,
            page_height: 99.0,
            css_missing: 1,
            status: LayoutStatus::Done,
            ..Layout::default()
        }));
        let found = numbers(&doc);
        let value = |name: &str| {
            let at = NUMBERS.iter().position(|n| n.name == name);
            found[at.unwrap()]
        };
        let about = |name: &str, expected: f64| {
            let found = value(name);
            assert!((found - expected).abs() < 1e-6, "{name}: {found}");
        };
        about("page_height", 100f64.ln());
        about("width_0", 6f64.ln());
        about("width_1", 6f64.ln());
        about("width_8", 11f64.ln());
        about("text_boxes", 4f64.ln());
        about("image_boxes", 2f64.ln());
        about("image_area", 201f64.ln());
        about("largest_font", 33f64.ln());
        about("mean_font", 25f64.ln());
        about("font_sizes", 3f64.ln());
        about("linked_chars", 0.2);
        about("linked_boxes", 1.0 / 3.0);
        about("linked_area", 1004.0 / 11_004.0);
        about("repeated", 2.0 / 3.0);
        about("aligned", 2.0 / 3.0);
        about("hidden_chars", 0.2);
        about("css_missing", 2f64.ln());
    }
}
