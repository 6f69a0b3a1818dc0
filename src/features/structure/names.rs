//! What the names of classes, ids and roles say an element is for.
//!
//! The tokens are the English in which most of the web's templates are written, whatever the
//! language of their text.

use crate::features::elements::class_hash;
use crate::html::attributes;
use std::sync::LazyLock;

macro_rules! groups {
    ($($group:ident $name:literal: $($token:literal)*;)*) => {
        /// What an element can be named for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Group {
            $(#[doc = concat!("`", $name, "`")] $group),*
        }

        impl Group {
            /// All groups, in order.
            pub const ALL: &[Self] = &[$(Self::$group),*];

            /// What features call it.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$group => $name,)*
                }
            }

            /// The tokens that name it.
            pub fn tokens(self) -> &'static [&'static str] {
                match self {
                    $(Self::$group => &[$($token),*],)*
                }
            }
        }
    };
}

groups! {
    Nav "nav":
        "nav" "navbar" "navigation" "menu" "submenu" "menubar" "topnav" "subnav" "breadcrumb"
        "breadcrumbs" "crumb" "crumbs" "tabs" "toolbar" "topbar" "mainmenu" "dropdown" "toc";
    Footer "footer":
        "footer" "foot" "bottom" "copyright" "colophon" "legal" "siteinfo";
    Header "header":
        "header" "masthead" "banner" "top" "head" "logo" "branding" "hero";
    Side "side":
        "sidebar" "side" "aside" "rail" "widget" "widgets" "secondary" "complementary" "rightcol"
        "leftcol" "sidenav" "gadget" "blogroll" "archive" "archives";
    Modal "modal":
        "modal" "popup" "overlay" "dialog" "lightbox" "cookie" "cookies" "consent" "gdpr" "toast"
        "tooltip" "alertdialog" "alert" "notice" "onetrust";
    Comment "comment":
        "comment" "comments" "commentlist" "commenter" "disqus" "livefyre" "talkback" "facebookcomments";
    Thread "thread":
        "reply" "replies" "respond" "discussion" "discussions" "commentary" "thread" "threads" "topic" "forum";
    Share "share":
        "share" "sharing" "social" "facebook" "twitter" "addthis" "sharedaddy" "follow" "sns"
        "like" "tweet" "sociable";
    Related "related":
        "related" "recommended" "recommend" "recommendations" "more" "also" "recent" "popular"
        "trending" "similar" "suggested" "outbrain" "taboola" "latest" "next" "prev" "previous"
        "upsell" "crosssell";
    Promo "promo":
        "ad" "ads" "advert" "advertisement" "advertising" "adsense" "sponsor" "sponsored" "promo"
        "promotion" "cta" "newsletter" "subscribe" "subscription" "signup" "donate" "paywall";
    Form "form":
        "form" "login" "signin" "register" "search" "searchform" "input" "field" "filter"
        "filters" "facet" "facets" "sort" "select" "button" "btn" "cart" "checkout" "quantity";
    Paging "paging":
        "pagination" "pager" "paging" "paginate" "pages";
    Meta "meta":
        "meta" "byline" "author" "date" "time" "timestamp" "published" "posted" "postmeta" "info"
        "tags" "tag" "category" "categories" "label" "labels" "taxonomy" "bio" "avatar" "user"
        "username" "profile" "signature" "stats";
    Content "content":
        "content" "main" "maincontent" "body" "entry" "text" "copy" "richtext" "prose" "markdown"
        "wysiwyg" "rte" "story" "mw" "bodytext" "description" "desc" "summary" "details" "detail"
        "overview" "specs" "features" "abstract" "faq" "answer" "question";
    Article "article":
        "article" "post" "blog" "blogpost" "hentry" "single" "news" "postbody" "message"
        "postcontent" "articlebody" "page" "section";
    Title "title":
        "title" "headline" "heading" "subtitle" "headings" "name" "subhead";
    Caption "caption":
        "caption" "credit" "figure" "image" "img" "photo" "gallery" "slider" "carousel" "slide"
        "slideshow" "video" "media" "player" "thumbnail" "thumb";
    Item "item":
        "item" "items" "list" "listing" "card" "cards" "grid" "row" "col" "column" "tile" "tiles"
        "cell" "results" "result" "teaser" "box" "block" "product" "products" "collection" "feed"
        "loop";
    Price "price":
        "price" "prices" "sku" "stock" "rating" "review" "reviews" "stars" "offer" "sale"
        "shipping" "buy" "variant" "swatch" "brand" "currency";
    Hidden "hidden":
        "hidden" "hide" "sr" "screen" "visuallyhidden" "invisible" "offscreen" "noprint" "skip"
        "collapse" "collapsed" "print";
    Code "code":
        "code" "highlight" "example" "syntax" "codehilite" "source" "snippet" "pre";
}

