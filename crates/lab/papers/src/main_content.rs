//! Main Content Filter: the largest run of content, from the title down to the readers' comments.
//!
//! Kohlschütter, Fankhauser, Nejdl: Boilerplate Detection using Shallow Text
//! Features, WSDM 2010, §4.3.2: the Largest Content Filter, and no text "below a
//! clearly identifiable comments section (a block solely containing one out of 11
//! indicator strings like "User comments:" etc.) and above a clearly identifiable
//! title (derived from the HTML document's TITLE value)".
//!
//! # Deviations
//! * The paper names only one of the 11 strings. Here they are [`INDICATORS`]: that one, and ten
//!   from the list of the authors' program (boilerpipe, `TerminatingBlocksFinder`). Punctuation and
//!   numbers around the string are ignored: "Comments (12)", "12 comments", "User comments:".
//! * An indicator counts only after `min_words` words of the kept run (60, as in the authors'
//!   program), so a link "Comments" in the navigation does not count.
//! * The title is the last block above the run, or the first block in it, that repeats the TITLE
//!   (see [`Titles`]). It becomes content, since a headline is content. Blocks between it and the
//!   run do not become content.
//! * Runs are those of the Largest Content Filter; see there for `gap`.

use super::largest_content::{GAP, Reasons, largest_run};
use std::ops::Range;
use warcsieve_classify::params::StepParams;
use warcsieve_classify::{Built, Classifier, Label, Method, Names, Titles, shipped, step_params};
use warcsieve_html::document::{Block, Document};

/// The method as pipeline files and the command line know it.
pub const METHOD: Method = Method {
    name: "main-content",
    summary: "the same, from the title on and without readers' comments, after another step",
    family: "Kohlschütter, Fankhauser, Nejdl 2010: shallow text features",
    paper: "Kohlschütter, Fankhauser, Nejdl 2010, §4.3.2 (Main Content Filter)",
    follows: true,
    pipelines: &[shipped!(
        "numwords-main",
        "The same run, from the title on and without readers' comments. It is best for news pages whose comments you do not want."
    )],
    build,
    ..Method::PLAIN
};

/// The texts of blocks that are headings of readers' comments.
const INDICATORS: [&str; 11] = [
    "add comment",
    "add your comment",
    "comments",
    "have your say",
    "post a comment",
    "reader comments",
    "reader views",
    "thanks for your comments - this feedback is now closed",
    "user comments",
    "users responded in this post",
    "what you think",
];

step_params! {
    gap: usize = GAP,
    min_words: u32 = 60,
}

struct MainContent {
    params: Params,
    reasons: Reasons,
    below_comments: u32,
    above_title: u32,
    title: u32,
}

pub(super) fn build(params: StepParams<'_>, names: &mut Names) -> Built {
    Ok(Box::new(MainContent {
        params: params.read()?,
        reasons: Reasons::new(names),
        below_comments: names.reason("below the heading of the comments"),
        above_title: names.reason("above the title"),
        title: names.reason("repeats the page's title"),
    }))
}

/// Whether the block's text is one of the [`INDICATORS`] and nothing else.
fn indicates_comments(doc: &Document, block: &Block) -> bool {
    const MAX_WORDS: u32 = 12;
    block.words <= MAX_WORDS && {
        let text = doc
            .block_text(block)
            .trim_matches(|c: char| !c.is_alphabetic());
        INDICATORS.iter().any(|i| text.eq_ignore_ascii_case(i))
    }
}

impl MainContent {
    /// The block of the run where the comments begin, or its end.
    fn comments(&self, doc: &Document, run: &Range<usize>) -> usize {
        let mut words = 0;
        for i in run.clone() {
            let block = &doc.blocks[i];
            if words >= u64::from(self.params.min_words) && indicates_comments(doc, block) {
                return i;
            }
            words += u64::from(block.words);
        }
        run.end
    }
}

