//! The visual DOM of ClueWeb22's B part: the boxes from Bing's renderer, one message per page.
//!
//! Pages of the set have a number at each element, `data-dcnode-id`. A message is in the wire
//! format of Protocol Buffers. It has a text for each number, such as
//! `id12px8py40pw624ph18fs16op1`: pairs of two letters and an integer, with or without something
//! between them. The definition of the messages comes only with the data. So the field of these
//! texts is found by the form of its texts, and all other fields are skipped. The meaning of the
//! letters, the default of 0 for missing pairs, and the rule for visible elements come from the
//! set's own program, `AnnotateHtmlApi.py` (<https://github.com/lemurproject/ClueWeb22>).

use crate::page::{LayoutPage, blank, body};
use std::collections::{BTreeMap, HashMap};
use std::{fmt, io};
use warcsieve_html::attribute;
use warcsieve_html::document::Document;
use warcsieve_html::layout::{ElementBox, Layout, LayoutStatus};

/// The name in the column of engines.
const NAME: &str = "clueweb22 vdom";

/// The attribute with an element's number.
const NUMBER: &str = "data-dcnode-id";

/// Elements that are not wider or not higher than this are invisible, as in the set's own program.
const UNSEEN: f32 = 2.0;

/// Finds the message of the page with an id; `None` if there is none.
pub type Find = Box<dyn Fn(&str) -> io::Result<Option<Vec<u8>>> + Send + Sync>;

/// Messages by the ids of their pages.
pub struct Vdom(Find);

impl fmt::Debug for Vdom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Vdom")
    }
}

impl Vdom {
    /// Messages that this function returns.
    pub fn new(find: Find) -> Self {
        Self(find)
    }

    /// The layout of a page.
    pub(crate) fn layout(&self, page: LayoutPage<'_>, doc: &Document) -> Layout {
        let nodes = match (self.0)(page.id) {
            Ok(None) => return blank(LayoutStatus::NotKept),
            Ok(Some(message)) => nodes(&message),
            Err(_) => None,
        };
        match nodes {
            Some(nodes) => laid_out(&nodes, doc),
            None => blank(LayoutStatus::Failed),
        }
    }
}

/// Each element with the box of its number.
fn laid_out(nodes: &HashMap<u32, ElementBox>, doc: &Document) -> Layout {
    let elements = doc.tree.elements.iter();
    let number = |attributes| attribute(attributes, NUMBER)?.trim().parse::<u32>().ok();
    let own = |attributes| nodes.get(&number(attributes)?).copied();
    let boxes: Vec<_> = elements.map(|e| own(doc.attributes(e))).collect();
    if boxes.iter().all(Option::is_none) {
        return blank(LayoutStatus::NotKept);
    }
    let furthest = |edge: fn(&ElementBox) -> f32| {
        let edges = boxes.iter().flatten().filter(|own| own.visible).map(edge);
        edges.fold(0.0, f32::max)
    };
    // The messages lack the width of the window. Usually html or body has this width; otherwise the
    // visible elements decide.
    let widths = [Some(0), body(doc)].map(|element| Some(boxes[element?]?.width));
    let width = widths.into_iter().flatten().find(|width| *width > UNSEEN);
    let width = width.unwrap_or_else(|| furthest(|own| own.x + own.width));
    let page_height = furthest(|own| own.y + own.height);
    Layout {
        engine: NAME.to_owned(),
        viewport_width: width as u32,
        page_height,
        boxes,
        ..blank(LayoutStatus::Done)
    }
}

/// The boxes in a message, by number. `None` if it is damaged.
fn nodes(message: &[u8]) -> Option<HashMap<u32, ElementBox>> {
    let mut by_field: BTreeMap<u64, HashMap<u32, ElementBox>> = BTreeMap::new();
    for field in (Fields { bytes: message }) {
        let (field, bytes) = field?;
        if let Some((number, own)) = node(bytes) {
            by_field.entry(field).or_default().insert(number, own);
        }
    }
    // Other texts, such as an address, may look like the text of a node too. But there are more
    // nodes.
    let most = by_field.into_values().max_by_key(HashMap::len);
    Some(most.unwrap_or_default())
}

