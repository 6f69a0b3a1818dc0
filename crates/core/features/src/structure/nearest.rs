//! The distance up to the nearest element of each kind.

use super::columns::Cursor;
use super::feature::{OURS, StructureFeature};
use super::kind::{KINDS, kind};
use super::names::{GROUPS, Group};
use super::records::Records;
use crate::enclosing::inherit;
use warcsieve_html::Tag;

/// The tags to which the distance is measured, by feature.
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

/// By tag: a bit for each row of [`TAGS`] that contains it.
static TAG_BITS: [u16; Tag::COUNT] = {
    let mut bits = [0; Tag::COUNT];
    let mut row = 0;
    while row < TAGS.len() {
        let tags = TAGS[row].1;
        let mut at = 0;
        while at < tags.len() {
            bits[tags[at] as usize] |= 1 << row;
            at += 1;
        }
        row += 1;
    }
    bits
};

/// Tags and groups of names.
const WIDTH: usize = TAGS.len() + GROUPS;

/// The greatest distance. It also stands for greater ones, and for a missing element.
const FAR: u8 = 40;

/// Steps up from an element to the nearest of each, 0 for itself.
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
            format!("tag of the nearest element that is not inline, as a number: {KINDS}"),
        ),
        feature(
            "kind_above".to_owned(),
            "kind",
            "the same for the parent of that element".to_owned(),
        ),
        feature(
            "depth".to_owned(),
            "elements",
            "elements above the one that holds the block".to_owned(),
        ),
    ];
    for (name, tags) in TAGS {
        let tags: Vec<_> = tags.iter().map(|t| t.name()).collect();
        let about = format!("steps up to the nearest {}, at most {FAR}", tags.join(", "));
        all.push(feature(format!("to_{name}"), "steps", about));
    }
    for group in Group::ALL {
        let about = format!(
            "steps up to the nearest element named {}, at most {FAR}",
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
pub(super) struct Nearest {
    steps: Vec<Steps>,
}

impl Nearest {
    pub fn read(&mut self, records: &Records) {
        inherit(records.elements(), &mut self.steps, |i, element, above| {
            let mut steps: Steps = above.unwrap_or([FAR; WIDTH]);
            // A loop without branches compiles to a few instructions; `map` of an array of this size does not.
            for step in &mut steps {
                *step = (*step + 1).min(FAR);
            }
            let named = u64::from(records.named[i]) << TAGS.len();
            let mut here = named | u64::from(TAG_BITS[element.tag as usize]);
            while here != 0 {
                steps[here.trailing_zeros() as usize] = 0;
                here &= here - 1;
            }
            steps
        });
    }

    pub fn push(&self, records: &Records, block: usize, to: &mut Cursor<'_>) {
        let elements = records.elements();
        let (element, container) = records.place(block);
        let above = elements[container].parent as usize;
        to.extend([
            kind(elements[container].tag),
            kind(elements[above].tag),
            f32::from(records.depths[element]),
        ]);
        to.extend(self.steps[element].iter().map(|s| f32::from(*s)));
    }
}
