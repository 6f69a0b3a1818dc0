//! Lists of ids, hosts or addresses, and scores of ids.

use std::io::{BufRead, Read};
use twox_hash::XxHash3_64;

/// A list of texts, some with a score. Memory: 12 bytes per line. Texts are compared by hashes of
/// 64 bits. With a million pages and a list of a billion lines, one run in 20,000 confuses two
/// texts.
#[derive(Debug, Default)]
pub struct List {
    /// Sorted.
    hashes: Vec<u64>,
    /// The score for each hash, in a list of scores.
    scores: Vec<f32>,
    /// A host is in the list if one of its parent domains is.
    has_domains: bool,
}

/// Most bytes of a line.
const MAX_LINE_BYTES: usize = 1 << 16;

/// Some editors begin a file with it.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Most lines.
const MAX_LINES: usize = 1 << 30;

impl List {
    /// Reads one text per line. Empty lines and lines that begin with `#` are skipped. With
    /// `domains`, a line also stands for all hosts below it.
    ///
    /// # Errors
    /// The number of the invalid line, from 1, or why it cannot be read.
    pub fn texts(lines: impl BufRead, has_domains: bool) -> Result<Self, String> {
        let mut list = Self {
            has_domains,
            ..Self::default()
        };
        each_line(lines, MAX_LINES, |line| {
            // `[::1]` is a host.
            let has_more = line.contains('/') || line.contains(':') && !line.starts_with('[');
            if has_domains && has_more {
                return Err("is no host; give its name alone, such as example.org".to_owned());
            }
            let lower = has_domains.then(|| line.trim_end_matches('.').to_lowercase());
            list.hashes.push(hash(lower.as_deref().unwrap_or(line)));
            Ok(())
        })?;
        list.hashes.sort_unstable();
        Ok(list)
    }

    /// Reads lines of a score and an id, as the Waterloo spam rankings have them.
    ///
    /// # Errors
    /// The number of the invalid line, from 1, or why it cannot be read.
    pub fn scores(lines: impl BufRead) -> Result<Self, String> {
        let mut scored: Vec<(u64, f32)> = Vec::new();
        each_line(lines, MAX_LINES, |line| {
            let mut fields = line.split_ascii_whitespace();
            let (score, id) = (fields.next(), fields.next());
            let score = score.and_then(|text| text.parse::<f32>().ok());
            match (score, id, fields.next()) {
                (Some(score), Some(id), None) if score.is_finite() => {
                    scored.push((hash(id), score));
                    Ok(())
                }
                _ => Err("is not a score and an id".to_owned()),
            }
        })?;
        scored.sort_by_key(|(hash, _)| *hash);
        let (hashes, scores) = scored.into_iter().unzip();
        Ok(Self {
            hashes,
            scores,
            has_domains: false,
        })
    }

    /// Whether a text is in the list.
    pub fn has(&self, text: &str) -> bool {
        if !self.has_domains {
            return self.hashes.binary_search(&hash(text)).is_ok();
        }
        let above = text.match_indices('.').map(|(at, _)| &text[at + 1..]);
        let mut names = [text].into_iter().chain(above);
        names.any(|name| self.hashes.binary_search(&hash(name)).is_ok())
    }

    /// The score of an id. If there are several, the first.
    pub fn score(&self, id: &str) -> Option<f64> {
        let hash = hash(id);
        let at = self.hashes.partition_point(|h| *h < hash);
        let is_there = self.hashes.get(at) == Some(&hash);
        is_there
            .then(|| self.scores.get(at).copied().map(f64::from))
            .flatten()
    }
}

fn hash(text: &str) -> u64 {
    XxHash3_64::oneshot(text.as_bytes())
}

fn each_line(
    mut lines: impl BufRead,
    most_lines: usize,
    mut take: impl FnMut(&str) -> Result<(), String>,
) -> Result<(), String> {
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let mut most = (&mut lines).take(MAX_LINE_BYTES as u64);
        let read = most.read_until(b'\n', &mut line);
        if read.map_err(|e| e.to_string())? == 0 {
            break;
        }
        if number > most_lines {
            return Err(format!("it has more than {most_lines} lines"));
        }
        if line.len() == MAX_LINE_BYTES {
            return Err(format!(
                "line {number} is longer than {MAX_LINE_BYTES} bytes"
            ));
        }
        let text = std::str::from_utf8(&line).map_err(|_| format!("line {number} is not UTF-8"))?;
        let text = match number {
            1 => text.trim_start_matches(BYTE_ORDER_MARK),
            _ => text,
        };
        let text = text.trim();
        if !text.is_empty() && !text.starts_with('#') {
            take(text).map_err(|what| format!("line {number} {what}"))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_line() {
        let list = List::texts(&b"\xef\xbb\xbfa.example\nb.example\n"[..], true).unwrap();
        assert!(list.has("a.example") && list.has("x.b.example"));
    }

    #[test]
    fn a_list_has_a_bound_of_lines() {
        let mut read = 0;
        let all = each_line(&b"a\nb\nc\n"[..], 2, |_| {
            read += 1;
            Ok(())
        });
        assert_eq!(
            (all.unwrap_err().as_str(), read),
            ("it has more than 2 lines", 2)
        );
        assert_eq!(each_line(&b"a\nb\n"[..], 2, |_| Ok(())), Ok(()));
    }
}
