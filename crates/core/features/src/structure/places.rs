//! Which blocks are in similar places.

use super::numbers::Numbers;
use super::records::Records;
use crate::elements::mix;
use crate::enclosing::inherit;
use warcsieve_common::shrink;

/// The paths of elements, and the groups of blocks by them.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    /// By element: a hash of the tags and classes from the root down to it.
    paths: Vec<u64>,
    /// By block: the number of its group.
    groups: Vec<u32>,
}

impl Places {
    pub fn read(&mut self, records: &Records, numbers: &mut Numbers) {
        let elements = records.elements();
        let paths = &mut self.paths;
        inherit(elements, paths, |i, _, above| {
            mix(above.unwrap_or(0), records.kinds[i])
        });
        let places = records.skeleton.places.iter();
        let keys = places.map(|place| paths[elements[place.1 as usize].parent as usize]);
        numbers.of(keys, &mut self.groups);
    }

    /// Frees the buffer of a large page once it is no longer needed.
    pub fn shrink(&mut self) {
        shrink(&mut self.paths);
    }

    pub fn paths(&self) -> &[u64] {
        &self.paths
    }

    pub fn groups(&self) -> &[u32] {
        &self.groups
    }
}
