//! Style sheets, with the sheets that they import.

use super::address::join;
use super::{ResourceKind, Resources};

/// Deepest nesting of imports.
const MAX_DEPTH: u32 = 4;

/// Most style sheets of a page; and most bytes of them.
const MAX_SHEETS: u32 = 200;
const MAX_BYTES: usize = 4 << 20;

/// Collects the style sheets of a page, up to the bounds.
pub struct Sheets<'r> {
    resources: &'r Resources,
    sheets: u32,
    bytes: usize,
    /// Number of imports in the collected sheets that were not available.
    pub missing: u32,
}

impl<'r> Sheets<'r> {
    pub fn new(resources: &'r Resources) -> Self {
        Self {
            resources,
            sheets: 0,
            bytes: 0,
            missing: 0,
        }
    }

    /// The sheet at an address, in a form for a `style` element. `None` if it is not available, or
    /// above a bound.
    pub fn get(&mut self, url: &str) -> Option<String> {
        self.sheet(url, 0)
    }

    fn sheet(&mut self, url: &str, depth: u32) -> Option<String> {
        if self.sheets >= MAX_SHEETS || depth > MAX_DEPTH {
            return None;
        }
        let bytes = self.resources.find(url, ResourceKind::Sheet)?;
        if self.bytes + bytes.len() > MAX_BYTES {
            return None;
        }
        self.sheets += 1;
        self.bytes += bytes.len();
        let text = String::from_utf8_lossy(&bytes);
        let mut rest = text.trim_start_matches('\u{feff}');
        let mut sheet = String::new();
        // Imports come before everything else except the character set (CSS Cascading and
        // Inheritance 3, §2).
        loop {
            rest = after_comments(rest);
            if let Some(after) = after_keyword(rest, "@charset") {
                rest = after.split_once(';').map_or("", |(_, rest)| rest);
                continue;
            }
            let Some((import, after)) = after_keyword(rest, "@import").and_then(rule) else {
                break;
            };
            rest = after;
            let found = address(import).and_then(|(reference, media)| {
                let url = join(url, &reference)?;
                Some((self.sheet(&url, depth + 1)?, media.to_owned()))
            });
            match found {
                Some((imported, media)) if media.is_empty() => sheet.push_str(&imported),
                Some((imported, media)) => {
                    sheet.push_str(&format!("@media {media} {{\n{imported}\n}}"));
                }
                None => self.missing += 1,
            }
            sheet.push('\n');
        }
        // An end tag would end the element. An import further down has no meaning in CSS.
        sheet.push_str(&rest.replace("</", "<\\/").replace("@import", "@-import"));
        Some(sheet)
    }
}

/// The text after white space and comments.
fn after_comments(mut text: &str) -> &str {
    loop {
        text = text.trim_start();
        match text.strip_prefix("/*") {
            Some(comment) => text = comment.split_once("*/").map_or("", |(_, rest)| rest),
            None => return text,
        }
    }
}

/// The text after a keyword, which may be in any case.
fn after_keyword<'t>(text: &'t str, keyword: &str) -> Option<&'t str> {
    let (start, rest) = text.split_at_checked(keyword.len())?;
    start.eq_ignore_ascii_case(keyword).then_some(rest)
}

/// A rule up to its semicolon, outside of quotes and brackets, and the text after it. `None` if the
/// rule has a block.
fn rule(text: &str) -> Option<(&str, &str)> {
    let (mut quote, mut is_in_brackets) = (None, false);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(') => is_in_brackets = true,
            (None, ')') => is_in_brackets = false,
            (None, ';') if !is_in_brackets => return Some((&text[..at], &text[at + 1..])),
            (None, '{') => return None,
            (None, _) => {}
        }
    }
    Some((text, ""))
}

/// The address in an import, and the media after it. `None` if other words follow.
fn address(import: &str) -> Option<(String, &str)> {
    let import = import.trim();
    let quoted = |text: &str| {
        let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (inner, _) = text[1..].split_once(quote)?;
        Some(inner.to_owned())
    };
    let (reference, media) = match after_keyword(import, "url(") {
        Some(inner) => {
            let (inner, media) = inner.split_once(')')?;
            let inner = inner.trim();
            (quoted(inner).unwrap_or_else(|| inner.to_owned()), media)
        }
        None => {
            let reference = quoted(import)?;
            let media = import.get(reference.len() + 2..)?;
            (reference, media)
        }
    };
    let media = media.trim();
    // Layers and conditions change what an import does, and braces would end the rule around it.
    let is_media = !media.contains(['{', '}', ';', '<', '@'])
        && ["layer", "supports"]
            .iter()
            .all(|word| after_keyword(media, word).is_none());
    is_media.then_some((reference, media))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resources(sheets: &[(&str, &str)]) -> Resources {
        let mut resources = Resources::new(tempfile::tempfile().unwrap());
        for (url, text) in sheets {
            let added = resources.add(url, ResourceKind::Sheet, text.as_bytes());
            added.unwrap();
        }
        resources
    }

    fn sheet(sheets: &[(&str, &str)], url: &str) -> (Option<String>, u32) {
        let resources = resources(sheets);
        let mut found = Sheets::new(&resources);
        (found.get(url), found.missing)
    }

    #[test]
    fn imports_stand_where_they_were() {
        let sheets = [
            (
                "http://a.example/css/all.css",
                "\u{feff}@charset \"utf-8\"; /* x;y */ @import 'base.css'; @IMPORT url( \"../p.css\" ) \
                 print, (min-width: 9em);@import url(missing.css);\np{color:red} @import 'late.css';",
            ),
            ("http://a.example/css/base.css", "b{top:0}"),
            ("https://a.example/p.css", "i{top:1px}</style>"),
            ("http://a.example/css/late.css", "u{top:2px}"),
        ];
        let (found, missing) = sheet(&sheets, "http://a.example/css/all.css");
        assert_eq!(
            found.unwrap(),
            "b{top:0}\n@media print, (min-width: 9em) {\ni{top:1px}<\\/style>\n}\n\n\
             p{color:red} @-import 'late.css';"
        );
        assert_eq!(missing, 1);
        assert_eq!(sheet(&sheets, "http://a.example/other.css"), (None, 0));
    }

    #[test]
    fn imports_in_circles_end() {
        let sheets = [
            ("http://a/1", "@import '2'; a{}"),
            ("http://a/2", "@import '1'; @import '2'; b{}"),
        ];
        let (found, missing) = sheet(&sheets, "http://a/1");
        assert!(found.unwrap().len() < 1000 && missing > 0);
        let wide = "@import 'x';".repeat(10_000);
        let (_, missing) = sheet(
            &[("http://a/1", &wide), ("http://a/x", "b{}")],
            "http://a/1",
        );
        assert_eq!(missing, 10_000 - (MAX_SHEETS - 1));
    }

    #[test]
    fn what_is_no_import_is_left_out() {
        for odd in [
            "@import",
            "@import x.css;",
            "@import url(x",
            "@import 'x",
            "@import 'x' layer(a);",
            "@import 'x' supports(top:0);",
            "@import 'x' {};",
            "@charset",
            "/*",
            "@import url(é",
        ] {
            let (found, _) = sheet(&[("http://a/1", odd), ("http://a/x", "b{}")], "http://a/1");
            assert!(!found.unwrap().contains("b{}"), "{odd}");
        }
    }
}
