//! Compares the tokens with those of `lol.rs`, based on the elements that lol_html considers open.

use super::*;
use crate::attributes::{attributes, has_attribute};
use crate::lol;
use crate::lol::RAW_TEXT;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Namespace {
    Html,
    Svg,
    MathMl,
}

/// The elements that lol_html considers open, by the tags it has seen.
struct Simulator<'a> {
    html: &'a str,
    stack: Vec<Namespace>,
    /// Inside a `<noscript>`: the `stack` and `unclosed` of the page around it.
    outer: Option<(Vec<Namespace>, Vec<Tag>)>,
    /// Raw-text elements that were not closed.
    unclosed: Vec<Tag>,
}

impl<'a> Simulator<'a> {
    fn new(html: &'a str) -> Self {
        Self {
            html,
            stack: vec![Namespace::Html],
            outer: None,
            unclosed: Vec::new(),
        }
    }

    fn token(&mut self, token: &Token<'a>) -> Context {
        match token {
            Token::Text { .. } => {}
            Token::StartTag {
                tag,
                name,
                attrs,
                self_closing,
                ..
            } => self.start_tag(*tag, name, &self.html[attrs.clone()], *self_closing),
            Token::EndTag { tag, name, range } => self.end_tag(*tag, name, range.is_empty()),
        }
        match self.stack.last() {
            Some(Namespace::Html) | None => Context::Html,
            _ => Context::Foreign,
        }
    }

    fn start_tag(&mut self, tag: Tag, name: &str, attrs: &str, self_closing: bool) {
        use Namespace::{Html, MathMl, Svg};
        let namespace = *self.stack.last().unwrap();
        if self.unclosed.contains(&tag) {
            return;
        }
        match tag {
            Tag::Svg => self.stack.push(Svg),
            Tag::Math => self.stack.push(MathMl),
            Tag::Noscript if namespace == Html && self.outer.is_none() => {
                let stack = std::mem::replace(&mut self.stack, vec![Html]);
                self.outer = Some((stack, std::mem::take(&mut self.unclosed)));
            }
            _ if namespace == Html => {}
            Tag::Font
                if ["color", "size", "face"]
                    .iter()
                    .any(|a| has_attribute(attrs, a)) =>
            {
                self.stack.pop();
            }
            Tag::Font => {}
            _ if leaves(tag) => {
                self.stack.pop();
            }
            _ if !self_closing
                && (is_integration_point(namespace, tag)
                    || namespace == MathMl && is_html_annotation(name, attrs)) =>
            {
                self.stack.push(Html);
            }
            _ => {}
        }
    }

    fn end_tag(&mut self, tag: Tag, name: &str, empty: bool) {
        use Namespace::{Html, MathMl, Svg};
        if empty {
            // From here on this name is not raw text, and lol_html starts again.
            if tag.is_raw_text() && !self.unclosed.contains(&tag) {
                self.stack = vec![Html];
                self.unclosed.push(tag);
            }
            return;
        }
        if tag == Tag::Noscript
            && let Some((stack, unclosed)) = self.outer.take()
        {
            self.stack = stack;
            self.unclosed = unclosed;
            // The tag is then also handled like any end tag.
        }
        let namespace = *self.stack.last().unwrap();
        let before = self.stack.len().checked_sub(2).map(|n| self.stack[n]);
        let leave = match (namespace, before) {
            (Html, Some(before)) => {
                is_integration_point(before, tag)
                    || before == MathMl && name.eq_ignore_ascii_case("annotation-xml")
            }
            (Html, None) => false,
            (Svg, _) => matches!(tag, Tag::Svg | Tag::P | Tag::Br),
            (MathMl, _) => matches!(tag, Tag::Math | Tag::P | Tag::Br),
        };
        if leave {
            self.stack.pop();
        }
    }
}

/// Whether a start tag ends SVG and MathML.
fn leaves(tag: Tag) -> bool {
    const NAMES: &str = "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li \
        listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var";
    tag != Tag::Other && NAMES.split(' ').any(|name| name == tag.name())
}

fn is_integration_point(namespace: Namespace, tag: Tag) -> bool {
    match namespace {
        Namespace::Html => false,
        Namespace::Svg => matches!(tag, Tag::Desc | Tag::Title | Tag::ForeignObject),
        Namespace::MathMl => matches!(tag, Tag::Mi | Tag::Mo | Tag::Mn | Tag::Ms | Tag::Mtext),
    }
}

fn is_html_annotation(name: &str, attrs: &str) -> bool {
    let is_html = |(name, value): (&str, &str)| {
        let html = ["text/html", "application/xhtml+xml"];
        name.eq_ignore_ascii_case("encoding") && html.iter().any(|h| value.eq_ignore_ascii_case(h))
    };
    name.eq_ignore_ascii_case("annotation-xml") && attributes(attrs).any(is_html)
}

