//! The state of a file, used to detect a change.

use serde::{Deserialize, Serialize};
use std::fs::Metadata;
use std::time::UNIX_EPOCH;

/// The state of a file or an object: size, modification time and, for an object, the ETag, as far
/// as the server gives them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stamp {
    /// Size in bytes.
    pub size: u64,
    /// Modification time in nanoseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mtime_ns: Option<u64>,
    /// The object's entity tag (RFC 9110 §8.8.3), as the store gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
}

impl Stamp {
    /// The stamp of a file; `None` if it is not a regular file.
    pub fn from_metadata(metadata: &Metadata) -> Option<Self> {
        let mtime = metadata
            .modified()
            .ok()
            .and_then(|t| t.duration_since(UNIX_EPOCH).ok())
            .unwrap_or_default();
        metadata.is_file().then(|| Self {
            size: metadata.len(),
            mtime_ns: Some(u64::try_from(mtime.as_nanos()).unwrap_or(u64::MAX)),
            etag: None,
        })
    }

    /// How this stamp differs from `now`, in words; `None` if it does not. Compares the size, then
    /// the ETag if both have one, otherwise the time if both have one.
    pub fn difference(&self, now: &Self) -> Option<String> {
        let differ = |what: &str, then: String, now: String| {
            (then != now).then(|| format!("the input's {what} was {then}, now {now}"))
        };
        let time = |ns: u64| format!("{ns} ns");
        differ("size", self.size.to_string(), now.size.to_string()).or_else(|| {
            match (&self.etag, &now.etag, self.mtime_ns, now.mtime_ns) {
                (Some(then), Some(now), ..) => differ("ETag", then.clone(), now.clone()),
                (_, _, Some(then), Some(now)) => differ("modification time", time(then), time(now)),
                _ => None,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_etag_decides_if_both_have_one() {
        let stamp = |size, mtime_ns, etag: Option<&str>| Stamp {
            size,
            mtime_ns,
            etag: etag.map(str::to_owned),
        };
        let old = stamp(5, Some(1), Some("a"));
        assert_eq!(old.difference(&stamp(5, Some(2), Some("a"))), None);
        let what = |now: Stamp| old.difference(&now).unwrap();
        assert!(what(stamp(5, Some(1), Some("b"))).contains("ETag was a, now b"));
        assert!(what(stamp(6, Some(1), Some("a"))).contains("size was 5, now 6"));
        assert!(what(stamp(5, Some(2), None)).contains("time was 1 ns, now 2 ns"));
        assert_eq!(
            old.difference(&stamp(5, None, None)),
            None,
            "nothing to compare"
        );
    }
}
