//! A lenient decoder of the chunked transfer coding (RFC 9112 §7.1).

use super::coding::Outcome;
use super::line_length;

/// Appends the chunks' data to `out`.
///
/// Returns [`Outcome::NotCoded`] if the framing fails before the input ends; then `out` is empty.
/// Line ends may be LF, spaces may follow the size, and the last chunk and the trailers may be
/// missing ([`Outcome::Cut`]).
pub(super) fn decode(input: &[u8], out: &mut Vec<u8>) -> Outcome {
    out.reserve_exact(input.len());
    let outcome = chunks(input, out);
    if outcome == Outcome::NotCoded {
        out.clear();
    }
    outcome
}

/// The data of a complete chunked body; `None` if it is not chunked or not complete.
pub(crate) fn without_chunks(input: &[u8]) -> Option<Vec<u8>> {
    let mut data = Vec::new();
    (decode(input, &mut data) == Outcome::Whole).then_some(data)
}

fn chunks(input: &[u8], out: &mut Vec<u8>) -> Outcome {
    let mut rest = input;
    loop {
        let length = line_length(rest);
        let (line, after) = rest.split_at(length);
        if !line.ends_with(b"\n") {
            // The input ends inside a size line, or before it.
            let part = line.iter().all(|b| b.is_ascii_hexdigit() || *b == b'\r');
            return if part && !out.is_empty() {
                Outcome::Cut
            } else {
                Outcome::NotCoded
            };
        }
        let Some(size) = size(line) else {
            return Outcome::NotCoded;
        };
        if size == 0 {
            let whole = !out.is_empty() || after.trim_ascii().is_empty();
            return if whole {
                Outcome::Whole
            } else {
                Outcome::NotCoded
            };
        }
        let Some(data) = after.get(..size) else {
            out.extend_from_slice(after);
            return Outcome::Cut;
        };
        out.extend_from_slice(data);
        rest = &after[size..];
        rest = match rest {
            [b'\r', b'\n', tail @ ..] | [b'\n', tail @ ..] => tail,
            [] | [b'\r'] => return Outcome::Cut,
            _ => return Outcome::NotCoded,
        };
    }
}

/// The size in a chunk's first line, without its extension.
fn size(line: &[u8]) -> Option<usize> {
    let digits = line.iter().take_while(|b| b.is_ascii_hexdigit()).count();
    let after = line[digits..].trim_ascii_start();
    if !(1..=15).contains(&digits) || !(after.is_empty() || after.starts_with(b";")) {
        return None;
    }
    usize::from_str_radix(std::str::from_utf8(&line[..digits]).ok()?, 16).ok()
}
