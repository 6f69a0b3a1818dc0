//! Pages and the metadata that are read from them.

use super::candidates::MAX_TAGS;
use super::plain::MAX_BYTES;
use super::*;
use warcsieve_html::{Segmenter, SegmenterOptions};

fn metadata(url: &str, html: &str) -> Metadata {
    let mut doc = Document::default();
    let mut segmenter = Segmenter::new(SegmenterOptions::default());
    segmenter.segment_html(html, &mut doc).unwrap();
    let page = Page::of_html(html, url);
    Facts::default().metadata(&page, &doc).clone()
}

/// A field with its source, as `value (source)`.
fn field(html: &str, field: MetadataField) -> String {
    let metadata = metadata("https://a.example/b/c", html);
    let value = match field {
        MetadataField::Tags => metadata.tags().join(", "),
        _ => metadata.get(field).unwrap_or_default().to_owned(),
    };
    match metadata.source(field) {
        Some(source) => format!("{value} ({})", source.as_str()),
        None => {
            assert_eq!(value, "");
            String::new()
        }
    }
}

const LINKED: &str = r#"<script type="application/ld+json">
{"@context": "https://schema.org", "@graph": [
 {"@type": "WebSite", "name": "The &amp; Site", "@id": "/#site"},
 {"@type": "WebPage", "datePublished": "2020-01-01", "description": "Of the page"},
 {"@type": "Person", "@id": "/#jane", "name": "Jane Doe"},
 {"@type": ["NewsArticle"], "headline": "Cod in winter", "author": [{"@id": "/#jane"}, {"@type": "Person", "name": "John Roe"}],
  "datePublished": "2025-09-04T10:15:00+02:00", "dateModified": "2025-09-05", "keywords": ["cod", "sea, ice"],
  "image": {"@type": "ImageObject", "url": "/cod.jpg"}, "publisher": {"name": "Publisher"}}]}
</script>"#;

#[test]
fn json_ld_is_read_as_a_graph_and_the_article_comes_first() {
    for (of, expected) in [
        (MetadataField::Author, "Jane Doe; John Roe (json-ld)"),
        (
            MetadataField::Published,
            "2025-09-04T10:15:00+02:00 (json-ld)",
        ),
        (MetadataField::Modified, "2025-09-05 (json-ld)"),
        (MetadataField::Description, "Of the page (json-ld)"),
        (MetadataField::Headline, "Cod in winter (json-ld)"),
        (MetadataField::Sitename, "Publisher (json-ld)"),
        (MetadataField::Image, "https://a.example/cod.jpg (json-ld)"),
        (MetadataField::PageType, "NewsArticle (json-ld)"),
        (MetadataField::Tags, "cod, sea, ice (json-ld)"),
    ] {
        assert_eq!(field(LINKED, of), expected);
    }
}

#[test]
fn the_site_is_not_the_author_of_its_pages() {
    let site =
        "<meta property=og:site_name content='The Site'><meta name=author content='the site'>";
    assert_eq!(field(site, MetadataField::Author), "");
    let byline = format!("{site}<p class=byline>By Jane Doe<p>Text");
    assert!(field(&byline, MetadataField::Author).starts_with("Jane Doe"));
    let other = site.replace("'the site'", "'Jane Doe'");
    assert_eq!(field(&other, MetadataField::Author), "Jane Doe (meta)");
}

#[test]
fn text_of_json_ld_is_no_text_of_the_page() {
    let mut doc = Document::default();
    let mut segmenter = Segmenter::new(SegmenterOptions::default());
    segmenter.segment_html(LINKED, &mut doc).unwrap();
    assert!(doc.blocks.is_empty() && doc.text.is_empty());
    assert_eq!(doc.json_ld.len(), 1);
    let other = "<script type='text/template'>{\"@type\": \"Article\"}</script><script>x</script>";
    segmenter.segment_html(other, &mut doc).unwrap();
    assert!(doc.json_ld.is_empty());
}

