//! A block of a page.

use super::column::value;
use crate::page::PageData;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use std::sync::Arc;

/// A block of a page.
#[pyclass(frozen, module = "warcsieve._warcsieve")]
pub struct Block {
    pub page: Arc<PageData>,
    /// Its number in the page.
    pub at: usize,
}

impl Block {
    /// The value of a column.
    fn of<'py>(&self, py: Python<'py>, column: &str) -> PyResult<Bound<'py, PyAny>> {
        match self.page.columns().column_by_name(column) {
            Some(values) => value(py, values, self.at),
            None => Err(PyAttributeError::new_err(column.to_owned())),
        }
    }
}

/// The getters of a block: its number, and one per column.
macro_rules! getters {
    ($($name:ident $column:literal $doc:literal)*) => {
        #[pymethods]
        impl Block {
            /// Its number in the page, from 0: the column `block`.
            #[getter]
            fn index(&self) -> usize {
                self.at
            }

            $(
                #[doc = $doc]
                #[getter]
                fn $name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                    self.of(py, $column)
                }
            )*

            fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                let of = |column| self.of(py, column).map(|value| value.to_string());
                let shown: String = of("text")?.chars().take(60).collect();
                Ok(format!("<Block {} {} {:.4}: {shown}>", self.at, of("label")?, of("score")?))
            }
        }
    };
}

getters! {
    text "text" "Its text, white space collapsed."
    content "content" "Whether it is content."
    label "label" "`content` or `boilerplate`."
    class_ "class" "The class that the method gives it; None if the method has no classes."
    score "score" "How sure the method is that it is content, from 0 (boilerplate) to 1 (content)."
    reason "reason" "Why it is content or not."
    tag_path "tag_path" "The tags from the root to the element that holds it."
    source_start "source_start" "Where it begins in the page, in bytes of UTF-8."
    source_end "source_end" "Where it ends in the page, in bytes of UTF-8."
    source_char_start "source_char_start" "Where it begins in the page, in characters of the `str`."
    source_char_end "source_char_end" "Where it ends in the page, in characters of the `str`."
    text_start "text_start" "Where it begins in the page's plain text, in bytes of UTF-8; None for boilerplate."
    text_end "text_end" "Where it ends in the page's plain text, in bytes of UTF-8; None for boilerplate."
    text_char_start "text_char_start" "Where it begins in `page.text`, in characters; None for boilerplate."
    text_char_end "text_char_end" "Where it ends in `page.text`, in characters; None for boilerplate."
    words "words" "Tokens with a letter or digit."
    linked_words "linked_words" "Words inside links."
    tokens "tokens" "Runs of characters between white space."
    linked_tokens "linked_tokens" "Tokens inside links."
    chars "chars" "Characters of the text, spaces included."
    linked_chars "linked_chars" "Characters inside links."
    lines "lines" "Lines of the text wrapped at 80 columns."
    wrapped_tokens "wrapped_tokens" "Tokens on all lines but the last; all where there is one line."
    tags_before "tags_before" "Tags between the text of the block before and its own."
    tags_inside "tags_inside" "Tags inside of it."
    link_density "link_density" "Linked tokens of all tokens, from 0 to 1."
    text_density "text_density" "Tokens per line (Kohlschütter et al. 2010, section 3.4)."
}
