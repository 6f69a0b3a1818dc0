//! The posts of a thread: where each begins, and who wrote it.
//!
//! Methods keep the text of posts and drop the names of their authors. Then the posts of a thread run together, and
//! nobody knows who says what. Posts are elements that repeat and are named like posts: by class (phpBB, vBulletin,
//! XenForo, Discourse, bbPress, comments of WordPress and GitHub) or by a type of schema.org.

use crate::label::Label;
use crate::why::{Change, Changing, Why};
use std::ops::Range;
use warcsieve_html::document::Document;
use warcsieve_html::{Element, ElementId, Tag, attributes, decode_value};

/// The maximum number of posts of a page; later ones are not recognised.
const MAX_POSTS: usize = 4096;
/// The attributes of an element are read only if they are shorter than this.
const MAX_ATTRIBUTE_BYTES: usize = 2048;

/// The maximum number of words of an author's name.
const MAX_AUTHOR_WORDS: u32 = 5;

/// Classes of posts.
const CLASSES: [&str; 16] = [
    "post",
    "message",
    "comment",
    "reply",
    "answer",
    "question",
    "topic-post",
    "postbit",
    "postcontainer",
    "post-container",
    "forum-post",
    "thread-post",
    "bbp-reply",
    "timeline-comment",
    "comment-item",
    "lia-message-view",
];

/// Types of schema.org that are posts.
const TYPES: [&str; 4] = ["DiscussionForumPosting", "Comment", "Answer", "Question"];

/// Words in class names that mark the name of an author.
const AUTHORS: [&str; 8] = [
    "author",
    "username",
    "user-name",
    "post-author",
    "postauthor",
    "poster",
    "nickname",
    "fn",
];

/// The posts of a page, in document order. None if there are fewer than two of a kind.
#[derive(Clone, Debug, Default)]
pub struct Posts {
    found: Vec<Post>,
}

#[derive(Clone, Debug)]
struct Post {
    element: ElementId,
    kind: (Tag, usize),
    /// Its blocks, including those of posts inside it.
    blocks: Range<usize>,
    /// It is no part of a post of another kind.
    is_whole: bool,
}

impl Posts {
    /// The posts of a page, in time linear in its elements and blocks.
    pub fn of(doc: &Document) -> Self {
        let mut found: Vec<Post> = Vec::new();
        // The first block that may be inside the next element.
        let mut next = 0;
        for (id, element) in (0..).zip(&doc.tree.elements) {
            let Some(kind) = kind(doc, element) else {
                continue;
            };
            if found.len() == MAX_POSTS {
                break;
            }
            while doc.blocks.get(next).is_some_and(|b| b.element < id) {
                next += 1;
            }
            let inside = |block: u32| (id..element.end).contains(&block);
            // The blocks inside the element come first.
            let count = doc.blocks[next..].partition_point(|b| inside(b.element));
            let blocks = next..next + count;
            // If an element and the element around it begin with the same block, they are one post.
            let is_new = found.last().is_none_or(|last| last.blocks != blocks);
            if count > 0 && is_new {
                let kind = (element.tag, kind);
                found.push(Post {
                    element: id,
                    kind,
                    blocks,
                    is_whole: true,
                });
            }
        }
        let kinds: Vec<_> = found.iter().map(|post| post.kind).collect();
        found.retain(|post| {
            kinds
                .iter()
                .filter(|kind| **kind == post.kind)
                .take(2)
                .count()
                == 2
        });
        // The innermost post around is the last that has not ended.
        let mut around: Vec<(ElementId, (Tag, usize))> = Vec::new();
        for post in &mut found {
            while around.pop_if(|(end, _)| *end <= post.element).is_some() {}
            post.is_whole = around.last().is_none_or(|(_, kind)| *kind == post.kind);
            around.push((doc.tree.elements[post.element as usize].end, post.kind));
        }
        Self { found }
    }

    /// Whether the page has none.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Whether a post begins with this element. A part of a post that is called one, too, is none.
    pub fn begins(&self, element: ElementId) -> bool {
        let posts = &self.found;
        let found = posts.binary_search_by_key(&element, |post| post.element);
        found.is_ok_and(|at| posts[at].is_whole)
    }

    /// The blocks with the authors' names, of posts that have content.
    fn authors(&self, doc: &Document, is_content: impl Fn(usize) -> bool) -> Vec<usize> {
        let posts = self.found.iter().enumerate();
        let authors = posts.filter_map(|(at, post)| {
            let next = self.found.get(at + 1);
            let end = next.map_or(post.blocks.end, |n| n.blocks.start.min(post.blocks.end));
            let mut own = post.blocks.start..end;
            own.clone().find(|&block| is_content(block))?;
            own.find(|&block| {
                let block = &doc.blocks[block];
                // Only up to the post: an element around all posts may be called `author`.
                let elements = &doc.tree.elements;
                let parent = |&id: &ElementId| Some(elements[id as usize].parent);
                let inside = std::iter::successors(Some(block.element), parent)
                    .take_while(|&id| id > post.element)
                    .take(4);
                let names = |id: ElementId| names_author(doc, &elements[id as usize]);
                (1..=MAX_AUTHOR_WORDS).contains(&block.words) && inside.into_iter().any(names)
            })
        });
        authors.collect()
    }
}

