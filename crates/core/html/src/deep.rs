//! Open elements at the depth limit. They are counted, not put on the stack.
//!
//! In the tree they are siblings, and an end tag closes one with its name. All of them end with the
//! innermost element of the stack.

use super::tags::Tag;

#[derive(Clone, Debug)]
pub(super) struct Deep {
    /// How many elements of each tag are open.
    open: [u32; Tag::COUNT],
    total: u32,
    /// The outermost element whose text is not part of the page's text, and how many elements with
    /// its tag were open before it.
    hider: Option<(Tag, u32)>,
}

impl Deep {
    pub fn new() -> Self {
        Self {
            open: [0; Tag::COUNT],
            total: 0,
            hider: None,
        }
    }

    pub fn any(&self) -> bool {
        self.total > 0
    }

    pub fn is_open(&self, tag: Tag) -> bool {
        self.open[tag as usize] > 0
    }

    /// The element that hides the text here.
    pub fn hider(&self) -> Option<Tag> {
        self.hider.map(|(tag, _)| tag)
    }

    /// Whether an element of SVG is open whose content is not HTML.
    pub fn is_foreign(&self) -> bool {
        let html = [Tag::ForeignObject, Tag::Desc, Tag::Title];
        self.hider() == Some(Tag::Svg) && !html.iter().any(|&tag| self.is_open(tag))
    }

    pub fn open(&mut self, tag: Tag, hidden: bool) {
        let open = &mut self.open[tag as usize];
        if hidden && self.hider.is_none() {
            self.hider = Some((tag, *open));
        }
        *open += 1;
        self.total += 1;
    }

    /// Closes an element with this tag; `false` if none is open.
    pub fn close(&mut self, tag: Tag) -> bool {
        let open = &mut self.open[tag as usize];
        if *open == 0 {
            return false;
        }
        *open -= 1;
        self.total -= 1;
        if self.hider == Some((tag, *open)) {
            self.hider = None;
        }
        true
    }

    /// Closes SVG, if its content is not HTML, for a tag that breaks out of it.
    pub fn break_out(&mut self) {
        if self.is_foreign() {
            while self.close(Tag::Svg) {}
        }
    }

    pub fn clear(&mut self) {
        if self.any() {
            *self = Self::new();
        }
    }
}
