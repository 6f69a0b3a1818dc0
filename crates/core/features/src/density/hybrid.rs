//! Hybrid text density: characters count by where they are on the screen (§3.4, Eq. 3 and 4).

use super::{CompositeTextDensity, Counts, at_least_one, is_removed};
use libm::erf;
use std::f64::consts::SQRT_2;
use warcsieve_html::document::Document;
use warcsieve_html::layout::{ElementBox, Layout};

/// How much of a reader's attention an element's place gets (Eq. 3): the share of a normal
/// distribution that lies between its left and right edge. The mean is the middle of the widest
/// element below the root, the deviation half its width, so that element has .683.
///
/// Rounded to multiples of 2⁻²⁰, so that sums of weighed characters are exact in any order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VisualImportance {
    /// Left edge and width of the widest element below the root that can be seen, of equal ones
    /// the first; a width of 0 if there is none.
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

    /// The importance of an element with that box: 0 if it cannot be seen, at most 1.
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

/// Refills `hybrid` with the Hybrid CharNumber of each element: of a leaf its characters times its
/// importance, of others the sum of their children's and of their own text, which counts by their
/// own box. An element without a box has its parent's importance; `html` without one that of the
/// widest element.
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
    // Of the text that is directly in each element.
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
    // What is removed is counted nowhere, also not in itself.
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
    // An element's text may go on after a child's, so its characters are added up first.
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
/// CharNumbers for characters. What is linked, and tags, count as before; an element without tags
/// has HC/C of one. Denominators of 0 are replaced by 1, and a logarithm below 0, of an element
/// whose weighed characters are fewer than its links allow, by 0.
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
