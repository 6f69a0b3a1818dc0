//! TREC's formats: a sequence of documents as elements.

use super::View;
use super::docno::{address, docno};

/// Appends a document in the format of TREC's news collections.
pub(super) fn trec(view: &View<'_>, out: &mut String) {
    open(view, out);
    if let Some(title) = view.title {
        out.push_str("<TITLE>");
        escape(title, out);
        out.push_str("</TITLE>\n");
    }
    out.push_str("<TEXT>\n");
    escape(view.text, out);
    out.push_str("\n</TEXT>\n</DOC>\n");
}

/// Appends a document in the format of TREC's web collections: its URL, and an HTML page with the
/// text in `pre`, which preserves line breaks.
pub(super) fn trecweb(view: &View<'_>, out: &mut String) {
    open(view, out);
    out.push_str("<DOCHDR>\n");
    out.push_str(&address(&view.page.url));
    out.push_str("\n</DOCHDR>\n<html>\n<head>\n<meta charset=\"utf-8\">\n");
    if let Some(title) = view.title {
        out.push_str("<title>");
        escape(title, out);
        out.push_str("</title>\n");
    }
    // An HTML parser drops a line feed directly after `<pre>`.
    out.push_str("</head>\n<body>\n<pre>\n");
    escape(view.text, out);
    out.push_str("</pre>\n</body>\n</html>\n</DOC>\n");
}

/// Opens a document. Readers expect the number directly after the first line.
fn open(view: &View<'_>, out: &mut String) {
    out.push_str("<DOC>\n<DOCNO>");
    out.push_str(&docno(&view.page.id));
    out.push_str("</DOCNO>\n");
}

/// Appends text with markup escaped. Carriage returns are escaped too, because HTML parsers turn
/// them into line feeds.
fn escape(text: &str, out: &mut String) {
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        let reference = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'\r' => "&#13;",
            _ => continue,
        };
        out.push_str(&text[from..at]);
        out.push_str(reference);
        from = at + 1;
    }
    out.push_str(&text[from..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn escaped_text_is_read_back_and_has_no_tags(text in "(?s:.{0,40})|[&<>;#13amp\r\n]{0,20}") {
            let mut escaped = String::new();
            escape(&text, &mut escaped);
            prop_assert!(!escaped.contains(['<', '>', '\r']));
            prop_assert_eq!(htmlize::unescape(&escaped), text);
        }
    }
}
