//! Where the elements of a page are on a screen, if the page was laid out.

use crate::ElementId;

/// The result of a layout engine for a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// The box of each element. Empty unless `status` is [`LayoutStatus::Done`].
    pub boxes: Vec<Option<ElementBox>>,
    /// Elements that begin with a tag in the page, in order, each with the byte offset of the tag's
    /// `<`. Empty unless `status` is [`LayoutStatus::Done`].
    pub starts: Vec<(ElementId, u32)>,
    /// The engine with its version. Empty unless it laid out the page.
    pub engine: String,
    /// Width of the window in CSS pixels.
    pub viewport_width: u32,
    /// Height of the page in CSS pixels; 0 unless it was laid out.
    pub page_height: f32,
    /// Number of style sheets that the page links to or imports and that were not available.
    pub css_missing: u32,
    /// Whether the page was laid out, or why not.
    pub status: LayoutStatus,
    /// A picture of the page's top in WebP, 1,024 by at most 2,048 pixels, if it was requested.
    pub screenshot: Option<Vec<u8>>,
}

/// The rectangle around an element, in CSS pixels from the upper left corner of the page.
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
    /// Font size of the element's own text.
    pub font_size: f32,
    /// Whether its styles make it visible. An invisible element may still take space.
    pub visible: bool,
}

/// Whether a page was laid out, or why not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum LayoutStatus {
    /// The page was laid out.
    Done,
    /// The page is plain text.
    #[default]
    PlainText,
    /// The page has more bytes than the bound.
    TooLarge,
    /// The page has more elements than the bound.
    TooManyElements,
    /// The elements of the page are nested deeper than the bound.
    TooDeep,
    /// Laying out the page would have taken too much time.
    TooSlow,
    /// The engine failed: it has a bug, or had too little memory.
    Failed,
    /// This program has no engine.
    NoEngine,
    /// The stored layouts have none for this page.
    NotKept,
}

impl LayoutStatus {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Done,
        Self::PlainText,
        Self::TooLarge,
        Self::TooManyElements,
        Self::TooDeep,
        Self::TooSlow,
        Self::Failed,
        Self::NoEngine,
        Self::NotKept,
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
            Self::NotKept => "not_kept",
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

/// A box in its stored form. It is identified by the position of its element's tag in the page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PackedBox {
    /// Byte offset of the tag's `<` in the page. [`PackedBox::HTML`] and [`PackedBox::BODY`] stand
    /// for these two elements, which may have several tags.
    pub start: i32,
    /// The box.
    pub own: ElementBox,
}

impl PackedBox {
    /// The root.
    pub const HTML: i32 = -1;
    /// The body.
    pub const BODY: i32 = -2;
    /// Bytes of one box: the offset, left, top, width, height and font size, each in 4 bytes in
    /// little-endian order, and then 1 if it is visible, else 0.
    pub const BYTES: usize = 25;
}

impl Layout {
    /// The boxes in bytes, in the order of the elements, [`PackedBox::BYTES`] each. `None` unless
    /// the page was laid out. `body` is the body's element.
    pub fn packed(&self, body: Option<ElementId>) -> Option<Vec<u8>> {
        if self.status != LayoutStatus::Done {
            return None;
        }
        let mut bytes = Vec::new();
        let mut starts = self.starts.iter().peekable();
        for (element, own) in (0..).zip(&self.boxes) {
            let start = starts.next_if(|(of, _)| *of == element);
            let start = match start {
                Some((_, start)) => i32::try_from(*start).ok(),
                None if element == 0 => Some(PackedBox::HTML),
                None if Some(element) == body => Some(PackedBox::BODY),
                None => None,
            };
            let (Some(start), Some(own)) = (start, own) else {
                continue;
            };
            bytes.extend(start.to_le_bytes());
            for number in [own.x, own.y, own.width, own.height, own.font_size] {
                bytes.extend(number.to_le_bytes());
            }
            bytes.push(u8::from(own.visible));
        }
        Some(bytes)
    }

    /// The boxes in bytes of [`packed`](Self::packed). A box that is cut off at the end, or whose
    /// values are not numbers, is left out.
    pub fn unpacked(bytes: &[u8]) -> impl Iterator<Item = PackedBox> {
        let (packed, _) = bytes.as_chunks::<{ PackedBox::BYTES }>();
        packed.iter().filter_map(|packed| {
            let (numbers, visible) = packed.as_chunks::<4>();
            let [start, numbers @ ..] = <[[u8; 4]; 6]>::try_from(numbers).ok()?;
            let [x, y, width, height, font_size] = numbers.map(f32::from_le_bytes);
            let numbers = [x, y, width, height, font_size];
            numbers.iter().all(|n| n.is_finite()).then_some(PackedBox {
                start: i32::from_le_bytes(start),
                own: ElementBox {
                    x,
                    y,
                    width,
                    height,
                    font_size,
                    visible: visible == [1],
                },
            })
        })
    }
}
