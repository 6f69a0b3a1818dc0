//! Text density of elements.
//!
//! Song, Sun, Liao: A hybrid approach for content extraction with text density and
//! visual importance of DOM nodes, 2013, §3.2 to §3.4, §3.5.1. All functions take one or two passes
//! over the flat tree, without recursion, and refill the caller's buffers.

mod hybrid;

pub use hybrid::{HybridTextDensity, VisualImportance, hybrid_chars};

use libm::log;
use std::f64::consts::E;
use warcsieve_html::document::Document;
use warcsieve_html::{ElementTree, Tag};

#[cfg(test)]
mod tests;

/// Counts of an element's subtree. The element is not counted among its tags; its own text is
/// counted among its characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Unicode scalar values of all text, white space collapsed, each piece trimmed.
    pub chars: u32,
    /// The characters inside links; the link may be the element itself or enclose it.
    pub linked_chars: u32,
    /// Elements except script and style.
    pub tags: u32,
    /// The elements that are links.
    pub linked_tags: u32,
}

/// Whether text inside counts as linked: links, and elements with their role, buttons and drop-down
/// lists (§4.1.3).
pub fn is_link(tag: Tag) -> bool {
    matches!(tag, Tag::A | Tag::Button | Tag::Select)
}

/// Whether the element and all it contains is ignored (§3.2).
pub fn is_removed(tag: Tag) -> bool {
    matches!(tag, Tag::Script | Tag::Style)
}

/// Refills `counts` with the counts of each element. The contents of removed elements are not
/// counted.
pub fn count(doc: &Document, counts: &mut Vec<Counts>) {
    let elements = &doc.tree.elements;
    counts.clear();
    counts.resize(elements.len() + 1, Counts::default());
    for run in &doc.runs {
        if let Some(own) = counts.get_mut(run.element as usize) {
            own.chars = own.chars.saturating_add(run.chars);
        }
    }
    // A subtree is a range of elements, so its sums are differences of prefix sums.
    let mut before = Counts::default();
    let (mut link_end, mut removed_end) = (0, 0);
    for (i, (element, own)) in (0..).zip(elements.iter().zip(counts.iter_mut())) {
        let chars = std::mem::replace(own, before).chars;
        if is_removed(element.tag) {
            removed_end = removed_end.max(element.end);
        }
        if i < removed_end {
            continue;
        }
        if is_link(element.tag) {
            link_end = link_end.max(element.end);
            before.linked_tags += 1;
        }
        before.tags += 1;
        before.chars = before.chars.saturating_add(chars);
        if i < link_end {
            before.linked_chars = before.linked_chars.saturating_add(chars);
        }
    }
    counts[elements.len()] = before;
    for (i, element) in elements.iter().enumerate() {
        let (start, end) = (counts[i], counts[element.end as usize]);
        let link = u32::from(is_link(element.tag));
        counts[i] = Counts {
            chars: end.chars - start.chars,
            linked_chars: end.linked_chars - start.linked_chars,
            // Saturating, because a removed element does not even count itself.
            tags: (end.tags - start.tags).saturating_sub(1),
            linked_tags: (end.linked_tags - start.linked_tags).saturating_sub(link),
        };
    }
    counts.truncate(elements.len());
}

/// Makes elements inside links count as links, and also elements that contain nothing but links, as
/// in the program of the paper's authors. `counts` is the result of [`count`].
pub fn count_linked_elements(tree: &ElementTree, counts: &mut [Counts]) {
    counts.iter_mut().for_each(|own| own.linked_tags = 0);
    // Children come after their parent, so each element's sum is complete when it is visited.
    for (i, element) in tree.elements.iter().enumerate().rev() {
        if is_removed(element.tag) {
            continue;
        }
        let own = &mut counts[i];
        let link = is_link(element.tag);
        if link {
            own.linked_tags = own.tags;
        }
        let all_links =
            own.linked_tags > 0 && own.linked_tags == own.tags && own.linked_chars == own.chars;
        let linked = own.linked_tags + u32::from(link || all_links);
        if i > 0 {
            counts[element.parent as usize].linked_tags += linked;
        }
    }
}

/// Characters per tag (Eq. 1); 0 tags count as 1.
pub fn text_density(counts: &Counts) -> f64 {
    f64::from(counts.chars) / at_least_one(counts.tags)
}

