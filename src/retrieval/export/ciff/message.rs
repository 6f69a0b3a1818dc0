//! The format's protocol buffers.

use prost::encoding::WireType;
use prost::encoding::{
    double, encode_key, encode_varint, encoded_len_varint, int32, int64, string,
};

/// Version of the format.
const VERSION: i32 = 1;
/// Field of [`PostingsHead`] that holds a posting; its number fits one byte with the wire type.
const POSTING: u32 = 4;

/// What a file begins with. Its numbers of lists and documents are those of the collection, too.
pub(super) struct Header {
    pub postings_lists: u64,
    pub documents: u64,
    /// Sum of the documents' lengths.
    pub terms: u64,
    pub description: String,
}

impl Header {
    /// Puts the message behind its length.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let mut body = Vec::new();
        let [lists, documents] =
            [self.postings_lists, self.documents].map(|n| i32::try_from(n).unwrap_or(i32::MAX));
        for (field, value) in [VERSION, lists, documents, lists, documents]
            .iter()
            .enumerate()
        {
            int32::encode(field as u32 + 1, value, &mut body);
        }
        int64::encode(6, &to_i64(self.terms), &mut body);
        let average = self.terms as f64 / (self.documents.max(1)) as f64;
        double::encode(7, &average, &mut body);
        string::encode(8, &self.description, &mut body);
        out.clear();
        encode_varint(body.len() as u64, out);
        out.extend_from_slice(&body);
    }
}

/// A postings list up to its postings.
#[derive(Default)]
pub(super) struct PostingsHead {
    pub df: u64,
    pub cf: u64,
    /// Bytes of its postings.
    pub bytes: u64,
}

impl PostingsHead {
    /// Counts a posting in.
    pub fn add(&mut self, gap: u32, tf: u32) {
        let body = posting_len(gap, tf);
        self.df += 1;
        self.cf += u64::from(tf);
        self.bytes += 1 + encoded_len_varint(body) as u64 + body;
    }

    /// Puts the list's beginning behind the length of all of it.
    pub fn encode(&self, term: &str, out: &mut Vec<u8>) {
        let mut body = Vec::new();
        string::encode(1, &term.to_owned(), &mut body);
        int64::encode(2, &to_i64(self.df), &mut body);
        int64::encode(3, &to_i64(self.cf), &mut body);
        out.clear();
        encode_varint(body.len() as u64 + self.bytes, out);
        out.extend_from_slice(&body);
    }
}

/// Appends a posting: how far its document is from the one before, from 0 for the first, and how
/// often the document has the term.
pub(super) fn encode_posting(gap: u32, tf: u32, out: &mut Vec<u8>) {
    encode_key(POSTING, WireType::LengthDelimited, out);
    encode_varint(posting_len(gap, tf), out);
    int32::encode(1, &to_i32(gap), out);
    int32::encode(2, &to_i32(tf), out);
}

fn posting_len(gap: u32, tf: u32) -> u64 {
    (int32::encoded_len(1, &to_i32(gap)) + int32::encoded_len(2, &to_i32(tf))) as u64
}

/// Puts a document's record behind its length.
pub(super) fn encode_record(document: u32, docno: &str, length: u64, out: &mut Vec<u8>) {
    let mut body = Vec::new();
    int32::encode(1, &to_i32(document), &mut body);
    string::encode(2, &docno.to_owned(), &mut body);
    let length = i32::try_from(length).unwrap_or(i32::MAX);
    int32::encode(3, &length, &mut body);
    out.clear();
    encode_varint(body.len() as u64, out);
    out.extend_from_slice(&body);
}

/// Documents are at most 2³¹ − 1, and so are the terms of one, whose text is at most 1 GiB.
fn to_i32(n: u32) -> i32 {
    i32::try_from(n).unwrap_or(i32::MAX)
}

fn to_i64(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}