#[test]
fn meta_elements_are_read_by_name_and_property() {
    let html = "<html lang='de-AT'><title>T | Site</title>
        <meta property='og:title' content='T'><meta name='Author' content='By Jane Doe'>
        <meta property=article:published_time content='2025-09-04T10:15Z'>
        <meta property=og:updated_time content=2025-09-05>
        <meta property=og:site_name content='A  Site'><meta name=description content='D &amp; d'>
        <meta property=og:description content=other><meta property=og:type content=article>
        <meta property=article:tag content='a, b'><meta property=article:tag content=c>
        <meta property=og:image content='//img.example/x.png'>
        <link rel=canonical href='https://a.example/c'>";
    for (of, expected) in [
        (MetadataField::Headline, "T (opengraph)"),
        (MetadataField::Author, "Jane Doe (meta)"),
        (MetadataField::Published, "2025-09-04T10:15:00Z (opengraph)"),
        (MetadataField::Modified, "2025-09-05 (opengraph)"),
        (MetadataField::Sitename, "A Site (opengraph)"),
        (MetadataField::Description, "D & d (meta)"),
        (MetadataField::PageType, "article (opengraph)"),
        (MetadataField::Tags, "a, b, c (opengraph)"),
        (
            MetadataField::Image,
            "https://img.example/x.png (opengraph)",
        ),
        (MetadataField::Canonical, "https://a.example/c (link)"),
        (MetadataField::HtmlLang, "de-AT (html)"),
    ] {
        assert_eq!(field(html, of), expected);
    }
}

#[test]
fn papers_and_libraries_have_names_of_their_own() {
    let html = "<meta name=citation_author content='Doe, Jane'><meta name=citation_author content='Roe, John'>
        <meta name=citation_publication_date content='2019/03/02'><meta name=DC.Creator content='X'>";
    assert_eq!(
        field(html, MetadataField::Author),
        "Doe, Jane; Roe, John (citation)"
    );
    assert_eq!(
        field(html, MetadataField::Published),
        "2019-03-02 (citation)"
    );
    let html =
        "<meta name=DC.creator content='Jane Doe'><meta name=dcterms.issued content='2019-03-02'>";
    assert_eq!(field(html, MetadataField::Author), "Jane Doe (dublin-core)");
    assert_eq!(
        field(html, MetadataField::Published),
        "2019-03-02 (dublin-core)"
    );
    let html = "<meta name=twitter:label1 content='Written by'><meta name=twitter:data1 content='Jane Doe'>
        <meta name=twitter:label2 content='Est. reading time'><meta name=twitter:data2 content='5 minutes'>";
    assert_eq!(field(html, MetadataField::Author), "Jane Doe (twitter)");
}

#[test]
fn a_late_body_with_attributes_hides_no_author() {
    let page = "<p class=author>Jane Doe</p><body class=late>";
    assert_eq!(field(page, MetadataField::Author), "Jane Doe (class)");
}

#[test]
fn many_links_with_such_names_hide_no_author() {
    let links = "<link rel=stylesheet href=author.css>".repeat(100);
    let page = format!("{links}<p class=author>Jane Doe</p>");
    assert_eq!(field(&page, MetadataField::Author), "Jane Doe (class)");
}

#[test]
fn an_author_that_only_the_page_shows_is_found() {
    for (html, expected) in [
        ("<a class=username href=/u>jane</a>", "jane (class)"),
        (
            "<p itemprop=author>x<meta itemprop=name content='Jane Doe'></p>",
            "Jane Doe (microdata)",
        ),
        (
            "<p>By <a rel=author href=/jane>Jane Doe</a><p>x",
            "Jane Doe (rel)",
        ),
        (
            "<div itemprop=author itemscope>Text <b itemprop=name>Jane Doe</b></div>",
            "Jane Doe (microdata)",
        ),
        (
            "<p class='post-meta byline'>By <b>Jane</b> Doe | May 4, 2025",
            "Jane Doe (class)",
        ),
        ("<div class=author-bio>Jane Doe writes</div>", ""),
        ("<div class=comment><b class=author>Troll</b></div>", ""),
        (
            "<div class=author>Jane Doe has written for us since 2012 and lives in Oslo.</div>",
            "",
        ),
    ] {
        assert_eq!(field(html, MetadataField::Author), expected, "{html}");
    }
}

