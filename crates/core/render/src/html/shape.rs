//! Finds which elements are printed, and which of them a parser would read back differently.

use super::super::walk::runs;
use super::attributes::shows_image;
use super::vocabulary::{is_kept_void, is_part_of, is_table_structure};
use warcsieve_classify::Label;
use warcsieve_html::Tag;
use warcsieve_html::document::Document;

/// The element directly contains text of a content block.
const OWN_TEXT: u8 = 1;
/// The element contains text of a content block at any depth.
const TEXT: u8 = 1 << 1;
/// A table, or a part of one, with content outside of its cells. A parser would move that content.
const LOOSE: u8 = 1 << 2;
/// No `br`, `hr` or `img` in it is kept, because it is hidden or outside of a table's cells.
const BARRED: u8 = 1 << 3;
/// A `br`, `hr` or `img` between two pieces of content.
const VOID: u8 = 1 << 4;
/// The element is printed, because it contains content or a kept void element.
const KEPT: u8 = 1 << 5;
/// It contains a printed link.
const LINK: u8 = 1 << 6;
/// A cell without content in a row with content.
const CELL: u8 = 1 << 7;

/// Flags of each element of a page. They are computed before the page is printed.
#[derive(Debug, Default)]
pub(super) struct Shape(Vec<u8>);

impl Shape {
    /// Computes the flags of a page in five passes. Each pass is linear in elements and runs.
    pub fn measure(&mut self, doc: &Document, labels: &[Label]) {
        warcsieve_common::shrink(&mut self.0);
        self.0.clear();
        self.0.resize(doc.tree.elements.len(), 0);
        self.find_text(doc, labels);
        self.find_loose(doc);
        self.find_voids(doc, labels);
        self.find_cells(doc);
        self.find_links(doc);
    }

    /// Whether the element is an empty cell that is kept, so that columns keep their positions.
    pub fn is_kept_cell(&self, element: usize) -> bool {
        self.0[element] & CELL != 0
    }

    /// Whether the element is a void element that is kept.
    pub fn is_kept_void(&self, element: usize) -> bool {
        self.0[element] & VOID != 0
    }

    /// Whether a table has content outside of its cells.
    pub fn is_loose(&self, element: usize) -> bool {
        self.0[element] & LOOSE != 0
    }

    /// Whether the element contains a printed link.
    pub fn holds_link(&self, element: usize) -> bool {
        self.0[element] & LINK != 0
    }

    fn find_text(&mut self, doc: &Document, labels: &[Label]) {
        for (run, block) in runs(doc) {
            if labels[block].content {
                self.0[run.element as usize] |= OWN_TEXT | TEXT;
            }
        }
    }

    fn find_loose(&mut self, doc: &Document) {
        let elements = &doc.tree.elements;
        for (i, element) in elements.iter().enumerate().skip(1).rev() {
            let parent = element.parent as usize;
            let outer = elements[parent].tag;
            if self.0[i] & OWN_TEXT != 0 && is_table_structure(element.tag) {
                self.0[i] |= LOOSE;
            }
            let flags = self.0[i];
            let mut up = flags & TEXT;
            if up != 0 && is_table_structure(outer) && !is_part_of(element.tag, outer) {
                up |= LOOSE;
            }
            if element.tag != Tag::Table {
                up |= flags & LOOSE;
            }
            self.0[parent] |= up;
        }
    }

    fn find_voids(&mut self, doc: &Document, labels: &[Label]) {
        let elements = &doc.tree.elements;
        for (i, element) in elements.iter().enumerate().skip(1) {
            let parent = element.parent as usize;
            let (outer, around) = (elements[parent].tag, self.0[parent]);
            // All parts of a loose table are loose.
            if is_table_structure(element.tag) && element.tag != Tag::Table {
                self.0[i] |= around & LOOSE;
            }
            let moves = is_table_structure(outer) && !is_part_of(element.tag, outer);
            let hides = element.tag.is_hidden() && self.0[i] & TEXT == 0;
            if around & BARRED != 0 || hides || moves && around & LOOSE == 0 {
                self.0[i] |= BARRED;
            }
        }
        let mut before = None;
        for (run, block) in runs(doc) {
            let content = labels[block].content;
            if let (true, Some(before)) = (content, before) {
                let between = before as usize..run.next as usize;
                for (element, flags) in elements[between.clone()].iter().zip(&mut self.0[between]) {
                    if is_kept_void(element.tag)
                        && *flags & (BARRED | TEXT) == 0
                        && (element.tag != Tag::Img || shows_image(doc.attributes(element)))
                    {
                        *flags |= VOID;
                    }
                }
            }
            before = content.then_some(run.next);
        }
    }

    fn find_cells(&mut self, doc: &Document) {
        let elements = &doc.tree.elements;
        for (i, element) in elements.iter().enumerate().skip(1) {
            let parent = element.parent as usize;
            let row = self.0[parent];
            if matches!(element.tag, Tag::Td | Tag::Th)
                && elements[parent].tag == Tag::Tr
                && row & TEXT != 0
                && row & (LOOSE | BARRED) == 0
                && self.0[i] & (TEXT | BARRED) == 0
            {
                self.0[i] |= CELL;
            }
        }
    }

    fn find_links(&mut self, doc: &Document) {
        for (i, element) in doc.tree.elements.iter().enumerate().skip(1).rev() {
            let flags = self.0[i];
            if flags & (TEXT | VOID | KEPT) != 0 {
                let link = element.tag == Tag::A || flags & LINK != 0;
                self.0[element.parent as usize] |= if link { KEPT | LINK } else { KEPT };
            }
        }
    }
}
