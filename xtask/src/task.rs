//! What a task is.

/// A task of `cargo xtask NAME`, or a figure of `cargo xtask reproduce NAME`.
pub struct Task {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does: a sentence or two.
    pub does: &'static str,
    /// What it needs besides Rust, Python 3 and a C compiler.
    pub needs: &'static [&'static str],
    /// How long it takes on two cores.
    pub takes: &'static str,
    /// The options that it has.
    pub keys: &'static [Key],
    /// What it runs, in order. The first step that fails ends the task.
    pub steps: &'static [Step],
}

/// An option `KEY=value`.
#[derive(Clone, Copy)]
pub struct Key {
    /// Its name, in capitals.
    pub name: &'static str,
    /// What its value is.
    pub help: &'static str,
}

/// A part of a task. The texts of commands have placeholders, which [`crate::fill`] explains.
pub enum Step {
    /// A command. Words `NAME=value` before it are its environment.
    Run(&'static str),
    /// A script for a Python that can import `modules`, which come with `packages`.
    Python {
        /// As after `import`.
        modules: &'static str,
        /// As after `pip install`.
        packages: &'static str,
        /// The script and its arguments.
        run: &'static str,
    },
    /// A page that `warcsieve-reproduce` writes into a folder of the documentation.
    Page {
        /// As `warcsieve-reproduce` calls it.
        page: &'static str,
        /// Where it is written.
        folder: &'static str,
        /// More arguments.
        more: &'static str,
    },
    /// Another task, with the options of this one.
    Task(&'static str),
}

/// Tasks that belong together.
pub struct Theme {
    /// The heading of their list.
    pub title: &'static str,
    /// In alphabetical order.
    pub tasks: &'static [Task],
}

/// The program as it is released, at `{bin}`.
pub const PROGRAM: Step = Step::Run("cargo build --release --features {all}");

/// The program that writes synthetic crawls, at `{synthetic}`.
pub const SYNTHETIC: Step =
    Step::Run("cargo build --release --features {all} --example synthetic_crawl");

/// The need for the labelled corpora, which `SHARED` has.
pub const CORPORA: &str = "the labelled corpora";

/// The need for packages that are not installed yet.
pub const NETWORK: &str = "network";

/// The need for a browser.
pub const CHROMIUM: &str = "Chromium";

/// The need for a program for Node.js.
pub const NODE: &str = "Node.js";

/// The need for Spark and for search engines in Java.
pub const JAVA: &str = "Java";

/// The crawl that a measurement reads.
pub const WARC: Key = Key {
    name: "WARC",
    help: "the crawl file to measure on",
};
