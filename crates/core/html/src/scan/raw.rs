//! Finds where raw text ends, that is, text in which there are no tags (§13.2.5.2 to §13.2.5.4 and
//! the states that follow from them).

use super::super::unclosed::starts_with_name;
use memchr::{memchr_iter, memchr2};

/// Position of the first end tag with this name at or after `from`.
pub(super) fn end_tag(bytes: &[u8], from: usize, name: &str) -> Option<usize> {
    memchr_iter(b'<', &bytes[from..])
        .map(|n| from + n)
        .find(|&at| is_end(bytes, at, name))
}

/// Position of the end tag of the script whose text begins at `from`. Inside of `<!-- -->`, a
/// `<script` hides the next `</script`.
///
/// The outer loop is in plain script text, the inner loop inside of `<!--`; there `hidden` says
/// that a `<script` was seen and its `</script` was not ("script data double escaped" in the
/// standard).
///
/// Example: in `<!-- <script>a</script> b --></script>` the first `</script>` only ends the hiding,
/// and the script ends at the second. Without `-->` it would also end there. In
/// `<!-- <script>a</script>` alone it has no end.
pub(super) fn script_end_tag(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let mut plain = memchr_iter(b'<', &bytes[at..]).map(|n| at + n);
        let lt = plain.find(|&lt| is_script_end(bytes, lt) || bytes[lt..].starts_with(b"<!--"))?;
        if bytes[lt + 1] == b'/' {
            return Some(lt);
        }
        let mut hidden = false;
        at = lt + 4;
        // The dashes of `<!--` may also be those of `-->`, since `<!-->` is a complete comment.
        let dashes = lt + 2;
        loop {
            at += memchr2(b'<', b'>', &bytes[at..])?;
            if bytes[at] == b'>' {
                if bytes[dashes..at].ends_with(b"--") {
                    break;
                }
            } else if hidden {
                hidden = !is_script_end(bytes, at);
            } else if is_script_end(bytes, at) {
                return Some(at);
            } else {
                hidden = is_name(bytes, at + 1, b"script");
            }
            at += 1;
        }
    }
}

fn is_script_end(bytes: &[u8], at: usize) -> bool {
    is_end(bytes, at, "script")
}

fn is_end(bytes: &[u8], at: usize, name: &str) -> bool {
    bytes.get(at + 1) == Some(&b'/') && is_name(bytes, at + 2, name.as_bytes())
}

/// Whether the name is at `at`, followed by a character that ends a name.
fn is_name(bytes: &[u8], at: usize, name: &[u8]) -> bool {
    at + name.len() < bytes.len() && starts_with_name(&bytes[at..], name)
}
