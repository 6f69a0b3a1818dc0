//! Requests to an object store, where inputs or outputs are in one.

use serde::Serialize;

/// Bytes of a part: a larger output file is uploaded in parts of this size.
pub const PART: u64 = 8 << 20;

/// Number of requests to a store, if none fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Requests {
    /// For inputs: one HEAD each, for size and ETag.
    pub head: u64,
    /// For inputs: one GET each.
    pub get: u64,
    /// For outputs: files and manifest rows; a file of more than [`PART`] bytes takes one request
    /// per part, and two more to begin and to complete it.
    pub put: u64,
    /// For manifest rows: one request before an input is cleaned, to see whether it is done, and
    /// one when the folder is sealed.
    pub manifest_get: u64,
}

impl Requests {
    /// The requests for an input whose output files have these sizes in bytes.
    pub fn of_input(outputs: &[u64]) -> Self {
        let put: u64 = outputs.iter().map(|bytes| Self::puts(*bytes)).sum();
        Self {
            head: 1,
            get: 1,
            put: put + 1,
            manifest_get: 2,
        }
    }

    fn puts(bytes: u64) -> u64 {
        match bytes <= PART {
            true => 1,
            false => bytes.div_ceil(PART) + 2,
        }
    }

    /// The sum of both.
    pub fn and(self, other: Self) -> Self {
        Self {
            head: self.head + other.head,
            get: self.get + other.get,
            put: self.put + other.put,
            manifest_get: self.manifest_get + other.manifest_get,
        }
    }

    /// `n` times as many.
    pub fn times(self, n: u64) -> Self {
        Self {
            head: self.head * n,
            get: self.get * n,
            put: self.put * n,
            manifest_get: self.manifest_get * n,
        }
    }

    /// The number of requests of all kinds.
    pub fn all(self) -> u64 {
        self.head + self.get + self.put + self.manifest_get
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_counted() {
        let puts = |bytes| Requests::of_input(&[bytes]).put - 1;
        assert_eq!(
            [0, PART, PART + 1, 2 * PART, 2 * PART + 1].map(puts),
            [1, 1, 4, 4, 5]
        );
        let one = Requests::of_input(&[10, 3 * PART]);
        assert_eq!((one.head, one.get, one.put, one.manifest_get), (1, 1, 7, 2));
        assert_eq!(one.and(one), one.times(2));
        assert_eq!(one.times(2).all(), 22);
    }
}
