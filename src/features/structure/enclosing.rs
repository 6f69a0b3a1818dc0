//! How far up the nearest element of each kind is.

use super::kind::{ABOUT, kind};
use super::names::{GROUPS, Group};
use super::records::{Records, elements, inherit};
use super::table::{OURS, StructureFeature};
use crate::document::Document;
use crate::html::Tag;

/// Tags that are looked for.
const TAGS: [(&str, &[Tag]); 12] = [
    ("p", &[Tag::P]),
    ("li", &[Tag::Li]),
    ("a", &[Tag::A]),
    ("table", &[Tag::Table]),
    ("form", &[Tag::Form]),
    (
        "control",
        &[
            Tag::Button,
            Tag::Label,
            Tag::Option,
            Tag::Select,
            Tag::Textarea,
        ],
    ),
    ("nav", &[Tag::Nav]),
    ("header", &[Tag::Header]),
    ("footer", &[Tag::Footer]),
    ("aside", &[Tag::Aside]),
    ("article", &[Tag::Article]),
    ("main", &[Tag::Main]),
];

/// Tags and groups of names.
const WIDTH: usize = TAGS.len() + GROUPS;

/// Steps that are told; farther and none are the same.
const FAR: u8 = 40;

/// Steps up from an element to the nearest of each, itself included.
type Steps = [u8; WIDTH];

pub(super) fn features() -> Vec<StructureFeature> {
    let feature = |name: String, unit, about: String| StructureFeature {
        name,
        unit,
        source: OURS,
        about,
    };
    let mut all = vec![
        feature(
            "kind".to_owned(),
            "kind",
            format!("of the nearest element that is not inline: {ABOUT}"),
        ),
        feature(
            "kind_above".to_owned(),
            "kind",
            "of that element's parent".to_owned(),
        ),
        feature(
            "depth".to_owned(),
            "elements",
            "above the one that holds the block".to_owned(),
        ),
    ];
    for (name, tags) in TAGS {
        let tags: Vec<_> = tags.iter().map(|t| t.name()).collect();
        let about = format!("up to the nearest {}, at most {FAR}", tags.join(", "));
        all.push(feature(format!("to_{name}"), "steps", about));
    }
    for group in Group::ALL {
        let about = format!(
            "up to the nearest element named {}, at most {FAR}",
            group.name()
        );
        all.push(feature(
            format!("to_named_{}", group.name()),
            "steps",
            about,
        ));
    }
    all
}

#[derive(Clone, Debug, Default)]
pub(super) struct Enclosing {
    steps: Vec<Steps>,
}

impl Enclosing {
    pub fn read(&mut self, doc: &Document, records: &Records) {
        inherit(elements(doc), &mut self.steps, |i, element, above| {
            let mut steps = above.map_or([FAR; WIDTH], |above: Steps| {
                above.map(|s| s.saturating_add(1).min(FAR))
            });
            for (steps, (_, tags)) in steps.iter_mut().zip(TAGS) {
                if tags.contains(&element.tag) {
                    *steps = 0;
                }
            }
            let mut named = records.named[i];
            while named != 0 {
                steps[TAGS.len() + named.trailing_zeros() as usize] = 0;
                named &= named - 1;
            }
            steps
        });
    }

    pub fn push(&self, doc: &Document, records: &Records, block: usize, row: &mut Vec<f32>) {
        let elements = elements(doc);
        let (element, container) = records.place(doc, block);
        let above = elements[container].parent as usize;
        row.extend([
            kind(elements[container].tag),
            kind(elements[above].tag),
            f32::from(records.depths[element]),
        ]);
        row.extend(self.steps[element].iter().map(|s| f32::from(*s)));
    }
}
