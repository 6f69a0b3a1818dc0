//! The label of a block.

/// A method's label for one block.
///
/// ```
/// let label = warcsieve_classify::Label::plain(true, 0);
/// assert!(label.content && label.score == 1.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Label {
    /// Whether it is content; otherwise it is boilerplate.
    pub content: bool,
    /// Index into the [`Names::classes`](crate::Names::classes) of the pipeline.
    pub class: u8,
    /// Confidence, from 0 (boilerplate) to 1 (content). Methods without degrees of confidence give
    /// 0 or 1.
    pub score: f32,
    /// Index into the [`Names::reasons`](crate::Names::reasons) of the pipeline.
    pub reason: u32,
}

impl Label {
    /// The label of a method with two classes and no degrees of confidence.
    #[must_use]
    pub fn plain(content: bool, reason: u32) -> Self {
        Self {
            content,
            class: 0,
            score: f32::from(u8::from(content)),
            reason,
        }
    }

    /// Replaces the label, except its class, if `content` differs: for steps that change the labels
    /// of previous steps.
    pub fn change(&mut self, content: bool, reason: u32) {
        if self.content != content {
            *self = Self {
                class: self.class,
                ..Self::plain(content, reason)
            };
        }
    }
}
