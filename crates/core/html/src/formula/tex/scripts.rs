//! Writes nodes above, below and next to a base.

use super::super::mathml::Name;
use super::super::symbols::{accent, has_limits, wide};
use super::{Part, Writer};
use Part::{Node, Text};

impl Writer<'_> {
    /// Writes subscripts and superscripts.
    pub(super) fn scripts(&mut self, at: usize) {
        let name = self.formula.nodes[at].name;
        let children: Vec<_> = self.formula.children(at).collect();
        let mut parts = Vec::new();
        match (name, &children[..]) {
            (Name::Msub, &[base, below]) => {
                self.base(base, &mut parts);
                self.script("_", below, &mut parts);
            }
            (Name::Msup, &[base, above]) => {
                self.base(base, &mut parts);
                self.script("^", above, &mut parts);
            }
            (Name::Msubsup, &[base, below, above]) => {
                self.base(base, &mut parts);
                self.script("_", below, &mut parts);
                self.script("^", above, &mut parts);
            }
            (Name::Mmultiscripts, &[base, ref rest @ ..]) => {
                let is_mark = |&at: &usize| self.formula.nodes[at].name == Name::Mprescripts;
                let mark = rest.iter().position(is_mark).unwrap_or(rest.len());
                let (after, before) = rest.split_at(mark);
                let before = before.get(1..).unwrap_or_default();
                if !before.is_empty() {
                    parts.push(Text("{}"));
                    self.pairs(before, &mut parts);
                }
                self.base(base, &mut parts);
                self.pairs(after, &mut parts);
            }
            (_, children) => parts.extend(children.iter().map(|&child| Node(child))),
        }
        self.parts(&parts);
    }

    fn pairs(&self, scripts: &[usize], parts: &mut Vec<Part>) {
        for pair in scripts.chunks(2) {
            for (sign, &script) in ["_", "^"].into_iter().zip(pair) {
                self.script(sign, script, parts);
            }
        }
    }

    /// A subscript or superscript, in braces unless it is one sign; nothing if it is empty.
    fn script(&self, sign: &'static str, script: usize, parts: &mut Vec<Part>) {
        let text = self.text_of(script);
        let mut chars = text.chars();
        let one = chars.next().is_some() && chars.next().is_none();
        let node = &self.formula.nodes[script];
        let is_empty = node.end as usize == script + 1 && node.text.0 == node.text.1;
        if is_empty || node.name == Name::Nothing {
            return;
        }
        match () {
            () if !text.is_empty() && text.chars().all(|c| "'′″‴".contains(c)) => {
                parts.push(Node(script))
            }
            () if one => parts.extend([Text(sign), Node(script)]),
            () => self.group(sign, script, parts),
        }
    }

    fn group(&self, sign: &'static str, node: usize, parts: &mut Vec<Part>) {
        parts.extend([Text(sign), Text("{"), Node(node), Text("}")]);
    }

    /// A base. It is in braces if its scripts would otherwise belong only to its last part.
    fn base(&self, base: usize, parts: &mut Vec<Part>) {
        let inner = self.innermost(base);
        let name = self.formula.nodes[inner].name;
        let stands_alone = match name {
            Name::Mrow | Name::Mstyle | Name::Math => self.is_bracketed(inner),
            Name::Msub | Name::Msup | Name::Msubsup | Name::Mmultiscripts => false,
            _ => true,
        };
        match stands_alone {
            true => parts.push(Node(base)),
            false => self.group("", base, parts),
        }
    }

    fn is_bracketed(&self, row: usize) -> bool {
        let first = self.formula.children(row).next();
        let last = self.formula.children(row).last();
        let is = |at: Option<usize>, signs: &str| {
            at.is_some_and(|at| {
                let text = self.text_of(at);
                text.chars().count() == 1 && signs.contains(text)
            })
        };
        is(first, "([{|⟨⌊⌈‖") && is(last, ")]}|⟩⌋⌉‖")
    }

    /// Writes nodes below and above: limits of an operator, accents, labels.
    pub(super) fn limits(&mut self, at: usize) {
        let name = self.formula.nodes[at].name;
        let children: Vec<_> = self.formula.children(at).collect();
        let (base, below, above) = match (name, &children[..]) {
            (Name::Munder, &[base, below]) => (base, Some(below), None),
            (Name::Mover, &[base, above]) => (base, None, Some(above)),
            (Name::Munderover, &[base, below, above]) => (base, Some(below), Some(above)),
            _ => {
                let parts: Vec<_> = children.iter().map(|&child| Node(child)).collect();
                return self.parts(&parts);
            }
        };
        let mut parts = Vec::new();
        if has_limits(self.text_of(base)) || self.is_brace(base) {
            parts.push(Node(base));
            for (sign, script) in [("_", below), ("^", above)] {
                if let Some(script) = script {
                    self.script(sign, script, &mut parts);
                }
            }
            return self.parts(&parts);
        }
        let arrow = matches!(self.text_of(base), "→" | "⟶")
            .then_some("\\xrightarrow")
            .or_else(|| matches!(self.text_of(base), "←" | "⟵").then_some("\\xleftarrow"));
        match (arrow, below, above) {
            (Some(arrow), below, Some(above)) => {
                parts.push(Text(arrow));
                if let Some(below) = below {
                    parts.extend([Text("["), Node(below), Text("]")]);
                }
                self.group("", above, &mut parts);
            }
            (_, Some(below), above) => {
                if let Some(above) = above {
                    self.group("\\overset", above, &mut parts);
                    parts.push(Text("{"));
                }
                match self.mark_below(below) {
                    Some(mark) => self.group(mark, base, &mut parts),
                    None => {
                        self.group("\\underset", below, &mut parts);
                        self.group("", base, &mut parts);
                    }
                }
                if above.is_some() {
                    parts.push(Text("}"));
                }
            }
            (_, None, Some(above)) => match self.mark_above(base, above) {
                Some(mark) => self.group(mark, base, &mut parts),
                None => {
                    self.group("\\overset", above, &mut parts);
                    self.group("", base, &mut parts);
                }
            },
            (_, None, None) => parts.push(Node(base)),
        }
        self.parts(&parts);
    }

    /// Whether the node is a brace above or below something. It takes a label like an operator
    /// takes its limits.
    fn is_brace(&self, at: usize) -> bool {
        let inner = self.innermost(at);
        let script = self
            .formula
            .children(inner)
            .nth(1)
            .map(|script| self.text_of(script));
        matches!(self.formula.nodes[inner].name, Name::Munder | Name::Mover)
            && matches!(script, Some("⏟" | "⏞" | "︸" | "︷"))
    }

    fn mark_below(&self, below: usize) -> Option<&'static str> {
        match self.text_of(below) {
            "⏟" | "︸" => Some("\\underbrace"),
            "_" | "‾" | "¯" | "―" | "\u{332}" => Some("\\underline"),
            _ => None,
        }
    }

    fn mark_above(&self, base: usize, above: usize) -> Option<&'static str> {
        let mut chars = self.text_of(above).chars();
        let mark = chars.next().filter(|_| chars.next().is_none())?;
        if matches!(mark, '‾' | '―') {
            return Some("\\overline");
        }
        let mark = accent(mark)?;
        let one = self.text_of(base).chars().count() == 1;
        Some(if one { mark } else { wide(mark) })
    }
}
