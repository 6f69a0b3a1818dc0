use super::super::tests::{SAID, comments, followed_by};
use super::*;
use proptest::prelude::*;
use warcsieve_fixture::{markup, segmented, words};
use warcsieve_html::{Element, Segmentation};

/// Three records.
fn thread(list: &str, item: &str) -> String {
    let record = |author| {
        format!(
            "<{item}><b>{author}</b><div>May 5, 2010 at 10:42</div><p class=x>{SAID}</p></{item}>"
        )
    };
    format!(
        "<{list}>{}{}{}</{list}>",
        record("Ann"),
        record("Bob"),
        record("Cy")
    )
}

#[test]
fn records_after_an_article_are_comments() {
    for (list, item) in [
        ("ol", "li"),
        ("div", "div"),
        ("section", "article"),
        ("table", "tr"),
    ] {
        let texts = followed_by(&thread(list, item));
        assert_eq!(texts.len(), 9, "{list}: {texts:?}");
        assert_eq!((texts[0].as_str(), texts[8].as_str()), ("Ann", SAID));
    }
    // The text after them is not a comment.
    let followed = format!("{}<footer>Made by hand</footer>", thread("ol", "li"));
    assert_eq!(followed_by(&followed).len(), 9);
}

#[test]
fn a_term_and_its_descriptions_are_one_record() {
    let record = format!("<dt>Ann says: 05.05.10 at 10.42<dd>{SAID}<dd><a href=/>Answer</a>");
    assert_eq!(
        followed_by(&format!("<dl>{}</dl>", record.repeat(3))).len(),
        9
    );
    assert!(followed_by(&format!("<dl>{}</dl>", record.repeat(2))).is_empty());
}

#[test]
fn other_records_are_no_comments() {
    let record = format!("<li><b>Ann</b><div>May 5, 2010</div><p class=x>{SAID}</li>");
    let thread = |record: &str| format!("<ul>{}</ul>", record.repeat(4));
    assert_eq!(followed_by(&thread(&record)).len(), 12);
    for (why, html) in [
        ("too few", record.repeat(2)),
        (
            "in an article",
            thread(&record) + &format!("<p>{}.", words(50)),
        ),
        ("most of the page", thread(&record.repeat(30))),
        (
            "teasers",
            thread(&format!("<li><h3>News</h3>{}", &record[4..])),
        ),
        ("posts", thread(&record.replace("<li>", "<li class=post>"))),
        (
            "in a forum",
            format!("<div class=forum>{}</div>", thread(&record)),
        ),
        (
            "links",
            thread(&record.replace("I have", "<a href=/>I have")),
        ),
        ("no dates", thread(&record.replace("2010", "last"))),
        (
            "dates in the text",
            thread(&record.replace("</div><p class=x>", " ")),
        ),
        (
            "few of many",
            format!("<ul>{}</ul>", (record.clone() + "<li>x").repeat(4)),
        ),
    ] {
        let texts = followed_by(&html);
        assert!(texts.is_empty(), "{why}: {texts:?}");
    }
}

#[test]
fn answers_that_look_like_the_question_are_no_comments() {
    let page = |question: &str| {
        let head = "<main class=page><div class=q><div>May 5, 2010</div>";
        let text = format!("<p class={question}>{}.</div>", words(60));
        comments(&format!("{head}{text}{}</main>", thread("ol", "li")))
    };
    assert!(page("x").is_empty());
    assert_eq!(page("y").len(), 9);
}

#[test]
fn names_come_first() {
    let named = format!("<div id=comments><p>{SAID}</div>");
    assert_eq!(followed_by(&(thread("ol", "li") + &named)), [SAID]);
}

#[test]
fn times_of_day_alone_are_no_dates() {
    let thread = |time: &str| {
        let record = format!("<li><b>Ann</b><p><time>{time}</time><p>{SAID}</li>");
        followed_by(&format!("<ol>{}</ol>", record.repeat(3)))
    };
    // If the page says that a short text is a time, it needs no digits.
    assert_eq!(thread("an hour ago").len(), 9);
    assert!(thread("10:42").is_empty());
}

proptest! {
    /// On any page a thread consists of records.
    #[test]
    fn threads_hold_records(page in markup(), times in 0_usize..5) {
        let html = format!("{page}{}{page}", thread("ol", "li").repeat(times));
        let doc = segmented(&html, Segmentation::Inline);
        let mut records = Records::default();
        records.read(&doc, None);
        let mut threads = Threads::default();
        let elements = records.elements();
        if let Some(thread) = threads.find(&doc, &records) {
            let (first, end) = (thread.start as usize, thread.end as usize);
            prop_assert!(end <= elements.len());
            let is_record = |e: &&Element| {
                (e.parent, e.tag) == (elements[first].parent, elements[first].tag)
            };
            let records = elements[first..end].iter().filter(is_record);
            prop_assert!(records.count() >= RECORDS as usize);
        }
    }
}
