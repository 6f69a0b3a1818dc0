//! Content Extraction via Text Density: content is what elements hold whose children
//! are dense with text.
//!
//! Song, Sun, Liao: A hybrid approach for content extraction with text density and
//! visual importance of DOM nodes, 2013: CETD-DS, CECTD-DS and CECTD-S of §4.1.3.
//!
//! Densities are computed for every element under the body, then Algorithm 2
//! ([`extract`]) chooses elements. Without parameters. A block is content where at
//! least half of its characters are in chosen elements.
//!
//! Time is linear in elements and blocks, without recursion. Memory: about 50 bytes an
//! element, kept for the next page.
//!
//! # Deviations
//! Effects are changes of the mean word F1 on WCXB's development set, L3S-GN1 and
//! CleanEval's test set if it were otherwise.
//! * The paper keeps the ancestors of what is chosen. Here their own text is content
//!   only if it is chosen itself; else `cectd` would gain .000, .004, .005.
//! * In the authors' program DensitySum also adds the density of an element's own text,
//!   and that of a leaf is its density; here, as printed, neither. `cectd` would gain .001,
//!   .013, .001; `cetd` .001, .028, .004.
//! * In that program elements inside links count as links, too; `cectd` would gain .001,
//!   .006, .000. It also leaves out what style sheets hide, which needs a rendered page.
//! * For CECTD-S the paper prints neither weights nor how elements are chosen: here
//!   (left + 2 · own + right) / 4, and Algorithm 2 with each element that it comes to
//!   content by its own text, in place of the one of greatest DensitySum.
//! * The hybrid density (§3.4) needs a rendered page and is not here.

mod extract;
#[cfg(test)]
mod tests;

use super::chosen::{self, Reasons};
use super::{Classifier, Label, Names};
use crate::config::{ParamError, StepParams};
use crate::document::{Document, shrink};
use crate::features::density::{
    CompositeTextDensity, Counts, count, density_sums, smooth, text_density,
};
use crate::html::ElementId;
use extract::{Choice, Extract, body};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variant {
    Plain,
    Composite,
    Smoothed,
}

struct Cetd {
    name: &'static str,
    variant: Variant,
    reasons: Reasons,
    counts: Vec<Counts>,
    densities: Vec<f64>,
    sums: Vec<f64>,
    smoothed: Vec<f64>,
    extract: Extract,
}

type Built = Result<Box<dyn Classifier>, ParamError>;

/// `cetd`: plain text density.
pub(super) fn plain(params: StepParams<'_>, names: &mut Names) -> Built {
    build("cetd", Variant::Plain, params, names)
}

/// `cectd`: composite text density.
pub(super) fn composite(params: StepParams<'_>, names: &mut Names) -> Built {
    build("cectd", Variant::Composite, params, names)
}

/// `cectd-s`: composite text density, smoothed.
pub(super) fn smoothed(params: StepParams<'_>, names: &mut Names) -> Built {
    build("cectd-s", Variant::Smoothed, params, names)
}

fn build(name: &'static str, variant: Variant, params: StepParams<'_>, names: &mut Names) -> Built {
    let Params {} = params.read()?;
    Ok(Box::new(Cetd::new(name, variant, names)))
}

impl Cetd {
    fn new(name: &'static str, variant: Variant, names: &mut Names) -> Self {
        let [content, boilerplate] = match variant {
            Variant::Smoothed => ["element is dense enough", "element is not dense enough"],
            _ => [
                "in an element of dense children",
                "in no element of dense children",
            ],
        };
        Self {
            name,
            variant,
            reasons: Reasons {
                content: names.reason(content),
                boilerplate: names.reason(boilerplate),
            },
            counts: Vec::new(),
            densities: Vec::new(),
            sums: Vec::new(),
            smoothed: Vec::new(),
            extract: Extract::default(),
        }
    }

    /// Densities of the page, and the elements they choose.
    fn measure(&mut self, doc: &Document) {
        let tree = &doc.tree;
        shrink(&mut self.counts);
        for buffer in [&mut self.densities, &mut self.sums, &mut self.smoothed] {
            shrink(buffer);
        }
        count(doc, &mut self.counts);
        let page = self.counts.get(body(tree)).copied().unwrap_or_default();
        self.densities.clear();
        if self.variant == Variant::Plain {
            self.densities.extend(self.counts.iter().map(text_density));
        } else {
            let density = CompositeTextDensity::new(&page);
            self.densities
                .extend(self.counts.iter().map(|counts| density.of(counts)));
        }
        if self.variant == Variant::Smoothed {
            smooth(tree, &self.densities, &mut self.smoothed);
            std::mem::swap(&mut self.densities, &mut self.smoothed);
        }
        density_sums(tree, &self.densities, &mut self.sums);
        let choice = match self.variant {
            Variant::Smoothed => Choice::Own,
            _ => Choice::Greatest,
        };
        self.extract
            .choose(tree, &self.densities, &self.sums, choice);
    }

    /// Whether the element's own text is content. A page without elements is all text.
    fn is_inside(&self, element: usize) -> bool {
        self.extract.inside.get(element).copied().unwrap_or(true)
    }

    fn describe(&self, doc: &Document, element: ElementId) -> String {
        let mut text = String::new();
        doc.tree.path(element, &mut text);
        let value = |of: &[f64]| of.get(element as usize).copied().unwrap_or(0.0);
        let [density, sum] = [&self.densities, &self.sums].map(|of| value(of));
        text += &format!(" (density {density:.3}, DensitySum {sum:.3})");
        text
    }
}

impl Classifier for Cetd {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        self.measure(doc);
        let inside = |element: ElementId| self.is_inside(element as usize);
        chosen::label(doc, labels, inside, self.reasons);
    }

    fn explain(&self, doc: &Document, labels: &[Label], block: usize) -> String {
        let element = doc.blocks[block].element;
        let mut text = format!(
            "{}: {}; threshold {:.3}",
            self.name,
            self.describe(doc, element),
            self.extract.threshold
        );
        if self.variant != Variant::Smoothed && labels[block].content {
            // Whatever an element holds is as much content as itself, up to the chosen one.
            let mut chosen = element as usize;
            let parent = |e: usize| doc.tree.elements.get(e).map_or(e, |e| e.parent as usize);
            while parent(chosen) != chosen && self.is_inside(parent(chosen)) {
                chosen = parent(chosen);
            }
            text += "; chosen: ";
            text += &self.describe(doc, chosen as u32);
        }
        text
    }
}
