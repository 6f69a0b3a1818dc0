//! Recognizes elements by their attributes.

use warcsieve_html::attribute;

/// Whether the attributes mark a note, tip or warning next to the text. Knows the classes of
/// Sphinx, MkDocs, Docusaurus, GitHub, Asciidoctor, Starlight, MDN, Confluence, Bootstrap and
/// Microsoft's documentation.
pub(super) fn is_admonition(attributes: &str) -> bool {
    const CLASSES: [&str; 18] = [
        "admonition",
        "theme-admonition",
        "markdown-alert",
        "admonitionblock",
        "callout",
        "custom-block",
        "notecard",
        "starlight-aside",
        "confluence-information-macro",
        "alert-info",
        "alert-success",
        "alert-warning",
        "alert-danger",
        "NOTE",
        "TIP",
        "IMPORTANT",
        "WARNING",
        "CAUTION",
    ];
    let class = Some(attributes)
        .filter(|a| a.len() < 512)
        .and_then(|a| attribute(a, "class"));
    class.is_some_and(|class| {
        class
            .split_ascii_whitespace()
            .any(|class| CLASSES.contains(&class))
    })
}

/// Whether the check box of a task is checked; `None` if it is not a task. The check box of a task
/// is disabled, or has a class for tasks. Other check boxes are controls of the page.
pub(super) fn task(attributes: &str) -> Option<bool> {
    let is_box =
        attribute(attributes, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("checkbox"));
    let is_task = || {
        let class = attribute(attributes, "class").unwrap_or_default();
        class.contains("task") || attribute(attributes, "disabled").is_some()
    };
    (is_box && is_task()).then(|| attribute(attributes, "checked").is_some())
}
