//! Reads what a page says about the use of its content: robots, text and data mining, licence.

use super::plain::plain;
use crate::address::{Addresses, is_absolute};
use warcsieve_common::host;
use warcsieve_html::document::Document;
use warcsieve_html::{Tag, attribute, decode_value};
use warcsieve_page::Page;

/// What a page and its HTTP header say about the use of its content. Nothing here is enforced; filters and columns show
/// it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rights {
    /// The contents of the elements `meta name=robots`, joined by `, `.
    pub robots_meta: Option<String>,
    /// The headers `X-Robots-Tag`, joined by `, `.
    pub x_robots_tag: Option<String>,
    /// Whether either says `noindex` or `none` to all robots.
    pub noindex: bool,
    /// Whether either says `noai` or `noml` to all robots.
    pub noai: bool,
    /// The header `TDM-Reservation`, else the `meta` element of that name (TDMRep, W3C Community Group 2024): whether the
    /// right to mine the page is reserved.
    pub tdm_reservation: Option<bool>,
    /// The address of the licence.
    pub licence: Option<Licence>,
}

/// The licence that a page names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Licence {
    /// Its absolute address.
    pub address: String,
    /// Where the page names it.
    pub source: LicenceSource,
}

/// Where a page names its licence, the most trusted first. A licence in a link may be that of a picture or a quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LicenceSource {
    /// `link rel=license`.
    Link,
    /// `meta` of Dublin Core.
    Meta,
    /// `a rel=license`.
    Rel,
    /// Any other link to a licence of Creative Commons.
    Address,
}

impl LicenceSource {
    /// The name in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Meta => "meta",
            Self::Rel => "rel",
            Self::Address => "address",
        }
    }
}

/// `meta` elements that name a licence.
const LICENCES: [&str; 4] = [
    "dcterms.license",
    "dc.rights",
    "dcterms.rights",
    "dc.rights.license",
];

/// Directives of robots that have an argument after a colon. Before any other colon is the name of a robot.
const WITH_ARGUMENT: [&str; 4] = [
    "unavailable_after",
    "max-snippet",
    "max-image-preview",
    "max-video-preview",
];

impl Rights {
    /// Reads the header of a page, and its elements `meta`, `link` and `a`. Takes time linear in the page's length.
    pub fn of(page: &Page<'_>, doc: &Document) -> Self {
        let mut rights = Self {
            x_robots_tag: plain(&page.x_robots_tag.join(", ")),
            tdm_reservation: page.tdm_reservation.as_deref().and_then(reservation),
            ..Self::default()
        };
        let mut robots = Vec::new();
        let mut addresses = Addresses::new(&page.url, doc);
        for element in &doc.tree.elements {
            let attributes = doc.attributes(element);
            match element.tag {
                Tag::Meta => rights.read_meta(attributes, &mut addresses, &mut robots),
                Tag::Link | Tag::A => rights.read_link(element.tag, attributes, &mut addresses),
                _ => {}
            }
        }
        rights.robots_meta = plain(&robots.join(", "));
        let all = robots.iter().chain(&page.x_robots_tag);
        for directive in all.flat_map(|value| for_all_robots(value)) {
            let is = |name: &str| directive.eq_ignore_ascii_case(name);
            rights.noindex |= is("noindex") || is("none");
            rights.noai |= is("noai") || is("noml");
        }
        rights
    }

    fn read_meta(
        &mut self,
        attributes: &str,
        addresses: &mut Addresses<'_>,
        robots: &mut Vec<String>,
    ) {
        let name = attribute(attributes, "name").or_else(|| attribute(attributes, "property"));
        let (Some(name), Some(content)) = (name, attribute(attributes, "content")) else {
            return;
        };
        let is = |known: &str| name.trim().eq_ignore_ascii_case(known);
        if is("robots") {
            robots.extend(plain(&decode_value(content)));
        } else if is("tdm-reservation") {
            self.tdm_reservation = self.tdm_reservation.or(reservation(content));
        } else if LICENCES.iter().any(|known| is(known)) {
            let content = decode_value(content);
            // Most say their rights in words.
            if is_absolute(content.trim()) {
                self.offer(LicenceSource::Meta, &content, addresses);
            }
        }
    }

    fn read_link(&mut self, tag: Tag, attributes: &str, addresses: &mut Addresses<'_>) {
        let Some(href) = attribute(attributes, "href") else {
            return;
        };
        let rel = attribute(attributes, "rel").unwrap_or_default();
        let is_licence = rel
            .split_ascii_whitespace()
            .any(|word| word.eq_ignore_ascii_case("license"));
        let source = match (tag, is_licence) {
            (Tag::Link, true) => LicenceSource::Link,
            (Tag::A, true) => LicenceSource::Rel,
            (Tag::A, false) if is_creative_commons(href) => LicenceSource::Address,
            _ => return,
        };
        self.offer(source, &decode_value(href), addresses);
    }

    /// Takes a licence unless one of a source that is trusted as much is there.
    fn offer(&mut self, source: LicenceSource, address: &str, addresses: &mut Addresses<'_>) {
        let is_better = |known: &Licence| source < known.source;
        if self.licence.as_ref().is_none_or(is_better)
            && let Some(address) = addresses.absolute(address).as_deref().and_then(plain)
        {
            self.licence = Some(Licence { address, source });
        }
    }
}

/// The value of `TDM-Reservation`; other values than 1 and 0 say nothing.
fn reservation(value: &str) -> Option<bool> {
    match value.trim() {
        "1" => Some(true),
        "0" => Some(false),
        _ => None,
    }
}

/// The directives of a header or `meta` element that are for all robots.
fn for_all_robots(value: &str) -> impl Iterator<Item = &str> {
    let is_for_one = value
        .split(',')
        .next()
        .and_then(|first| first.split_once(':'));
    let is_for_one = is_for_one.is_some_and(|(name, _)| {
        let is_name = |known: &&str| known.eq_ignore_ascii_case(name.trim());
        !WITH_ARGUMENT.iter().any(is_name)
    });
    let directives = value.split([',', ' ', ';']).map(str::trim);
    directives.filter(move |_| !is_for_one)
}

/// Whether an address, which may lack its scheme, is that of a licence of Creative Commons, or of its dedication to the
/// public domain.
fn is_creative_commons(href: &str) -> bool {
    let Some((_, rest)) = href.split_once("//") else {
        return false;
    };
    let host = host(&format!("https://{rest}"));
    let (_, path) = rest.split_once('/').unwrap_or_default();
    let begins = |with: &str| {
        path.get(..with.len())
            .is_some_and(|p| p.eq_ignore_ascii_case(with))
    };
    let is_host = ["creativecommons.org", "www.creativecommons.org"].contains(&host.as_str());
    is_host && (begins("licenses/") || begins("publicdomain/"))
}

#[cfg(test)]
mod tests;
