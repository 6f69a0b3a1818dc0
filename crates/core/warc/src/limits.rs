//! Which reader reads crawls, and how much memory it takes.

use serde::{Deserialize, Serialize};

/// Which reader reads the records of crawls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Reader {
    /// The reader of this library, which reads on after damage.
    #[default]
    Builtin,
    /// The strict reader of the crate `warc`, which ends at damage.
    #[cfg(feature = "warc")]
    Warc,
}

impl Reader {
    /// Whether it is the reader of this library.
    pub fn is_builtin(&self) -> bool {
        *self == Self::Builtin
    }
}

/// Bounds of a reader, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Which reader they are for.
    pub reader: Reader,
    /// The maximum number of bytes of a body that are kept. Of a larger body only the beginning is
    /// kept. Default 16 MiB + 64 KiB. At most half of `member`.
    pub record: usize,
    /// A member that decodes to at most this many bytes is decoded and checked whole before its
    /// first record is returned; larger members are streamed. Default 64 MiB, at least 128 KiB.
    /// While a member is streamed, at most half of this is held. The reader needs it to go back if
    /// a `Content-Length` turns out to be wrong only at its end.
    pub member: usize,
    /// Bytes of the input that are kept, to go back over them after damage. Default 8 MiB; at least
    /// half of it is always available.
    pub rewind: usize,
    /// Size of a split in a file of gzip members, in bytes of the file: reading begins anew at the
    /// first member after each multiple. Default 4 MiB.
    pub split: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            reader: Reader::Builtin,
            record: (16 << 20) + (64 << 10),
            member: 64 << 20,
            rewind: 8 << 20,
            split: 4 << 20,
        }
    }
}

impl Limits {
    /// The limits for pages of at most `bytes`. A record may be larger by the size of its HTTP
    /// header.
    pub fn for_pages(bytes: usize) -> Self {
        let record = bytes + (64 << 10);
        let default = Self::default();
        Self {
            record,
            member: default.member.max(4 * record),
            ..default
        }
    }
}