/// Which kind of post an element is, if it is a post.
fn kind(doc: &Document, element: &Element) -> Option<usize> {
    let may_be = matches!(
        element.tag,
        Tag::Article | Tag::Div | Tag::Li | Tag::Section | Tag::Table | Tag::Tbody | Tag::Tr
    );
    let source = Some(doc.attributes(element))
        .filter(|source| may_be && source.len() < MAX_ATTRIBUTE_BYTES)?;
    attributes(source).find_map(|(name, value)| {
        let is_class = name.eq_ignore_ascii_case("class");
        if !is_class && !name.eq_ignore_ascii_case("itemtype") {
            return None;
        }
        let value = decode_value(value);
        let mut words = value.split_ascii_whitespace();
        let class = |word: &str| CLASSES.iter().position(|c| word.eq_ignore_ascii_case(c));
        let kind = |word: &str| {
            TYPES
                .iter()
                .position(|t| word.rsplit('/').next() == Some(*t))
        };
        match is_class {
            true => words.find_map(class),
            false => words.find_map(kind).map(|at| CLASSES.len() + at),
        }
    })
}

/// Whether an element says that its text is the name of an author.
fn names_author(doc: &Document, element: &Element) -> bool {
    let source = doc.attributes(element);
    source.len() < MAX_ATTRIBUTE_BYTES
        && attributes(source).any(|(name, value)| {
            let is_named = ["class", "itemprop", "rel"]
                .iter()
                .any(|n| name.eq_ignore_ascii_case(n));
            let value = if is_named { value } else { "" };
            let mut words = value.split_ascii_whitespace();
            words.any(|word| {
                AUTHORS
                    .iter()
                    .any(|author| word.eq_ignore_ascii_case(author))
            })
        })
}

/// Makes the names of the authors of posts content. Runs after the steps of a pipeline that asks for it.
pub type KeepAuthors = Changing<Authors>;

/// What [`KeepAuthors`] changes.
#[derive(Default)]
pub struct Authors;

impl Change for Authors {
    const REASON: &'static str = "the author of a post";
    const WORDS: &'static str = "kept as the author of a post";

    fn change(&mut self, doc: &Document, labels: &mut [Label], why: Why) {
        let authors = Posts::of(doc).authors(doc, |block| labels[block].content);
        for block in authors {
            why.keep(&mut labels[block]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warcsieve_fixture::segmented;
    use warcsieve_html::Segmentation;

    /// The authors that are kept, and the number of posts. Blocks with `#` are content before.
    fn authors(html: &str) -> (String, usize) {
        let doc = segmented(html, Segmentation::Inline);
        let of = |block| doc.block_text(&doc.blocks[block]);
        let posts = Posts::of(&doc);
        let found = posts.authors(&doc, |block| of(block).contains('#'));
        let found: Vec<_> = found.into_iter().map(of).collect();
        (found.join(" "), posts.found.len())
    }

    #[test]
    fn posts_repeat_and_are_named_like_posts() {
        let phpbb = "<div class='post bg1'><p class=author>by <a class=username>Ann</a></p><p># a</p></div>";
        assert_eq!(authors(phpbb), (String::new(), 0), "one is no thread");
        let two = phpbb.replace("Ann", "Bob");
        assert_eq!(
            authors(&format!("{phpbb}{two}")),
            ("by Ann by Bob".to_owned(), 2)
        );
        let ago = "<div class=post><p>3 days ago</p><p class=author>Ann</p><p>#</p></div>";
        let page = format!("<body class='archive author'>{}", ago.repeat(2));
        assert_eq!(authors(&page).0, "Ann Ann", "the page is called so, too");
        let typed = "<div itemscope itemtype='https://schema.org/Answer'><span itemprop=author>Cy</span><p># a</p></div>";
        assert_eq!(authors(&typed.repeat(3)).1, 3);
        let nested = "<li class=comment><div class=comment>\
                      <b class=fn>Di</b><p>#</p></div><ul><li class=comment><b class=fn>Ed</b><p>#</p></ul></li>";
        assert_eq!(authors(&nested.repeat(2)).0, "Di Ed Di Ed");
    }

    #[test]
    fn a_post_without_content_has_no_author() {
        let post = "<div class=post><p class=author>Ann</p><p>a</p></div>";
        assert_eq!(authors(&post.repeat(2)), (String::new(), 2));
        let long =
            "<div class=post><p class=author>a name of more than five words</p><p>#</p></div>";
        assert_eq!(authors(&long.repeat(2)).0, "");
    }
}
