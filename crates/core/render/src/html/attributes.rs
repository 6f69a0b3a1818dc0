//! The attributes of cleaned HTML: those that carry information about the text. No attribute is
//! kept that makes a browser run, load or send anything, except to follow a link or show an image.

use super::super::address::{Base, LINKED, SHOWN, address};
use super::super::page::Page;
use warcsieve_html::{Tag, attribute, attributes, decode_value};

/// An attribute that is kept.
struct Kept {
    name: &'static str,
    /// Elements that keep it; empty if all do.
    on: &'static [Tag],
    value: Value,
}

enum Value {
    /// Any value.
    Text,
    /// A URL with one of these schemes, or a relative one.
    Address(&'static [&'static str]),
}

const WEB: Value = Value::Address(SHOWN);

const KEPT: &[Kept] = &[
    text("lang", &[]),
    text("dir", &[]),
    text("title", &[]),
    Kept {
        name: "href",
        on: &[Tag::A],
        value: Value::Address(LINKED),
    },
    Kept {
        name: "src",
        on: &[Tag::Img],
        value: WEB,
    },
    text("alt", &[Tag::Img]),
    text("width", &[Tag::Img]),
    text("height", &[Tag::Img]),
    Kept {
        name: "cite",
        on: &[Tag::Blockquote, Tag::Q, Tag::Del, Tag::Ins],
        value: WEB,
    },
    text("datetime", &[Tag::Time, Tag::Del, Tag::Ins]),
    text("colspan", &[Tag::Td, Tag::Th]),
    text("rowspan", &[Tag::Td, Tag::Th]),
    text("scope", &[Tag::Th]),
    text("start", &[Tag::Ol]),
    text("reversed", &[Tag::Ol]),
    text("type", &[Tag::Ol]),
    text("value", &[Tag::Li]),
];

const fn text(name: &'static str, on: &'static [Tag]) -> Kept {
    Kept {
        name,
        on,
        value: Value::Text,
    }
}

/// Appends the kept attributes of `source` for an element printed as `tag`, each with a space
/// before it. `base` completes addresses.
pub(super) fn write(tag: Tag, source: &str, base: &Base, out: &mut Page<'_>) {
    let mut seen = 0_u32;
    for (name, value) in attributes(source) {
        let is_it = |kept: &Kept| {
            kept.name.eq_ignore_ascii_case(name) && (kept.on.is_empty() || kept.on.contains(&tag))
        };
        let Some(at) = KEPT.iter().position(is_it) else {
            continue;
        };
        // The first attribute of a name counts, even if its value is not kept.
        if seen & 1 << at != 0 {
            continue;
        }
        seen |= 1 << at;
        let value = decode_value(value);
        let value = match KEPT[at].value {
            Value::Address(schemes) => match base.complete(&value, schemes) {
                Some(address) => address,
                None => continue,
            },
            Value::Text => value.trim_matches(|c| c <= ' ').into(),
        };
        out.push(' ');
        out.push_str(KEPT[at].name);
        out.push_str("=\"");
        escape_value(&value, out);
        out.push('"');
    }
}

/// Appends an attribute value, escaped.
pub(crate) fn escape_value(value: &str, out: &mut Page<'_>) {
    for c in value.chars() {
        if out.is_full() {
            return;
        }
        match c {
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\u{a0}' => out.push_str("&nbsp;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
}

/// Whether an image with these attributes shows something: it has an allowed address or an
/// alternative text, and is not a single dot for layout or tracking.
pub(super) fn shows_image(source: &str) -> bool {
    let value = |name| attribute(source, name).map(decode_value);
    let has_text = value("alt").is_some_and(|alt| !alt.trim().is_empty());
    let has_address =
        value("src").is_some_and(|src| address(&src, SHOWN).is_some_and(|a| !a.is_empty()));
    (has_text || has_address) && !is_dot(source)
}

/// Whether an image with these attributes is a dot or a line, used for layout or tracking.
pub(crate) fn is_dot(source: &str) -> bool {
    ["width", "height"].iter().any(|name| {
        let value = attribute(source, name).map(decode_value);
        value.is_some_and(|v| matches!(v.trim(), "0" | "1" | "0px" | "1px"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(tag: Tag, source: &str) -> String {
        let mut out = String::new();
        write(
            tag,
            source,
            &Base::default(),
            &mut Page::new(&mut out, usize::MAX),
        );
        out
    }

    #[test]
    fn only_what_is_listed_is_kept() {
        let source = " class=x onclick='alert(1)' LANG=de title='a \"b\" &lt; c' style=x id=y";
        assert_eq!(
            kept(Tag::P, source),
            " lang=\"de\" title=\"a &quot;b&quot; &lt; c\""
        );
        assert_eq!(kept(Tag::Td, " colspan=2 href=x alt=y"), " colspan=\"2\"");
        assert_eq!(
            kept(Tag::Ol, " reversed start=3"),
            " reversed=\"\" start=\"3\""
        );
        assert_eq!(kept(Tag::P, " title=a TITLE=b"), " title=\"a\"");
    }

    #[test]
    fn images_that_show_something_are_recognised() {
        for shown in [" src=x.png", " alt=x", " src=data:x alt=x width=10"] {
            assert!(shows_image(shown), "{shown}");
        }
        for not in [
            "",
            " src",
            " alt=' '",
            " src=data:x alt",
            " src=x.gif width=1 height=10",
            " alt=x height=' 0 '",
            " src=x.gif width='1px'",
        ] {
            assert!(!shows_image(not), "{not}");
        }
    }

    #[test]
    fn addresses_are_checked_as_they_are_printed() {
        assert_eq!(kept(Tag::A, " href=' a\n/b '"), " href=\"a/b\"");
        assert_eq!(kept(Tag::A, " href=TEL:1"), " href=\"TEL:1\"");
        for bad in [
            " \tJavaScript:alert(1)",
            "java&#10;script:x",
            "java&#x81;script:x",
            "&nbsp;javascript:x",
            "&#106;avascript&colon;x",
            "javascrit:x",
        ] {
            let source = format!(" href=\"{bad}\" src=\"{bad}\" cite=\"{bad}\"");
            for tag in [Tag::A, Tag::Img, Tag::Q] {
                assert_eq!(kept(tag, &source), "", "{bad}");
            }
        }
        assert_eq!(kept(Tag::Img, " src=mailto:a alt"), " alt=\"\"");
        assert_eq!(
            kept(Tag::A, " href=javascript:x href=http://a"),
            "",
            "the first counts"
        );
    }
}
