//! The protocol buffers of the format.

use prost::encoding::WireType;
use prost::encoding::{
    double, encode_key, encode_varint, encoded_len_varint, int32, int64, string,
};

/// Version of the format.
const VERSION: i32 = 1;
/// Field of [`PostingsHead`] that holds a posting; its number fits one byte with the wire type.
const POSTING: u32 = 4;

/// The header of a file. Its numbers of lists and documents are also those of the collection.
pub(super) struct Header {
    pub postings_lists: u64,
    pub documents: u64,
    /// Sum of the documents' lengths.
    pub terms: u64,
    pub description: String,
}

impl Header {
    /// Appends the length of the message, then the message.
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

/// A postings list without its postings.
#[derive(Default)]
pub(super) struct PostingsHead {
    pub df: u64,
    pub cf: u64,
    /// Number of bytes of its postings.
    pub bytes: u64,
}

impl PostingsHead {
    /// Counts a posting.
    pub fn add(&mut self, gap: u32, tf: u32) {
        let body = posting_len(gap, tf);
        self.df += 1;
        self.cf += u64::from(tf);
        self.bytes += 1 + encoded_len_varint(body) as u64 + body;
    }

    /// Appends the length of the whole list, then its fields up to the postings.
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

/// Appends a posting: the distance of its document from the previous one (from 0 for the first),
/// and the frequency of the term in the document.
pub(super) fn encode_posting(gap: u32, tf: u32, out: &mut Vec<u8>) {
    encode_key(POSTING, WireType::LengthDelimited, out);
    encode_varint(posting_len(gap, tf), out);
    int32::encode(1, &to_i32(gap), out);
    int32::encode(2, &to_i32(tf), out);
}

fn posting_len(gap: u32, tf: u32) -> u64 {
    (int32::encoded_len(1, &to_i32(gap)) + int32::encoded_len(2, &to_i32(tf))) as u64
}

/// Appends the length of a document's record, then the record.
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

/// Cannot overflow: there are at most 2³¹ − 1 documents, and fewer terms in one, whose text is at
/// most 1 GiB.
fn to_i32(n: u32) -> i32 {
    i32::try_from(n).unwrap_or(i32::MAX)
}

fn to_i64(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}
