//! An output buffer with a size limit.

/// An output that stops growing at its limit, so that a small page cannot make a huge output.
pub(super) struct Page<'a> {
    out: &'a mut String,
    limit: usize,
    full: bool,
}

impl<'a> Page<'a> {
    pub fn new(out: &'a mut String, limit: usize) -> Self {
        Self {
            out,
            limit,
            full: false,
        }
    }

    /// Appends a text if it fits. After the first text that does not fit, nothing more is appended.
    pub fn push_str(&mut self, text: &str) {
        self.full |= text.len() > self.limit - self.out.len();
        if !self.full {
            self.out.push_str(text);
        }
    }

    pub fn push(&mut self, c: char) {
        self.push_str(c.encode_utf8(&mut [0; 4]));
    }

    /// Number of bytes so far.
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// Whether some text did not fit.
    pub fn is_full(&self) -> bool {
        self.full
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_output_ends_before_the_first_text_that_does_not_fit() {
        let mut out = String::new();
        let mut page = Page::new(&mut out, 4);
        page.push_str("ab");
        page.push('é');
        assert!(!page.is_full());
        page.push('c');
        page.push_str("");
        assert!(page.is_full());
        assert_eq!(out, "abé");
    }
}
