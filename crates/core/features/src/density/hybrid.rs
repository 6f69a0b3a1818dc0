//! Hybrid text density: characters are weighted by their place on the screen (§3.4, Eq. 3 and 4).

use super::{CompositeTextDensity, Counts, at_least_one, is_removed};
use libm::erf;
use std::f64::consts::SQRT_2;
use warcsieve_html::document::Document;
use warcsieve_html::layout::{ElementBox, Layout};

/// How much attention of a reader the place of an element gets (Eq. 3): the share of a normal
/// distribution that lies between its left and right edge. The mean is the middle of the widest
/// element below the root, and the deviation is half its width, so this element gets .683.
///
/// Rounded to multiples of 2⁻²⁰, so that sums of weighted characters are exact in any order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VisualImportance {
    /// Left edge and width of the widest visible element below the root; of equal ones the first.
    /// The width is 0 if there is none.
    pub widest: (f64, f64),
}

const STEPS: f64 = (1u32 << 20) as f64;

impl VisualImportance {
    /// For the elements of one page.
    pub fn new(layout: &Layout) -> Self {
        let mut widest = (0.0, 0.0);
        for own in layout.boxes.iter().skip(1).flatten() {
            let (x, width) = (f64::from(own.x), f64::from(own.width));
            if own.visible && width > widest.1 && width.is_finite() && x.is_finite() {
                widest = (x, width);
            }
        }
        Self { widest }
    }

    /// The importance of an element with that box: 0 if it is not visible, at most 1.
    pub fn of(self, own: &ElementBox) -> f64 {
        let (x, width) = (f64::from(own.x), f64::from(own.width));
        let is_seen = own.visible && width > 0.0 && width.is_finite() && x.is_finite();
        if !is_seen || own.height <= 0.0 || self.widest.1 <= 0.0 {
            return 0.0;
        }
        let half = self.widest.1 / 2.0;
        let at = |x: f64| erf((x - self.widest.0 - half) / half / SQRT_2) / 2.0;
        ((at(x + width) - at(x)) * STEPS).round() / STEPS
    }
}

/// Refills `hybrid` with the Hybrid CharNumber of each element. For a leaf this is its number of
/// characters times its importance. For other elements it is the sum over their children and their
/// own text, which is weighted by their own box. An element without a box has the importance of its
/// parent. If `html` has no box, it has the importance of the widest element.
pub fn hybrid_chars(doc: &Document, layout: &Layout, hybrid: &mut Vec<f64>) {
    let elements = &doc.tree.elements;
    let importance = VisualImportance::new(layout);
    let (x, width) = importance.widest;
    let all = importance.of(&ElementBox {
        x: x as f32,
        width: width as f32,
        height: 1.0,
        visible: true,
        ..ElementBox::default()
    });
    // The characters of the text that is directly in each element.
    hybrid.clear();
    hybrid.reserve(elements.len());
    for (i, element) in (0..).zip(elements) {
        let inherited = hybrid.get(element.parent as usize).copied().unwrap_or(all);
        hybrid.push(layout.of(i).map_or(inherited, |own| importance.of(own)));
    }
    weigh(doc, hybrid);
    for i in (1..elements.len()).rev() {
        if !is_removed(elements[i].tag) {
            hybrid[elements[i].parent as usize] += hybrid[i];
        }
    }
    // Removed elements are not counted anywhere, not even in themselves.
    let mut removed_end = 0;
    for (i, element) in (0..).zip(elements) {
        if is_removed(element.tag) {
            removed_end = removed_end.max(element.end);
        }
        if i < removed_end {
            hybrid[i as usize] = 0.0;
        }
    }
}

/// Multiplies each element's importance by the characters of its own text.
fn weigh(doc: &Document, importance: &mut [f64]) {
    // An element's text may continue after a child's text, so its characters are added up first.
    let mut chars = vec![0u32; importance.len()];
    for run in &doc.runs {
        if let Some(own) = chars.get_mut(run.element as usize) {
            *own = own.saturating_add(run.chars);
        }
    }
    for (weight, chars) in importance.iter_mut().zip(chars) {
        *weight *= f64::from(chars);
    }
}

/// Hybrid text density of the elements of one page (Eq. 4): composite text density with Hybrid
/// CharNumbers instead of characters. Linked characters and tags count as before. An element
/// without tags has an HC/C of 1. Denominators of 0 are replaced by 1. A logarithm below 0 is
/// replaced by 0; it occurs if the weighted characters of an element are fewer than its links
/// allow.
#[derive(Clone, Copy, Debug)]
pub struct HybridTextDensity(CompositeTextDensity);

impl HybridTextDensity {
    /// For a page whose body has these counts, and this Hybrid CharNumber.
    pub fn new(body: &Counts, hybrid: f64) -> Self {
        let chars = if hybrid == 0.0 { 1.0 } else { hybrid };
        Self(CompositeTextDensity {
            share: f64::from(body.linked_chars) / chars,
        })
    }

    /// The density of an element.
    #[inline]
    pub fn of(self, counts: &Counts, hybrid: f64) -> f64 {
        let tags = match counts.tags {
            0 if hybrid > 0.0 => hybrid / at_least_one(counts.chars),
            tags => at_least_one(tags),
        };
        self.0.weighed(counts, hybrid, tags)
    }
}
