//! Identifiers, numbers, operators and text.

use super::super::mathml::Name;
use super::super::symbols::{alphabet, function, symbol};
use super::Writer;

impl Writer<'_> {
    pub(super) fn token(&mut self, at: usize) {
        let node = &self.formula.nodes[at];
        let formula = self.formula;
        let text = formula
            .text_of(node)
            .trim_matches(|c: char| c.is_ascii_whitespace());
        match node.name {
            Name::Mtext | Name::Ms => self.words(text),
            Name::Mi | Name::Mo if function(text).is_some() => {
                self.push(function(text).unwrap_or_default());
            }
            Name::Mi | Name::Mn => {
                let variant = self.attribute(at, "mathvariant");
                let one = text.chars().count() == 1;
                let letters = text.chars().all(|c| c.is_ascii_alphanumeric());
                let command = match variant {
                    Some("bold") => "\\mathbf",
                    Some("bold-italic") => "\\boldsymbol",
                    Some("double-struck") => "\\mathbb",
                    Some("script" | "-tex-calligraphic") => "\\mathcal",
                    Some("fraktur") => "\\mathfrak",
                    Some("sans-serif") => "\\mathsf",
                    Some("monospace") => "\\mathtt",
                    Some("normal") if letters && node.name == Name::Mi => "\\mathrm",
                    None if !one && letters && node.name == Name::Mi => "\\mathrm",
                    _ => "",
                };
                if command.is_empty() || text.is_empty() {
                    return self.characters(text);
                }
                self.push(command);
                self.push("{");
                self.characters(text);
                self.push("}");
            }
            _ => self.characters(text),
        }
    }

    /// Writes signs and letters, each as its command.
    pub(super) fn characters(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                // Invisible operators and marks.
                '\u{2061}'..='\u{2064}' | '\u{200b}' | '\u{feff}' => {}
                c if c.is_whitespace() => self.push(" "),
                c => match (symbol(c), alphabet(c)) {
                    (Some(tex), _) => self.push(tex),
                    (None, Some((command, plain))) => {
                        let tex = symbol(plain).map_or_else(|| plain.to_string(), str::to_owned);
                        match command {
                            "" => self.push(&tex),
                            _ => self.push(&format!("{command}{{{tex}}}")),
                        }
                    }
                    (None, None) => self.push(c.encode_utf8(&mut [0; 4])),
                },
            }
        }
    }

    fn words(&mut self, text: &str) {
        if text.chars().all(char::is_whitespace) {
            if !text.is_empty() {
                self.push("\\ ");
            }
            return;
        }
        self.push("\\text{");
        for c in text.chars() {
            match c {
                '\\' => self.out.push_str("\\textbackslash{}"),
                '^' | '~' => {
                    self.out.push('\\');
                    self.out.push(c);
                    self.out.push_str("{}");
                }
                '{' | '}' | '$' | '%' | '&' | '#' | '_' => {
                    self.out.push('\\');
                    self.out.push(c);
                }
                c if c.is_whitespace() => self.out.push(' '),
                c => self.out.push(c),
            }
        }
        self.push("}");
    }
}
