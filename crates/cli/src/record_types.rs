//! Record types as arguments.

use warcsieve_warc::RecordType;

/// A record type, or all types.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    All,
    One(RecordType),
}

/// Parses a record type.
pub fn parse_type(text: &str) -> Result<Type, String> {
    let name = text.trim().to_ascii_lowercase();
    match (name.as_str(), RecordType::from(&*name)) {
        ("all", _) => Ok(Type::All),
        (_, RecordType::Unknown(_)) => Err("expected types of WARC records, such as response, \
             revisit, resource, metadata, conversion or request, or all"
            .to_owned()),
        (_, known) => Ok(Type::One(known)),
    }
}

impl Type {
    pub fn one(&self) -> Option<RecordType> {
        match self {
            Self::All => None,
            Self::One(one) => Some(one.clone()),
        }
    }
}
