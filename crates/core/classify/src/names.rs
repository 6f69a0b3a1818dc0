//! The texts that the indices in labels refer to.

use crate::label::Label;
use warcsieve_common::with_defaults;

with_defaults! {
    /// The texts of the classes and reasons that the steps of a pipeline use. A step registers its own
    /// texts while it is built, and keeps the indices.
    #[derive(Clone, Debug)]
    pub struct Names {
        /// Class names; index 0 is the empty class, for methods that only distinguish content from
        /// boilerplate.
        pub classes: Vec<String> = vec![String::new()],
        /// Reasons; index 0 is "not labelled by any step".
        pub reasons: Vec<String> = vec!["not labelled by any step".to_owned()],
    }
}

impl Names {
    /// The index of a class name, which is registered if it is new.
    ///
    /// # Panics
    /// If a pipeline has more than 256 classes.
    pub fn class(&mut self, name: &str) -> u8 {
        u8::try_from(register(&mut self.classes, name)).expect("methods know a handful of classes")
    }

    /// The index of a reason, which is registered if it is new.
    ///
    /// # Panics
    /// If a pipeline has more than 2³² reasons.
    pub fn reason(&mut self, text: &str) -> u32 {
        u32::try_from(register(&mut self.reasons, text)).expect("methods know some dozen reasons")
    }

    /// The class of a label; empty for methods that only distinguish content from boilerplate.
    pub fn class_of(&self, label: &Label) -> &str {
        &self.classes[usize::from(label.class)]
    }

    /// The reason of a label.
    pub fn reason_of(&self, label: &Label) -> &str {
        &self.reasons[label.reason as usize]
    }
}

/// The reasons of a step that has one for content and one for boilerplate, in this order.
#[derive(Clone, Copy, Debug)]
pub struct ReasonPair([u32; 2]);

impl ReasonPair {
    /// Registers both texts.
    pub fn new(names: &mut Names, content: &str, boilerplate: &str) -> Self {
        Self([content, boilerplate].map(|text| names.reason(text)))
    }

    /// The label of a block, with its reason.
    #[must_use]
    pub fn label(self, content: bool) -> Label {
        Label::plain(content, self.0[usize::from(!content)])
    }
}

fn register(texts: &mut Vec<String>, text: &str) -> usize {
    texts.iter().position(|t| t == text).unwrap_or_else(|| {
        texts.push(text.to_owned());
        texts.len() - 1
    })
}
