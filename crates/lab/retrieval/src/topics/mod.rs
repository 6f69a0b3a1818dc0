//! Topics: the queries, in TREC's formats, which are detected from the start of the file.
//!
//! | begins with | format | title | `desc` | `narr` |
//! |---|---|---|---|---|
//! | `<top>` | SGML of the ad hoc tracks | `<title>` | `<desc>` | `<narr>` |
//! | another `<` | XML of the web tracks from 2010 on | `<query>` | `<description>` | `<narrative>` |
//! | a line with a tab | one topic per line: a number, a tab, a text | the text | | |
//! | a number and a colon | the web track of 2009 | the rest of the line | | |

mod delimited;
mod sgml;
mod topic;
mod xml;

pub use topic::Topic;

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;
use topic::Found;
use warcsieve_common::{Error, Result};
use warcsieve_eval::lines::{Faults, open, read_lines};

/// Maximum size in bytes of a file.
const MAX_FILE: usize = 64 << 20;

/// Reads the topics of a file, plain or gzip, in its order.
///
/// Memory: twice the file, which is at most 64 MiB; XML is at most 1 MiB.
///
/// The file cannot be opened; or [`Error::Invalid`] with a message of the first three faults, each `file:line: what is
/// wrong; what to do`: a topic without number or title, white space in a number, a repeated number, broken markup,
/// invalid UTF-8. A file without topics, a file that is too large, or one with a damaged gzip stream is also an error.
pub fn read(path: &Path) -> Result<Vec<Topic>> {
    open(path, read_from)
}

/// Reads the topics of an input that messages call `name`.
///
/// # Errors
/// Those of [`read`].
pub fn read_from(name: &str, input: impl Read) -> Result<Vec<Topic>> {
    let text = text(name, input)?;
    let mut faults = Faults::new(name);
    let begin = text.trim_start();
    let found = if sgml::begins(begin) {
        sgml::parse(&text)
    } else if begin.starts_with('<') {
        xml::parse(&text).unwrap_or_else(|(line, what)| {
            faults.add(line, what);
            Vec::new()
        })
    } else if begin.starts_with(['{', '[']) {
        let what = "JSON; give TREC topics, or lines of a number, a tab and a text";
        faults.add(1, what.into());
        Vec::new()
    } else {
        delimited::parse(&text, &mut faults)
    };
    check(&found, &mut faults);
    if let Some(line) = sgml::unended(&text) {
        let what = "the topic is not ended by </top>, as others are; fetch the file again";
        faults.add(line, what.into());
    }
    faults.finish()?;
    if found.is_empty() {
        let what = "no topics; give TREC topics, or lines of a number, a tab and a text";
        return Err(Error::Invalid(format!("{name}:1: {what}")));
    }
    Ok(found.into_iter().map(|(_, topic)| topic).collect())
}

/// The whole input as text.
fn text(name: &str, input: impl Read) -> Result<String> {
    let mut text = String::new();
    let mut full = false;
    read_lines(name, input, |_, line| {
        if full {
            return Ok(());
        }
        full = text.len() + line.len() > MAX_FILE;
        if full {
            return Err(format!(
                "more than {} MiB; give a file of topics",
                MAX_FILE >> 20
            ));
        }
        text += line;
        Ok(())
    })?;
    Ok(text)
}

fn check(found: &[Found], faults: &mut Faults) {
    let mut lines = HashMap::new();
    for (line, topic) in found {
        let id = &topic.id;
        if id.is_empty() {
            faults.add(*line, "a topic without number; give each one".into());
        } else if id.contains(char::is_whitespace) {
            faults.add(
                *line,
                format!("number {id:?} holds white space; write it without"),
            );
        } else if let Some(first) = lines.insert(id, line) {
            let what = format!("topic {id} is in line {first} already; keep one of the two");
            faults.add(*line, what);
        } else if topic.title.is_empty() {
            faults.add(*line, format!("topic {id} has no title; give it one"));
        }
    }
}

#[cfg(test)]
mod tests;
