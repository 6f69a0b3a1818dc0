//! `meta`, `link` and `html` elements.

use super::candidates::Candidates;
use super::field::{Field, MetadataSource, MetadataSource as S};
use warcsieve_html::document::Document;
use warcsieve_html::{Tag, attribute, attributes, decode_value};

/// What `name`, `property` or `itemprop` of a `meta` element says, in lower case.
const NAMES: &[(&str, Field, S)] = &[
    ("og:title", Field::Headline, S::OpenGraph),
    ("twitter:title", Field::Headline, S::Twitter),
    ("citation_title", Field::Headline, S::Citation),
    ("citation_author", Field::Author, S::Citation),
    ("author", Field::Author, S::Meta),
    ("authors", Field::Author, S::Meta),
    ("parsely-author", Field::Author, S::Meta),
    ("sailthru.author", Field::Author, S::Meta),
    ("shareaholic:article_author_name", Field::Author, S::Meta),
    ("byl", Field::Author, S::Meta),
    ("dc.creator", Field::Author, S::DublinCore),
    ("dcterms.creator", Field::Author, S::DublinCore),
    ("article:author", Field::Author, S::OpenGraph),
    ("og:article:author", Field::Author, S::OpenGraph),
    ("article:published_time", Field::Published, S::OpenGraph),
    ("og:article:published_time", Field::Published, S::OpenGraph),
    ("og:published_time", Field::Published, S::OpenGraph),
    ("article:published", Field::Published, S::OpenGraph),
    ("citation_publication_date", Field::Published, S::Citation),
    ("citation_online_date", Field::Published, S::Citation),
    ("citation_date", Field::Published, S::Citation),
    ("dc.date", Field::Published, S::DublinCore),
    ("dc.date.issued", Field::Published, S::DublinCore),
    ("dc.date.created", Field::Published, S::DublinCore),
    ("dcterms.date", Field::Published, S::DublinCore),
    ("dcterms.issued", Field::Published, S::DublinCore),
    ("dcterms.created", Field::Published, S::DublinCore),
    ("datepublished", Field::Published, S::Meta),
    ("parsely-pub-date", Field::Published, S::Meta),
    ("sailthru.date", Field::Published, S::Meta),
    (
        "shareaholic:article_published_time",
        Field::Published,
        S::Meta,
    ),
    ("cxenseparse:recs:publishtime", Field::Published, S::Meta),
    ("pubdate", Field::Published, S::Meta),
    ("publishdate", Field::Published, S::Meta),
    ("publish-date", Field::Published, S::Meta),
    ("publish_date", Field::Published, S::Meta),
    ("published_date", Field::Published, S::Meta),
    ("publication_date", Field::Published, S::Meta),
    ("publicationdate", Field::Published, S::Meta),
    ("release_date", Field::Published, S::Meta),
    ("originalpublicationdate", Field::Published, S::Meta),
    ("displaydate", Field::Published, S::Meta),
    ("date", Field::Published, S::Meta),
    ("article:modified_time", Field::Modified, S::OpenGraph),
    ("og:updated_time", Field::Modified, S::OpenGraph),
    ("datemodified", Field::Modified, S::Meta),
    ("last-modified", Field::Modified, S::Meta),
    ("lastmod", Field::Modified, S::Meta),
    (
        "shareaholic:article_modified_time",
        Field::Modified,
        S::Meta,
    ),
    ("revised", Field::Modified, S::Meta),
    ("dcterms.modified", Field::Modified, S::DublinCore),
    ("dc.date.modified", Field::Modified, S::DublinCore),
    ("og:site_name", Field::Sitename, S::OpenGraph),
    ("application-name", Field::Sitename, S::Meta),
    ("apple-mobile-web-app-title", Field::Sitename, S::Meta),
    ("dc.publisher", Field::Sitename, S::DublinCore),
    ("dcterms.publisher", Field::Sitename, S::DublinCore),
    ("twitter:site", Field::Sitename, S::Twitter),
    ("description", Field::Description, S::Meta),
    ("og:description", Field::Description, S::OpenGraph),
    ("dc.description", Field::Description, S::DublinCore),
    ("dcterms.abstract", Field::Description, S::DublinCore),
    ("twitter:description", Field::Description, S::Twitter),
    ("og:url", Field::Canonical, S::OpenGraph),
    ("og:image", Field::Image, S::OpenGraph),
    ("og:image:url", Field::Image, S::OpenGraph),
    ("og:image:secure_url", Field::Image, S::OpenGraph),
    ("twitter:image", Field::Image, S::Twitter),
    ("twitter:image:src", Field::Image, S::Twitter),
    ("thumbnail", Field::Image, S::Meta),
    ("og:type", Field::PageType, S::OpenGraph),
    ("dc.type", Field::PageType, S::DublinCore),
    ("dcterms.type", Field::PageType, S::DublinCore),
    ("article:tag", Field::Tags, S::OpenGraph),
    ("keywords", Field::Tags, S::Meta),
    ("news_keywords", Field::Tags, S::Meta),
    ("parsely-tags", Field::Tags, S::Meta),
    ("dc.subject", Field::Tags, S::DublinCore),
    ("dcterms.subject", Field::Tags, S::DublinCore),
    ("citation_keywords", Field::Tags, S::Citation),
];

/// Longest name in [`NAMES`].
const LONGEST: usize = 34;

/// Longest date.
const LONGEST_DATE: usize = 40;

/// Most authors that `meta` elements name one by one.
const MOST_AUTHORS: usize = 16;

/// Most labels, with their data, for Twitter.
const MOST_LABELS: usize = 16;

/// What the other sources need to know.
pub(super) struct Head {
    /// The attribute `lang` of the page; empty if it has none.
    pub language: String,
}

