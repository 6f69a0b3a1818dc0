//! Converts cleaned HTML to TEI P5, with the elements that trafilatura's TEI uses.
//!
//! Invariant: TEI elements are nested correctly, whatever the HTML is. The open elements are, from
//! outside to inside: `places`, then one text element (`in_text` or `own_paragraph`), then
//! `inline`. An element is closed only after everything inside it.

use warcsieve_html::{Tag, attribute, decode_value};

/// An element around the text of a page: a list, a quote, a table.
struct Place {
    /// Its TEI name; empty for an element without a TEI equivalent.
    name: &'static str,
    /// Whether it may directly contain text.
    holds_text: bool,
}

/// What the TEI header says about a page. Empty values are left out.
#[derive(Clone, Copy, Debug, Default)]
pub struct TeiHeader<'a> {
    /// Its title.
    pub title: &'a str,
    /// Its address.
    pub url: &'a str,
    /// Its author.
    pub author: &'a str,
    /// Date of publication in ISO 8601.
    pub published: &'a str,
    /// The name of its site.
    pub sitename: &'a str,
    /// What it is about.
    pub description: &'a str,
    /// Its keywords.
    pub tags: &'a [String],
}

/// A page as TEI. The header has what is known about the page, and the body has the content.
///
/// `html` must be HTML from a [`Renderer`](crate::Renderer). Other HTML also gives text, but the
/// TEI may be invalid. Takes time linear in its length.
pub fn tei(html: &str, header: &TeiHeader<'_>) -> String {
    let TeiHeader { title, url, .. } = *header;
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <TEI xmlns=\"http://www.tei-c.org/ns/1.0\">\n<teiHeader>\n<fileDesc>\n<titleStmt>\n",
    );
    element("title", &[("type", "main")], title, &mut out);
    said("author", header.author, &mut out);
    out += "</titleStmt>\n<publicationStmt>\n<p/>\n</publicationStmt>\n<sourceDesc>\n<bibl>\n";
    element("title", &[], title, &mut out);
    said("author", header.author, &mut out);
    said("publisher", header.sitename, &mut out);
    if !url.is_empty() {
        open("ptr", &[("type", "URL"), ("target", url)], &mut out);
        out.insert(out.len() - 1, '/');
        out.push('\n');
    }
    said("date", header.published, &mut out);
    out += "</bibl>\n</sourceDesc>\n</fileDesc>\n<encodingDesc>\n<appInfo>\n";
    let version = [
        ("version", env!("CARGO_PKG_VERSION")),
        ("ident", "warcsieve"),
    ];
    open("application", &version, &mut out);
    out += "<label>warcsieve</label></application>\n</appInfo>\n</encodingDesc>\n";
    profile(header, &mut out);
    out += "</teiHeader>\n<text>\n<body>\n<div type=\"entry\">\n";
    Writer::new(&mut out).body(html);
    out += "</div>\n</body>\n</text>\n</TEI>\n";
    out
}

/// Description and tags of the page.
fn profile(header: &TeiHeader<'_>, out: &mut String) {
    if header.description.is_empty() && header.tags.is_empty() {
        return;
    }
    *out += "<profileDesc>\n";
    if !header.description.is_empty() {
        *out += "<abstract>\n";
        said("p", header.description, out);
        *out += "</abstract>\n";
    }
    if !header.tags.is_empty() {
        *out += "<textClass>\n<keywords>\n";
        for tag in header.tags {
            element("term", &[("type", "tags")], tag, out);
        }
        *out += "</keywords>\n</textClass>\n";
    }
    *out += "</profileDesc>\n";
}

fn said(name: &str, text: &str, out: &mut String) {
    if !text.is_empty() {
        element(name, &[], text, out);
    }
}

fn element(name: &str, attributes: &[(&str, &str)], text: &str, out: &mut String) {
    open(name, attributes, out);
    escape(text, out);
    *out += &format!("</{name}>\n");
}

fn open(name: &str, attributes: &[(&str, &str)], out: &mut String) {
    *out += &format!("<{name}");
    for (name, value) in attributes {
        *out += &format!(" {name}=\"");
        escape(value, out);
        out.push('"');
    }
    out.push('>');
}

