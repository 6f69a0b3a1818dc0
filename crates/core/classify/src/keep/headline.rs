//! The headline of a page's content: an `h1`, or the heading that repeats the title.
//!
//! Methods look for running text, and golds rarely contain headlines, so learned methods drop them. But readers want
//! them.

use crate::declared::meta;
use crate::label::Label;
use crate::title::{Titles, is_same_name, names_site};
use crate::why::{Change, Changing, Why};
use std::ops::Range;
use warcsieve_html::document::{Block, Document};
use warcsieve_html::{Element, ElementId, Tag, attribute, decode_value};

/// The maximum number of headings of a page that are examined.
const MAX_HEADINGS: usize = 64;

/// The maximum length of the attributes of a link that may lead home. If a link holds many headings, each of them reads
/// its attributes.
const MAX_ATTRIBUTE_BYTES: usize = 2048;

/// The minimum number of words of a heading that is accepted although it is only a part of the title, or not an `h1`.
const MIN_WORDS: u32 = 3;

/// An `h2` or `h3` that replaces the `h1` must begin at most this many blocks after the first content.
const REACH: u32 = 2;

/// The headings of a page that may be its headline. Which of them is the headline depends on the labels: see
/// [`Headings::headline`].
#[derive(Clone, Debug, Default)]
pub struct Headings {
    found: Vec<Heading>,
}

#[derive(Clone, Debug)]
struct Heading {
    /// Its blocks.
    blocks: Range<u32>,
    /// It is an `h1`, and not the name of the site, which leads home.
    is_h1: bool,
    /// It repeats the page's title or a part of it. For the site's name only the whole title counts.
    is_titled: bool,
    words: u32,
}

impl Headings {
    /// The headings of a page, in time linear in its elements and blocks. Headings in navigation, footers, asides and
    /// controls are left out, and so are all headings after the first 64.
    pub fn of(doc: &Document) -> Self {
        let mut headings = Self::default();
        let is_heading = |e: &Element| matches!(e.tag, Tag::H1 | Tag::H2 | Tag::H3);
        let elements = (0..).zip(&doc.tree.elements).filter(|(_, e)| is_heading(e));
        let mut titles = None;
        let mut next = 0;
        for (id, element) in elements {
            // Text after a heading may be in an element around it, whose number is smaller.
            let first = next
                + doc.blocks[next..]
                    .iter()
                    .take_while(|b| b.element < id)
                    .count();
            let inside = |b: &&Block| (id..element.end).contains(&b.element);
            let end = first + doc.blocks[first..].iter().take_while(inside).count();
            next = end;
            if first == end || is_apart(doc, id) {
                continue;
            }
            let titles = titles.get_or_insert_with(|| Titles::of(&doc.title));
            let words: u32 = doc.blocks[first..end].iter().map(|b| b.words).sum();
            let text = text(doc, first..end);
            let is_part = || words >= MIN_WORDS && titles.hold(&text);
            let (is_h1, is_titled) = match element.tag == Tag::H1 && leads_home(doc, id) {
                true => (false, titles.is(&text)),
                false => (element.tag == Tag::H1, titles.matches(&text) || is_part()),
            };
            if words > 0 && (is_h1 || is_titled && words >= MIN_WORDS) {
                headings.found.push(Heading {
                    blocks: first as u32..end as u32,
                    is_h1,
                    is_titled,
                    words,
                });
            }
            if headings.found.len() == MAX_HEADINGS {
                break;
            }
        }
        headings.drop_names_of_site(doc);
        headings
    }

    /// Drops headings of level 1 that are the site's name, though they do not lead home, as those of many forums.
    fn drop_names_of_site(&mut self, doc: &Document) {
        if doc.title.trim().is_empty() || !self.found.iter().any(|h| h.is_h1) {
            return;
        }
        let site = meta(doc, "property", "og:site_name")
            .next()
            .map(decode_value);
        let of = |h: &Heading| text(doc, h.blocks.start as usize..h.blocks.end as usize);
        let texts: Vec<String> = self.found.iter().map(of).collect();
        let is_site = |text: &str| site.as_deref().is_some_and(|site| is_same_name(site, text));
        let is_heading = |own: &str| texts.iter().any(|text| is_same_name(text, own));
        let names = |text: &str| names_site(&doc.title, text, is_site, is_heading);
        let mut each = texts.iter();
        self.found.retain(|h| {
            let text = each.next();
            !h.is_h1 || text.is_none_or(|text| !names(text))
        });
    }

