//! One topic per line: its number, a tab or a colon, and its title.

use super::topic::{Found, Topic, collapsed};
use warcsieve_eval::lines::Faults;

/// Blank lines are skipped. The first line determines the separator: the tab if it contains one,
/// because numbers such as `urn:uuid:1` contain colons.
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
