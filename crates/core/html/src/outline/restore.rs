//! Restores documents from the outlines of their blocks.

use crate::document::{Block, Document, Run};
use crate::tags::Tag;
use crate::tree::{Element, ElementId};

/// Restores a document from its blocks, as the [`Segmenter`](crate::Segmenter) made it from the
/// page, but without its title and flaws. Attributes are missing if the blocks have none.
///
/// Takes time linear in the texts. Memory: the document, and 8 bytes per open element.
#[derive(Debug, Default)]
pub struct Restorer {
    /// Open elements, the root first, each with the nearest one that is not inline.
    stack: Vec<(ElementId, ElementId)>,
    /// Smallest number of open elements since the last run.
    lowest: usize,
}

/// A block in the form that tables store.
#[derive(Clone, Debug, Default)]
pub struct OutlineBlock<'a> {
    /// Its text.
    pub text: &'a str,
    /// [`Outline::tree`](super::Outline::tree).
    pub tree: &'a str,
    /// [`Outline::attributes`](super::Outline::attributes); empty if they are not known.
    pub attributes: &'a str,
    /// [`Outline::preformatted`](super::Outline::preformatted).
    pub preformatted: Option<&'a str>,
    /// Its counts and its position in the source. The other fields are not used.
    pub counts: Block,
}

/// The outline is not one that a document can have. Says what is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Broken(pub &'static str);

impl Restorer {
    /// Begins a page.
    pub fn begin(&mut self, doc: &mut Document) {
        doc.clear();
        self.stack.clear();
        self.lowest = 0;
    }

    /// Adds the next block of the page.
    ///
    /// # Errors
    /// What is wrong with the block's outline. The document must not be used then.
    pub fn add(&mut self, doc: &mut Document, block: OutlineBlock<'_>) -> Result<(), Broken> {
        let limit = u32::MAX as usize / 2;
        if block.text.is_empty() || doc.text.len() + block.text.len() > limit {
            return Err(Broken("its text is empty or too long"));
        }
        let start = doc.text.len();
        doc.text.push_str(block.text);
        let mut attributes = Attributes::of(block.attributes)?;
        let mut place: Option<(usize, ElementId, ElementId)> = None;
        let (mut rest, mut at, mut begun) = (block.tree, start, 0);
        while let Some(sign) = rest.bytes().next() {
            // If this is a sign of several bytes, which is refused below, nothing more is read.
            rest = rest.get(1..).unwrap_or_default();
            match sign {
                b'<' => {
                    let is_sign = |b| matches!(b, b'<' | b'>' | b'.' | b'_');
                    let name = rest.bytes().position(is_sign).unwrap_or(rest.len());
                    let tag = Tag::from_name(&rest[..name]);
                    if tag == Tag::Other && &rest[..name] != Tag::Other.name() {
                        return Err(Broken("its tree has a tag that does not exist"));
                    }
                    rest = &rest[name..];
                    self.begin_element(doc, tag, attributes.next(begun)?);
                    begun += 1;
                }
                b'>' if self.stack.len() > 1 => self.end_element(doc),
                b'.' => {
                    let (number, after) = leading_number(rest)?;
                    rest = after;
                    let end = number.map_or(doc.text.len(), |n| at.saturating_add(n));
                    let depth = self.stack.len();
                    let around = place.map_or(depth, |(around, ..)| around.min(self.lowest));
                    self.lowest = depth;
                    let (Some(top), Some(holder)) =
                        (self.stack.last(), self.stack.get(around.wrapping_sub(1)))
                    else {
                        return Err(Broken("its tree has text before the first element"));
                    };
                    let Some(text) = doc.text.get(at..end).filter(|text| !text.is_empty()) else {
                        return Err(Broken("the runs of its tree are not parts of its text"));
                    };
                    doc.runs.push(Run {
                        start: at as u32,
                        element: top.0,
                        next: doc.tree.elements.len() as ElementId,
                        chars: text.trim_end_matches(' ').chars().count() as u32,
                    });
                    place = Some((around, holder.0, holder.1));
                    at = end;
                }
                b'_' => {
                    let (number, after) = leading_number(rest)?;
                    rest = after;
                    let pre = &mut doc.preformatted;
                    let (Some(gap), Some(text)) = (number, block.preformatted) else {
                        return Err(Broken("its preformatted text is missing"));
                    };
                    if text.get(gap..).is_none_or(str::is_empty) {
                        return Err(Broken("its preformatted text is too short"));
                    }
                    let from = pre.text.len() + gap;
                    pre.text.push_str(text);
                    let range = from as u32..pre.text.len() as u32;
                    pre.blocks.push((doc.blocks.len() as u32, range));
                }
                _ => return Err(Broken("its tree has an unknown sign")),
            }
        }
        let Some((_, element, container)) = place.filter(|_| at == doc.text.len()) else {
            return Err(Broken("the runs of its tree are not all of its text"));
        };
        doc.blocks.push(Block {
            text: start as u32..at as u32,
            element,
            container,
            ..block.counts
        });
        doc.text.push('\n');
        Ok(())
    }

