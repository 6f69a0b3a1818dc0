//! Texts that many blocks share, each stored once.

use serde::{Serialize, Serializer};
use std::collections::HashMap;

/// Texts by number, in the order of their first use.
#[derive(Debug, Default)]
pub struct Pool {
    texts: Vec<String>,
    places: HashMap<String, u32>,
}

impl Pool {
    /// Returns the number of a text.
    pub fn add(&mut self, text: &str) -> u32 {
        if let Some(&place) = self.places.get(text) {
            return place;
        }
        let place = self.texts.len() as u32;
        self.texts.push(text.to_owned());
        self.places.insert(text.to_owned(), place);
        place
    }
}

impl Serialize for Pool {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.texts.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_have_one_number() {
        let mut pool = Pool::default();
        assert_eq!(["a", "b", "a"].map(|text| pool.add(text)), [0, 1, 0]);
        assert_eq!(serde_json::to_string(&pool).unwrap(), r#"["a","b"]"#);
    }
}
