//! Content Extraction via Text Density: content is the text of elements whose children have dense text.
//!
//! Song, Sun, Liao: A hybrid approach for content extraction with text density and
//! visual importance of DOM nodes, 2013: CETD-DS, CECTD-DS, CECTD-S and CEHTD-DS of §4.1.3.
//!
//! Densities are computed for every element under the body, then Algorithm 2 ([`extract`]) chooses
//! elements. A block is content if at least half of its characters are in chosen elements.
//!
//! Time is linear in elements and blocks, without recursion. Memory: about 50 bytes per element,
//! reused for the next page.
//!
//! # Deviations
//! The effect of the first three is measured in `docs/reproduction/text-density.md`.
//! * The paper keeps the ancestors of chosen elements. Here their own text is content only if they
//!   are chosen themselves, unless `keep_ancestors = true`.
//! * In the authors' program DensitySum also adds the density of each piece of an element's own text, and the
//!   DensitySum of a leaf is its density. The paper has neither. Here `own_text = true` enables both.
//! * In that program elements inside links also count as links, and so do elements that contain only links. Here
//!   `linked_elements = true` enables this. The program also leaves out what style sheets hide, which requires a
//!   rendered page.
//! * For CECTD-S the paper states neither the weights nor how elements are chosen. Here the mean is
//!   (left + 2 · own + right) / 4. Algorithm 2 makes the own text of each visited element content, instead of the
//!   element with the greatest DensitySum.
//! * Hybrid density (§3.4) is not covered by these figures. The paper weighs the text of leaves; here text next to
//!   elements counts, too, with the box of its own element. An element for which the engine has no box uses that of its
//!   parent. A logarithm that visual importance makes negative is 0. A page without a layout gets composite density,
//!   and the labels' reasons say so.

mod extract;
#[cfg(test)]
mod tests;

use crate::chosen;
use extract::{Choice, Extract, body};
use serde::Deserialize;
use warcsieve_classify::params::StepParams;
use warcsieve_classify::{Built, Classifier, Label, Method, Names, Needs, ReasonPair, shipped};
use warcsieve_common::shrink;
use warcsieve_features::density::{
    CompositeTextDensity, Counts, HybridTextDensity, count, count_linked_elements, density_sums,
    density_sums_with_text, hybrid_chars, smooth, text_density,
};
use warcsieve_html::ElementId;
use warcsieve_html::document::Document;
use warcsieve_html::layout::Layout;

/// The method as pipeline files and the command line know it.
pub const PLAIN: Method = Method {
    name: "cetd",
    summary: "elements whose children add up to the most characters per tag",
    family: "Song, Sun, Liao 2013: text density of elements",
    paper: "Song, Sun, Liao 2013, §3.2, §3.5 (CETD-DS)",
    pipelines: &[shipped!(
        "cetd",
        "It computes the characters per tag of each element, adds them up (DensitySum), and keeps elements by the threshold of Algorithm 2. It works on the tree and uses no words and no language, so it \
        is suitable for pages in any script. It keeps whole containers, including short blocks inside them that methods for single blocks lose."
    )],
    build: plain,
    ..Method::PLAIN
};

/// The method as pipeline files and the command line know it.
pub const COMPOSITE: Method = Method {
    name: "cectd",
    summary: "the same, weighted by the shares of linked characters and tags",
    family: "Song, Sun, Liao 2013: text density of elements",
    paper: "Song, Sun, Liao 2013, §3.3, §3.5 (CECTD-DS)",
    pipelines: &[shipped!(
        "cectd",
        "The same, but links count, too. It is better than `cetd` on every corpus. Choose it for content in containers, such as service \
        pages, documentation and listings."
    )],
    build: composite,
    ..Method::PLAIN
};

/// The method as pipeline files and the command line know it.
pub const SMOOTHED: Method = Method {
    name: "cectd-s",
    summary: "elements dense enough when averaged with their neighbours",
    family: "Song, Sun, Liao 2013: text density of elements",
    paper: "Song, Sun, Liao 2013, §3.3, §4.1.3 (CECTD-S)",
    pipelines: &[shipped!(
        "cectd-s",
        "Densities are smoothed over neighbouring elements, and elements are chosen one by one. It is more precise on news than `cectd`, because it does not keep everything in a container."
    )],
    build: smoothed,
    ..Method::PLAIN
};

