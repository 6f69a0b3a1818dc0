//! The interface of layout engines.

use crate::message::Answer;

/// A page for an engine.
pub struct MarkedPage<'p> {
    /// Its address; may be empty.
    pub url: &'p str,
    /// The page with [marks](crate::marks::mark).
    pub html: &'p str,
}

/// Lays out pages, one at a time, in a process of its own. Dropping the engine ends the process.
pub trait Engine: Send {
    /// Its name with its version.
    fn name(&self) -> &str;

    /// Lays out a page.
    ///
    /// # Errors
    /// The engine is lost; drop it.
    fn lay_out(&mut self, page: &MarkedPage<'_>) -> Result<Answer, Lost>;
}

/// Why an engine returned no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// It took too much time.
    Slow,
    /// It ended.
    Ended,
}