/// Composite text density of the elements of one page (Eq. 2): the text density times
/// the logarithm of C/LC · T/LT to a base that grows with the share of linked text. Denominators
/// of 0 are replaced by 1.
///
/// An element without text has density 0. On a page without linked text the base is 1, and
/// elements with text have density +∞. Never negative, never NaN.
#[derive(Clone, Copy, Debug)]
pub struct CompositeTextDensity {
    /// Linked characters / characters, of the page.
    share: f64,
}

impl CompositeTextDensity {
    /// For a page whose body has these counts.
    pub fn new(body: &Counts) -> Self {
        Self {
            share: f64::from(body.linked_chars) / at_least_one(body.chars),
        }
    }

    /// The density of an element.
    #[inline]
    pub fn of(self, counts: &Counts) -> f64 {
        self.weighed(counts, f64::from(counts.chars), at_least_one(counts.tags))
    }

    /// Eq. 2 and 4. `chars` may be reduced by visual importance.
    fn weighed(self, counts: &Counts, chars: f64, tags: f64) -> f64 {
        let linked = f64::from(counts.linked_chars);
        let numerator = chars * tags;
        let denominator = at_least_one(counts.linked_chars) * at_least_one(counts.linked_tags);
        if chars == 0.0 || numerator < denominator {
            0.0 // Nothing is visible, or little but links: the logarithm is not positive.
        } else if counts.linked_chars == 0 && self.share == 0.0 {
            f64::INFINITY
        } else if numerator == denominator {
            0.0
        } else {
            let unlinked = at_least_one(counts.chars - counts.linked_chars);
            let base = log(chars * linked / unlinked + self.share * chars + E);
            chars * log(numerator / denominator) / (tags * log(base))
        }
    }
}

/// DensitySum of each element: the sum of its children's densities (Eq. 5).
pub fn density_sums(tree: &ElementTree, densities: &[f64], sums: &mut Vec<f64>) {
    sums.clear();
    sums.resize(densities.len(), 0.0);
    for (element, density) in tree.elements.iter().zip(densities).skip(1) {
        sums[element.parent as usize] += density;
    }
}

/// DensitySum as in the program of the paper's authors: the density of each piece of an element's
/// own text is added, as if the piece were an element, and an element without children has its own
/// density. `piece` is the density of an element of this many characters with nothing in it.
pub fn density_sums_with_text(
    doc: &Document,
    densities: &[f64],
    piece: impl Fn(u32) -> f64,
    sums: &mut Vec<f64>,
) {
    let elements = &doc.tree.elements;
    density_sums(&doc.tree, densities, sums);
    for run in &doc.runs {
        if let Some(sum) = sums.get_mut(run.element as usize) {
            *sum += piece(run.chars);
        }
    }
    for (i, (element, density)) in elements.iter().zip(densities).enumerate() {
        let mut child = i + 1;
        while child < element.end as usize && is_removed(elements[child].tag) {
            child = elements[child].end as usize;
        }
        if child >= element.end as usize {
            sums[i] = *density;
        }
    }
}

/// Averages each element's density with those of its neighbours under the same parent: (left + 2 ·
/// own + right) / 4. If a neighbour is missing, its weight is left out. Script and style are not
/// neighbours.
pub fn smooth(tree: &ElementTree, densities: &[f64], smoothed: &mut Vec<f64>) {
    let elements = &tree.elements;
    // Until an element is visited, its entry holds its left neighbour's density.
    smoothed.clear();
    smoothed.resize(densities.len(), NO_NEIGHBOUR);
    for (i, (element, &density)) in elements.iter().zip(densities).enumerate() {
        let left = std::mem::replace(&mut smoothed[i], density);
        if is_removed(element.tag) {
            continue;
        }
        let end = elements[element.parent as usize].end;
        let mut right = element.end;
        while right < end && is_removed(elements[right as usize].tag) {
            right = elements[right as usize].end;
        }
        let (mut sum, mut weight) = (2.0 * density, 2.0);
        if left != NO_NEIGHBOUR {
            (sum, weight) = (left + sum, weight + 1.0);
        }
        if right < end {
            smoothed[right as usize] = density;
            (sum, weight) = (sum + densities[right as usize], weight + 1.0);
        }
        smoothed[i] = sum / weight;
    }
}

/// Marks a missing neighbour. Densities are not negative.
const NO_NEIGHBOUR: f64 = -1.0;

fn at_least_one(count: u32) -> f64 {
    f64::from(count.max(1))
}
