//! A topic a line: its number, a tab or a colon, and its title.

use super::{Found, Topic, collapsed};
use crate::eval::lines::Faults;

/// Lines of white space are skipped. Which sign parts the columns is told by the first line: the tab
/// if it has one, as numbers such as `urn:uuid:1` hold colons.
pub(super) fn parse(text: &str, faults: &mut Faults) -> Vec<Found> {
    let mut found = Vec::new();
    let mut sign = None;
    for (i, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let sign = sign
            .or_else(|| ['\t', ':'].into_iter().find(|&c| line.contains(c)))
            .inspect(|&s| sign = Some(s));
        let Some((id, title)) = sign.and_then(|sign| line.split_once(sign)) else {
            let sign = if sign == Some(':') { "colon" } else { "tab" };
            let what = format!("no {sign}; expected a number, a {sign} and a text");
            faults.add(i + 1, what);
            continue;
        };
        let topic = Topic {
            id: id.trim().to_owned(),
            title: collapsed(title),
            ..Topic::default()
        };
        found.push((i + 1, topic));
    }
    found
}
