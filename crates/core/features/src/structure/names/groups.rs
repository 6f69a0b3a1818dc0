//! The purposes that names can express, and the tokens that do.
//!
//! The tokens are English: most templates on the web use English names, whatever the language of
//! their text. Comments also have names in 20 more languages, because the labels of a whole part of
//! the page depend on them: the words for *comment* and *comments* there, without accents.

use super::tokens::hash_letters;

macro_rules! groups {
    ($($group:ident $name:literal: $($token:literal)*;)*) => {
        /// A purpose that an element's names can express.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Group {
            $(#[doc = concat!("`", $name, "`")] $group),*
        }

        impl Group {
            /// All groups, in order.
            pub const ALL: &[Self] = &[$(Self::$group),*];

            /// Its name in features.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$group => $name,)*
                }
            }

            /// The tokens that express it.
            pub const fn tokens(self) -> &'static [&'static str] {
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
        "comment" "comments" "commentlist" "commenter" "disqus" "livefyre" "talkback" "facebookcomments"
        "comentari" "comentarii" "comentario" "comentarios" "comentaris" "commentaire" "commentaires"
        "commenti" "commento" "komentar" "komentara" "komentarai" "komentare" "komentari" "komentarz"
        "komentarze" "komentaru" "kommentaar" "kommentaarid" "kommentar" "kommentare" "kommentarer"
        "kommentit" "kommentti" "opmerkingen" "reactie" "reacties" "yorum" "yorumlar" "hozzaszolas"
        "hozzaszolasok" "binhluan" "iruzkinak" "leserkommentare";
    Thread "thread":
        "reply" "replies" "respond" "discussion" "discussions" "commentary";
    Forum "forum":
        "forum" "forums" "thread" "threads" "topic" "topics" "phpbb" "vbulletin" "xenforo" "discourse"
        "bbpress";
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
pub const GROUPS: usize = Group::ALL.len();

/// A token's hash, its letters and its group.
type Token = (u32, &'static [u8], Group);

/// All tokens in a table with open addressing, made at compile time.
static TOKENS: [Option<Token>; SLOTS] = {
    let mut slots = [None; SLOTS];
    let mut group = 0;
    while group < GROUPS {
        let tokens = Group::ALL[group].tokens();
        let mut token = 0;
        while token < tokens.len() {
            let letters = tokens[token].as_bytes();
            let hash = hash_letters(0, letters);
            let mut at = slot(hash);
            while slots[at].is_some() {
                at = (at + 1) % SLOTS;
            }
            slots[at] = Some((hash, letters, Group::ALL[group]));
            token += 1;
        }
        group += 1;
    }
    slots
};

/// At least one and a half times the number of tokens.
const SLOTS: usize = 512;

/// The first slot to search for a hash: its high bits, which depend on all letters.
const fn slot(hash: u32) -> usize {
    (hash >> (u32::BITS - SLOTS.ilog2())) as usize
}

/// The group of a token in any case, by the hash of its small letters.
pub fn group_of(token: &[u8], hash: u32) -> Option<Group> {
    let mut at = slot(hash);
    while let Some((known, name, group)) = TOKENS[at] {
        if known == hash && name.eq_ignore_ascii_case(token) {
            return Some(group);
        }
        at = (at + 1) % SLOTS;
    }
    None
}

/// The bit of a group.
pub fn bit(group: Group) -> u32 {
    1 << group as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_tokens_has_free_slots() {
        const { assert!(GROUPS <= 32) };
        let taken = TOKENS.iter().flatten().count();
        assert!(taken * 3 < SLOTS * 2, "{taken} tokens");
    }
}