#[test]
fn a_date_that_only_the_page_shows_is_found() {
    for (html, expected) in [
        (
            "<time class=entry-date datetime=2025-09-04>x</time>",
            "2025-09-04 (time)",
        ),
        (
            "<time class=updated datetime=2025-09-05></time><time datetime=2025-09-04></time>",
            "2025-09-04 (time)",
        ),
        (
            "<time itemprop=datePublished datetime=2025-09-04></time>",
            "2025-09-04 (microdata)",
        ),
        (
            "<div class=comments><time datetime=2025-09-04></time></div>",
            "",
        ),
        (
            "<span class=post-date>Sept 4, 2025</span>",
            "2025-09-04 (class)",
        ),
        ("<span class=updated>Sept 4, 2025</span>", ""),
        (
            "<h1>Cod</h1><p>4 September 2025<p>text",
            "2025-09-04 (text)",
        ),
        ("<p>4 September 2025<p>text", ""),
    ] {
        assert_eq!(field(html, MetadataField::Published), expected, "{html}");
    }
    let metadata = metadata(
        "https://a.example/2025/09/04/x",
        "<h1>Cod</h1><p>May 1, 2024",
    );
    assert_eq!(metadata.get(MetadataField::Published), Some("2025-09-04"));
    assert_eq!(
        metadata.source(MetadataField::Published),
        Some(MetadataSource::Url)
    );
}

#[test]
fn sites_have_names_of_their_own_for_dates_and_a_change_is_better_than_nothing() {
    let html = "<meta name=w-published-date content='2025-05-27T06:03:43.274Z'>";
    assert_eq!(
        field(html, MetadataField::Published),
        "2025-05-27T06:03:43Z (meta)"
    );
    let html = "<meta name=publisher content='2025 Books'>";
    assert_eq!(field(html, MetadataField::Published), "");
    let html = "<meta property=article:modified_time content=2025-05-27>";
    assert_eq!(
        field(html, MetadataField::Published),
        "2025-05-27 (modified)"
    );
    let html = [html, "<time datetime=2025-05-20>x</time>"].concat();
    assert_eq!(field(&html, MetadataField::Published), "2025-05-20 (time)");
    let date = "<meta name=date content=4/9/2025>";
    for (language, expected) in [("", "04-09"), ("en", "04-09"), ("de", "09-04")] {
        let html = format!("<html lang='{language}'>{date}");
        let expected = format!("2025-{expected} (meta)");
        assert_eq!(field(&html, MetadataField::Published), expected);
    }
}

#[test]
fn the_name_of_the_site_is_no_headline() {
    let site = "<h1><a href='/'>The Southerner</a></h1>";
    let forum = "<title>A thread of three - My Forum</title>";
    let topic = "<h2>A thread of three</h2>";
    let named = "<meta property=og:site_name content='My Forum'>";
    for (html, expected) in [
        (format!("{site}<h1>Skincare</h1>"), "Skincare (h1)"),
        (
            "<nav><h1>Menu</h1></nav><h1>Skincare</h1>".to_owned(),
            "Skincare (h1)",
        ),
        (
            "<title>Skincare | News</title><h1>All stories</h1><h1>Skincare</h1>".to_owned(),
            "Skincare (h1)",
        ),
        ("<h1>–</h1><h1>One</h1><h1>Two</h1>".to_owned(), "One (h1)"),
        (site.to_owned(), ""),
        (
            format!("{forum}<h1>My Forum</h1>{topic}"),
            "A thread of three (title)",
        ),
        (
            format!("{forum}<h1>My Forum</h1>{named}"),
            "A thread of three (title)",
        ),
        (
            format!("{forum}<h1>My Forum</h1>{named}<meta property=og:title content=Three>"),
            "Three (opengraph)",
        ),
        (
            format!("{forum}<h1>My Forum</h1>{named}<h1>A thread</h1>"),
            "A thread (h1)",
        ),
        (
            format!("{forum}<h1>My Forum</h1><h1>A thread of three</h1>"),
            "A thread of three (h1)",
        ),
        (format!("{forum}<h1>My Forum</h1>"), "My Forum (h1)"),
        (
            format!("<title>My Forum</title>{named}<h1>My Forum</h1>"),
            "My Forum (h1)",
        ),
    ] {
        assert_eq!(field(&html, MetadataField::Headline), expected, "{html}");
    }
}