/// How many groups there are.
pub(super) const GROUPS: usize = Group::ALL.len();

/// Longest token.
const LONGEST: usize = 24;

/// Bytes of an attribute that are read.
const READ: usize = 512;

/// A token's hash, its letters and what it says.
type Token = (u32, &'static [u8], Group);

/// All tokens in a table with open addressing.
static TOKENS: LazyLock<[Option<Token>; SLOTS]> = LazyLock::new(|| {
    let mut slots = [None; SLOTS];
    for &group in Group::ALL {
        for token in group.tokens() {
            let hash = token.bytes().fold(0, more);
            let mut at = slot(hash);
            while slots[at].is_some() {
                at = (at + 1) % SLOTS;
            }
            slots[at] = Some((hash, token.as_bytes(), group));
        }
    }
    slots
});

/// Some twice as many as there are tokens.
const SLOTS: usize = 512;

/// The hash of a token that goes on with a letter.
fn more(hash: u32, letter: u8) -> u32 {
    (hash.rotate_left(5) ^ u32::from(letter)).wrapping_mul(0x9e37_79b1)
}

/// Where a hash is looked for first: by its high bits, which depend on all letters.
fn slot(hash: u32) -> usize {
    (hash >> (u32::BITS - SLOTS.ilog2())) as usize
}

fn group_of(token: &[u8], hash: u32) -> Option<Group> {
    let mut at = slot(hash);
    while let Some((known, name, group)) = TOKENS[at] {
        if known == hash && name == token {
            return Some(group);
        }
        at = (at + 1) % SLOTS;
    }
    None
}

/// What the attributes of an element say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Said {
    /// A hash of its class; 0 if it has none.
    pub class: u64,
    /// What it is named for, a bit for each group.
    pub groups: u32,
}

/// Reads the attributes of elements, once each. Classes come again and again on a page, so what the last
/// ones mean is kept.
///
/// Memory: 4 KiB.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// Classes by their hash, and their groups.
    known: [(u64, u32); KNOWN],
}

/// How many classes are kept.
const KNOWN: usize = 256;

impl Default for Names {
    fn default() -> Self {
        Self {
            known: [(0, 0); KNOWN],
        }
    }
}

impl Names {
    /// Forgets the page before, so that no page depends on another.
    pub fn begin(&mut self) {
        self.known.fill((0, 0));
    }

    /// What the attributes `source` say.
    pub fn read(&mut self, source: &str) -> Said {
        let mut said = Said::default();
        if source.is_empty() {
            return said;
        }
        let mut has_class = false;
        for (name, value) in attributes(source) {
            let is = |other: &str| name.eq_ignore_ascii_case(other);
            match name.len() {
                5 if is("class") => {
                    let (hash, groups) = self.class(value);
                    if !has_class {
                        (has_class, said.class) = (true, hash);
                    }
                    said.groups |= groups;
                }
                2 if is("id") => said.groups |= groups(value),
                4 if is("role") => said.groups |= groups(value),
                5 if is("style") && hides(value) => said.groups |= bit(Group::Hidden),
                6 if is("hidden") => said.groups |= bit(Group::Hidden),
                11 if is("aria-hidden") && value.eq_ignore_ascii_case("true") => {
                    said.groups |= bit(Group::Hidden);
                }
                _ => {}
            }
        }
        said
    }

