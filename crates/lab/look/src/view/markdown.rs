//! Markdown as a list of element starts, element ends and texts, from which the script makes elements.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// The parts of a Markdown text: `<NAME` begins an element, `<a` is followed by a tab and its address, `>` ends the
/// last one, `t…` is text. Elements are from a fixed list, which the script knows.
pub fn parts(markdown: &str) -> Vec<String> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_MATH;
    let mut parts: Vec<String> = Vec::new();
    let mut in_head = false;
    for event in Parser::new_ext(markdown, options) {
        match event {
            Event::Start(tag) => {
                in_head |= matches!(tag, Tag::TableHead);
                parts.push(begin(&tag, in_head));
            }
            Event::End(tag) => {
                in_head &= !matches!(tag, TagEnd::TableHead);
                parts.push(">".to_owned());
            }
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => {
                add_text(&mut parts, &text)
            }
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                parts.push("<code".to_owned());
                parts.push(format!("t{text}"));
                parts.push(">".to_owned());
            }
            Event::SoftBreak => add_text(&mut parts, "\n"),
            Event::HardBreak => parts.extend(["<br".to_owned(), ">".to_owned()]),
            Event::Rule => parts.extend(["<hr".to_owned(), ">".to_owned()]),
            Event::FootnoteReference(text) => add_text(&mut parts, &text),
            Event::TaskListMarker(_) => {}
        }
    }
    parts
}

/// Adds a text; if the last part is a text, appends to it.
fn add_text(parts: &mut Vec<String>, text: &str) {
    match parts.last_mut() {
        Some(last) if last.starts_with('t') => last.push_str(text),
        _ => parts.push(format!("t{text}")),
    }
}

fn begin(tag: &Tag<'_>, in_head: bool) -> String {
    let name = match tag {
        Tag::Heading { level, .. } => match level {
            HeadingLevel::H1 => "h1",
            HeadingLevel::H2 => "h2",
            HeadingLevel::H3 => "h3",
            HeadingLevel::H4 => "h4",
            HeadingLevel::H5 => "h5",
            HeadingLevel::H6 => "h6",
        },
        Tag::BlockQuote(_) => "blockquote",
        Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented) => "pre",
        Tag::List(Some(_)) => "ol",
        Tag::List(None) => "ul",
        Tag::Item => "li",
        Tag::Table(_) => "table",
        Tag::TableHead | Tag::TableRow => "tr",
        Tag::TableCell if in_head => "th",
        Tag::TableCell => "td",
        Tag::Emphasis => "em",
        Tag::Strong => "strong",
        Tag::Strikethrough => "s",
        Tag::Link { dest_url, .. } => return format!("<a\t{dest_url}"),
        Tag::Image { dest_url, .. } => return format!("<img\t{dest_url}"),
        Tag::Paragraph => "p",
        _ => "div",
    };
    format!("<{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_ends_and_markup_is_text() {
        let parts =
            parts("## A *b*\n\n- [c](http://x/) <img src=x onerror=alert(1)>\n\n|h|\n|-|\n|d|\n");
        let joined = parts.join(" ");
        assert!(joined.starts_with("<h2 tA  <em tb > >"), "{joined}");
        assert!(joined.contains("<a\thttp://x/ tc >"), "{joined}");
        assert!(
            joined.contains("t <img src=x onerror=alert(1)>"),
            "{joined}"
        );
        assert!(
            joined.contains("<table <tr <th th > > <tr <td td > > >"),
            "{joined}"
        );
        let begun = parts.iter().filter(|p| p.starts_with('<')).count();
        assert_eq!(begun, parts.iter().filter(|p| *p == ">").count());
    }
}
