//! The values of `WARC-Type`.

use std::fmt;

/// The types of WARC 1.1, §5.5, and others. Names are compared without regard to case.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordType {
    /// Information about the records after it.
    WarcInfo,
    /// A server's response, with its protocol header.
    Response,
    /// A payload without a protocol header.
    Resource,
    /// A request to a server.
    Request,
    /// Metadata of another record.
    Metadata,
    /// A page that was captured before and had not changed.
    Revisit,
    /// Another record's payload in another form.
    Conversion,
    /// The rest of a record that was split over files.
    Continuation,
    /// Any other, in lower case; empty if the header is absent.
    Unknown(String),
}

/// The types that are known by name.
const NAMED: [(&str, RecordType); 8] = [
    ("warcinfo", RecordType::WarcInfo),
    ("response", RecordType::Response),
    ("resource", RecordType::Resource),
    ("request", RecordType::Request),
    ("metadata", RecordType::Metadata),
    ("revisit", RecordType::Revisit),
    ("conversion", RecordType::Conversion),
    ("continuation", RecordType::Continuation),
];

impl fmt::Display for RecordType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Unknown(name) => name,
            named => NAMED
                .iter()
                .find(|(_, t)| t == named)
                .map_or("", |(n, _)| n),
        };
        f.write_str(name)
    }
}

impl<S: AsRef<str>> From<S> for RecordType {
    fn from(name: S) -> Self {
        let name = name.as_ref();
        match NAMED.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)) {
            Some((_, named)) => named.clone(),
            None => Self::Unknown(name.to_lowercase()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written_as_the_warc_crate_does() {
        for name in [
            "WarcInfo",
            "RESPONSE",
            "Request",
            "revisit",
            "conversion",
            "Étrange",
            "",
        ] {
            let theirs = warc::RecordType::from(name).to_string();
            assert_eq!(RecordType::from(name).to_string(), theirs);
            assert_eq!(RecordType::from(&theirs), RecordType::from(name));
        }
        assert_eq!(
            RecordType::from("x-OTHER"),
            RecordType::Unknown("x-other".to_owned())
        );
    }
}