/// The number and the box in a text. `None` if it has no number or no width.
fn node(text: &[u8]) -> Option<(u32, ElementBox)> {
    let (mut id, mut width, mut opacity) = (None, None, 0);
    let mut own = ElementBox::default();
    for (name, value) in (Pairs { bytes: text }) {
        let length = value as f32;
        match &name {
            b"id" => id = Some(u32::try_from(value).ok()?),
            b"px" => own.x = length,
            b"py" => own.y = length,
            b"pw" => width = Some(length),
            b"ph" => own.height = length,
            b"fs" => own.font_size = length,
            b"op" => opacity = value,
            _ => {}
        }
    }
    own.width = width?;
    own.visible = own.width > UNSEEN && own.height > UNSEEN && opacity != 0;
    Some((id?, own))
}

/// The fields of a message that have bytes: number and bytes. Returns `None` once where the message
/// is damaged.
struct Fields<'m> {
    bytes: &'m [u8],
}

impl<'m> Iterator for Fields<'m> {
    type Item = Option<(u64, &'m [u8])>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.bytes.is_empty() {
            match self.field() {
                Some((field, Some(bytes))) => return Some(Some((field, bytes))),
                Some((_, None)) => {}
                None => {
                    self.bytes = &[];
                    return Some(None);
                }
            }
        }
        None
    }
}

impl<'m> Fields<'m> {
    /// The next field. Its bytes are `None` if it is a number.
    fn field(&mut self) -> Option<(u64, Option<&'m [u8]>)> {
        let key = self.varint()?;
        let length = match key & 7 {
            0 => {
                self.varint()?;
                return Some((key >> 3, None));
            }
            1 => 8,
            2 => usize::try_from(self.varint()?).ok()?,
            5 => 4,
            _ => return None,
        };
        let (bytes, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        Some((key >> 3, (key & 7 == 2).then_some(bytes)))
    }

    /// A number in groups of seven bits per byte, the lowest first. The last byte is below 128.
    fn varint(&mut self) -> Option<u64> {
        let length = self.bytes.iter().take(10).position(|byte| *byte < 128)? + 1;
        let (bytes, rest) = self.bytes.split_at(length);
        self.bytes = rest;
        let bytes = bytes.iter().rev();
        Some(bytes.fold(0, |number: u64, byte| number << 7 | u64::from(byte & 127)))
    }
}

/// The pairs in a text: two lower-case letters before an integer, anywhere in the text.
struct Pairs<'t> {
    bytes: &'t [u8],
}

impl Iterator for Pairs<'_> {
    type Item = ([u8; 2], i64);

    fn next(&mut self) -> Option<Self::Item> {
        while let [_, after @ ..] = self.bytes {
            let found = pair(self.bytes);
            self.bytes = found.map_or(after, |(_, rest)| rest);
            if let Some((pair, _)) = found {
                return Some(pair);
            }
        }
        None
    }
}

/// A name of two letters and its number.
type Pair = ([u8; 2], i64);

