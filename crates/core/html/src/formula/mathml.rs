//! MathML as a flat tree of elements and texts.

use crate::tree::ElementId;

/// Maximum number of nodes of a formula. If there are more, the rest is left out, and the formula's
/// plain text is used.
const MAX_NODES: usize = 1 << 14;

macro_rules! names {
    ($($name:ident $text:literal),* $(,)?) => {
        /// An element of MathML, or a text in an element that has no text of its own.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Name {
            Text,
            Other,
            $($name,)*
        }

        impl Name {
            fn of(name: &str) -> Self {
                match name {
                    $($text => Self::$name,)*
                    _ => Self::Other,
                }
            }
        }
    };
}

names! {
    Annotation "annotation", Maction "maction", Math "math", Menclose "menclose", Mfenced "mfenced",
    Mfrac "mfrac", Mi "mi", Mlabeledtr "mlabeledtr", Mmultiscripts "mmultiscripts", Mn "mn", Mo "mo",
    Mover "mover", Mpadded "mpadded", Mphantom "mphantom", Mprescripts "mprescripts", Mroot "mroot", Mrow "mrow",
    Ms "ms", Mspace "mspace", Msqrt "msqrt", Mstyle "mstyle", Msub "msub", Msubsup "msubsup",
    Msup "msup", Mtable "mtable", Mtd "mtd", Mtext "mtext", Mtr "mtr", Munder "munder",
    Munderover "munderover", Nothing "none", Semantics "semantics", AnnotationXml "annotation-xml",
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub name: Name,
    /// Its element in the page's tree. For a text, the element around it.
    pub element: ElementId,
    /// One past the last node inside.
    pub end: u32,
    /// The text directly in it, if it is a token or a text: a range of the formula's text.
    pub text: (u32, u32),
}

/// The nodes of one formula in document order, and their text.
#[derive(Clone, Debug, Default)]
pub(super) struct MathMl {
    pub nodes: Vec<Node>,
    pub text: String,
    /// Indices of the open nodes, outermost first.
    open: Vec<u32>,
    /// Whether nodes were left out.
    pub too_many: bool,
}

impl MathMl {
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.text.clear();
        self.open.clear();
        self.too_many = false;
    }

    /// Begins an element. `closed` says that it has no content.
    pub fn open(&mut self, name: &str, element: ElementId, closed: bool) {
        let lower = name.to_ascii_lowercase();
        if let Some(at) = self.push(Name::of(&lower), element)
            && !closed
        {
            self.open.push(at);
        }
    }

    /// Ends an element.
    pub fn close(&mut self, element: ElementId) {
        if let Some(&last) = self.open.last()
            && self.nodes[last as usize].element == element
        {
            self.open.pop();
            self.nodes[last as usize].end = self.nodes.len() as u32;
        }
    }

    /// Adds text to the innermost open element.
    pub fn text(&mut self, text: &str) {
        let Some(&last) = self.open.last() else {
            return;
        };
        let start = self.text.len() as u32;
        self.text.push_str(text);
        let end = self.text.len() as u32;
        let Node {
            name,
            text: own,
            element,
            end: last_end,
            ..
        } = self.nodes[last as usize];
        let is_last = last_end as usize == self.nodes.len();
        if name.is_token() && is_last && (own.0 == own.1 || own.1 == start) {
            let first = if own.0 == own.1 { start } else { own.0 };
            self.nodes[last as usize].text = (first, end);
        } else if !text.trim().is_empty()
            && let Some(at) = self.push(Name::Text, element)
        {
            self.nodes[at as usize].text = (start, end);
        }
    }

    pub fn text_of(&self, node: &Node) -> &str {
        &self.text[node.text.0 as usize..node.text.1 as usize]
    }

    /// The indices of the nodes directly in `node`.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.nodes[node].end as usize;
        let mut at = node + 1;
        std::iter::from_fn(move || {
            let child = (at < end).then_some(at)?;
            at = self.nodes[child].end as usize;
            Some(child)
        })
    }

    fn push(&mut self, name: Name, element: ElementId) -> Option<u32> {
        if self.nodes.len() >= MAX_NODES {
            self.too_many = true;
            return None;
        }
        let at = self.nodes.len() as u32;
        self.nodes.push(Node {
            name,
            element,
            end: at + 1,
            text: (0, 0),
        });
        Some(at)
    }
}

impl Name {
    /// Whether it is an element with text of its own.
    pub fn is_token(self) -> bool {
        matches!(
            self,
            Self::Mi | Self::Mn | Self::Mo | Self::Mtext | Self::Ms
        )
    }
}
