//! Finds the programming language of code, as stated by the page.

use warcsieve_html::document::Document;
use warcsieve_html::{Element, ElementId, Tag, attribute, decode_value};

/// Limits of the search: number of elements from the code outward, number of them around the `pre`,
/// and bytes of their attributes. Many `pre` may read the attributes of the same element.
const MAX_ELEMENTS: usize = 12;
const MAX_AROUND: usize = 3;
const MAX_ATTRIBUTES: usize = 1024;

/// The language of the code whose text is in this element. The nearest element that states one
/// decides: the `code`, the `pre`, or one of three elements around it.
pub(super) fn language(doc: &Document, id: ElementId) -> Option<String> {
    let mut around = None;
    for element in doc.tree.ancestors(id).take(MAX_ELEMENTS) {
        if around.is_some_and(|n| n >= MAX_AROUND) {
            break;
        }
        let is_code = matches!(element.tag, Tag::Code | Tag::Samp) || element.tag.is_preformatted();
        // Elements inside the code are tokens. Their classes can have any name.
        if is_code || around.is_some() {
            let found = named(doc, element, is_code);
            if found.is_some() {
                return found;
            }
        }
        // With line numbers, the code is in a table. Its parts do not count as elements around the
        // code.
        let is_table = matches!(
            element.tag,
            Tag::Table | Tag::Tbody | Tag::Tr | Tag::Td | Tag::Th
        );
        around = around
            .map(|n| n + usize::from(!is_table))
            .or(element.tag.is_preformatted().then_some(0));
    }
    None
}

/// The language that an element states. `is_code` is false for an element around the code, which
/// may also state the natural language of the text.
fn named(doc: &Document, element: &Element, is_code: bool) -> Option<String> {
    let source = doc.attributes(element);
    if source.is_empty() || source.len() >= MAX_ATTRIBUTES {
        return None;
    }
    for name in ["data-lang", "data-language", "data-code-language"] {
        let value = attribute(source, name).map(decode_value);
        if let Some(language) = value
            .as_deref()
            .and_then(|value| known(value.trim(), is_code))
        {
            return Some(language);
        }
    }
    // GitHub states the language of a Markdown file in `lang`. It may also be the natural language.
    let lang = attribute(source, "lang").filter(|_| is_code);
    if let Some(language) = lang.and_then(|value| known(value.trim(), false)) {
        return Some(language);
    }
    let class = attribute(source, "class")
        .map(decode_value)
        .unwrap_or_default();
    let mut before = "";
    for word in class.split_ascii_whitespace() {
        let prefixes = [
            "language-",
            "lang-",
            "highlight-source-",
            "highlight-",
            "brush:",
            "sourceCode-",
        ];
        let after = prefixes.iter().find_map(|prefix| word.strip_prefix(prefix));
        let value = match after {
            Some("") if word == "brush:" => None,
            Some(value) => Some(value),
            None if is_code
                && matches!(before, "brush:" | "sourceCode" | "hljs" | "prettyprint") =>
            {
                Some(word)
            }
            None if before == "syntaxhighlighter" => Some(word),
            None if class.contains("blob-wrapper") => word.strip_prefix("type-"),
            None => None,
        };
        if let Some(language) = value.and_then(|value| known(value.trim_end_matches(';'), is_code))
        {
            return Some(language);
        }
        before = word;
    }
    None
}

/// The name of a programming language in lower case; `None` if it is not one.
fn known(name: &str, is_code: bool) -> Option<String> {
    const NONE: [&str; 14] = [
        "none",
        "text",
        "plaintext",
        "plain",
        "txt",
        "nohighlight",
        "no-highlight",
        "default",
        "auto",
        "unknown",
        "undefined",
        "linenums",
        "line-numbers",
        "copy",
    ];
    // Around code, two letters are more often a natural language.
    const SHORT: [&str; 27] = [
        "c", "r", "d", "v", "js", "ts", "py", "rb", "go", "rs", "cs", "fs", "hs", "vb", "kt", "pl",
        "ps", "sh", "md", "ex", "qt", "cc", "jl", "c#", "f#", "tf", "m",
    ];
    let name = name.to_ascii_lowercase();
    let is_name = |b: u8| b.is_ascii_alphanumeric() || b"+#-_.".contains(&b);
    let fits = (1..=32).contains(&name.len()) && name.bytes().all(is_name);
    let short = name.len() <= 2 && !is_code && !SHORT.contains(&name.as_str());
    (fits && !short && !NONE.contains(&name.as_str())).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use warcsieve_fixture::segmented;
    use warcsieve_html::Segmentation;

    #[test]
    fn the_language_is_named_by_the_code_or_around_it() {
        for (html, expected) in [
            ("<pre class=language-c++>x", "c++"),
            ("<pre><code class='hljs python'>x", "python"),
            ("<pre class='brush: java; gutter: false'>x", "java"),
            ("<pre class=brush:js>x", "js"),
            ("<pre data-lang=Rust>x", "rust"),
            (
                "<div class='highlight-python notranslate'><div class=highlight><pre>x",
                "python",
            ),
            (
                "<div class='language-ruby highlighter-rouge'><div class=highlight><pre><code>x",
                "ruby",
            ),
            (
                "<div class='sourceCode' id=a><pre class='sourceCode haskell'><code class='sourceCode haskell'>x",
                "haskell",
            ),
            ("<pre><code><span class=language-x>x", ""),
            ("<div class=lang-en><pre>x", ""),
            (
                "<div class=highlight-python><div class=highlight><table><tr><td><div><pre>x",
                "python",
            ),
            (
                "<div class='syntaxhighlighter java'><table><tr><td class=code><div class=line><code class='java plain'>x",
                "java",
            ),
            (
                "<div class='blob-wrapper data type-python'><table class=js-file-line-container><tr><td class=blob-code>x",
                "python",
            ),
            ("<pre lang=php>x", "php"),
            ("<pre lang=de class=language-c>x", "c"),
            ("<div lang=en class=lang-js><pre>x", "js"),
            ("<pre class=language-plaintext>x", ""),
            ("<pre class='language-a`b'>x", ""),
            ("<div class=language-c><div><div><div><pre>x", ""),
        ] {
            let doc = segmented(html, Segmentation::Inline);
            let found = language(&doc, doc.runs[0].element);
            assert_eq!(found.unwrap_or_default(), expected, "{html}");
        }
    }
}