/// The pair at the beginning of a text, and the text after it.
fn pair(text: &[u8]) -> Option<(Pair, &[u8])> {
    let (name, rest) = text.split_first_chunk::<2>()?;
    let (is_negative, rest) = match rest {
        [b'-', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    if digits == 0 || !name.iter().all(u8::is_ascii_lowercase) {
        return None;
    }
    let (digits, rest) = rest.split_at(digits);
    let digit = |number: i64, digit: &u8| {
        let number = number.saturating_mul(10);
        number.saturating_add(i64::from(digit - b'0'))
    };
    let number = digits.iter().fold(0, digit);
    Some(((*name, if is_negative { -number } else { number }), rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LayoutSource, Layouter};
    use std::sync::Arc;
    use warcsieve_html::{Segmenter, SegmenterOptions};

    fn varint(mut number: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        while number > 127 {
            bytes.push(number as u8 | 128);
            number >>= 7;
        }
        bytes.push(number as u8);
        bytes
    }

    fn text(field: u64, text: &str) -> Vec<u8> {
        let (key, length) = (varint(field << 3 | 2), varint(text.len() as u64));
        [&key, &length, text.as_bytes()].concat()
    }

    /// A message in the published form. The numbers of its fields are invented.
    fn message(nodes: &[&str]) -> Vec<u8> {
        let head = [
            text(1, "http://a.example/id7pw9/"),
            text(2, "0AB12CD34"),
            text(3, "clueweb22-en0000-00-00000"),
            [varint(9 << 3), varint(u64::MAX)].concat(),
            [varint(10 << 3 | 1), vec![255; 8]].concat(),
            [varint(11 << 3 | 5), vec![255; 4]].concat(),
        ];
        let nodes = nodes.iter().map(|node| text(300, node));
        head.into_iter().chain(nodes).flatten().collect()
    }

    const HTML: &str = "<html data-dcnode-id=0><body data-dcnode-id=\"1\"><p data-dcnode-id=2>\
        <span instrument_node data-dcnode-id=3>One</span><b>two</b><i data-dcnode-id=99>three</i>";

    fn laid_out(message: io::Result<Option<Vec<u8>>>) -> Layout {
        let message = std::sync::Mutex::new(Some(message));
        let find: Find = Box::new(move |id| {
            assert_eq!(id, "clueweb22-en0000-00-00000");
            message.lock().unwrap().take().unwrap()
        });
        let page = LayoutPage {
            id: "clueweb22-en0000-00-00000",
            url: "",
            html: HTML,
        };
        let mut doc = Document::default();
        let mut segmenter = Segmenter::new(SegmenterOptions::default());
        Layouter::with_source(LayoutSource::Vdom(Arc::new(Vdom::new(find))))
            .segment_html(&mut segmenter, page, &mut doc)
            .unwrap();
        *doc.layout.take().unwrap()
    }

    #[test]
    fn elements_get_the_boxes_of_their_numbers() {
        let layout = laid_out(Ok(Some(message(&[
            "id0px0py0pw1264ph900fs16op1",
            "id1px8py8pw1248ph0fs16op1",
            "id2 px8 py16 pw624 ph18 fw400 fs16 fi0 op1 di3",
            "id3px-8py16pw30ph18fs13",
            "id4px0py0pw9ph9op1",
        ]))));
        assert_eq!(layout.status, LayoutStatus::Done);
        assert_eq!((layout.viewport_width, layout.page_height), (1264, 900.0));
        let own = |own: &ElementBox| {
            (
                own.x,
                own.y,
                own.width,
                own.height,
                own.font_size,
                own.visible,
            )
        };
        let boxes: Vec<_> = layout.boxes.iter().map(|b| b.as_ref().map(own)).collect();
        assert_eq!(
            boxes,
            [
                Some((0.0, 0.0, 1264.0, 900.0, 16.0, true)),
                Some((8.0, 8.0, 1248.0, 0.0, 16.0, false)),
                Some((8.0, 16.0, 624.0, 18.0, 16.0, true)),
                Some((-8.0, 16.0, 30.0, 18.0, 13.0, false)),
                None,
                None,
            ]
        );
        assert_eq!(
            layout.starts.len(),
            4,
            "html and body have no place of their own"
        );
    }

    #[test]
    fn a_page_without_message_or_nodes_has_none() {
        for message in [
            None,
            Some(Vec::new()),
            Some(message(&[])),
            Some(message(&["id70pw9"])),
        ] {
            assert_eq!(laid_out(Ok(message)).status, LayoutStatus::NotKept);
        }
    }

    #[test]
    fn what_is_damaged_has_no_boxes() {
        let whole = message(&["id0px0py0pw9ph9op1", "id1px0py0pw9ph9op1"]);
        let group = [&whole[..], &[3]].concat();
        for damaged in [&whole[..whole.len() - 1], &group, &[255; 11], &[0x0a, 200]] {
            let layout = laid_out(Ok(Some(damaged.to_vec())));
            assert_eq!(layout.status, LayoutStatus::Failed);
            assert!(layout.boxes.is_empty());
        }
        let lost = laid_out(Err(io::ErrorKind::InvalidData.into()));
        assert_eq!(lost.status, LayoutStatus::Failed);
    }

    #[test]
    fn pairs_are_found_wherever_they_stand() {
        let pairs = |text: &'static str| -> Vec<_> {
            let pairs = Pairs {
                bytes: text.as_bytes(),
            };
            let text = |name: [u8; 2]| String::from_utf8(name.to_vec()).unwrap();
            pairs.map(|(name, number)| (text(name), number)).collect()
        };
        let pair = |name: &str, number| (name.to_owned(), number);
        assert_eq!(pairs("id12px-3"), [pair("id", 12), pair("px", -3)]);
        assert_eq!(
            pairs("xid12;Px3,py:4 pz5.5"),
            [pair("id", 12), pair("pz", 5)]
        );
        assert_eq!(pairs("id99999999999999999999"), [pair("id", i64::MAX)]);
        assert_eq!(pairs("id- id a1"), []);
        assert_eq!(node(b"id99999999999999999999pw5"), None);
    }
}