/// Appends text with references where XML needs them. Leaves out control characters, and characters
/// that XML does not allow (XML 1.0 §2.2).
fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' => out.push(c),
            '\u{fffe}' | '\u{ffff}' => {}
            c if c.is_control() => {}
            _ => out.push(c),
        }
    }
}

/// The element of links in HTML.
const LINK: &str = "a";

struct Writer<'o> {
    out: &'o mut String,
    /// The open elements of the page that may contain blocks.
    places: Vec<Place>,
    /// The open inline elements: name in HTML, and name in TEI.
    inline: Vec<(String, &'static str)>,
    /// The address of the open link of the page. A link around several blocks is one in each.
    link: Option<String>,
    /// The open element of the page that contains text: a paragraph or a heading.
    in_text: Option<&'static str>,
    /// Whether a paragraph is open that is not in the page. It contains text that has no paragraph
    /// there.
    own_paragraph: bool,
    /// Depth of `pre`. Inside, line ends are kept.
    verbatim: usize,
}

impl<'o> Writer<'o> {
    fn new(out: &'o mut String) -> Self {
        Self {
            out,
            places: Vec::new(),
            inline: Vec::new(),
            link: None,
            in_text: None,
            own_paragraph: false,
            verbatim: 0,
        }
    }

    fn body(&mut self, html: &str) {
        let mut rest = html;
        while !rest.is_empty() {
            let end = match rest.starts_with('<') {
                true => tag_end(rest),
                false => rest.find('<').unwrap_or(rest.len()),
            };
            let (part, after) = rest.split_at(end);
            match part.strip_prefix('<') {
                Some(tag) => self.tag(tag.trim_end_matches('>')),
                None => self.text(part),
            }
            rest = after;
        }
        while let Some(place) = self.places.pop() {
            self.end_text();
            self.close(place.name);
        }
        self.end_text();
    }

    fn text(&mut self, source: &str) {
        let text = decode_value(source);
        if self.verbatim == 0 && text.trim().is_empty() {
            if self.in_text.is_some() || self.own_paragraph || self.holds_text() {
                self.out.push(' ');
            }
            return;
        }
        self.begin_text();
        escape(&text, self.out);
    }

    /// Whether the innermost place may directly contain text.
    fn holds_text(&self) -> bool {
        self.places.last().is_some_and(|place| place.holds_text)
    }

    /// Opens a paragraph if text must not be here directly, and the link around the text.
    fn begin_text(&mut self) {
        if self.in_text.is_none() && !self.own_paragraph && !self.holds_text() {
            self.out.push_str("<p>");
            self.own_paragraph = true;
        }
        if let Some(target) = &self.link
            && self.inline.iter().all(|(html, _)| html != LINK)
        {
            open("ref", &[("target", target)], self.out);
            self.inline.push((LINK.to_owned(), "ref"));
        }
    }

    /// Closes the open text element and the inline elements in it.
    fn end_text(&mut self) {
        while let Some((_, name)) = self.inline.pop() {
            self.close(name);
        }
        if std::mem::take(&mut self.own_paragraph) {
            self.out.push_str("</p>\n");
        }
        if let Some(name) = self.in_text.take() {
            self.close(name);
            self.out.push('\n');
        }
        // Separates text directly in an item or a cell from what follows.
        if self.holds_text() && !self.out.ends_with(char::is_whitespace) {
            self.out.push(' ');
        }
    }

    fn close(&mut self, name: &str) {
        if !name.is_empty() {
            *self.out += &format!("</{name}>");
        }
    }

