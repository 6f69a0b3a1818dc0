//! The purpose of an element by its class, id and role.
//!
//! The tokens are English: most templates on the web use English names, whatever the language of
//! their text. Comments have names in 20 more languages, because a whole part of the page hangs on
//! them: what *comment* and *comments* are called there, without accents.

use super::paths::{BUCKETS, PathWeights};
use crate::elements::{class_hash, hash};
use std::sync::LazyLock;
use warcsieve_html::{Tag, attributes};

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
pub(super) const GROUPS: usize = Group::ALL.len();

/// Letters of the longest token.
const MAX_TOKEN: usize = 24;

/// Bytes of an attribute that are read.
const MAX_READ: usize = 512;

/// A token's hash, its letters and its group.
type Token = (u32, &'static [u8], Group);

/// All tokens in a table with open addressing.
static TOKENS: LazyLock<[Option<Token>; SLOTS]> = LazyLock::new(|| {
    let mut slots = [None; SLOTS];
    for &group in Group::ALL {
        for token in group.tokens() {
            let hash = token.bytes().fold(0, hash_letter);
            let mut at = slot(hash);
            while slots[at].is_some() {
                at = (at + 1) % SLOTS;
            }
            slots[at] = Some((hash, token.as_bytes(), group));
        }
    }
    slots
});

/// Half as many again as there are tokens, at least.
const SLOTS: usize = 512;

/// Extends the hash of a token by a letter.
fn hash_letter(hash: u32, letter: u8) -> u32 {
    (hash.rotate_left(5) ^ u32::from(letter)).wrapping_mul(0x9e37_79b1)
}

/// The first slot to search for a hash: its high bits, which depend on all letters.
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

/// What the attributes of an element say about its purpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ElementNames {
    /// A hash of its class; 0 if it has none.
    pub class: u64,
    /// Its groups, one bit each.
    pub groups: u32,
    /// The weights of its tokens.
    pub sums: NameSums,
}

/// Sums over the tokens of names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct NameSums {
    /// Their weights in each bucket of distance.
    pub weights: [i16; BUCKETS],
    /// How many there are.
    pub tokens: u16,
}

impl NameSums {
    /// That of one token.
    fn of(hash: u32, weights: &PathWeights) -> Self {
        Self {
            weights: weights.of(hash).map(i16::from),
            tokens: 1,
        }
    }

    /// That of a tag.
    pub fn of_tag(tag: Tag, weights: &PathWeights) -> Self {
        hash_of_tag(tag).map_or_else(Self::default, |hash| Self::of(hash, weights))
    }

    pub fn add(&mut self, other: Self) {
        for (sum, weight) in self.weights.iter_mut().zip(other.weights) {
            *sum = sum.saturating_add(weight);
        }
        self.tokens = self.tokens.saturating_add(other.tokens);
    }
}

/// What a class, id or role says.
#[derive(Clone, Copy, Debug, Default)]
struct Name {
    /// A hash of its text; 0 in an entry that is not used.
    hash: u64,
    groups: u32,
    sums: NameSums,
}

/// Reads the attributes of elements. The same names occur again and again on a page, so what recent
/// ones say is cached.
///
/// Memory: 24 bytes per entry.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// A direct-mapped cache.
    cache: [Name; CACHED],
}

/// Entries of the cache.
const CACHED: usize = 256;

impl Default for Names {
    fn default() -> Self {
        Self {
            cache: [Name::default(); CACHED],
        }
    }
}

impl Names {
    /// Clears the cache, so that no page depends on another.
    pub fn begin(&mut self) {
        self.cache.fill(Name::default());
    }

    /// Reads the attributes `source`.
    pub fn read(&mut self, source: &str, weights: Option<&PathWeights>) -> ElementNames {
        let mut names = ElementNames::default();
        if source.is_empty() {
            return names;
        }
        let mut has_class = false;
        for (name, value) in attributes(source) {
            let is = |other: &str| name.eq_ignore_ascii_case(other);
            match name.len() {
                5 if is("class") => {
                    let hash = class_hash(value);
                    if !has_class {
                        (has_class, names.class) = (true, hash);
                    }
                    names.add(self.name(value, hash, weights));
                }
                2 if is("id") => names.add(self.name(value, hash(value.as_bytes()), weights)),
                4 if is("role") => names.add(self.name(value, hash(value.as_bytes()), weights)),
                5 if is("style") && hides(value) => names.groups |= bit(Group::Hidden),
                6 if is("hidden") => names.groups |= bit(Group::Hidden),
                11 if is("aria-hidden") && value.eq_ignore_ascii_case("true") => {
                    names.groups |= bit(Group::Hidden);
                }
                _ => {}
            }
        }
        names
    }

