//! Files with one topic and docno per line, in columns separated by white space.

use std::collections::HashMap;
use std::io::Read;
use warcsieve_common::Result;
use warcsieve_eval::lines::read_lines;

/// The value of each docno, by topic; topics in the order of the file.
pub(super) type ByTopic<V> = Vec<(String, HashMap<String, V>)>;

/// Reads the lines of a file whose columns are named in `expected`, topic first and docno third;
/// `value` reads the value of a line from all its columns.
pub(super) fn read<V, const N: usize>(
    name: &str,
    input: impl Read,
    expected: &str,
    mut value: impl FnMut([&str; N]) -> Result<V, String>,
) -> Result<ByTopic<V>> {
    let mut places = HashMap::new();
    let mut topics: ByTopic<(V, usize)> = Vec::new();
    read_lines(name, input, |line, text| {
        let columns: Vec<&str> = text.split_ascii_whitespace().take(N + 1).collect();
        if columns.is_empty() {
            return Ok(());
        }
        let columns: [&str; N] = columns.try_into().map_err(|found: Vec<&str>| {
            let n = match found.len() {
                n if n > N => format!("more than {N}"),
                n => n.to_string(),
            };
            format!("{n} columns; expected {N}: {expected}")
        })?;
        let (topic, docno) = (columns[0], columns[2]);
        let value = value(columns)?;
        let place = *places.entry(topic.to_owned()).or_insert_with(|| {
            topics.push((topic.to_owned(), HashMap::new()));
            topics.len() - 1
        });
        match topics[place].1.insert(docno.to_owned(), (value, line)) {
            None => Ok(()),
            Some((_, first)) => Err(format!(
                "topic {topic} has {docno} in line {first} already; keep one of the two"
            )),
        }
    })?;
    let without_line = |docs: HashMap<String, (V, usize)>| {
        let docs = docs.into_iter();
        docs.map(|(docno, (value, _))| (docno, value)).collect()
    };
    let topics = topics.into_iter();
    Ok(topics.map(|(t, docs)| (t, without_line(docs))).collect())
}
