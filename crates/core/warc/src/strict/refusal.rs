//! Why a record is not returned.

use crate::ledger::FaultKind;
use std::io::{self, ErrorKind};

/// What is wrong with a record, or with the bytes where one should begin.
pub(super) struct Refusal {
    pub(super) kind: FaultKind,
    pub(super) why: io::Error,
    /// It is known where the record ends: only its fields are refused.
    pub(super) is_framed: bool,
}

impl Refusal {
    pub(super) fn new(kind: FaultKind, why: &str) -> Self {
        Self {
            kind,
            why: io::Error::other(why),
            is_framed: false,
        }
    }
}

impl From<io::Error> for Refusal {
    fn from(why: io::Error) -> Self {
        let kind = match why.kind() {
            ErrorKind::UnexpectedEof => FaultKind::CutOff,
            ErrorKind::FileTooLarge => FaultKind::Garbage,
            _ => FaultKind::DamagedMember,
        };
        Self {
            kind,
            why,
            is_framed: false,
        }
    }
}

impl From<warc::Error> for Refusal {
    fn from(error: warc::Error) -> Self {
        use warc::Error::{MalformedHeader, MissingHeader, ParseHeaders, ReadData};
        match error {
            ReadData(why) => why.into(),
            ParseHeaders(_) => Self::new(FaultKind::Garbage, "this is no header"),
            fields => Self {
                is_framed: matches!(fields, MissingHeader(_) | MalformedHeader(..)),
                ..Self::new(FaultKind::Garbage, &fields.to_string())
            },
        }
    }
}
