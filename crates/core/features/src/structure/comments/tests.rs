use super::super::{Comment, Structure};
use proptest::prelude::*;
use warcsieve_fixture::{document, markup, segmented, words};
use warcsieve_html::Segmentation;
use warcsieve_html::document::Document;

pub(super) const SAID: &str = "I have tried that, too, and it works as well as it can.";

/// The texts of the comments of a page.
pub(super) fn comments(html: &str) -> Vec<String> {
    of(
        &mut Structure::default(),
        &segmented(html, Segmentation::Inline),
    )
}

fn of(structure: &mut Structure, doc: &Document) -> Vec<String> {
    structure.read(doc);
    let own = doc.blocks.iter().enumerate();
    own.filter(|(i, _)| structure.comment(doc, *i) != Comment::No)
        .map(|(_, block)| doc.block_text(block).to_owned())
        .collect()
}

/// The comments on a page of an article of 60 words, followed by `after`.
pub(super) fn followed_by(after: &str) -> Vec<String> {
    comments(&format!("<h1>A title</h1><p>{}.</p>{after}", words(60)))
}

/// Two comments.
fn said() -> String {
    let said = |author| format!("<p>{author}, May 5, 2010<p>{SAID}");
    said("Ann") + &said("Bob")
}

#[test]
fn all_after_a_heading_of_comments_is_comments() {
    let texts = [
        "2 comments",
        "Ann, May 5, 2010",
        SAID,
        "Bob, May 5, 2010",
        SAID,
        "© Ann",
    ];
    let page = format!("<h2>2 comments</h2>{}<p>© Ann", said());
    assert_eq!(followed_by(&page), texts);
    // This works with any wrapper and any element.
    let page = format!(
        "<div><b>2 comments</b></div><div>{}</div><footer>© Ann</footer>",
        said()
    );
    assert_eq!(followed_by(&page), texts);
    // Names for some parts of the comments change nothing.
    let page = page.replace("<p>Bob", "<p class=comment-author>Bob");
    assert_eq!(followed_by(&page), texts);
}

#[test]
fn other_headings_say_nothing() {
    let said = said();
    let heading = format!("<h2>2 comments</h2>{said}");
    let no_dates = format!("<h2>Comments</h2><p>{SAID}<p>{SAID}");
    let cells = "<table><tr><th>Item<th>Comments<tr><td>One<td>Two</table>";
    for (why, after) in [
        ("a link", format!("<a href=#c>2 comments</a>{said}")),
        (
            "a button",
            format!("<button><span>2 comments</span></button>{said}"),
        ),
        ("of a table", format!("{cells}{said}")),
        (
            "of a list",
            format!("<dl><dt>Comments<dd>are words.</dl>{said}"),
        ),
        (
            "one word of many",
            format!("<h2>Comments by the minister</h2>{said}"),
        ),
        ("in a forum", format!("<div class=forum>{heading}</div>")),
        ("of a chapter", no_dates),
        (
            "above the text",
            format!(
                "<p>2 comments<p>May 5, 2010{}",
                format!("<p>{SAID}").repeat(40)
            ),
        ),
        (
            "most of the page",
            format!("<h2>99 comments</h2>{}", said.repeat(99)),
        ),
        (
            "and another article",
            format!("{heading}<h1>Another</h1><p>{}.", words(60)),
        ),
        (
            "of many articles",
            format!("{heading}<h2>Another</h2><p>{}.{heading}", words(60)),
        ),
    ] {
        let texts = followed_by(&after);
        assert!(texts.is_empty(), "{why}: {texts:?}");
    }
    // Above the article: after its title, or before any text.
    let article = format!("<h1>A title</h1><p>2 comments{said}<p>{}.", words(60));
    assert!(comments(&article).is_empty());
    assert!(comments(&format!("<p>{}.{article}", words(60))).is_empty());
    let texts = [&*words(60), "2 comments", "Ann, May 5, 2010", SAID];
    let plain = document(&texts);
    assert!(
        of(&mut Structure::default(), &plain).is_empty(),
        "no markup"
    );
}

#[test]
fn answers_that_look_like_the_question_are_posts() {
    let page = |question: &str| {
        let asked = format!("<p class={question}>{}.", words(60));
        let answer = format!("<div>Ann, May 5, 2010</div><p class=text>{SAID}");
        comments(&format!(
            "<div class=page><h1>How?</h1>{asked}<h2>1 comment</h2>{answer}</div>"
        ))
    };
    assert!(page("text").is_empty());
    assert_eq!(page("body"), ["1 comment", "Ann, May 5, 2010", SAID]);
}

proptest! {
    /// The result does not depend on the page that was read before.
    #[test]
    fn no_page_depends_on_another(page in markup(), other in markup(), times in 0_usize..4) {
        let article = |page: &str, after: &str| format!("{page}<p>{}.{after}{page}", words(60));
        let thread = format!("<ol>{}</ol>", format!("<li>{}</li>", said()).repeat(times));
        let comments = format!("<h2>2 comments</h2>{}", said().repeat(times));
        let pages = [article(&page, &comments), article(&other, &thread), article(&page, &thread)];
        let docs = pages.map(|page| segmented(&page, Segmentation::Inline));
        let mut structure = Structure::default();
        for doc in docs.iter().chain(&docs) {
            prop_assert_eq!(of(&mut structure, doc), of(&mut Structure::default(), doc));
        }
    }
}
