//! Removes parts of a text that only make sense in a browser: links of a heading to itself and
//! buttons that copy them, links to share the page, the word above an advertisement, and numbers of posts.

use super::inline::{Leaf, Piece, Script};
use warcsieve_html::attribute;
use warcsieve_html::document::Document;

/// Addresses of share links: the domain, and the beginning of the path.
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

/// Paragraphs that describe something next to the text.
const NOTICES: [&str; 4] = [
    "advertisement",
    "advertisements",
    "advertisement - continue reading below",
    "story continues below advertisement",
];

/// Texts of links to the source of a heading.
const SOURCES: [&str; 2] = ["[source]", "source"];

/// Where a paragraph is on its page.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Around {
    /// In a heading or a term of a definition list, which can have a link to itself.
    pub target: bool,
    /// On a page with posts.
    pub thread: bool,
}

impl Leaf {
    /// Removes parts that only make sense in a browser. Possibly no text is left.
    pub fn leave_out_chrome(&mut self, doc: &Document, around: Around) {
        let is_notice = |text: &str| NOTICES.iter().any(|n| text.eq_ignore_ascii_case(n));
        if is_notice(doc.text[self.range()].trim()) {
            return self.pieces.clear();
        }
        if around.target {
            let pieces = self.pieces.len();
            let goes =
                |leaf: &Self, piece: &Piece| leaf.leads_to_itself(doc, piece) || copies(doc, piece);
            let (first, last) = (self.beginning(goes), self.ending(goes));
            // If the heading has no other text, keep all of it.
            if first + last < pieces {
                self.cut(first, last);
            }
            let leads_here = |piece: &Piece| {
                let address = &self.addresses[piece.style.address.clone()];
                piece.style.link != 0 && address.starts_with('#')
            };
            if self.pieces.iter().all(leads_here) {
                self.unlink_all();
            }
        }
        let shares = self.ending(|leaf, piece| leaf.shares(piece));
        self.cut(0, shares);
        if around.thread {
            let numbers = self.beginning(|leaf, piece| leaf.counts(doc, piece));
            let is_alone = numbers == self.pieces.len();
            let next = self.pieces.get(numbers);
            // `#3 · Jan 3`, where both parts link to the post.
            let leads = next.is_some_and(|next| next.style.link != 0);
            let has_dot = next.is_some_and(|next| doc.text[next.text.clone()].trim() == "·");
            if is_alone || leads {
                self.cut(numbers, 0);
            } else if numbers > 0 && has_dot {
                self.cut(numbers + 1, 0);
            }
        }
    }

    /// Number of pieces at the end for which `is` is true.
    fn ending(&self, is: impl Fn(&Self, &Piece) -> bool) -> usize {
        let pieces = self.pieces.iter().rev();
        pieces.take_while(|piece| is(self, piece)).count()
    }

    /// Number of pieces at the beginning for which `is` is true.
    fn beginning(&self, is: impl Fn(&Self, &Piece) -> bool) -> usize {
        let pieces = self.pieces.iter();
        pieces.take_while(|piece| is(self, piece)).count()
    }

    /// Removes `first` pieces at the beginning and `last` pieces at the end.
    fn cut(&mut self, first: usize, last: usize) {
        let end = self.pieces.len().saturating_sub(last);
        self.pieces.truncate(end);
        self.pieces.drain(..first.min(end));
    }

    /// Whether a piece is a link of a heading to itself, shown as a sign, or a link to its source.
    fn leads_to_itself(&self, doc: &Document, piece: &Piece) -> bool {
        let style = &piece.style;
        if style.link == 0 || style.script == Script::Sup || style.image.is_some() {
            return false;
        }
        let text = doc.text[piece.text.clone()].trim();
        // A pilcrow decoded with the wrong charset contains a letter.
        let is_sign = text == "Â¶" || is_sign(text);
        let is_note = text.starts_with(['*', '†', '‡']);
        let leads_here = self.addresses[style.address.clone()].contains('#');
        is_sign && !is_note && leads_here || SOURCES.iter().any(|s| text.eq_ignore_ascii_case(s))
    }

    /// Whether a piece is a link to share the page.
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

    /// Whether a piece is the number of a post, such as `#3`.
    fn counts(&self, doc: &Document, piece: &Piece) -> bool {
        let digits = doc.text[piece.text.clone()].trim().strip_prefix('#');
        digits.is_some_and(|digits| {
            (1..=6).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit())
        })
    }
}

fn is_sign(text: &str) -> bool {
    !text.contains(char::is_alphanumeric)
}

/// Words in the attributes of buttons that copy the address of a heading.
const COPIES: [&str; 5] = ["copy", "anchor", "permalink", "copylink", "headerlink"];

/// Whether a piece is a button of a heading: a sign, or one that copies its address.
fn copies(doc: &Document, piece: &Piece) -> bool {
    if piece.style.button == 0 || piece.style.image.is_some() {
        return false;
    }
    let attributes = doc.attributes(&doc.tree.elements[piece.style.button as usize]);
    let says = |name: &str, and: Option<&str>| {
        let value = attribute(attributes, name).unwrap_or_default();
        let mut words = value.split(|c: char| !c.is_ascii_alphanumeric());
        words.any(|word| {
            let mut known = COPIES.into_iter().chain(and);
            known.any(|known| word.eq_ignore_ascii_case(known))
        })
    };
    // `btn-link` is a class of any button.
    is_sign(&doc.text[piece.text.clone()])
        || says("class", None)
        || ["aria-label", "title"]
            .into_iter()
            .any(|name| says(name, Some("link")))
}