/// The method as pipeline files and the command line know it.
pub const HYBRID: Method = Method {
    name: "cehtd",
    summary: "the same, with characters weighted by their position on the screen",
    family: "Song, Sun, Liao 2013: text density of elements",
    paper: "Song, Sun, Liao 2013, §3.4, §3.5 (CEHTD-DS)",
    needs: Needs::Layout,
    pipelines: &[shipped!(
        "cehtd",
        "`cectd` with characters weighted by their position on the screen: text that is narrow, at the side or hidden counts less. It needs a program that was built with \
        the feature `layout` ([layout.md](layout.md)), and takes about twenty times as long per page. For a page without a layout it is the same as `cectd`."
    )],
    build: hybrid,
    ..Method::PLAIN
};

/// Parameters of `cetd`, whose density does not use links.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
#[derive(Default)]
struct PlainParams {
    keep_ancestors: bool,
    own_text: bool,
}

/// Parameters of `cectd`. With all of them set, it is the program of the paper's authors.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
#[derive(Clone, Copy, Debug, Default)]
struct Params {
    /// Whether the own text of ancestors of chosen elements is content, too.
    keep_ancestors: bool,
    /// Whether DensitySum also adds the density of each piece of own text, and is the density for a leaf.
    own_text: bool,
    /// Whether elements inside links count as links, and also elements that contain only links.
    linked_elements: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variant {
    Plain,
    Composite,
    Smoothed,
    Hybrid,
}

struct Cetd {
    name: &'static str,
    variant: Variant,
    params: Params,
    reasons: ReasonPair,
    /// The reasons for pages without the layout that the variant needs.
    without: ReasonPair,
    counts: Vec<Counts>,
    hybrid: Vec<f64>,
    densities: Vec<f64>,
    sums: Vec<f64>,
    smoothed: Vec<f64>,
    extract: Extract,
}

/// The reasons for a page without a layout.
const WITHOUT: [&str; 2] = [
    "no layout: in an element of dense children",
    "no layout: in no element of dense children",
];

/// `cetd`: plain text density.
pub(super) fn plain(params: StepParams<'_>, names: &mut Names) -> Built {
    let PlainParams {
        keep_ancestors,
        own_text,
    } = params.read()?;
    let params = Params {
        keep_ancestors,
        own_text,
        ..Params::default()
    };
    Ok(Box::new(Cetd::new("cetd", Variant::Plain, params, names)))
}

/// `cectd`: composite text density.
pub(super) fn composite(params: StepParams<'_>, names: &mut Names) -> Built {
    let params = params.read()?;
    Ok(Box::new(Cetd::new(
        "cectd",
        Variant::Composite,
        params,
        names,
    )))
}

/// `cectd-s`: composite text density, smoothed.
pub(super) fn smoothed(params: StepParams<'_>, names: &mut Names) -> Built {
    build("cectd-s", Variant::Smoothed, params, names)
}

/// `cehtd`: hybrid text density.
pub(super) fn hybrid(params: StepParams<'_>, names: &mut Names) -> Built {
    build("cehtd", Variant::Hybrid, params, names)
}

fn build(name: &'static str, variant: Variant, params: StepParams<'_>, names: &mut Names) -> Built {
    params.expect_none()?;
    Ok(Box::new(Cetd::new(name, variant, Params::default(), names)))
}

impl Cetd {
    fn new(name: &'static str, variant: Variant, params: Params, names: &mut Names) -> Self {
        let [content, boilerplate] = match variant {
            _ if params.keep_ancestors => [
                "in or above an element of dense children",
                "neither in nor above an element of dense children",
            ],
            Variant::Smoothed => ["element is dense enough", "element is not dense enough"],
            _ => [
                "in an element of dense children",
                "in no element of dense children",
            ],
        };
        let reasons = ReasonPair::new(names, content, boilerplate);
        Self {
            name,
            variant,
            params,
            reasons,
            without: match variant {
                Variant::Hybrid => ReasonPair::new(names, WITHOUT[0], WITHOUT[1]),
                _ => reasons,
            },
            counts: Vec::new(),
            hybrid: Vec::new(),
            densities: Vec::new(),
            sums: Vec::new(),
            smoothed: Vec::new(),
            extract: Extract::default(),
        }
    }

