//! Reads `meta`, `link` and `html` elements.

use super::candidates::Candidates;
use super::field::{MetadataField, MetadataSource, MetadataSource as S};
use warcsieve_html::document::Document;
use warcsieve_html::{Tag, attribute, attributes, decode_value};

/// Values of `name`, `property` or `itemprop` in a `meta` element, in lower case.
const NAMES: &[(&str, MetadataField, S)] = &[
    ("og:title", MetadataField::Headline, S::OpenGraph),
    ("twitter:title", MetadataField::Headline, S::Twitter),
    ("citation_title", MetadataField::Headline, S::Citation),
    ("citation_author", MetadataField::Author, S::Citation),
    ("author", MetadataField::Author, S::Meta),
    ("authors", MetadataField::Author, S::Meta),
    ("parsely-author", MetadataField::Author, S::Meta),
    ("sailthru.author", MetadataField::Author, S::Meta),
    (
        "shareaholic:article_author_name",
        MetadataField::Author,
        S::Meta,
    ),
    ("byl", MetadataField::Author, S::Meta),
    ("dc.creator", MetadataField::Author, S::DublinCore),
    ("dcterms.creator", MetadataField::Author, S::DublinCore),
    ("article:author", MetadataField::Author, S::OpenGraph),
    ("og:article:author", MetadataField::Author, S::OpenGraph),
    (
        "article:published_time",
        MetadataField::Published,
        S::OpenGraph,
    ),
    (
        "og:article:published_time",
        MetadataField::Published,
        S::OpenGraph,
    ),
    ("og:published_time", MetadataField::Published, S::OpenGraph),
    ("article:published", MetadataField::Published, S::OpenGraph),
    (
        "citation_publication_date",
        MetadataField::Published,
        S::Citation,
    ),
    (
        "citation_online_date",
        MetadataField::Published,
        S::Citation,
    ),
    ("citation_date", MetadataField::Published, S::Citation),
    ("dc.date", MetadataField::Published, S::DublinCore),
    ("dc.date.issued", MetadataField::Published, S::DublinCore),
    ("dc.date.created", MetadataField::Published, S::DublinCore),
    ("dcterms.date", MetadataField::Published, S::DublinCore),
    ("dcterms.issued", MetadataField::Published, S::DublinCore),
    ("dcterms.created", MetadataField::Published, S::DublinCore),
    ("datepublished", MetadataField::Published, S::Meta),
    ("parsely-pub-date", MetadataField::Published, S::Meta),
    ("sailthru.date", MetadataField::Published, S::Meta),
    (
        "shareaholic:article_published_time",
        MetadataField::Published,
        S::Meta,
    ),
    (
        "cxenseparse:recs:publishtime",
        MetadataField::Published,
        S::Meta,
    ),
    ("pubdate", MetadataField::Published, S::Meta),
    ("publishdate", MetadataField::Published, S::Meta),
    ("publish-date", MetadataField::Published, S::Meta),
    ("publish_date", MetadataField::Published, S::Meta),
    ("published_date", MetadataField::Published, S::Meta),
    ("publication_date", MetadataField::Published, S::Meta),
    ("publicationdate", MetadataField::Published, S::Meta),
    ("release_date", MetadataField::Published, S::Meta),
    ("originalpublicationdate", MetadataField::Published, S::Meta),
    ("displaydate", MetadataField::Published, S::Meta),
    ("date", MetadataField::Published, S::Meta),
    (
        "article:modified_time",
        MetadataField::Modified,
        S::OpenGraph,
    ),
    ("og:updated_time", MetadataField::Modified, S::OpenGraph),
    ("datemodified", MetadataField::Modified, S::Meta),
    ("last-modified", MetadataField::Modified, S::Meta),
    ("lastmod", MetadataField::Modified, S::Meta),
    (
        "shareaholic:article_modified_time",
        MetadataField::Modified,
        S::Meta,
    ),
    ("revised", MetadataField::Modified, S::Meta),
    ("dcterms.modified", MetadataField::Modified, S::DublinCore),
    ("dc.date.modified", MetadataField::Modified, S::DublinCore),
    ("og:site_name", MetadataField::Sitename, S::OpenGraph),
    ("application-name", MetadataField::Sitename, S::Meta),
    (
        "apple-mobile-web-app-title",
        MetadataField::Sitename,
        S::Meta,
    ),
    ("dc.publisher", MetadataField::Sitename, S::DublinCore),
    ("dcterms.publisher", MetadataField::Sitename, S::DublinCore),
    ("twitter:site", MetadataField::Sitename, S::Twitter),
    ("description", MetadataField::Description, S::Meta),
    ("og:description", MetadataField::Description, S::OpenGraph),
    ("dc.description", MetadataField::Description, S::DublinCore),
    (
        "dcterms.abstract",
        MetadataField::Description,
        S::DublinCore,
    ),
    (
        "twitter:description",
        MetadataField::Description,
        S::Twitter,
    ),
    ("og:url", MetadataField::Canonical, S::OpenGraph),
    ("og:image", MetadataField::Image, S::OpenGraph),
    ("og:image:url", MetadataField::Image, S::OpenGraph),
    ("og:image:secure_url", MetadataField::Image, S::OpenGraph),
    ("twitter:image", MetadataField::Image, S::Twitter),
    ("twitter:image:src", MetadataField::Image, S::Twitter),
    ("thumbnail", MetadataField::Image, S::Meta),
    ("og:type", MetadataField::PageType, S::OpenGraph),
    ("dc.type", MetadataField::PageType, S::DublinCore),
    ("dcterms.type", MetadataField::PageType, S::DublinCore),
    ("article:tag", MetadataField::Tags, S::OpenGraph),
    ("keywords", MetadataField::Tags, S::Meta),
    ("news_keywords", MetadataField::Tags, S::Meta),
    ("parsely-tags", MetadataField::Tags, S::Meta),
    ("dc.subject", MetadataField::Tags, S::DublinCore),
    ("dcterms.subject", MetadataField::Tags, S::DublinCore),
    ("citation_keywords", MetadataField::Tags, S::Citation),
];

