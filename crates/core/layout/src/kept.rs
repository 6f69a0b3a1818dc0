//! Layouts that an earlier run stored, by the ids of their pages.

use crate::page::{LayoutPage, blank, body};
use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, PoisonError};
use warcsieve_html::StartTag;
use warcsieve_html::document::Document;
use warcsieve_html::layout::{Layout, LayoutStatus, PackedBox};

/// A page with its stored layout.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeptPage {
    /// The page's id.
    pub id: String,
    /// Length of the page in UTF-8 bytes. A page of another length is a different page.
    pub html_bytes: u32,
    /// The layout without the boxes.
    pub layout: Layout,
    /// The boxes, as [`Layout::packed`] returns them.
    pub boxes: Vec<u8>,
}

/// Stored layouts. They are in an unnamed file, because pictures are large.
///
/// Memory: about 32 bytes per page.
pub struct Kept {
    file: Mutex<File>,
    /// For each hash of an id, the position of its page in the file.
    places: HashMap<u64, (u64, u32)>,
    end: u64,
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kept({} pages)", self.places.len())
    }
}

impl Kept {
    /// An empty store. `scratch` must be an empty file; the layouts are written to it.
    pub fn new(scratch: File) -> Self {
        Self {
            file: Mutex::new(scratch),
            places: HashMap::new(),
            end: 0,
        }
    }

    /// Adds a page. If several pages have one id, the first counts.
    ///
    /// # Errors
    /// The scratch file cannot be written.
    pub fn add(&mut self, page: &KeptPage) -> io::Result<()> {
        let hash = hash(&page.id);
        if self.places.contains_key(&hash) {
            return Ok(());
        }
        let bytes = written(page);
        let length = u32::try_from(bytes.len()).map_err(|_| io::ErrorKind::FileTooLarge)?;
        let file = self.file.get_mut().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&bytes)?;
        self.places.insert(hash, (self.end, length));
        self.end += u64::from(length);
        Ok(())
    }

    /// How many pages there are.
    pub fn pages(&self) -> usize {
        self.places.len()
    }

    fn find(&self, id: &str) -> io::Result<Option<KeptPage>> {
        let Some((at, length)) = self.places.get(&hash(id)) else {
            return Ok(None);
        };
        let mut bytes = vec![0; *length as usize];
        {
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(*at))?;
            file.read_exact(&mut bytes)?;
        }
        let page = read(&bytes).ok_or(io::ErrorKind::InvalidData)?;
        Ok((page.id == id).then_some(page))
    }

    /// The layout of a page with these start tags.
    pub(crate) fn layout(
        &self,
        page: LayoutPage<'_>,
        doc: &Document,
        starts: &[StartTag],
    ) -> Layout {
        match self.find(page.id) {
            Ok(Some(kept)) if kept.html_bytes as usize == page.html.len() => {
                joined(kept, page.html, doc, starts)
            }
            Ok(_) => blank(LayoutStatus::NotKept),
            Err(_) => blank(LayoutStatus::Failed),
        }
    }
}

/// FNV-1a. The id is compared too, so pages whose ids collide only lose their layouts.
fn hash(id: &str) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    id.as_bytes().iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// The stored layout, with each box at the element whose tag begins at the same offset.
fn joined(kept: KeptPage, html: &str, doc: &Document, tags: &[StartTag]) -> Layout {
    let mut layout = kept.layout;
    if layout.status != LayoutStatus::Done {
        return layout;
    }
    layout.boxes.resize(doc.tree.elements.len(), None);
    let starts = crate::page::starts(html, tags);
    let mut starts = starts.iter().peekable();
    for PackedBox { start, own } in Layout::unpacked(&kept.boxes) {
        let element = match start {
            PackedBox::HTML => Some(0),
            PackedBox::BODY => body(doc),
            start => {
                while starts.next_if(|(_, at)| (*at as i32) < start).is_some() {}
                let found = starts.peek().filter(|(_, at)| *at as i32 == start);
                found.map(|(element, _)| *element as usize)
            }
        };
        let place = element.and_then(|element| layout.boxes.get_mut(element));
        if let Some(place) = place {
            *place = Some(own);
        }
    }
    layout
}

fn written(page: &KeptPage) -> Vec<u8> {
    let layout = &page.layout;
    let status = LayoutStatus::ALL.iter().position(|s| *s == layout.status);
    let mut bytes = Vec::new();
    for number in [
        page.html_bytes,
        status.unwrap_or_default() as u32,
        layout.viewport_width,
        layout.page_height.to_bits(),
        layout.css_missing,
        u32::from(layout.screenshot.is_some()),
    ] {
        bytes.extend(number.to_le_bytes());
    }
    let picture = layout.screenshot.as_deref().unwrap_or_default();
    for part in [
        page.id.as_bytes(),
        layout.engine.as_bytes(),
        &page.boxes,
        picture,
    ] {
        bytes.extend((part.len() as u32).to_le_bytes());
        bytes.extend(part);
    }
    bytes
}

