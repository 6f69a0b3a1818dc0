//! Where the elements of a page are on a screen, if somebody has laid it out.

use crate::ElementId;
use crate::document::Document;

/// What a layout engine said of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// By element its box; empty unless `status` is [`LayoutStatus::Done`].
    pub boxes: Vec<Option<ElementBox>>,
    /// The engine with its version; empty unless it laid out the page.
    pub engine: String,
    /// Width of the window in CSS pixels.
    pub viewport_width: u32,
    /// Height of the page in CSS pixels; 0 unless it was laid out.
    pub page_height: f32,
    /// Style sheets that the page links to, or imports, and that were not at hand.
    pub css_missing: u32,
    /// Whether the page was laid out, or why not.
    pub status: LayoutStatus,
    /// A picture of the page's top in WebP, 1,024 by at most 2,048 points, if it was asked for.
    pub screenshot: Option<Vec<u8>>,
}

/// The rectangle around an element, in CSS pixels from the page's left upper corner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ElementBox {
    /// Left edge.
    pub x: f32,
    /// Upper edge.
    pub y: f32,
    /// From the left to the right edge.
    pub width: f32,
    /// From the upper to the lower edge.
    pub height: f32,
    /// Size of its own text.
    pub font_size: f32,
    /// Whether styles let it be seen. Otherwise it may still take space.
    pub visible: bool,
}

/// Whether a page was laid out, or why not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum LayoutStatus {
    /// It was.
    Done,
    /// It is plain text.
    #[default]
    PlainText,
    /// It has more bytes than are laid out.
    TooLarge,
    /// It has more elements than are laid out.
    TooManyElements,
    /// Its elements are nested deeper than is laid out.
    TooDeep,
    /// It would have cost too much time.
    TooSlow,
    /// The engine gave up: a defect of its own, or too little memory.
    Failed,
    /// This program has no engine.
    NoEngine,
}

impl LayoutStatus {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Done,
        Self::PlainText,
        Self::TooLarge,
        Self::TooManyElements,
        Self::TooDeep,
        Self::TooSlow,
        Self::Failed,
        Self::NoEngine,
    ];

    /// The word in the column `layout_status`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::PlainText => "plain_text",
            Self::TooLarge => "too_large",
            Self::TooManyElements => "too_many_elements",
            Self::TooDeep => "too_deep",
            Self::TooSlow => "too_slow",
            Self::Failed => "failed",
            Self::NoEngine => "no_engine",
        }
    }
}

impl Layout {
    /// The box of an element.
    #[inline]
    pub fn of(&self, element: ElementId) -> Option<&ElementBox> {
        self.boxes.get(element as usize)?.as_ref()
    }
}

impl Document {
    /// The page's layout, if there is one.
    #[inline]
    pub fn boxes(&self) -> Option<&Layout> {
        let layout = self.layout.as_deref();
        layout.filter(|layout| layout.status == LayoutStatus::Done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_has_boxes_only_if_it_was_laid_out() {
        let mut doc = Document::default();
        assert_eq!(doc.boxes(), None);
        for status in LayoutStatus::ALL {
            doc.layout = Some(Box::new(Layout {
                boxes: vec![None, Some(ElementBox::default())],
                status,
                ..Layout::default()
            }));
            let found = doc.boxes().and_then(|layout| layout.of(1)).copied();
            let expected = (status == LayoutStatus::Done).then(ElementBox::default);
            assert_eq!(found, expected, "{}", status.as_str());
        }
        doc.clear();
        assert_eq!(doc.layout, None);
    }
}
