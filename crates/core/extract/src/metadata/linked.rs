//! Reads metadata from JSON-LD nodes in the vocabulary of schema.org.
//!
//! A page has one node for itself, and others for its site, its author or its breadcrumbs. The type
//! tells which node is the page.

use super::candidates::Candidates;
use super::field::{MetadataField, MetadataSource};
use super::json_ld::{self, Json, Node};
use std::ops::Range;
use warcsieve_html::decode_value;

/// Maximum bytes of all scripts of a page.
const MAX_BYTES: usize = 1 << 20;
/// Maximum number of nodes.
const MAX_NODES: usize = 512;
/// Maximum number of authors.
const MAX_AUTHORS: usize = 16;

/// How likely a node is about the page, by its type. Articles are best, then other works, then
/// pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Other,
    Page,
    Work,
    Article,
}

/// Types of works other than articles.
const WORKS: &[&str] = &[
    "Blog",
    "Book",
    "Course",
    "CreativeWork",
    "Dataset",
    "Event",
    "HowTo",
    "JobPosting",
    "Movie",
    "MusicAlbum",
    "PodcastEpisode",
    "Product",
    "ProductGroup",
    "QAPage",
    "Question",
    "Recipe",
    "Review",
    "SoftwareApplication",
    "TVEpisode",
    "VideoGame",
    "VideoObject",
];

/// Offers what these scripts say.
pub(super) fn read(documents: &[Json], found: &mut Candidates<'_>) {
    let nodes = nodes(documents);
    Graph { nodes }.offer(found);
}

/// The scripts at these byte ranges of the page.
pub(super) fn documents(html: &str, ranges: &[Range<u32>]) -> Vec<Json> {
    let mut left = MAX_BYTES;
    let mut documents = Vec::new();
    for range in ranges {
        let text = html.get(range.start as usize..range.end as usize);
        let Some(text) = text.filter(|text| text.len() <= left) else {
            continue;
        };
        left -= text.len();
        documents.extend(json_ld::read(text));
    }
    documents
}

/// The independent nodes of scripts, in order.
pub(super) fn nodes(documents: &[Json]) -> Vec<&Node> {
    let mut nodes = Vec::new();
    documents.iter().for_each(|json| flatten(json, &mut nodes));
    nodes
}

/// Collects the independent nodes in order: those at the top, those in a `@graph`, and the main
/// entity of a page.
fn flatten<'j>(json: &'j Json, nodes: &mut Vec<&'j Node>) {
    for item in json.items() {
        match item {
            Json::Node(node) if nodes.len() < MAX_NODES => {
                nodes.push(node);
                for key in ["@graph", "mainEntity", "mainEntityOfPage"] {
                    if let Some(inner) = node.get(key) {
                        flatten(inner, nodes);
                    }
                }
            }
            Json::List(_) => flatten(item, nodes),
            _ => {}
        }
    }
}

struct Graph<'j> {
    nodes: Vec<&'j Node>,
}

impl<'j> Graph<'j> {
    fn offer(&self, found: &mut Candidates<'_>) {
        let mut own: Vec<(Kind, &Node)> =
            self.nodes.iter().map(|node| (kind(node), *node)).collect();
        own.retain(|(kind, _)| *kind > Kind::Other);
        // The sort is stable: of several nodes of one kind, the first is the page.
        own.sort_by_key(|(kind, _)| std::cmp::Reverse(*kind));
        for (kind, node) in &own {
            self.offer_node(*kind, node, found);
        }
        let sites = self.nodes.iter().filter(|node| has_type(node, "WebSite"));
        for site in sites {
            say(MetadataField::Sitename, site.text("name"), found);
        }
    }

