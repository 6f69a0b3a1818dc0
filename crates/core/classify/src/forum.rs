//! Whether a page is of a forum: a thread of posts, or questions and answers.
//!
//! What people write there is the content of the page. A forum marks it as other pages mark readers'
//! comments, so these marks alone cannot say which of the two it is.

use crate::declared::{meta, types};
use warcsieve_common::host;
use warcsieve_html::document::Document;

/// First labels of hosts of forums.
const HOSTS: [&str; 9] = [
    "forum",
    "forums",
    "community",
    "communities",
    "discuss",
    "discussion",
    "discussions",
    "bbs",
    "board",
];

/// Segments of paths below which threads are.
const SEGMENTS: [&str; 16] = [
    "forum",
    "forums",
    "thread",
    "threads",
    "topic",
    "topics",
    "question",
    "questions",
    "discussion",
    "discussions",
    "bbs",
    "board",
    "boards",
    "viewtopic.php",
    "showthread.php",
    "viewthread.php",
];

/// Programs that run forums, as `meta name=generator` names them, in lower case.
const GENERATORS: [&str; 12] = [
    "discourse",
    "phpbb",
    "xenforo",
    "vbulletin",
    "vanilla",
    "nodebb",
    "flarum",
    "discuz",
    "mybb",
    "smf",
    "invision",
    "bbpress",
];

/// Types of schema.org that say that a page is a thread.
const TYPES: [&str; 3] = ["DiscussionForumPosting", "QAPage", "Question"];

/// Whether a page is of a forum by its address or its markup. In time linear in the page.
pub fn is_forum(doc: &Document) -> bool {
    is_address(&doc.url) || is_marked(doc)
}

/// Whether an address is one of a forum: by its host or by a segment of its path.
fn is_address(url: &str) -> bool {
    let is_known = |known: &[&str], word: &str| known.iter().any(|k| word.eq_ignore_ascii_case(k));
    let host = host(url);
    let path = url
        .split_once("://")
        .and_then(|(_, rest)| rest.split_once('/'));
    let path = path.map_or("", |(_, path)| path);
    let path = path.split(['?', '#']).next().unwrap_or_default();
    // A host of one label is not the forum of a site.
    host.split_once('.')
        .is_some_and(|(first, _)| is_known(&HOSTS, first))
        || !host.is_empty() && path.split('/').any(|segment| is_known(&SEGMENTS, segment))
}

/// Whether the markup says so: by its generator, or by a type of schema.org as microdata.
fn is_marked(doc: &Document) -> bool {
    let is_known = |name: &str| GENERATORS.iter().any(|known| name.contains(known));
    meta(doc, "name", "generator").any(|name| is_known(&name.to_ascii_lowercase()))
        || types(doc).any(|kind| TYPES.contains(&kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use warcsieve_fixture::segmented;
    use warcsieve_html::Segmentation;

    #[test]
    fn hosts_and_paths_say_forum() {
        for url in [
            "https://forum.example.org/",
            "https://user@forum.example.org:8080/",
            "http://Community.example.org/t/5",
            "https://example.org/forums/a?b",
            "https://example.org/viewtopic.php?t=3",
            "https://stack.example.org/questions/11/why",
        ] {
            assert!(is_address(url), "{url}");
        }
        for url in [
            "",
            "forum",
            "https://example.org/",
            "https://example.org/news/forumlike",
            "https://forum/x",
            "https://example.org/a?forum/b",
        ] {
            assert!(!is_address(url), "{url}");
        }
    }

    #[test]
    fn generators_and_types_say_forum() {
        let is = |html: &str| is_marked(&segmented(html, Segmentation::Inline));
        assert!(is("<meta name=Generator content='Discourse 3.2'><p>a"));
        assert!(is(
            "<div itemscope itemtype='https://schema.org/QAPage'><p>a</div>"
        ));
        assert!(!is("<meta name=generator content='WordPress 6'><p>a"));
        assert!(!is(
            "<meta name=description content='Discourse'><div itemtype='https://schema.org/Article'><p>a"
        ));
    }
}