fn read(mut bytes: &[u8]) -> Option<KeptPage> {
    let mut number = || {
        let (number, rest) = bytes.split_first_chunk()?;
        bytes = rest;
        Some(u32::from_le_bytes(*number))
    };
    let numbers = [(); 6].map(|()| number());
    let [
        html_bytes,
        status,
        viewport_width,
        page_height,
        css_missing,
        is_pictured,
    ] = numbers;
    let mut part = || {
        let (length, rest) = bytes.split_first_chunk()?;
        let (part, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        bytes = rest;
        Some(part.to_vec())
    };
    let [id, engine, boxes, picture] = [(); 4].map(|()| part());
    Some(KeptPage {
        id: String::from_utf8(id?).ok()?,
        html_bytes: html_bytes?,
        layout: Layout {
            engine: String::from_utf8(engine?).ok()?,
            status: *LayoutStatus::ALL.get(status? as usize)?,
            viewport_width: viewport_width?,
            page_height: f32::from_bits(page_height?),
            css_missing: css_missing?,
            screenshot: picture.filter(|_| is_pictured == Some(1)),
            ..Layout::default()
        },
        boxes: boxes?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LayoutSource, Layouter};
    use std::sync::Arc;
    use warcsieve_html::layout::ElementBox;
    use warcsieve_html::{Segmenter, SegmenterOptions};

    const HTML: &str = "<html><body><p>one<div><b>two</b></div>";

    fn own(x: f32) -> ElementBox {
        ElementBox {
            x,
            width: 9.5,
            visible: true,
            ..ElementBox::default()
        }
    }

    fn laid_out(kept: Kept, id: &str, html: &str) -> (Document, Layout) {
        let mut doc = Document::default();
        let mut segmenter = Segmenter::new(SegmenterOptions::default());
        Layouter::with_source(LayoutSource::Kept(Arc::new(kept)))
            .segment_html(&mut segmenter, LayoutPage { id, url: "", html }, &mut doc)
            .unwrap();
        let layout = *doc.layout.take().unwrap();
        (doc, layout)
    }

    fn kept(page: &KeptPage) -> Kept {
        let mut kept = Kept::new(tempfile::tempfile().unwrap());
        kept.add(&KeptPage::default()).unwrap();
        kept.add(page).unwrap();
        kept
    }

    /// A page of html, body, p, div and b. The b has no box.
    fn page() -> KeptPage {
        let layout = Layout {
            boxes: vec![
                Some(own(0.0)),
                Some(own(1.0)),
                Some(own(2.0)),
                Some(own(3.0)),
                None,
            ],
            starts: vec![(2, 12), (3, 18), (4, 23)],
            engine: "an engine 1".to_owned(),
            viewport_width: 1280,
            page_height: 77.0,
            css_missing: 3,
            status: LayoutStatus::Done,
            screenshot: Some(vec![1, 2, 3]),
        };
        KeptPage {
            id: "page".to_owned(),
            html_bytes: HTML.len() as u32,
            boxes: layout.packed(Some(1)).unwrap(),
            layout: Layout {
                boxes: Vec::new(),
                starts: Vec::new(),
                ..layout
            },
        }
    }

    #[test]
    fn a_kept_layout_comes_back_whole() {
        let (doc, layout) = laid_out(kept(&page()), "page", HTML);
        assert_eq!(doc.tree.elements.len(), 5);
        let lefts: Vec<_> = layout.boxes.iter().map(|b| b.map(|b| b.x)).collect();
        assert_eq!(lefts, [Some(0.0), Some(1.0), Some(2.0), Some(3.0), None]);
        assert_eq!(layout.packed(Some(1)).unwrap(), page().boxes);
        assert_eq!((layout.page_height, layout.css_missing), (77.0, 3));
        assert_eq!(layout.screenshot.as_deref(), Some(&[1, 2, 3][..]));
        assert_eq!(layout.engine, "an engine 1");
    }

    #[test]
    fn another_page_has_none() {
        for (id, html) in [("other", HTML), ("page", "<p>shorter"), ("", HTML)] {
            let (_, layout) = laid_out(kept(&page()), id, html);
            assert_eq!(layout.status, LayoutStatus::NotKept, "{id}: {html}");
        }
        let mut failed = page();
        failed.layout.status = LayoutStatus::TooDeep;
        let (_, layout) = laid_out(kept(&failed), "page", HTML);
        assert_eq!(layout.status, LayoutStatus::TooDeep);
        assert!(layout.boxes.is_empty());
    }

    #[test]
    fn boxes_without_an_element_are_left_out() {
        let mut odd = page();
        odd.boxes.truncate(odd.boxes.len() - 3);
        let spoiled = Layout {
            boxes: vec![None, None, None, Some(own(8.0)), Some(own(9.0))],
            starts: vec![(3, 5), (4, 9_999)],
            ..page().layout
        };
        odd.boxes.extend(spoiled.packed(None).unwrap());
        let (_, layout) = laid_out(kept(&odd), "page", HTML);
        assert!(layout.boxes.len() == 5 && layout.boxes[4].is_none());
        let last = page().boxes.len();
        assert_eq!(read(&written(&page())[..last]), None);
    }
}
