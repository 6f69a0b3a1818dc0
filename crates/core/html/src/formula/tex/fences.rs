//! Brackets, and tables between them.

use super::super::mathml::Name;
use super::{Part, Writer};
use Part::{Node, Nodes, Text};

impl Writer<'_> {
    /// Writes a matrix or a binomial coefficient, from this node on, with the brackets around it.
    /// Returns `false` if there is none.
    pub(super) fn fenced(&mut self, from: usize, end: usize) -> bool {
        let next = |at: usize| Some(self.formula.nodes[at].end as usize).filter(|&next| next < end);
        let is_sign = |at: usize| self.formula.nodes[self.innermost(at)].name == Name::Mo;
        if !is_sign(from) {
            return false;
        }
        let open = self.text_of(from);
        let Some(inside) = next(from) else {
            return false;
        };
        let last = next(inside);
        let close = last.map(|last| self.text_of(last));
        let inner = self.innermost(inside);
        let (name, after) = (
            self.formula.nodes[inner].name,
            last.map_or(end, |last| self.formula.nodes[last].end as usize),
        );
        let (begin, ending) = match (name, open, close) {
            (Name::Mtable, "(", Some(")")) => ("\\begin{pmatrix} ", " \\end{pmatrix}"),
            (Name::Mtable, "[", Some("]")) => ("\\begin{bmatrix} ", " \\end{bmatrix}"),
            (Name::Mtable, "|" | "∣", Some("|" | "∣")) => {
                ("\\begin{vmatrix} ", " \\end{vmatrix}")
            }
            (Name::Mtable, "‖" | "∥", Some("‖" | "∥")) => {
                ("\\begin{Vmatrix} ", " \\end{Vmatrix}")
            }
            (Name::Mtable, "{", None | Some("")) => ("\\begin{cases} ", " \\end{cases}"),
            (Name::Mfrac, "(", Some(")")) if self.is_stacked(inner) => ("\\binom{", "}"),
            _ => return false,
        };
        // A node after a brace that is never closed does not belong to the matrix, unless it is an
        // empty sign.
        let rest = match (close, last) {
            (Some(""), Some(last)) if !is_sign(last) => last,
            _ => after,
        };
        self.parts(&[Nodes(rest, end)]);
        if name == Name::Mtable {
            self.table(inner, begin, ending);
            return true;
        }
        let both: Vec<_> = self.formula.children(inner).take(2).collect();
        if let [above, below] = both[..] {
            self.parts(&[
                Text(begin),
                Node(above),
                Text("}{"),
                Node(below),
                Text(ending),
            ]);
        }
        true
    }

    /// The cells of a table.
    pub(super) fn table(&mut self, table: usize, begin: &'static str, end: &'static str) {
        let mut parts = vec![Text(begin)];
        for (nth, row) in self.formula.children(table).enumerate() {
            if nth > 0 {
                parts.push(Text(" \\\\ "));
            }
            let label = usize::from(self.formula.nodes[row].name == Name::Mlabeledtr);
            for (nth, cell) in self.formula.children(row).skip(label).enumerate() {
                if nth > 0 {
                    parts.push(Text(" & "));
                }
                parts.push(Node(cell));
            }
        }
        parts.push(Text(end));
        self.parts(&parts);
    }

    /// `mfenced`, whose brackets and separators are attributes.
    pub(super) fn brackets(&mut self, at: usize) {
        let sign = |name, default: &'static str| match self.attribute(at, name).map(str::trim) {
            None => default,
            Some("(") => "(",
            Some(")") => ")",
            Some("[") => "[",
            Some("]") => "]",
            Some("{") => "\\{",
            Some("}") => "\\}",
            Some("|" | "∣") => "|",
            Some("‖" | "∥") => "\\|",
            Some("⟨" | "〈" | "&lang;" | "&#x27e8;") => "\\langle ",
            Some("⟩" | "〉" | "&rang;" | "&#x27e9;") => "\\rangle ",
            Some(",") => ",",
            Some(";") => ";",
            Some(_) => "",
        };
        let mut parts = vec![Text(sign("open", "("))];
        let separator = sign("separators", ",");
        for (nth, child) in self.formula.children(at).enumerate() {
            if nth > 0 {
                parts.push(Text(separator));
            }
            parts.push(Node(child));
        }
        parts.push(Text(sign("close", ")")));
        self.parts(&parts);
    }

    /// A row between `\left` and `\right`, in the form that MathJax writes.
    pub(super) fn stretched(&mut self, at: usize) {
        let children: Vec<_> = self.formula.children(at).collect();
        let end = self.formula.nodes[at].end as usize;
        let is_sign = |at: usize| self.formula.nodes[at].name == Name::Mo;
        let [first, .., last] = children[..] else {
            return self.parts(&[Nodes(at + 1, end)]);
        };
        let is_table = children
            .get(1)
            .is_some_and(|&n| self.formula.nodes[self.innermost(n)].name == Name::Mtable);
        if !is_sign(first) || !is_sign(last) || is_table && children.len() == 3 {
            return self.parts(&[Nodes(at + 1, end)]);
        }
        let dot = |at: usize| {
            if self.text_of(at).is_empty() {
                Text(".")
            } else {
                Node(at)
            }
        };
        let inside = Nodes(self.formula.nodes[first].end as usize, last);
        let parts = [
            Text("\\left"),
            dot(first),
            inside,
            Text("\\right"),
            dot(last),
        ];
        self.parts(&parts);
    }
}
