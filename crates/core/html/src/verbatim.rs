//! Text inside `pre` as in the page, in addition to the collapsed text of its blocks.

use crate::document::Preformatted;

/// Collects preformatted text.
pub(super) struct Verbatim<'d> {
    pre: &'d mut Preformatted,
    /// The text to come, or the last one, is inside `pre`.
    pub on: bool,
    /// Where the block that is being collected begins and ends, if it has text.
    start: Option<usize>,
    end: usize,
    /// Where the last line begins.
    line: usize,
    /// The last character was a carriage return.
    cr: bool,
    /// Where the last line began that is an element.
    begun: usize,
}

impl<'d> Verbatim<'d> {
    pub fn new(pre: &'d mut Preformatted) -> Self {
        Self {
            pre,
            on: false,
            start: None,
            end: 0,
            line: 0,
            cr: false,
            begun: 0,
        }
    }

    /// Appends decoded text if it is preformatted. All white space becomes spaces, tabs and line
    /// ends, and other controls are dropped, as in blocks.
    pub fn append(&mut self, text: &str) {
        if !self.on {
            return;
        }
        for c in text.chars() {
            match c {
                '\n' if self.cr => {}
                '\n' | '\r' => self.line_end(),
                '\t' => self.pre.text.push('\t'),
                c if c.is_whitespace() => self.pre.text.push(' '),
                c if c.is_control() => continue,
                c => {
                    if self.start.is_none() {
                        // Indentation belongs to the block, unless another ends on its line.
                        let own = self.line >= self.end;
                        self.start = Some(if own { self.line } else { self.pre.text.len() });
                    }
                    self.pre.text.push(c);
                    self.end = self.pre.text.len();
                }
            }
            self.cr = c == '\r';
        }
    }

    /// Ends the line, as a `br` does.
    pub fn line_end(&mut self) {
        self.cr = false;
        if self.on {
            self.pre.text.push('\n');
            self.line = self.pre.text.len();
        }
    }

    /// Begins a new line unless one has just begun, as a `div` does.
    pub fn new_line(&mut self) {
        self.cr = false;
        if self.end > self.line {
            self.line_end();
        }
    }

    /// Begins a line that is an element.
    pub fn begin_line(&mut self) {
        self.begun = self.pre.text.len();
    }

    /// Ends it, unless a line end is the last of its text.
    pub fn end_line(&mut self) {
        if !self.pre.text[self.begun..].ends_with('\n') {
            self.on = true;
            self.line_end();
        }
    }

    /// Ends the block with this number.
    pub fn finish(&mut self, block: usize) {
        if let Some(start) = self.start.take() {
            let text = start as u32..self.end as u32;
            self.pre.blocks.push((block as u32, text));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Segmentation;
    use crate::document::Document;
    use crate::tests::segmented;

    fn blocks(doc: &Document) -> Vec<&str> {
        let numbers = 0..doc.blocks.len();
        numbers
            .filter_map(|i| doc.preformatted.block_text(i))
            .collect()
    }

    #[test]
    fn white_space_in_pre_is_kept() {
        let html = "a<pre>\r\n\n  b&#9;c&nbsp;&lt;\u{0}\u{1b}&#7;\u{9b}d>\r <b>e</b>\u{2028}f \n</pre> g\n<textarea> h\n i</textarea>";
        let doc = segmented(html, Segmentation::Inline);
        assert_eq!(blocks(&doc), ["  b\tc <d>\n e f", " h\n i"]);
        assert_eq!(doc.block_text(&doc.blocks[1]), "b c <d> e f");
        assert_eq!(doc.preformatted.range(0), None);
    }

    #[test]
    fn blocks_of_one_pre_are_on_lines_of_their_own() {
        let doc = segmented(
            "<pre>a<br><br> b<div>  c</div>\n\n<i>d</i></pre><pre>e</pre>",
            Segmentation::Inline,
        );
        assert_eq!(blocks(&doc), ["a", " b", "  c", "d", "e"]);
        assert_eq!(doc.preformatted.text, "a\n\n b\n  c\n\n\nd\ne\n");
        let between: Vec<_> = (1..4).map(|i| doc.preformatted.between(i - 1, i)).collect();
        assert_eq!(between, ["\n\n", "\n", "\n\n\n"]);
        assert_eq!(doc.preformatted.between(0, 2), "\n");
    }

    #[test]
    fn preformatted_text_is_collapsed_if_its_tag_does_not_separate_blocks() {
        let doc = segmented("a<xmp>\n b</xmp>", Segmentation::Justext);
        assert_eq!(doc.block_text(&doc.blocks[0]), "a b");
        assert!(doc.preformatted.blocks.is_empty());
    }
}
