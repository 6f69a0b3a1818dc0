//! Writes MathML as TeX.
//!
//! Takes time linear in the formula's nodes. `todo` is a stack of the parts that are still to be
//! written. An element replaces itself there by its parts: texts, and the nodes inside.
//!
//! Example: `<msup><mi>x</mi><mn>10</mn></msup>` becomes the node `x`, the text `^{`, the node `10`, the text `}`.

mod fences;
mod scripts;
#[cfg(test)]
mod tests;
mod token;

use super::mathml::{MathMl, Name, Node};
use crate::attributes::attribute;
use crate::tree::ElementTree;

/// A part that is still to be written.
#[derive(Clone, Copy, Debug)]
enum Part {
    Text(&'static str),
    Node(usize),
    /// The nodes from the first one up to, but not including, the second one.
    Nodes(usize, usize),
}

/// The formula as TeX. `None` if it has elements that are not MathML, or if nodes were left out.
pub(super) fn write(formula: &MathMl, tree: &ElementTree) -> Option<String> {
    let known = |node: &Node| node.name != Name::Other;
    if formula.too_many || !formula.nodes.iter().all(known) {
        return None;
    }
    let mut writer = Writer {
        formula,
        tree,
        todo: vec![Part::Nodes(0, formula.nodes.len())],
        out: String::new(),
    };
    while let Some(part) = writer.todo.pop() {
        match part {
            Part::Text(text) => writer.push(text),
            Part::Node(node) => writer.node(node),
            Part::Nodes(from, end) => writer.nodes(from, end),
        }
    }
    let text = writer.out.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

struct Writer<'a> {
    formula: &'a MathMl,
    tree: &'a ElementTree,
    todo: Vec<Part>,
    out: String,
}

impl Writer<'_> {
    /// Appends TeX. A space separates a letter from a command before it.
    fn push(&mut self, tex: &str) {
        let ends_command = || {
            let name = self.out.trim_end_matches(|c: char| c.is_ascii_alphabetic());
            name.len() < self.out.len() && name.ends_with('\\') && !name.ends_with("\\\\")
        };
        if tex.starts_with(|c: char| c.is_ascii_alphabetic()) && ends_command() {
            self.out.push(' ');
        }
        self.out.push_str(tex);
    }

    /// Pushes these parts, so that they are written next.
    fn parts(&mut self, parts: &[Part]) {
        self.todo.extend(parts.iter().rev());
    }

    fn nodes(&mut self, from: usize, end: usize) {
        if from < end && !self.fenced(from, end) {
            let next = self.formula.nodes[from].end as usize;
            self.parts(&[Part::Node(from), Part::Nodes(next, end)]);
        }
    }

    fn node(&mut self, at: usize) {
        use Part::{Node, Nodes, Text};
        let node = &self.formula.nodes[at];
        let inside = Nodes(at + 1, node.end as usize);
        let child = |n: usize| self.formula.children(at).nth(n);
        match node.name {
            Name::Text => self.characters(self.formula.text_of(node)),
            name if name.is_token() => self.token(at),
            Name::Semantics | Name::Maction => {
                if let Some(first) = child(0) {
                    self.parts(&[Node(first)]);
                }
            }
            Name::Annotation | Name::AnnotationXml | Name::Mprescripts | Name::Nothing => {}
            Name::Mspace => {
                let space = self.space(at);
                self.push(space);
            }
            Name::Mphantom => self.parts(&[Text("\\phantom{"), inside, Text("}")]),
            Name::Msqrt => self.parts(&[Text("\\sqrt{"), inside, Text("}")]),
            Name::Menclose => {
                let (open, close) = self.enclosed(at);
                self.parts(&[Text(open), inside, Text(close)]);
            }
            Name::Mroot => {
                if let (Some(base), Some(index)) = (child(0), child(1)) {
                    let parts = [
                        Text("\\sqrt["),
                        Node(index),
                        Text("]{"),
                        Node(base),
                        Text("}"),
                    ];
                    self.parts(&parts);
                }
            }
            Name::Mfrac => {
                if let (Some(above), Some(below)) = (child(0), child(1)) {
                    let (begin, middle, end) = match self.is_stacked(at) {
                        true => ("{", " \\atop ", "}"),
                        false => ("\\frac{", "}{", "}"),
                    };
                    self.parts(&[
                        Text(begin),
                        Node(above),
                        Text(middle),
                        Node(below),
                        Text(end),
                    ]);
                }
            }
            Name::Mfenced => self.brackets(at),
            Name::Mtable => {
                let aligned = self
                    .attribute(at, "columnalign")
                    .is_some_and(|a| a.starts_with("right left"));
                let (begin, end) = match aligned {
                    true => ("\\begin{aligned} ", " \\end{aligned}"),
                    false => ("\\begin{matrix} ", " \\end{matrix}"),
                };
                self.table(at, begin, end);
            }
            Name::Msub | Name::Msup | Name::Msubsup | Name::Mmultiscripts => self.scripts(at),
            Name::Munder | Name::Mover | Name::Munderover => self.limits(at),
            Name::Mrow if self.attribute(at, "data-mjx-texclass") == Some("INNER") => {
                self.stretched(at)
            }
            _ => self.parts(&[inside]),
        }
    }

    /// Whether the node is a fraction without a fraction bar.
    fn is_stacked(&self, at: usize) -> bool {
        let thickness = self.attribute(at, "linethickness").unwrap_or_default();
        thickness.starts_with('0') && !thickness.starts_with("0.")
    }

    fn space(&self, at: usize) -> &'static str {
        if self.attribute(at, "linebreak") == Some("newline") {
            return " \\\\ ";
        }
        let width = self.attribute(at, "width").unwrap_or_default().trim();
        let ems = width
            .strip_suffix("em")
            .and_then(|n| n.parse::<f32>().ok())
            .unwrap_or_default();
        match ems {
            1.9.. => "\\qquad ",
            0.9.. => "\\quad ",
            0.25.. => "\\;",
            0.2.. => "\\:",
            0.1.. => "\\,",
            ..0.0 => "\\!",
            _ => "",
        }
    }

    fn enclosed(&self, at: usize) -> (&'static str, &'static str) {
        let notation = self.attribute(at, "notation").unwrap_or("longdiv");
        let is = |word| notation.contains(word);
        match () {
            () if is("box") => ("\\boxed{", "}"),
            () if is("strike") => ("\\cancel{", "}"),
            () if is("radical") => ("\\sqrt{", "}"),
            () if is("top") => ("\\overline{", "}"),
            () if is("bottom") => ("\\underline{", "}"),
            () => ("{", "}"),
        }
    }

    fn attribute(&self, at: usize, name: &str) -> Option<&str> {
        let element = &self.tree.elements[self.formula.nodes[at].element as usize];
        attribute(self.tree.attributes(element), name)
    }

    /// The node itself, or the only node inside of nested rows.
    fn innermost(&self, mut at: usize) -> usize {
        const MAX_STEPS: usize = 8;
        for _ in 0..MAX_STEPS {
            let node = &self.formula.nodes[at];
            let only = self.formula.children(at).next();
            let is_row = matches!(node.name, Name::Mrow | Name::Mstyle | Name::Mpadded);
            match only {
                Some(only) if is_row && self.formula.nodes[only].end == node.end => at = only,
                _ => break,
            }
        }
        at
    }

    /// The text of a token. Empty for anything else.
    fn text_of(&self, at: usize) -> &str {
        let node = &self.formula.nodes[self.innermost(at)];
        if node.name.is_token() {
            self.formula.text_of(node).trim()
        } else {
            ""
        }
    }
}