/// Known differences between lol_html and the standard.
struct Known {
    why: &'static str,
    /// Whether the tag changes how the page continues.
    tag: fn(html: &str, token: &Token<'_>) -> bool,
    example: &'static str,
    by_lol_html: &'static str,
    by_us: &'static str,
}

const KNOWN: &[Known] = &[Known {
    why: "§13.2.5.37: after `=` without a value the `>` ends the tag as any other does; lol_html \
        continues with markup, whatever the element",
    tag: |html, token| {
        let Token::StartTag { tag, attrs, .. } = token else {
            return false;
        };
        let attrs = html[attrs.clone()].trim_ascii_end();
        attrs.ends_with('=') && (tag.is_raw_text() || *tag == Tag::Plaintext)
    },
    example: "<script src=>a<b>c</script>",
    by_lol_html: "<script> raw:a <b> c </script>",
    by_us: "<script> raw:a<b>c </script>",
}];

/// Pages in which lol_html considers other elements open than the standard does: the rule of the
/// standard, the page, the tokens of lol_html, and ours.
const OPEN: &[(&str, &str, &str, &str)] = &[
    (
        "§13.2.6.5: an end tag closes the SVG inside of its element",
        "<div><svg></div><title>a<b></title>",
        "<div> <svg> </div> <title> a <b> </title>",
        "<div> <svg> </div> <title> a<b> </title>",
    ),
    (
        "§13.2.6.4.7: `/>` closes",
        "<svg/><style>a<b></style>",
        "<svg> <style> a <b> </style>",
        "<svg> <style> raw:a<b> </style>",
    ),
    (
        "§13.2.6.5: a tag of HTML ends all SVG around it",
        "<svg><svg><p><style>a<b></style>",
        "<svg> <svg> <p> <style> a <b> </style>",
        "<svg> <svg> <p> <style> raw:a<b> </style>",
    ),
    (
        "§13.2.5.42: `foreignObject` itself is an element of SVG",
        "<svg><foreignObject><![CDATA[<b>]]>",
        "<svg> <foreignObject> ]]>",
        "<svg> <foreignObject> raw:<b>",
    ),
    (
        "§13.2.6.4.7: no end tag closes an element around a `div`",
        "<svg><foreignObject><div></foreignObject><style>a<b></style>",
        "<svg> <foreignObject> <div> </foreignObject> <style> a <b> </style>",
        "<svg> <foreignObject> <div> </foreignObject> <style> raw:a<b> </style>",
    ),
    (
        "§13.2.6.5: what is in SVG is of SVG, `math` as well",
        "<svg><math><mi><style>a<b></style>",
        "<svg> <math> <mi> <style> raw:a<b> </style>",
        "<svg> <math> <mi> <style> a <b> </style>",
    ),
    (
        "§13.2.6: `mglyph` in `mi` is of MathML",
        "<math><mi><mglyph><style>a<b></style>",
        "<math> <mi> <mglyph> <style> raw:a<b> </style>",
        "<math> <mi> <mglyph> <style> a <b> </style>",
    ),
];

#[test]
fn both_know_the_same_raw_text() {
    let ours = Tag::ALL.iter().filter(|tag| tag.is_raw_text());
    let is_theirs = |tag: &&Tag| RAW_TEXT.contains(tag);
    assert_eq!(ours.clone().filter(is_theirs).count(), RAW_TEXT.len());
    assert_eq!(ours.count(), RAW_TEXT.len());
}

#[test]
fn lol_html_considers_other_elements_open() {
    for (why, html, by_lol_html, by_us) in OPEN {
        let [(found, _), (same, _)] = both(html);
        assert_eq!(shown(html, &found), *by_lol_html, "{why}");
        assert_eq!(found, same, "{why}");
        assert_eq!(shown(html, &tokens(html).0), *by_us, "{why}");
        assert_eq!(html5ever::compare(html), html5ever::Outcome::Same, "{why}");
    }
}

pub fn both(html: &str) -> [(Vec<Token<'_>>, Ending); 2] {
    let mut by_lol_html = Vec::new();
    let ending = lol::tokenize(html, html.len(), |token| by_lol_html.push(token)).unwrap();
    let mut simulator = Simulator::new(html);
    let mut by_us = Vec::new();
    let own = tokenize(html, |token| {
        let context = simulator.token(&token);
        by_us.push(token);
        context
    });
    [(by_lol_html, ending), (by_us, own)]
}

fn shown(html: &str, tokens: &[Token<'_>]) -> String {
    let shown = tokens.iter().map(|token| match token {
        Token::Text {
            range,
            kind: TextKind::Data,
        } => html[range.clone()].to_owned(),
        Token::Text { range, .. } => format!("raw:{}", &html[range.clone()]),
        Token::StartTag { name, .. } => format!("<{name}>"),
        Token::EndTag { name, .. } => format!("</{name}>"),
    });
    shown.collect::<Vec<_>>().join(" ")
}

#[test]
fn known_differences_are_still_differences() {
    for known in KNOWN {
        let html = known.example;
        let [(by_lol_html, _), (by_us, _)] = both(html);
        assert_eq!(
            shown(html, &by_lol_html),
            known.by_lol_html,
            "{}",
            known.why
        );
        assert_eq!(shown(html, &by_us), known.by_us, "{}", known.why);
    }
}

#[test]
fn generated_pages_agree() {
    let mut html = String::new();
    let mut known = [0; KNOWN.len()];
    let rounds = rounds();
    for number in rounds.clone() {
        page(number, &mut html);
        let [by_lol_html, by_us] = both(&html);
        if by_lol_html == by_us {
            continue;
        }
        let same = by_lol_html.0.iter().zip(&by_us.0);
        let same = same.take_while(|(a, b)| a == b).count();
        let before = &by_us.0[..same];
        let cause = KNOWN
            .iter()
            .position(|known| before.iter().any(|token| (known.tag)(&html, token)));
        let Some(cause) = cause else {
            panic!("page {number}: {html:?}\n{by_lol_html:?}\n{by_us:?}");
        };
        known[cause] += 1;
    }
    println!("{rounds:?} agree with lol_html but for {known:?} pages of known causes");
}