    /// The hash and the groups of a class.
    fn class(&mut self, value: &str) -> (u64, u32) {
        let hash = class_hash(value);
        let known = &mut self.known[hash as usize % KNOWN];
        if known.0 != hash {
            *known = (hash, groups(value));
        }
        *known
    }
}

/// The groups of the tokens of a name, a bit each.
fn groups(name: &str) -> u32 {
    let mut bits = 0;
    tokens(name, |token, hash| {
        bits |= group_of(token, hash).map_or(0, bit);
    });
    bits
}

/// The bit of a group.
pub(super) fn bit(group: Group) -> u32 {
    1 << group as u8
}

/// Whether a style makes its element invisible.
fn hides(style: &str) -> bool {
    let mut compact = [0; 256];
    let mut len = 0;
    let bytes = style
        .bytes()
        .take(READ)
        .filter(|b| !b.is_ascii_whitespace());
    for (to, byte) in compact.iter_mut().zip(bytes) {
        *to = byte.to_ascii_lowercase();
        len += 1;
    }
    let has = |what: &[u8]| memchr::memmem::find(&compact[..len], what).is_some();
    has(b"display:none") || has(b"visibility:hidden")
}

/// Hands out the runs of letters of a name, in lower case, and their hashes: digits and signs part tokens, and
/// so does a change from lower to upper case. Those longer than any known one are left out.
fn tokens(name: &str, mut each: impl FnMut(&[u8], u32)) {
    let mut token = [0; LONGEST];
    let (mut len, mut hash) = (0, 0);
    let mut after_lower = false;
    let mut end = |token: &[u8; LONGEST], len: usize, hash| {
        if (1..=LONGEST).contains(&len) {
            each(&token[..len], hash);
        }
    };
    for &byte in name.as_bytes().iter().take(READ) {
        let letter = byte | 0x20;
        let is_letter = letter.is_ascii_lowercase();
        let is_lower = byte.is_ascii_lowercase();
        if !is_letter || after_lower && !is_lower {
            end(&token, len, hash);
            (len, hash) = (0, 0);
        }
        if is_letter {
            if let Some(to) = token.get_mut(len) {
                *to = letter;
            }
            hash = more(hash, letter);
            len += 1;
        }
        after_lower = is_lower;
    }
    end(&token, len, hash);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(source: &str) -> Vec<&'static str> {
        let bits = Names::default().read(source).groups;
        let named = Group::ALL.iter().filter(|g| bits & bit(**g) != 0);
        named.map(|g| g.name()).collect()
    }

    #[test]
    fn names_are_parted_at_signs_digits_and_capitals() {
        assert_eq!(
            of("class=\"mainNavbar x9footer\""),
            ["nav", "footer", "content"]
        );
        assert_eq!(of("id=site_SIDEBAR-2 role=dialog"), ["side", "modal"]);
        assert_eq!(
            of("class=navigational data-class=footer href=/footer"),
            [""; 0]
        );
        assert_eq!(of(""), [""; 0]);
        let long = format!("class='{} nav'", "x".repeat(100));
        assert_eq!(of(&long), ["nav"]);
    }

    #[test]
    fn hidden_is_said_in_many_ways() {
        for source in [
            "hidden",
            "aria-hidden=true",
            "style='color:red; DISPLAY : none'",
            "class=sr-only",
        ] {
            assert_eq!(of(source), ["hidden"], "{source}");
        }
        assert_eq!(of("aria-hidden=false style='display:block'"), [""; 0]);
    }

    #[test]
    fn every_token_is_known_and_in_one_group() {
        for group in Group::ALL {
            for token in group.tokens() {
                assert!(token.len() <= LONGEST);
                assert_eq!(groups(token), bit(*group), "{token}");
            }
        }
        const { assert!(GROUPS <= 32) };
        let taken = TOKENS.iter().flatten().count();
        assert!(taken * 3 < SLOTS * 2, "{taken} tokens");
    }
}
