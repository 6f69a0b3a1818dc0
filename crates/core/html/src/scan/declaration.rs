//! Finds where comments and declarations end (§13.2.5.41 to §13.2.5.56).

use memchr::memchr;

/// Begins a CDATA section, which is text in SVG and MathML.
pub(super) const CDATA: &[u8] = b"<![CDATA[";

/// End of a piece of markup that begins at `at` with `<!`, `<?` or `</` and is not a tag. A comment
/// ends after its `-->`, and everything else after the next `>`. Both end at the end of the input
/// at the latest.
///
/// Example: `<!-- a > b -->c` ends before `c`, `<!doctype a>b` before `b`.
pub(in super::super) fn end(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    if rest.starts_with(b"<!--") {
        return comment_end(bytes, at + 4);
    }
    memchr(b'>', rest).map_or(bytes.len(), |n| at + n + 1)
}

/// End of the comment whose text begins at `at`: after `-->` or `--!>`. If the text begins with `>`
/// or `->`, the comment ends after that. So `<!-->` and `<!--->` are whole comments.
fn comment_end(bytes: &[u8], at: usize) -> usize {
    let text = &bytes[at..];
    let mut from = 0;
    while let Some(n) = memchr(b'>', &text[from..]) {
        let end = from + n;
        let before = &text[..end];
        let ends =
            matches!(before, [] | b"-") || before.ends_with(b"--") || before.ends_with(b"--!");
        if ends {
            return at + end + 1;
        }
        from = end + 1;
    }
    bytes.len()
}