    fn tag(&mut self, tag: &str) {
        if let Some(name) = tag.strip_prefix('/') {
            return self.end_tag(name);
        }
        let end = tag.find([' ', '/']).unwrap_or(tag.len());
        let (name, attributes) = tag.split_at(end);
        let value = |wanted| attribute(attributes, wanted).unwrap_or_default();
        let value = |wanted| decode_value(value(wanted)).into_owned();
        match name {
            "br" => {
                self.begin_text();
                self.out.push_str("<lb/>");
            }
            "img" => {
                let url = value("src");
                if !url.is_empty() {
                    self.begin_text();
                    open("graphic", &[("url", &url)], self.out);
                    self.out.insert(self.out.len() - 1, '/');
                }
            }
            LINK => self.link = Some(value("href")).filter(|href| !href.is_empty()),
            "caption" => self.block("head", &[]),
            "dt" => self.block("label", &[]),
            "p" | "address" | "figcaption" | "summary" => self.block("p", &[]),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.block("ab", &[("type", "header"), ("rend", name)]);
            }
            "pre" => {
                self.verbatim += 1;
                self.block("ab", &[("type", "code"), ("xml:space", "preserve")]);
            }
            "ul" | "ol" | "dl" => self.place("list", false, &[("rend", name)]),
            "li" | "dd" => self.place("item", true, &[]),
            "blockquote" => self.place("quote", false, &[]),
            "table" => self.place("table", false, &[]),
            "tr" => self.place("row", false, &[]),
            "td" => self.place("cell", true, &[]),
            "th" => self.place("cell", true, &[("role", "head")]),
            _ => match inline(name) {
                Some((element, attributes)) => self.begin_inline(name, element, attributes),
                None if !Tag::from_name(name).is_inline() => self.end_text(),
                None => {}
            },
        }
    }

    fn begin_inline(&mut self, html: &str, name: &'static str, attributes: &[(&str, &str)]) {
        self.begin_text();
        open(name, attributes, self.out);
        self.inline.push((html.to_owned(), name));
    }

    /// Begins an element that contains text.
    fn block(&mut self, name: &'static str, attributes: &[(&str, &str)]) {
        self.end_text();
        open(name, attributes, self.out);
        self.in_text = Some(name);
    }

    /// Begins an element that contains blocks.
    fn place(&mut self, name: &'static str, holds_text: bool, attributes: &[(&str, &str)]) {
        self.end_text();
        open(name, attributes, self.out);
        self.places.push(Place { name, holds_text });
    }

    fn end_tag(&mut self, name: &str) {
        if name == LINK {
            self.link = None;
        }
        match name {
            "pre" => {
                self.verbatim = self.verbatim.saturating_sub(1);
                self.end_text();
            }
            "ul" | "ol" | "dl" | "li" | "dd" | "blockquote" | "table" | "tr" | "td" | "th" => {
                self.end_text();
                if let Some(place) = self.places.pop() {
                    self.close(place.name);
                    self.out.push('\n');
                }
            }
            _ if self.inline.last().is_some_and(|(html, _)| html == name) => {
                if let Some((_, name)) = self.inline.pop() {
                    self.close(name);
                }
            }
            _ if inline(name).is_some() || Tag::from_name(name).is_inline() => {}
            _ => self.end_text(),
        }
    }
}

type Inline = (&'static str, &'static [(&'static str, &'static str)]);

/// The TEI element for a formatting element.
fn inline(name: &str) -> Option<Inline> {
    Some(match name {
        "b" | "strong" => ("hi", &[("rend", "#b")]),
        "i" | "em" | "cite" | "dfn" | "var" => ("hi", &[("rend", "#i")]),
        "u" | "ins" => ("hi", &[("rend", "#u")]),
        "code" | "kbd" | "samp" | "tt" => ("hi", &[("rend", "#t")]),
        "sub" => ("hi", &[("rend", "#sub")]),
        "sup" => ("hi", &[("rend", "#sup")]),
        "del" | "s" | "strike" => ("del", &[]),
        "q" => ("quote", &[]),
        _ => return None,
    })
}

