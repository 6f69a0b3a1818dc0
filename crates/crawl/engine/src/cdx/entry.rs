//! One entry of an index, whatever its format.

/// Where a record is stored, as an index says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Name of the WARC or ARC file, as the index has it: a path or a name alone.
    pub filename: String,
    /// Byte offset of the member or record in the file.
    pub offset: u64,
    /// Bytes of the member or record in the file, at least 1.
    pub length: u64,
    /// The record's URL; empty where the index has none. Not read from Parquet.
    pub url: String,
    /// Digest of the record's payload, as the index has it; empty where it has none. Not read
    /// from Parquet.
    pub digest: String,
    /// Line or row of the index, from 1.
    pub place: u64,
    /// A hash of the record's id, of Parquet that has `warc_record_id`.
    pub(super) record: Option<u64>,
}