    /// The blocks of the headline, if it is not content yet. Empty if the page has no content or no headline, or if its
    /// content has a block with the same text.
    ///
    /// The headline is the first of these that exists: the `h1` that repeats most of the title (of equal ones the
    /// first); the last `h1` up to the first content; the first `h1`; an `h2` or `h3` with the title that begins up to
    /// two blocks after the first content.
    ///
    /// `blocks` is the number of the page's blocks, and `text` returns their texts.
    pub fn headline<'a>(
        &self,
        blocks: usize,
        text: impl Fn(usize) -> &'a str,
        is_content: impl Fn(usize) -> bool,
    ) -> Range<usize> {
        let Some(first) = (0..blocks).find(|&block| is_content(block)) else {
            return 0..0;
        };
        let first = first as u32;
        let h1 = || self.found.iter().filter(|h| h.is_h1);
        // The site's name is also a part of the title, and mostly a shorter one.
        let titled = h1().filter(|h| h.is_titled);
        let titled = titled.reduce(|most, h| if h.words > most.words { h } else { most });
        let is_kept = |h: &Heading| h.blocks.clone().any(|block| is_content(block as usize));
        if titled.is_none() && self.found.iter().any(|h| h.is_titled && is_kept(h)) {
            return 0..0;
        }
        let chosen = titled
            .or_else(|| h1().rfind(|h| h.blocks.start <= first))
            .or_else(|| h1().next())
            .or_else(|| self.found.iter().find(|h| h.blocks.start <= first + REACH));
        let Some(chosen) = chosen else {
            return 0..0;
        };
        let own = chosen.blocks.start as usize..chosen.blocks.end as usize;
        let heading = own.clone().map(&text).collect::<Vec<_>>().join(" ");
        let is_there =
            |&block: &usize| is_content(block) && (own.contains(&block) || text(block) == heading);
        match (0..blocks).find(is_there) {
            Some(_) => 0..0,
            None => own,
        }
    }
}

/// Whether an element is in a part of the page that does not hold its content.
fn is_apart(doc: &Document, id: ElementId) -> bool {
    let apart = |tag| {
        matches!(
            tag,
            Tag::Nav | Tag::Footer | Tag::Aside | Tag::Select | Tag::Button
        )
    };
    doc.tree.ancestors(id).any(|element| apart(element.tag))
}

/// Whether a heading names the site of a page, or is in a part of the page that does not hold its content. Such a
/// heading is never the headline.
pub fn is_of_site(doc: &Document, id: ElementId) -> bool {
    is_apart(doc, id) || leads_home(doc, id)
}

/// Whether a heading is, is in or contains a link to the root of a site, like the site's name on each of its pages.
fn leads_home(doc: &Document, id: ElementId) -> bool {
    let elements = &doc.tree.elements;
    let inside = &elements[id as usize..elements[id as usize].end as usize];
    let links = inside.iter().chain(doc.tree.ancestors(id));
    let is_read = |e: &&Element| e.tag == Tag::A && e.attrs.range().len() <= MAX_ATTRIBUTE_BYTES;
    links.filter(is_read).any(|link| {
        let href = attribute(doc.attributes(link), "href").unwrap_or_default();
        let href = decode_value(href);
        let href = href.trim_ascii();
        let path = match href.split_once("//") {
            Some(("" | "http:" | "https:", rest)) => rest.trim_start_matches(|c| c != '/'),
            _ => href,
        };
        let path = path.split(['?', '#']).next().unwrap_or_default();
        matches!(path, "/" | "./" | "../" | "/index.html" | "/index.php")
            || path.is_empty() && !href.is_empty() && !href.starts_with(['?', '#'])
    })
}

fn text(doc: &Document, blocks: Range<usize>) -> String {
    let texts: Vec<_> = doc.blocks[blocks]
        .iter()
        .map(|block| doc.block_text(block))
        .collect();
    texts.join(" ")
}

/// Makes the headline content. Runs after the steps of a pipeline that asks for it.
pub type KeepHeadline = Changing<Headline>;

/// What [`KeepHeadline`] changes.
#[derive(Default)]
pub struct Headline;

impl Change for Headline {
    const REASON: &'static str = "the headline of the page's content";
    const WORDS: &'static str = "kept as the headline";

