//! The methods of the default pipeline, one file or folder each, and the type for a set of methods.

pub mod forest;
pub mod frequencies;
pub mod keep_all;
pub mod min_words;
pub mod numwords;
pub mod repeated;
pub mod smoothing;

use crate::method::{Method, Shipped};
use crate::params::Models;

/// The methods that pipeline files may name, and the models that ship with them.
///
/// The caller that reads a pipeline file says which methods exist, so this crate does not depend on the methods of
/// papers.
///
/// ```
/// for method in warcsieve_classify::CORE.methods {
///     println!("{}: {} ({})", method.name, method.summary, method.paper);
/// }
/// ```
pub struct Methods {
    /// In the order in which they are listed.
    pub methods: &'static [Method],
    /// Models that ship with the program, by the name that steps use instead of a file name.
    pub models: Models,
}

impl Methods {
    /// The method of this name.
    pub fn find(&self, name: &str) -> Option<&'static Method> {
        self.methods.iter().find(|method| method.name == name)
    }

    /// Every pipeline that ships, in the order of the methods that it ships for.
    pub fn shipped(&self) -> impl Iterator<Item = &'static Shipped> + use<> {
        self.methods.iter().flat_map(|method| method.pipelines)
    }

    /// The model that ships under this name.
    pub fn model(&self, name: &str) -> Option<&'static [u8]> {
        let model = self.models.iter().find(|(known, _)| *known == name);
        model.map(|(_, bytes)| *bytes)
    }
}

impl std::fmt::Debug for Methods {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.methods.iter().map(|method| method.name))
            .finish()
    }
}

/// The models of [`CORE`].
pub const MODELS: [(&str, &[u8]); 2] = [
    ("default", include_bytes!("../../models/default.forest")),
    ("numwords", include_bytes!("../../pipelines/numwords.tree")),
];

/// The methods of this crate: those of the default pipeline, and the simplest ones.
pub static CORE: Methods = Methods {
    methods: &[
        forest::METHOD,
        numwords::METHOD,
        min_words::METHOD,
        keep_all::METHOD,
        smoothing::METHOD,
        repeated::METHOD,
    ],
    models: &MODELS,
};
