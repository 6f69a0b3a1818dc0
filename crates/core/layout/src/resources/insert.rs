//! Data that is inserted into a page so that engines need not ask for it.
//!
//! A style sheet becomes a `style` element before its `link`, where it has the same rank in the
//! cascade. A picture becomes the first `src` of its `img`, because parsers use only the first.

use super::Resources;
use super::address::join;
use super::sheet::Sheets;
use std::collections::BTreeMap;
use warcsieve_html::document::Document;
use warcsieve_html::{ElementId, Tag, attribute, decode_value};

/// Most bytes of the pictures of a page.
#[cfg(feature = "browser")]
const MAX_PICTURE_BYTES: usize = 16 << 20;

/// The data to insert into a page.
#[derive(Debug, Default)]
pub struct Inserts {
    /// For each element the text before its tag, and the text first in its tag.
    pub by_element: BTreeMap<ElementId, (String, String)>,
    /// Number of style sheets that the page links to and that are available.
    pub sheets: u32,
    /// Number of imports in these that are not available.
    pub missing: u32,
}

/// The data to insert into a page at `url`; pictures only with `pictures`.
pub fn inserts(
    resources: &Resources,
    url: &str,
    doc: &Document,
    pictures: bool,
    is_sheet: impl Fn(&str) -> bool,
) -> Inserts {
    let mut inserts = Inserts::default();
    let elements = || (0..).zip(&doc.tree.elements);
    let value = |attributes: &str, name| {
        attribute(attributes, name).map(|value| decode_value(value).trim().to_owned())
    };
    let base = elements().find_map(|(_, element)| {
        let is_base = element.tag == Tag::Base;
        is_base
            .then(|| value(doc.attributes(element), "href"))
            .flatten()
    });
    let base = base.and_then(|base| join(url, &base));
    let base = base.as_deref().unwrap_or(url);
    let mut sheets = Sheets::new(resources);
    #[cfg(feature = "browser")]
    let mut left = MAX_PICTURE_BYTES;
    for (id, element) in elements() {
        let attributes = doc.attributes(element);
        let address = |name| join(base, &value(attributes, name)?);
        if element.tag == Tag::Link && is_sheet(attributes) {
            let Some(sheet) = address("href").and_then(|url| sheets.get(&url)) else {
                continue;
            };
            inserts.sheets += 1;
            let media = value(attributes, "media").unwrap_or_default();
            let media = media.replace('&', "&amp;").replace('"', "&quot;");
            let style = format!("<style media=\"{media}\">\n{sheet}</style>");
            inserts.by_element.insert(id, (style, String::new()));
        }
        #[cfg(feature = "browser")]
        if pictures
            && element.tag == Tag::Img
            && let Some(data) = address("src").and_then(|url| picture(resources, &url, &mut left))
        {
            // Otherwise the browser would use another source, or wait with one until it is visible.
            let first = format!(" src=\"{data}\" srcset loading=\"eager\"");
            inserts.by_element.insert(id, (String::new(), first));
        }
    }
    #[cfg(not(feature = "browser"))]
    let _ = pictures;
    inserts.missing = sheets.missing;
    inserts
}

/// The picture at an address as a `data:` URL. `None` if it is not available, or above the bound.
#[cfg(feature = "browser")]
fn picture(resources: &Resources, url: &str, left: &mut usize) -> Option<String> {
    let bytes = resources.find(url, super::ResourceKind::Picture)?;
    *left = left.checked_sub(bytes.len())?;
    // Browsers look at the bytes, whatever the media type says.
    let data = data_encoding::BASE64.encode(&bytes);
    Some(format!("data:image/png;base64,{data}"))
}

#[cfg(test)]
mod tests {
    use super::super::ResourceKind;
    use super::*;
    use crate::marks::mark;
    use warcsieve_html::{Segmenter, SegmenterOptions};

    fn marked(html: &str) -> (String, u32) {
        let mut resources = Resources::new(tempfile::tempfile().unwrap());
        for (url, kind, bytes) in [
            ("http://a.example/d/s.css", ResourceKind::Sheet, "p{}"),
            (
                "http://b.example/t.css",
                ResourceKind::Sheet,
                "b{}</style><p>",
            ),
            ("http://a.example/i.gif", ResourceKind::Picture, "GIF"),
        ] {
            resources.add(url, kind, bytes.as_bytes()).unwrap();
        }
        let (mut doc, mut starts, mut marked) = (Document::default(), Vec::new(), String::new());
        Segmenter::new(SegmenterOptions::default())
            .segment_html_with_starts(html, &mut doc, &mut starts)
            .unwrap();
        let is_sheet = |attributes: &str| attributes.contains("stylesheet");
        let inserts = inserts(
            &resources,
            "http://a.example/d/p.html",
            &doc,
            true,
            is_sheet,
        );
        mark(html, &starts, &inserts.by_element, &mut marked);
        (marked, inserts.sheets)
    }

    #[test]
    fn sheets_stand_before_their_links() {
        let (page, sheets) = marked(
            "<p>a<link rel=stylesheet href=s.css media='screen and (min-width:\"1\")'>\
             <link rel=stylesheet href='//b.example/t.css#x'><link rel=stylesheet href=/u.css>",
        );
        assert_eq!(sheets, 2);
        assert_eq!(
            page,
            "<!----><p data-warcsieve=\"2\">a\
             <style media=\"screen and (min-width:&quot;1&quot;)\">\np{}</style>\
             <link data-warcsieve=\"3\" rel=stylesheet href=s.css media='screen and (min-width:\"1\")'>\
             <style media=\"\">\nb{}<\\/style><p></style>\
             <link data-warcsieve=\"4\" rel=stylesheet href='//b.example/t.css#x'>\
             <link data-warcsieve=\"5\" rel=stylesheet href=/u.css>"
        );
    }

    #[test]
    fn the_base_of_a_page_counts() {
        let (page, sheets) =
            marked("<base href='http://b.example/'><link rel=stylesheet href=t.css>");
        assert!(sheets == 1 && page.contains("b{}"), "{page}");
        let (_, sheets) = marked("<base href='http://b.example/'><link rel=stylesheet href=s.css>");
        assert_eq!(sheets, 0);
    }

    #[cfg(feature = "browser")]
    #[test]
    fn pictures_are_the_first_source() {
        let (page, _) = marked("<img src=../i.gif srcset=x><img src=j.gif>");
        assert!(page.contains("<img data-warcsieve=\"2\" src=\"data:image/png;base64,R0lG\" srcset loading=\"eager\" src=../i.gif"), "{page}");
        assert!(
            page.contains("<img data-warcsieve=\"3\" src=j.gif>"),
            "{page}"
        );
    }
}