    fn change(&mut self, doc: &Document, labels: &mut [Label], why: Why) {
        let text = |block: usize| doc.block_text(&doc.blocks[block]);
        let headings = Headings::of(doc);
        let headline = headings.headline(labels.len(), text, |block| labels[block].content);
        labels[headline]
            .iter_mut()
            .for_each(|label| why.keep(label));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warcsieve_fixture::segmented;
    use warcsieve_html::Segmentation;

    /// The text of the headline; blocks with `#` are content.
    fn headline(html: &str) -> String {
        let doc = segmented(html, Segmentation::Inline);
        let of = |block: usize| doc.block_text(&doc.blocks[block]);
        let is_content = |block: usize| of(block).contains('#');
        text(
            &doc,
            Headings::of(&doc).headline(doc.blocks.len(), of, is_content),
        )
    }

    #[test]
    fn the_first_h1_that_repeats_the_title_is_the_headline() {
        let title = "<title>Rain falls in the plain | News</title>";
        let page = |body: &str| headline(&format!("{title}{body}"));
        assert_eq!(
            page("<h1>News</h1><h1>Rain falls in the plain</h1><p>#"),
            "Rain falls in the plain"
        );
        assert_eq!(
            page("<h1>Falls in the<br>plain</h1><p>#<h1>More</h1>"),
            "Falls in the plain"
        );
        assert_eq!(page("<h1>A</h1><h1>B</h1><p>#<h1>C</h1>"), "B");
        assert_eq!(page("<p>#<h1>C</h1><h1>D</h1>"), "C");
        assert_eq!(page("a<h1>B</h1>c<p>#"), "B", "beside loose text");
        assert_eq!(
            page("<h2>Rain falls in the plain</h2><p>#"),
            "Rain falls in the plain"
        );
        assert_eq!(page("<h2>Rain in Spain</h2><p>#"), "");
        assert_eq!(page("<p>#<p>#<p>#<p>#<h2>Rain falls in the plain</h2>"), "");
    }

    #[test]
    fn headlines_need_content_and_are_not_repeated() {
        assert_eq!(headline("<h1>A</h1><p>b"), "");
        assert_eq!(headline("<h1>#A</h1><p>#b"), "", "it is content");
        assert_eq!(headline("<h1>a #</h1><p>a #"), "");
        assert_eq!(headline("<nav><h1>A</h1></nav><p>#"), "");
        assert_eq!(headline("<h1>–</h1><p>#"), "");
        assert_eq!(headline("<p>#"), "");
    }

    #[test]
    fn the_name_of_the_site_is_no_headline() {
        for home in [
            "/",
            "./",
            "&#47;?a",
            "/index.php",
            "https://a.example",
            "http://a.example/",
            "//a.example/",
        ] {
            let link = format!("<a href={home}>Site</a>");
            let page = format!("<h1>A story</h1><div><h1>{link}</h1></div><p>#");
            assert_eq!(headline(&page), "A story", "{home}");
            assert_eq!(headline(&format!("<h1>{link}</h1><p>#")), "");
        }
        assert_eq!(headline("<a href='/'><h1>Site</h1></a><p>#"), "");
        for other in ["/a", "#", "?a", "https://a.example/b", "b//", ""] {
            let page = format!("<h1>A</h1><h1><a href='{other}'>B</a></h1><p>#");
            assert_eq!(headline(&page), "B", "{other}");
        }
        let title = "<title>Rain falls | The Daily Rain</title>";
        let name = "<h1><a href='/'>The Daily Rain</a></h1>";
        assert_eq!(
            headline(&format!("{title}{name}<p>#")),
            "",
            "a part of the title"
        );
        let title = "<title>Rain falls in the plain | The Daily Rain</title>";
        let both =
            format!("{title}<h1>The Daily Rain</h1><p>a<h1>Rain falls in the plain</h1><p>#");
        assert_eq!(headline(&both), "Rain falls in the plain");
        let title = "<title>Rain falls in the plain # | Rain</title>";
        let page = "<h1>Rain</h1><h2>Rain falls in the plain #</h2><p>#";
        assert_eq!(headline(&format!("{title}{page}")), "", "an h2 has it");
        let titled = "<title>The Daily Rain</title><h1><a href='/'>The Daily Rain</a></h1><p>#";
        assert_eq!(headline(titled), "The Daily Rain", "a home page");
    }

    #[test]
    fn the_name_of_a_site_that_leads_nowhere_is_no_headline() {
        let topic = "<h2>A thread of three</h2><p>#";
        let site = "<meta property=og:site_name content='My Forum'>";
        for title in ["A thread of three - My Forum", "A thread of three"] {
            let page = format!("<title>{title}</title>{site}<h1>My forum</h1>");
            assert_eq!(headline(&format!("{page}{topic}")), "A thread of three");
            assert_eq!(headline(&format!("{page}<p>#")), "");
        }
        let unsaid = "<title>A thread of three • My Forum</title><h1>My Forum</h1>";
        assert_eq!(headline(&format!("{unsaid}{topic}")), "A thread of three");
        assert_eq!(
            headline(&format!("{unsaid}<p>#")),
            "My Forum",
            "nothing better"
        );
        let other = "<title>My Blog - A thread of three</title><h1>My Blog</h1>";
        let story = "<h1>A thread of three</h1><p>#";
        assert_eq!(headline(&format!("{other}{story}")), "A thread of three");
        for title in ["", "My Forum", "My Forum - All threads"] {
            let page = format!("<title>{title}</title>{site}<h1>My Forum</h1><p>#");
            assert_eq!(headline(&page), "My Forum", "{title}");
        }
    }

    #[test]
    fn a_page_of_headings_takes_linear_time() {
        let started = std::time::Instant::now();
        let headings = "<h1>a</h1>".repeat(100_000);
        assert_eq!(headline(&format!("<p>#{headings}")), "a");
        let link = "x".repeat(1_000_000);
        assert_eq!(headline(&format!("<p>#<a href='/?{link}'>{headings}")), "a");
        assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    }
}