    fn offer_node(&self, kind: Kind, node: &'j Node, found: &mut Candidates<'_>) {
        let text = |key: &str| node.text(key);
        let headline =
            text("headline").or_else(|| (kind > Kind::Page).then(|| text("name")).flatten());
        say(MetadataField::Headline, headline, found);
        say(MetadataField::Author, self.authors(node).as_deref(), found);
        let published = ["datePublished", "dateCreated", "uploadDate"];
        for key in published {
            say(MetadataField::Published, text(key), found);
        }
        say(MetadataField::Modified, text("dateModified"), found);
        say(MetadataField::Description, text("description"), found);
        for key in ["publisher", "isPartOf"] {
            if let Some(publisher) = node.get(key).and_then(|value| self.node(value)) {
                say(MetadataField::Sitename, publisher.text("name"), found);
            }
        }
        for key in ["image", "thumbnailUrl"] {
            say(
                MetadataField::Image,
                node.get(key).and_then(|image| self.address(image)),
                found,
            );
        }
        if kind > Kind::Page {
            let own = node.get("@type").and_then(|types| types.texts().next());
            say(MetadataField::PageType, own.map(local), found);
        }
        for words in node.get("keywords").map(Json::items).unwrap_or_default() {
            match words {
                Json::Text(words) => found.offer_tags(MetadataSource::JsonLd, &decode_value(words)),
                Json::Node(term) => {
                    let name = decode_value(term.text("name").unwrap_or_default());
                    found.offer_tag(MetadataSource::JsonLd, &name);
                }
                _ => {}
            }
        }
    }

    /// The names of a node's authors: persons if there are any, else organizations.
    fn authors(&self, node: &'j Node) -> Option<String> {
        let authors = node.get("author").or_else(|| node.get("creator"))?;
        let (mut persons, mut organizations) = (Vec::new(), Vec::new());
        for author in authors.items().iter().take(MAX_AUTHORS) {
            match author {
                Json::Text(name) => persons.push(name.clone()),
                other => {
                    let Some(author) = self.node(other) else {
                        continue;
                    };
                    let Some(name) = name(author) else {
                        continue;
                    };
                    match has_type(author, "Organization") {
                        true => organizations.push(name),
                        false => persons.push(name),
                    }
                }
            }
        }
        let names = if persons.is_empty() {
            organizations
        } else {
            persons
        };
        (!names.is_empty()).then(|| names.join("; "))
    }

    /// The node of a value: the value itself, or the node with the id that it names.
    fn node(&self, value: &'j Json) -> Option<&'j Node> {
        let node = value.items().iter().find_map(|item| match item {
            Json::Node(node) => Some(node),
            _ => None,
        })?;
        if node.get("name").is_some() {
            return Some(node);
        }
        let Some(id) = node.text("@id") else {
            return Some(node);
        };
        let named = self.nodes.iter().find(|other| {
            other.text("@id") == Some(id)
                && !std::ptr::eq(**other, node)
                && other.get("@type").is_some()
        });
        Some(named.copied().unwrap_or(node))
    }

    /// The address of a picture.
    fn address(&self, image: &'j Json) -> Option<&'j str> {
        if let Some(address) = image.texts().next() {
            return Some(address);
        }
        let node = self.node(image)?;
        let own = node.text("url").or_else(|| node.text("contentUrl"));
        own.or_else(|| {
            let id = node.text("@id")?;
            let mut named = self
                .nodes
                .iter()
                .filter(|other| other.text("@id") == Some(id));
            named.find_map(|other| other.text("url").or_else(|| other.text("contentUrl")))
        })
    }
}

fn say(field: MetadataField, text: Option<&str>, found: &mut Candidates<'_>) {
    if let Some(text) = text {
        found.offer(field, MetadataSource::JsonLd, &decode_value(text));
    }
}

fn name(node: &Node) -> Option<String> {
    if let Some(name) = node.text("name") {
        return Some(name.to_owned());
    }
    let parts = [node.text("givenName"), node.text("familyName")];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// The name of a type without the address of its vocabulary.
fn local(name: &str) -> &str {
    name.rsplit(['/', '#', ':']).next().unwrap_or(name)
}

pub(super) fn has_type(node: &Node, name: &str) -> bool {
    let types = node.get("@type");
    types.is_some_and(|types| types.texts().any(|t| local(t) == name))
}

fn kind(node: &Node) -> Kind {
    let types = node.get("@type");
    let kinds = types.into_iter().flat_map(Json::texts).map(|name| {
        let name = local(name);
        if WORKS.binary_search(&name).is_ok() {
            Kind::Work
        } else if name.ends_with("Article") || name.ends_with("Posting") || name == "Report" {
            Kind::Article
        } else if name.ends_with("Page") {
            Kind::Page
        } else {
            Kind::Other
        }
    });
    kinds.max().unwrap_or(Kind::Other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_sorted() {
        assert!(WORKS.is_sorted());
    }
}
