//! One self-contained HTML file: its data, style and script, and a policy that forbids everything else.

use data_encoding::BASE64;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;
use warcsieve_common::{Error, Result, escaped_json, html};

/// The style and the script of a kind of page, in addition to those that all pages have.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its style file.
    pub style: &'static str,
    /// Its script file.
    pub script: &'static str,
}

const STYLE: &str = include_str!("../assets/base.css");
const SCRIPT: &str = include_str!("../assets/base.js");

/// Writes a file. `data` is shown by the script as text nodes. It is never markup: its JSON contains no `<`, so it
/// cannot end its element. `still` is our own markup that is shown without a script, such as plots.
///
/// ```
/// use warcsieve_look::document::{Kind, document};
///
/// let kind = Kind { style: "p { margin: 0 }", script: "show(data);" };
/// let page = document(kind, "</title><script>", &["</script><!--"], "");
/// assert!(page.contains("<title>&lt;/title&gt;&lt;script&gt;</title>"));
/// assert!(page.contains(r#"["\u003c/script\u003e\u003c!--"]"#));
/// ```
///
/// Memory: three times the JSON.
pub fn document(kind: Kind, title: &str, data: &impl Serialize, still: &str) -> String {
    let json = serde_json::to_string(data).expect("data are structures with names as keys");
    let style = format!("{STYLE}{}", kind.style);
    let script = format!("\"use strict\";\n{SCRIPT}{}", kind.script);
    let policy = format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        sha256(&script),
        sha256(&style)
    );
    let title = html(title);
    let json = island(&json);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n\
         <noscript><p class=\"notice\">This page shows its data by a script of its own, which your browser does not \
         run.</p></noscript>\n<div id=\"app\"></div>\n{still}\n\
         <script type=\"application/json\" id=\"data\">{json}</script>\n<script>{script}</script>\n</body>\n</html>\n"
    )
}

/// The end of the title of every file that this crate writes, before the name of the command.
const MARK: &str = "· warcsieve ";

/// A title that ends with the name of the command that shows it.
pub fn titled(title: &str, command: &str) -> String {
    format!("{title} {MARK}{command}")
}

/// Refuses to replace a file that is not empty, and that the command did not write.
///
/// # Errors
/// [`Error::Invalid`] if it is refused; [`Error::Io`].
pub fn refuse_foreign(file: &Path, command: &str) -> Result<()> {
    let mut head = Vec::new();
    match File::open(file).and_then(|file| file.take(1 << 16).read_to_end(&mut head)) {
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(Error::io(file, e)),
        Ok(_) => {}
    }
    let title_end = format!("{MARK}{command}</title>");
    if head.is_empty() || String::from_utf8_lossy(&head).contains(&title_end) {
        return Ok(());
    }
    Err(Error::Invalid(format!(
        "{}: no {command} wrote it, and this one would replace it; name another place by --out",
        file.display()
    )))
}

fn sha256(text: &str) -> String {
    BASE64.encode(&Sha256::digest(text.as_bytes()))
}

/// JSON without control characters, and without characters that have a meaning in HTML or that end a line in JavaScript.
/// In JSON these occur only in strings.
fn island(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            c => out.push(c),
        }
    }
    escaped_json(&out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_and_styles_cannot_end_their_elements() {
        for kind in crate::KINDS {
            for text in [STYLE, SCRIPT, kind.style, kind.script] {
                let lower = text.to_lowercase();
                assert!(!lower.contains("</s") && !lower.contains("<!--"));
                assert!(!text.contains('\r'), "browsers hash what they read");
            }
        }
    }

    #[test]
    fn scripts_and_styles_are_small_and_make_no_markup_of_texts() {
        let kinds = crate::KINDS.iter().map(|k| k.style.len() + k.script.len());
        let all = STYLE.len() + SCRIPT.len() + kinds.sum::<usize>();
        assert!(all < 300_000, "{all}");
        for kind in crate::KINDS {
            for never in [
                "innerHTML",
                "outerHTML",
                "insertAdjacentHTML",
                "document.write",
                "eval(",
                "new Function",
                "srcdoc",
                "setTimeout(\"",
                ".href",
                "fetch(",
                "XMLHttpRequest",
                "import(",
                "WebSocket",
            ] {
                let found = format!("{SCRIPT}{}", kind.script).contains(never);
                // The labeller saves with a link to data that it created itself, and the pages of a folder link to each
                // other.
                assert!(!found || never == ".href", "{never}");
            }
        }
    }

    #[test]
    fn the_policy_has_the_hashes_of_style_and_script() {
        let kind = crate::KINDS[0];
        let page = document(kind, "t", &0, "");
        let between = |start: &str, end: &str| {
            let (_, rest) = page.split_once(start).unwrap();
            rest.split_once(end).unwrap().0.to_owned()
        };
        for (name, start, end) in [
            ("style", "<style>", "</style>"),
            ("script", "</script>\n<script>", "</script>"),
        ] {
            let hash = sha256(&between(start, end));
            assert!(
                page.contains(&format!("{name}-src 'sha256-{hash}'")),
                "{name}"
            );
        }
        assert!(page.contains("default-src 'none'"));
    }
}