impl Head {
    /// Reads these elements.
    pub fn read(doc: &Document, found: &mut Candidates<'_>) -> Self {
        let mut authors: Vec<(S, String)> = Vec::new();
        let mut written_by = Vec::new();
        for element in &doc.tree.elements {
            match element.tag {
                Tag::Meta => meta(
                    doc.attributes(element),
                    &mut authors,
                    &mut written_by,
                    found,
                ),
                Tag::Link => link(doc.attributes(element), found),
                _ => {}
            }
        }
        for source in [S::Citation, S::Meta, S::DublinCore, S::OpenGraph] {
            let names = authors.iter().filter(|(s, _)| *s == source);
            let names: Vec<&str> = names.map(|(_, name)| name.as_str()).collect();
            found.offer(Field::Author, source, &names.join("; "));
        }
        if let Some(name) = written_by_label(&written_by) {
            found.offer(Field::Author, S::Twitter, name);
        }
        let root = doc.tree.elements.first();
        let root = root.map_or("", |root| doc.attributes(root));
        let language = attribute(root, "lang").or_else(|| attribute(root, "xml:lang"));
        let language = decode_value(language.unwrap_or_default()).trim().to_owned();
        found.offer(Field::HtmlLang, S::Html, &language);
        found.offer(Field::Headline, S::Title, &doc.title);
        Self { language }
    }
}

/// `name` and `content` of a `meta` element.
fn meta<'a>(
    written: &'a str,
    authors: &mut Vec<(S, String)>,
    labels: &mut Vec<(&'a str, &'a str)>,
    found: &mut Candidates<'_>,
) {
    let (mut names, mut content) = ([None; 3], None);
    for (key, value) in attributes(written) {
        match key.len() {
            4 if key.eq_ignore_ascii_case("name") => names[0] = names[0].or(Some(value)),
            8 if key.eq_ignore_ascii_case("property") => names[1] = names[1].or(Some(value)),
            8 if key.eq_ignore_ascii_case("itemprop") => names[2] = names[2].or(Some(value)),
            7 if key.eq_ignore_ascii_case("content") => content = content.or(Some(value)),
            _ => {}
        }
    }
    let Some(content) = content.filter(|content| !content.is_empty()) else {
        return;
    };
    for name in names.into_iter().flatten() {
        let name = name.trim();
        if name.len() > LONGEST {
            continue;
        }
        let is_label = name.starts_with("twitter:label") || name.starts_with("twitter:data");
        if is_label && labels.len() < MOST_LABELS {
            labels.push((name, content));
        }
        let known = NAMES.iter().find(|(n, ..)| n.eq_ignore_ascii_case(name));
        let Some((_, field, source)) = known else {
            if content.len() <= LONGEST_DATE && content.starts_with(|c: char| c.is_ascii_digit()) {
                date_of_own_name(name, content, found);
            }
            continue;
        };
        let value = decode_value(content);
        match field {
            Field::Tags if *source == S::OpenGraph => found.offer_tag(*source, &value),
            Field::Tags => found.offer_tags(*source, &value),
            Field::Author if authors.len() < MOST_AUTHORS => {
                authors.push((*source, value.into_owned()));
            }
            Field::Author => {}
            Field::Sitename if *source == S::Twitter => {
                found.offer(*field, *source, value.trim().trim_start_matches('@'));
            }
            _ => found.offer(*field, *source, &value),
        }
    }
}

/// A date under a name of the site's own, such as `page-publish-date`.
fn date_of_own_name(name: &str, content: &str, found: &mut Candidates<'_>) {
    let name = name.to_ascii_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if says(&["modif", "updat"]) {
        found.offer(Field::Modified, S::Meta, content);
    } else if says(&["publish", "pubdate", "issued"]) && !says(&["until", "expir", "unpublish"]) {
        found.offer(Field::Published, S::Meta, content);
    }
}

/// The content of `twitter:dataN` where `twitter:labelN` says that it is the author.
fn written_by_label<'a>(labels: &[(&str, &'a str)]) -> Option<&'a str> {
    const WORDS: &[&str] = &[
        "written by",
        "author",
        "by",
        "verfasst von",
        "geschrieben von",
        "écrit par",
        "escrito por",
        "scritto da",
        "geschreven door",
        "skrevet av",
        "skriven av",
        "napisane przez",
        "автор",
        "написано автором",
    ];
    let is_author = |content: &str| WORDS.contains(&content.trim().to_lowercase().as_str());
    let (label, _) = labels
        .iter()
        .find(|(name, content)| name.starts_with("twitter:label") && is_author(content))?;
    let number = label.strip_prefix("twitter:label")?;
    let data = labels
        .iter()
        .find(|(name, _)| name.strip_prefix("twitter:data") == Some(number))?;
    Some(data.1)
}

fn link(written: &str, found: &mut Candidates<'_>) {
    let Some(rel) = attribute(written, "rel") else {
        return;
    };
    let field = match rel.trim() {
        rel if rel.eq_ignore_ascii_case("canonical") => Field::Canonical,
        rel if rel.eq_ignore_ascii_case("image_src") => Field::Image,
        _ => return,
    };
    if let Some(href) = attribute(written, "href") {
        found.offer(field, MetadataSource::Link, &decode_value(href));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_lower_case_short_enough_and_each_is_there_once() {
        for (at, (name, ..)) in NAMES.iter().enumerate() {
            assert_eq!(*name, name.to_ascii_lowercase());
            assert!(name.len() <= LONGEST, "{name}");
            assert!(
                NAMES[..at].iter().all(|(other, ..)| other != name),
                "{name}"
            );
        }
    }
}
