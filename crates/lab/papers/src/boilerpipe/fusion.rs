//! Fusion of parts that are near each other.

use super::part::Part;
use serde::Deserialize;

/// Parameters of `proximity-fusion`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProximityFusion {
    /// The maximum number of blocks between them, including those removed from the list.
    pub max_distance: u32,
    /// If true, both must be content. Otherwise only the lower one must be, and the upper one
    /// becomes content.
    pub content_only: bool,
    /// Both must have the same tag level.
    pub same_tag_level: bool,
}

pub const DEFAULT: ProximityFusion = ProximityFusion {
    max_distance: 1,
    content_only: false,
    same_tag_level: false,
};

impl Default for ProximityFusion {
    fn default() -> Self {
        DEFAULT
    }
}

impl ProximityFusion {
    pub fn reason(self) -> String {
        let blocks = self.max_distance;
        format!("proximity-fusion: at most {blocks} blocks above content")
    }

    pub fn fuses(self, prev: &Part, next: &Part) -> bool {
        next.content
            && next.first - prev.last - 1 <= self.max_distance
            && (prev.content || !self.content_only)
            && (prev.tag_level == next.tag_level || !self.same_tag_level)
    }
}