#[test]
fn every_source_of_a_field_is_told_apart() {
    for field in MetadataField::ALL {
        let trust = field.trust();
        assert!(
            (1..trust.len()).all(|at| !trust[..at].contains(&trust[at])),
            "{field:?}"
        );
    }
}

#[test]
fn a_page_made_to_be_slow_is_not() {
    let deep = format!("<p class='{}'>", "x ".repeat(100_000));
    let inside = "<i class=author><i class=date>".repeat(1000);
    let nodes =
        "{\"@type\":\"Article\",\"author\":[{\"@id\":\"a\"},{\"@id\":\"b\"}]},".repeat(9000);
    let linked = format!("<script type=application/ld+json>[{nodes}0]</script>");
    let page = [deep.repeat(10), inside.repeat(10), linked.repeat(3)].concat();
    let start = std::time::Instant::now();
    assert_eq!(metadata("", &page).get(MetadataField::Author), None);
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

#[test]
fn values_are_bounded() {
    let long = format!("<meta name=description content='{}'>", "é ".repeat(9000));
    let long = metadata("", &long);
    assert!(long.get(MetadataField::Description).unwrap().len() <= MAX_BYTES);
    let many = format!(
        "<meta name=keywords content='{}'>",
        (0..999).map(|n| format!("{n},")).collect::<String>()
    );
    assert_eq!(metadata("", &many).tags().len(), MAX_TAGS);
    assert_eq!(
        metadata("", "<meta name=description content='  '>").get(MetadataField::Description),
        None
    );
}

#[test]
fn relative_addresses_are_completed_as_links_are() {
    let image = |url: &str, html: &str| {
        let metadata = metadata(url, html);
        metadata.get(MetadataField::Image).map(str::to_owned)
    };
    let page = "http://a.example/b/c?d";
    for (written, expected) in [
        ("x.png", "http://a.example/b/x.png"),
        ("/x.png", "http://a.example/x.png"),
        ("../x.png?y", "http://a.example/x.png?y"),
        ("//e.example/x", "http://e.example/x"),
        ("HTTPS://e.example/x", "HTTPS://e.example/x"),
    ] {
        let html = format!("<meta property=og:image content='{written}'><p>a");
        assert_eq!(image(page, &html).as_deref(), Some(expected));
        let based = format!("<base href=/e/>{html}");
        if written == "x.png" {
            assert_eq!(image(page, &based).unwrap(), "http://a.example/e/x.png");
            assert_eq!(image("", &html), None);
        }
    }
    for none in ["", "javascript:x", "data:image/png,x", "mailto:x"] {
        let html = format!("<meta property=og:image content='{none}'><p>a");
        assert_eq!(image(page, &html), None, "{none}");
    }
}

#[test]
fn values_are_text_without_markup_and_references() {
    for (written, expected) in [
        (
            "Bob&amp;#39;s &amp;rsquo;boat",
            "Bob's \u{2019}boat (opengraph)",
        ),
        (
            "&lt;p&gt;One &lt;a href=x&gt;two&lt;/a&gt;s.&lt;/p&gt;&lt;p&gt;Three",
            "One twos. Three (opengraph)",
        ),
        ("1 &lt; 2 > 0 &amp; so", "1 < 2 > 0 & so (opengraph)"),
        ("a &lt;b", "a <b (opengraph)"),
    ] {
        let html = format!("<meta property=og:description content='{written}'><p>a");
        assert_eq!(
            field(&html, MetadataField::Description),
            expected,
            "{written}"
        );
    }
}

#[test]
fn hostile_values_take_linear_time() {
    let started = std::time::Instant::now();
    let names: String = (0..100_000).map(|n| format!("a{n}x; ")).collect();
    let values = [names, "<a".repeat(500_000), "&lt;a".repeat(200_000)];
    for (value, name) in values.iter().zip(["author", "description", "author"]) {
        let page = format!("<meta name={name} content=\"{value}\"><p>text");
        assert_eq!(
            metadata("", &page).get(MetadataField::Author),
            None,
            "{name}"
        );
    }
    // Many invalid author lists: each of them is parsed.
    let names: String = (0..1000).map(|n| format!("a{n}x; ")).collect();
    let page = format!("<meta name=author content=\"{names}\">").repeat(500);
    assert_eq!(metadata("", &page).get(MetadataField::Author), None);
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}
