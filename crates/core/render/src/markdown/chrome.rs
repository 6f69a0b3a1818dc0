//! What pages print beside their text for somebody with a browser: links to a heading itself, links that share the page,
//! the word over an advertisement, the number of a post.

use super::inline::{Leaf, Piece, Script};
use warcsieve_html::document::Document;

/// Addresses that share a page: the domain, and how the path begins.
const SHARES: [(&str, &str); 13] = [
    ("facebook.com", "sharer"),
    ("facebook.com", "share.php"),
    ("facebook.com", "dialog/"),
    ("twitter.com", "intent/"),
    ("x.com", "intent/"),
    ("twitter.com", "share"),
    ("linkedin.com", "sharearticle"),
    ("linkedin.com", "sharing/"),
    ("pinterest.com", "pin/create"),
    ("reddit.com", "submit"),
    ("whatsapp.com", "send"),
    ("t.me", "share"),
    ("news.ycombinator.com", "submitlink"),
];

/// Paragraphs that say what is beside the text.
const NOTICES: [&str; 4] = [
    "advertisement",
    "advertisements",
    "advertisement - continue reading below",
    "story continues below advertisement",
];

/// Texts of links that show where something is written.
const SOURCES: [&str; 2] = ["[source]", "source"];

/// What a paragraph is on its page.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Around {
    /// A heading, or a term of a list of definitions: what can be linked to.
    pub target: bool,
    /// In a page with posts.
    pub thread: bool,
}

impl Leaf {
    /// Removes what is not for readers of a text, which may be all.
    pub fn leave_out_chrome(&mut self, doc: &Document, around: Around) {
        let is_notice = |text: &str| NOTICES.iter().any(|n| text.eq_ignore_ascii_case(n));
        if is_notice(doc.text[self.range()].trim()) {
            return self.pieces.clear();
        }
        if around.target {
            let pieces = self.pieces.len();
            let last = self.ending(|leaf, piece| leaf.leads_to_itself(doc, piece));
            let first = self.beginning(|leaf, piece| leaf.leads_to_itself(doc, piece));
            // A heading that is nothing else keeps what it has.
            if first + last < pieces {
                self.cut(first, last);
            }
        }
        let shares = self.ending(|leaf, piece| leaf.shares(piece));
        self.cut(0, shares);
        if around.thread {
            let numbers = self.beginning(|leaf, piece| leaf.counts(doc, piece));
            let is_alone = numbers == self.pieces.len();
            let next = self.pieces.get(numbers);
            // `#3 · Jan 3`, where both lead to the post.
            let leads = next.is_some_and(|next| next.style.link != 0);
            let has_dot = next.is_some_and(|next| doc.text[next.text.clone()].trim() == "·");
            if is_alone || leads {
                self.cut(numbers, 0);
            } else if numbers > 0 && has_dot {
                self.cut(numbers + 1, 0);
            }
        }
    }

    /// How many pieces at the end are such.
    fn ending(&self, is: impl Fn(&Self, &Piece) -> bool) -> usize {
        let pieces = self.pieces.iter().rev();
        pieces.take_while(|piece| is(self, piece)).count()
    }

    /// How many pieces at the beginning are such.
    fn beginning(&self, is: impl Fn(&Self, &Piece) -> bool) -> usize {
        let pieces = self.pieces.iter();
        pieces.take_while(|piece| is(self, piece)).count()
    }

    /// Removes so many pieces at the beginning and at the end.
    fn cut(&mut self, first: usize, last: usize) {
        let end = self.pieces.len().saturating_sub(last);
        self.pieces.truncate(end);
        self.pieces.drain(..first.min(end));
    }

    /// Whether a piece is a sign that leads to its own heading, or to where this is written.
    fn leads_to_itself(&self, doc: &Document, piece: &Piece) -> bool {
        let style = &piece.style;
        if style.link == 0 || style.script == Script::Sup || style.image.is_some() {
            return false;
        }
        let text = doc.text[piece.text.clone()].trim();
        // A pilcrow that was read in the wrong encoding has a letter.
        let is_sign = text == "Â¶" || !text.contains(char::is_alphanumeric);
        let is_note = text.starts_with(['*', '†', '‡']);
        let leads_here = self.addresses[style.address.clone()].contains('#');
        is_sign && !is_note && leads_here || SOURCES.iter().any(|s| text.eq_ignore_ascii_case(s))
    }

    /// Whether a piece is a link that shares the page.
    fn shares(&self, piece: &Piece) -> bool {
        if piece.style.link == 0 {
            return false;
        }
        let address = self.addresses[piece.style.address.clone()].to_ascii_lowercase();
        let Some((_, rest)) = address.split_once("//") else {
            return address.starts_with("mailto:?");
        };
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        let is_of = |domain: &str| {
            let before = host.strip_suffix(domain);
            before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
        };
        let is_known = |(domain, begins): &(&str, &str)| path.starts_with(begins) && is_of(domain);
        SHARES.iter().any(is_known)
    }

    /// Whether a piece is the number of a post.
    fn counts(&self, doc: &Document, piece: &Piece) -> bool {
        let digits = doc.text[piece.text.clone()].trim().strip_prefix('#');
        digits.is_some_and(|digits| {
            (1..=6).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit())
        })
    }
}