/// Length of the tag or comment at the beginning of `rest`. A `>` in quotes does not end it.
fn tag_end(rest: &str) -> usize {
    let mut quoted = false;
    for (at, byte) in rest.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b'>' if !quoted => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn body(html: &str) -> String {
        let text = tei(
            html,
            &TeiHeader {
                title: "t",
                ..TeiHeader::default()
            },
        );
        roxmltree::Document::parse(&text).unwrap();
        let (_, rest) = text.split_once("<div type=\"entry\">\n").unwrap();
        rest.split_once("</div>\n</body>").unwrap().0.to_owned()
    }

    #[test]
    fn the_header_says_what_is_known() {
        let tags = ["a".to_owned(), "b".to_owned()];
        let header = TeiHeader {
            title: "T",
            author: "A & B",
            published: "2025-09-04",
            sitename: "S",
            description: "D",
            tags: &tags,
            ..TeiHeader::default()
        };
        let text = tei("<p>x", &header);
        for part in [
            "<author>A &amp; B</author>",
            "<publisher>S</publisher>",
            "<date>2025-09-04</date>",
            "<abstract>\n<p>D</p>\n</abstract>",
            "<term type=\"tags\">b</term>",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!tei("<p>x", &TeiHeader::default()).contains("profileDesc"));
    }

    #[test]
    fn each_element_has_its_place_in_tei() {
        for (html, expected) in [
            ("<p>a &lt; b<br>c", "<p>a &lt; b<lb/>c</p>\n"),
            ("<div>a<p>b</p>c</div>", "<p>a</p>\n<p>b</p>\n<p>c</p>\n"),
            (
                "<h2>a <b>b</b></h2>",
                "<ab type=\"header\" rend=\"h2\">a <hi rend=\"#b\">b</hi></ab>\n",
            ),
            (
                "<ul><li>a<ul><li>b</li></ul></li></ul>",
                "<list rend=\"ul\"><item>a <list rend=\"ul\"><item>b </item>\n</list>\n</item>\n</list>\n",
            ),
            (
                "<table><caption>k</caption><tr><th>a</th><td>b</td></tr></table>",
                "<table><head>k</head>\n<row><cell role=\"head\">a </cell>\n<cell>b </cell>\n</row>\n</table>\n",
            ),
            (
                "<ul><li><b>a</b> <i>b</i></li><li><div>c</div><div>d</div></li></ul>",
                "<list rend=\"ul\"><item><hi rend=\"#b\">a</hi> <hi rend=\"#i\">b</hi> </item>\n\
                 <item> c d </item>\n</list>\n",
            ),
            ("<p><a>l</a> k</p>", "<p>l k</p>\n"),
            ("<blockquote>a</blockquote>", "<quote><p>a</p>\n</quote>\n"),
            (
                "<pre>a\n  b</pre>",
                "<ab type=\"code\" xml:space=\"preserve\">a\n  b</ab>\n",
            ),
            (
                "<p><a href=\"/x?a=1&amp;b=2\">l</a> <img src=\"i>j\">",
                "<p><ref target=\"/x?a=1&amp;b=2\">l</ref> <graphic url=\"i&gt;j\"/></p>\n",
            ),
            (
                "<a href=\"/x\"><h2>a</h2><p>b <b>c</b></p></a>d",
                "<ab type=\"header\" rend=\"h2\"><ref target=\"/x\">a</ref></ab>\n\
                 <p><ref target=\"/x\">b <hi rend=\"#b\">c</hi></ref></p>\n<p>d</p>\n",
            ),
        ] {
            assert_eq!(body(html), expected, "{html}");
        }
    }

    #[test]
    fn the_header_says_title_and_address() {
        let text = tei(
            "<p>x",
            &TeiHeader {
                title: "A & B\u{1}",
                url: "http://a.example/?b=1&c",
                ..TeiHeader::default()
            },
        );
        let parsed = roxmltree::Document::parse(&text).unwrap();
        let find = |name| parsed.descendants().find(|n| n.has_tag_name(name)).unwrap();
        assert_eq!(find("title").text(), Some("A & B"));
        assert_eq!(
            find("ptr").attribute("target"),
            Some("http://a.example/?b=1&c")
        );
    }

    proptest! {
        #[test]
        fn whatever_the_html_elements_nest_and_words_stay(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "<p>", "</p>", "<b>", "</b>", "<a href=\"x\">", "</a>", "<ul>", "<li>", "</li>",
                    "</ul>", "<table>", "<tr>", "<td>", "</td>", "</tr>", "</table>", "<pre>",
                    "</pre>", "<div>", "</div>", "<br>", "<h1>", "</h1>", "<dt>", "<dd>", "word ",
                    " ", "&amp;", "<!-- c -->", "<", ">", "\"", "\u{b}",
                ]),
                0..40,
            )
        ) {
            let html = parts.concat();
            let made = body(&html);
            let words = |text: &str| text.matches("word").count();
            // Words inside an unfinished tag are not text.
            if !html.contains("<\"") && !parts.contains(&"<") && !parts.contains(&"\"") {
                prop_assert_eq!(words(&made), words(&html));
            }
        }
    }
}
