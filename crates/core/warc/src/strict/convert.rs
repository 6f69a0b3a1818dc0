//! Records of this library as records of the crate `warc`, and back.

use crate::Record;
use crate::header::VERSION;
use warc::{BufferedBody, EmptyBody, RawRecordHeader, WarcHeader};

/// Without its version line a record counts as WARC 1.0.
const VERSION_DEFAULT: &str = "1.0";

/// The record as the crate `warc` would read it: each field once, the last of equal names, and the
/// body that there is, whose length `Content-Length` states.
///
/// ```
/// use warcsieve_warc::{Limits, WarcReader};
///
/// let file = "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:a>\r\n\
///     WARC-Date: 2020-07-08T02:52:55Z\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n";
/// let mut reader = WarcReader::new("a.warc", Box::new(file.as_bytes()), Limits::default());
/// let ours = reader.next().expect("there is one")?;
/// let theirs = warc::Record::try_from(&ours).expect("it has all that is required");
/// assert_eq!((theirs.warc_id(), theirs.body()), ("<urn:a>", &b"hello"[..]));
/// assert_eq!(warcsieve_warc::Record::from(theirs).body(), ours.body());
/// # Ok::<(), warcsieve_common::Error>(())
/// ```
impl TryFrom<&Record> for warc::Record<BufferedBody> {
    type Error = warc::Error;

    /// # Errors
    /// The record has no `WARC-Type`, `WARC-Record-ID` or `WARC-Date`, or one that is no text, or a
    /// date that is not one of RFC 3339.
    fn try_from(ours: &Record) -> Result<Self, warc::Error> {
        let named = |name: &[u8]| WarcHeader::from(String::from_utf8_lossy(name));
        let fields = ours.headers();
        let mut headers = RawRecordHeader {
            version: version(ours).unwrap_or_else(|| VERSION_DEFAULT.to_owned()),
            headers: fields.map(|(n, v)| (named(n), v.to_vec())).collect(),
        };
        let length = ours.body().len().to_string().into_bytes();
        headers.as_mut().insert(WarcHeader::ContentLength, length);
        let head: warc::Record<EmptyBody> = headers.try_into()?;
        Ok(head.add_body(ours.body()))
    }
}

/// The record with its fields in the order of their names, which are in lower case. That is what the
/// crate `warc` keeps of a header. It keeps dates to the second.
impl From<warc::Record<BufferedBody>> for Record {
    fn from(theirs: warc::Record<BufferedBody>) -> Self {
        let (head, body) = theirs.into_raw_parts();
        let fields = head.headers.into_iter();
        let mut fields: Vec<_> = fields.map(|(n, v)| (n.to_string(), v)).collect();
        fields.sort();
        let version_line = format!("WARC/{}\r\n", head.version);
        let fields = fields.iter().map(|(n, v)| (n.as_bytes(), v.trim_ascii()));
        Self::from_bytes(version_line.as_bytes(), fields, &body)
    }
}

/// The version that the record's first line states.
fn version(record: &Record) -> Option<String> {
    let head = record.data[..record.body.start].strip_prefix(VERSION)?;
    let line = head.split(|&b| b == b'\n').next()?;
    Some(String::from_utf8_lossy(line.trim_ascii()).into_owned())
}