/// Maximum length of a name in [`NAMES`], in bytes.
const MAX_NAME: usize = 34;

/// Maximum length of a date, in bytes.
const MAX_DATE: usize = 40;

/// Maximum number of authors in separate `meta` elements.
const MAX_AUTHORS: usize = 16;

/// Maximum number of Twitter labels and their data.
const MAX_LABELS: usize = 16;

/// Offers what the elements of a document's head say.
pub(super) fn read(doc: &Document, found: &mut Candidates<'_>) {
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
        found.offer(MetadataField::Author, source, &names.join("; "));
    }
    if let Some(name) = written_by_label(&written_by) {
        found.offer(MetadataField::Author, S::Twitter, name);
    }
    let language = found.language.clone();
    found.offer(MetadataField::HtmlLang, S::Html, &language);
    found.offer(MetadataField::Headline, S::Title, &doc.title);
}

/// Reads `name` and `content` of a `meta` element.
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
        if name.len() > MAX_NAME {
            continue;
        }
        let is_label = name.starts_with("twitter:label") || name.starts_with("twitter:data");
        if is_label && labels.len() < MAX_LABELS {
            labels.push((name, content));
        }
        let known = NAMES.iter().find(|(n, ..)| n.eq_ignore_ascii_case(name));
        let Some((_, field, source)) = known else {
            if content.len() <= MAX_DATE && content.starts_with(|c: char| c.is_ascii_digit()) {
                date_of_own_name(name, content, found);
            }
            continue;
        };
        let value = decode_value(content);
        match field {
            MetadataField::Tags if *source == S::OpenGraph => found.offer_tag(*source, &value),
            MetadataField::Tags => found.offer_tags(*source, &value),
            MetadataField::Author if authors.len() < MAX_AUTHORS => {
                authors.push((*source, value.into_owned()));
            }
            MetadataField::Author => {}
            MetadataField::Sitename if *source == S::Twitter => {
                found.offer(*field, *source, value.trim().trim_start_matches('@'));
            }
            _ => found.offer(*field, *source, &value),
        }
    }
}

/// Reads a date with a site-specific name, such as `page-publish-date`.
fn date_of_own_name(name: &str, content: &str, found: &mut Candidates<'_>) {
    let name = name.to_ascii_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if says(&["modif", "updat"]) {
        found.offer(MetadataField::Modified, S::Meta, content);
    } else if says(&["publish", "pubdate", "issued"]) && !says(&["until", "expir", "unpublish"]) {
        found.offer(MetadataField::Published, S::Meta, content);
    }
}

/// The content of `twitter:dataN` if `twitter:labelN` is a word for the author.
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
        rel if rel.eq_ignore_ascii_case("canonical") => MetadataField::Canonical,
        rel if rel.eq_ignore_ascii_case("image_src") => MetadataField::Image,
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
            assert!(name.len() <= MAX_NAME, "{name}");
            assert!(
                NAMES[..at].iter().all(|(other, ..)| other != name),
                "{name}"
            );
        }
    }
}