    /// What the name `value` with this hash says.
    fn name(&mut self, value: &str, hash: u64, weights: Option<&PathWeights>) -> Name {
        let cached = &mut self.cache[hash as usize % CACHED];
        if cached.hash != hash {
            *cached = Name::of(value, hash, weights);
        }
        *cached
    }
}

impl ElementNames {
    fn add(&mut self, name: Name) {
        self.groups |= name.groups;
        self.sums.add(name.sums);
    }
}

impl Name {
    fn of(value: &str, hash: u64, weights: Option<&PathWeights>) -> Self {
        let mut name = Self {
            hash,
            ..Self::default()
        };
        let mut pairs = Pairs::default();
        tokens(value, |token, hash| {
            name.groups |= group_of(token, hash).map_or(0, bit);
            if let Some(weights) = weights {
                pairs.with(hash, |hash| name.sums.add(NameSums::of(hash, weights)));
            }
        });
        name
    }
}

/// Calls `each` with the hashes that the path score goes by of an element with this tag and these
/// attributes: its tokens, each pair of them in one name, and its tag.
pub(super) fn hashes(tag: Tag, source: &str, mut each: impl FnMut(u32)) {
    for (name, value) in attributes(source) {
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        if is("class") || is("id") || is("role") {
            let mut pairs = Pairs::default();
            tokens(value, |_, hash| pairs.with(hash, &mut each));
        }
    }
    hash_of_tag(tag).into_iter().for_each(each);
}

/// The token before, to make pairs of tokens that follow each other.
#[derive(Default)]
struct Pairs(Option<u32>);

impl Pairs {
    /// Calls `each` with the hash of a token, and of the pair that it ends.
    fn with(&mut self, hash: u32, mut each: impl FnMut(u32)) {
        each(hash);
        if let Some(before) = self.0.replace(hash) {
            each(hash_letter(before, PAIR) ^ hash.rotate_left(9));
        }
    }
}

/// No letter, so that a pair is none of its tokens in one.
const PAIR: u8 = 7;

/// The hash of a tag among those of tokens; none of tags that say nothing of where a block is.
fn hash_of_tag(tag: Tag) -> Option<u32> {
    let is_any = matches!(tag, Tag::Div | Tag::Span | Tag::P | Tag::Body | Tag::Html);
    (!is_any).then(|| tag.name().bytes().fold(TAG, hash_letter))
}

/// What hashes of tags begin with.
const TAG: u32 = 0x5bd1_e995;

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
        .take(MAX_READ)
        .filter(|b| !b.is_ascii_whitespace());
    for (to, byte) in compact.iter_mut().zip(bytes) {
        *to = byte.to_ascii_lowercase();
        len += 1;
    }
    let has = |what: &[u8]| memchr::memmem::find(&compact[..len], what).is_some();
    has(b"display:none") || has(b"visibility:hidden")
}

/// Calls `each` with the tokens of a name and their hashes. A token is a run of ASCII letters,
/// lower-cased; digits and punctuation separate tokens, and so does a change from lower to upper
/// case: `mainNav-2` has `main` and `nav`. Tokens longer than any known one are left out.
pub(super) fn tokens(name: &str, mut each: impl FnMut(&[u8], u32)) {
    let mut token = [0; MAX_TOKEN];
    let (mut len, mut hash) = (0, 0);
    let mut after_lower = false;
    let mut end = |token: &[u8; MAX_TOKEN], len: usize, hash| {
        if (1..=MAX_TOKEN).contains(&len) {
            each(&token[..len], hash);
        }
    };
    for &byte in name.as_bytes().iter().take(MAX_READ) {
        // Lower case, if it is a letter.
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
            hash = hash_letter(hash, letter);
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
        let bits = Names::default().read(source, None).groups;
        let named = Group::ALL.iter().filter(|g| bits & bit(**g) != 0);
        named.map(|g| g.name()).collect()
    }

    #[test]
    fn names_are_split_at_punctuation_digits_and_capitals() {
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
    fn hidden_elements_are_detected_by_many_attributes() {
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
                assert!(token.len() <= MAX_TOKEN);
                assert_eq!(Name::of(token, 1, None).groups, bit(*group), "{token}");
            }
        }
        const { assert!(GROUPS <= 32) };
        let taken = TOKENS.iter().flatten().count();
        assert!(taken * 3 < SLOTS * 2, "{taken} tokens");
    }
}