/// The block that repeats the title: the last above `run`, or the first in it.
fn title(doc: &Document, run: &Range<usize>) -> Option<usize> {
    let titles = Titles::of(&doc.title);
    let matches = |&i: &usize| titles.matches(doc.block_text(&doc.blocks[i]));
    (0..=run.start)
        .rev()
        .find(matches)
        .or_else(|| run.clone().find(matches))
}

impl Classifier for MainContent {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        let Some(run) = largest_run(&doc.blocks, labels, self.params.gap) else {
            return;
        };
        self.reasons.keep(&run, labels);
        let end = self.comments(doc, &run);
        for label in &mut labels[end..run.end] {
            label.change(false, self.below_comments);
        }
        if let Some(title) = title(doc, &(run.start..end)) {
            labels[title].change(true, self.title);
            for label in &mut labels[..title] {
                label.change(false, self.above_title);
            }
        }
    }

    fn explain(&self, _: &Document, labels: &[Label], block: usize) -> String {
        let why = match labels[block].reason {
            r if r == self.below_comments => "below a block that heads the readers' comments",
            r if r == self.above_title => "above the block that repeats the page's title",
            r if r == self.title => "the block repeats the page's title",
            _ => self.reasons.explain(&labels[block]),
        };
        if why.is_empty() {
            String::new()
        } else {
            format!("main-content: {why}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{content, reasons};
    use warcsieve_fixture::{document, links, words};

    /// Content at first are the blocks of ten words or more.
    const STEP: &str = "method = 'min-words'\n[[step]]\nmethod = 'main-content'";

    fn page(title: &str, blocks: &[&str]) -> Document {
        Document {
            title: title.to_owned(),
            ..document(blocks)
        }
    }

    #[test]
    fn content_is_kept_from_the_title_to_the_comments() {
        let (prose, links) = (&*words(30), &*links(3));
        let blocks = [
            prose,
            "Rain",
            links,
            links,
            "Rain",
            links,
            prose,
            links,
            prose,
            "User comments:",
            prose,
        ];
        let doc = page("Rain | News", &blocks);
        let c: String = content(STEP, &doc)
            .iter()
            .map(|&c| if c { 'c' } else { '-' })
            .collect();
        assert_eq!(c, "----c-ccc--");
        let reasons = reasons(STEP, &doc);
        assert_eq!(reasons[0], "not in the largest run of content");
        assert_eq!(reasons[4], "repeats the page's title");
        assert_eq!(reasons[7], "gap in the largest run of content");
        assert_eq!(reasons[9], "below the heading of the comments");
        assert_eq!(reasons[10], "below the heading of the comments");
    }

    #[test]
    fn blocks_above_a_title_inside_the_run_are_dropped() {
        let doc = page("Rain", &[&*words(30), "Rain", &*words(30)]);
        assert_eq!(content(STEP, &doc), [false, true, true]);
        assert_eq!(reasons(STEP, &doc)[0], "above the title");
    }

    #[test]
    fn indicators_count_only_after_enough_words() {
        let doc = page("", &[&*words(59), "Comments", &*words(30)]);
        assert_eq!(content(STEP, &doc), [true; 3]);
        let doc = page("", &[&*words(60), "Comments", &*words(30)]);
        assert_eq!(content(STEP, &doc), [true, false, false]);
    }

    #[test]
    fn an_indicator_is_alone_except_for_punctuation_and_numbers() {
        let heads = |text: &str| {
            let doc = document(&[text]);
            indicates_comments(&doc, &doc.blocks[0])
        };
        for text in [
            "User comments:",
            "COMMENTS (12)",
            "12 Comments »",
            "Have Your Say",
            "What you think...",
        ] {
            assert!(heads(text), "{text}");
        }
        for text in ["Comments are closed", "No comment", "commentsx", "12"] {
            assert!(!heads(text), "{text}");
        }
        for text in INDICATORS {
            assert!(heads(text), "{text}");
        }
    }
}