    /// Computes the densities of the page, and the elements they choose.
    fn measure(&mut self, doc: &Document) {
        let tree = &doc.tree;
        shrink(&mut self.counts);
        for buffer in [
            &mut self.hybrid,
            &mut self.densities,
            &mut self.sums,
            &mut self.smoothed,
        ] {
            shrink(buffer);
        }
        count(doc, &mut self.counts);
        if self.params.linked_elements {
            count_linked_elements(tree, &mut self.counts);
        }
        let page = self.counts.get(body(tree)).copied().unwrap_or_default();
        self.densities.clear();
        if self.variant == Variant::Plain {
            self.densities.extend(self.counts.iter().map(text_density));
        } else if let Some(layout) = self.layout(doc) {
            hybrid_chars(doc, layout, &mut self.hybrid);
            let of_page = self.hybrid.get(body(tree)).copied().unwrap_or_default();
            let density = HybridTextDensity::new(&page, of_page);
            let both = self.counts.iter().zip(&self.hybrid);
            self.densities
                .extend(both.map(|(counts, hybrid)| density.of(counts, *hybrid)));
        } else {
            let density = CompositeTextDensity::new(&page);
            self.densities
                .extend(self.counts.iter().map(|counts| density.of(counts)));
        }
        if self.variant == Variant::Smoothed {
            smooth(tree, &self.densities, &mut self.smoothed);
            std::mem::swap(&mut self.densities, &mut self.smoothed);
        }
        match (self.params.own_text, self.variant) {
            (false, _) => density_sums(tree, &self.densities, &mut self.sums),
            (true, Variant::Plain) => {
                density_sums_with_text(doc, &self.densities, f64::from, &mut self.sums);
            }
            (true, _) => {
                let density = CompositeTextDensity::new(&page);
                let piece = |chars| {
                    density.of(&Counts {
                        chars,
                        ..Counts::default()
                    })
                };
                density_sums_with_text(doc, &self.densities, piece, &mut self.sums);
            }
        }
        let choice = match self.variant {
            Variant::Smoothed => Choice::Own,
            _ => Choice::Greatest,
        };
        self.extract
            .choose(tree, &self.densities, &self.sums, choice);
        if self.params.keep_ancestors {
            self.extract.keep_ancestors(tree);
        }
    }

    /// The page's layout, if the variant uses it.
    fn layout<'d>(&self, doc: &'d Document) -> Option<&'d Layout> {
        doc.boxes().filter(|_| self.variant == Variant::Hybrid)
    }

    /// Whether the element is inside a chosen one. On a page without elements all text is.
    fn is_inside(&self, element: usize) -> bool {
        self.extract.inside.get(element).copied().unwrap_or(true)
    }

    /// Whether the element's own text is content.
    fn is_kept(&self, element: usize) -> bool {
        let above = self.extract.above.get(element).copied();
        self.is_inside(element) || above.unwrap_or(false)
    }

    fn describe(&self, doc: &Document, element: ElementId) -> String {
        let mut text = String::new();
        doc.tree.path(element, &mut text);
        let value = |of: &[f64]| of.get(element as usize).copied().unwrap_or(0.0);
        let [density, sum] = [&self.densities, &self.sums].map(|of| value(of));
        text += &format!(" (density {density:.3}, DensitySum {sum:.3}");
        if self.layout(doc).is_some() {
            text += &format!(", weighed characters {:.1}", value(&self.hybrid));
        }
        text.push(')');
        text
    }
}

impl Classifier for Cetd {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        self.measure(doc);
        let inside = |element: ElementId| self.is_kept(element as usize);
        let reasons = match self.layout(doc) {
            Some(_) => self.reasons,
            None => self.without,
        };
        chosen::label(doc, labels, inside, reasons);
    }

    fn explain(&self, doc: &Document, labels: &[Label], block: usize) -> String {
        let element = doc.blocks[block].element;
        let mut text = format!(
            "{}: {}; threshold {:.3}",
            self.name,
            self.describe(doc, element),
            self.extract.threshold
        );
        let is_inside = self.is_inside(element as usize);
        if self.variant != Variant::Smoothed && labels[block].content && is_inside {
            // All descendants of a chosen element are content: the topmost one is the chosen one.
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