    /// Ends the page: everything is closed.
    pub fn end(&mut self, doc: &mut Document) {
        while !self.stack.is_empty() {
            self.end_element(doc);
        }
    }

    fn begin_element(&mut self, doc: &mut Document, tag: Tag, attributes: &str) {
        let id = doc.tree.elements.len() as ElementId;
        let (parent, container) = self.stack.last().copied().unwrap_or((0, 0));
        let attrs = doc.tree.add_attributes(attributes);
        doc.tree.elements.push(Element {
            tag,
            parent,
            end: id + 1,
            attrs,
        });
        let container = if tag.is_inline() { container } else { id };
        self.stack.push((id, container));
    }

    fn end_element(&mut self, doc: &mut Document) {
        if let Some((id, _)) = self.stack.pop() {
            doc.tree.elements[id as usize].end = doc.tree.elements.len() as ElementId;
        }
        self.lowest = self.lowest.min(self.stack.len());
    }
}

/// The attributes of a block's elements, in order.
struct Attributes<'a> {
    /// Numbers and lengths that are not read yet.
    places: &'a str,
    text: &'a str,
}

impl<'a> Attributes<'a> {
    fn of(attributes: &'a str) -> Result<Self, Broken> {
        let Some((places, text)) = attributes.split_once('\n') else {
            return match attributes {
                "" => Ok(Self {
                    places: "",
                    text: "",
                }),
                _ => Err(Broken("its attributes have no places")),
            };
        };
        Ok(Self { places, text })
    }

    /// The attributes of element `n` of the block. The elements come in order.
    fn next(&mut self, n: usize) -> Result<&'a str, Broken> {
        if self.places.is_empty() {
            return Ok("");
        }
        let (number, rest) = leading_number(self.places)?;
        if number != Some(n) {
            return Ok("");
        }
        let broken = Broken("its attributes are not where their places say");
        let (length, rest) = leading_number(rest.strip_prefix(':').ok_or(broken)?)?;
        let split = self.text.split_at_checked(length.ok_or(broken)?);
        let (own, text) = split.ok_or(broken)?;
        self.places = rest.strip_prefix(' ').unwrap_or(rest);
        self.text = text;
        Ok(own)
    }
}

/// The number at the beginning of a text, if there is one, and the rest of the text.
fn leading_number(text: &str) -> Result<(Option<usize>, &str), Broken> {
    let digits = text.bytes().position(|b| !b.is_ascii_digit());
    let (digits, rest) = text.split_at(digits.unwrap_or(text.len()));
    match digits {
        "" => Ok((None, rest)),
        digits => match digits.parse::<u32>() {
            Ok(n) => Ok((Some(n as usize), rest)),
            Err(_) => Err(Broken("a number in it is too large")),
        },
    }
}
