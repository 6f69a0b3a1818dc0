//! What the names of classes, ids and roles say an element is for.
//!
//! The tokens are the English in which most of the web's templates are written, whatever the
//! language of their text.

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

/// All tokens, sorted, and where those of each first letter begin.
struct Tokens {
    sorted: Vec<(&'static [u8], Group)>,
    starts: [usize; 27],
}

static TOKENS: LazyLock<Tokens> = LazyLock::new(|| {
    let tokens = |group: Group| group.tokens().iter().map(move |t| (t.as_bytes(), group));
    let mut sorted: Vec<_> = Group::ALL.iter().flat_map(|&group| tokens(group)).collect();
    sorted.sort_unstable_by_key(|(token, group)| (*token, *group as u8));
    let starts = std::array::from_fn(|letter| {
        sorted.partition_point(|(token, _)| usize::from(token[0] - b'a') < letter)
    });
    Tokens { sorted, starts }
});

fn group_of(token: &[u8]) -> Option<Group> {
    let letter = usize::from(token.first()?.wrapping_sub(b'a'));
    let tokens = &*TOKENS;
    let (start, end) = (*tokens.starts.get(letter)?, *tokens.starts.get(letter + 1)?);
    let of_letter = &tokens.sorted[start..end];
    let at = of_letter.binary_search_by_key(&token, |(t, _)| t).ok()?;
    Some(of_letter[at].1)
}

/// The groups of an element whose attributes are `source`, a bit each.
pub(super) fn groups(source: &str) -> u32 {
    if source.is_empty() {
        return 0;
    }
    let mut bits = 0;
    for (name, value) in attributes(source) {
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        if is("class") || is("id") || is("role") {
            tokens(value, |token| {
                bits |= group_of(token).map_or(0, bit);
            });
        } else if is("hidden")
            || is("aria-hidden") && value.eq_ignore_ascii_case("true")
            || is("style") && hides(value)
        {
            bits |= bit(Group::Hidden);
        }
    }
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

/// Hands out the runs of letters of a name, in lower case: digits and signs part tokens, and so
/// does a change from lower to upper case. Those longer than any known one are left out.
fn tokens(name: &str, mut each: impl FnMut(&[u8])) {
    let mut token = [0; LONGEST];
    let mut len = 0;
    let mut after_lower = false;
    // The sign at the end parts the last token.
    for byte in name.bytes().take(READ).chain([b' ']) {
        let parts = !byte.is_ascii_alphabetic() || byte.is_ascii_uppercase() && after_lower;
        if parts {
            if (1..=LONGEST).contains(&len) {
                each(&token[..len]);
            }
            len = 0;
        }
        if byte.is_ascii_alphabetic() {
            if let Some(to) = token.get_mut(len) {
                *to = byte.to_ascii_lowercase();
            }
            len += 1;
        }
        after_lower = byte.is_ascii_lowercase();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(source: &str) -> Vec<&'static str> {
        let bits = groups(source);
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
                assert_eq!(group_of(token.as_bytes()), Some(*group), "{token}");
            }
        }
        const { assert!(GROUPS <= 32) };
    }
}
