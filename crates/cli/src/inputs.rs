//! Arguments that name inputs.

use super::stores;
use std::ffi::OsStr;
use std::path::PathBuf;
use warcsieve_common::{Error, Result, counted};
use warcsieve_engine::cdx::Selection;
use warcsieve_engine::{Input, Naming, list_inputs, select, selected_files};
use warcsieve_store::Stores;

/// How inputs are named.
#[derive(Debug, clap::Args)]
pub struct NamingOptions {
    /// Folder or address that names of outputs start from.
    #[arg(long, value_name = "DIR")]
    base: Option<PathBuf>,
    /// Folder or address for relative paths in @LIST files.
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
}

/// How inputs are named, and which records are read.
#[derive(Debug, clap::Args)]
pub struct InputOptions {
    #[command(flatten)]
    naming: NamingOptions,
    /// Read only the records of an index (CDX, CDXJ, cc-index or documents Parquet), without INPUT
    /// of all its files, below --root; may be given several times.
    #[arg(long, value_name = "INDEX")]
    select: Vec<PathBuf>,
    /// With --select: inputs are a part of the index's files.
    #[arg(long, requires = "select")]
    partial: bool,
}

/// Maximum number of files listed in an error about files of an index that are not among the
/// inputs.
const SHOWN: usize = 5;

impl NamingOptions {
    fn naming<'a>(&'a self, name: Option<&'a str>) -> Naming<'a> {
        Naming {
            base: self.base.as_deref(),
            root: self.root.as_deref(),
            stdin: name,
        }
    }

    /// These options, as typed.
    fn typed(&self) -> Vec<String> {
        let options = [("--base", &self.base), ("--root", &self.root)];
        let given = options
            .into_iter()
            .filter_map(|(option, path)| Some((option, path.as_ref()?)));
        let words = given.flat_map(|(option, path)| [option.to_owned(), shell_word(path)]);
        words.collect()
    }

    /// Lists the inputs that `arguments` name. `name` is the name of standard input.
    pub fn list(
        &self,
        arguments: &[String],
        name: Option<&str>,
        stores: &Stores,
    ) -> Result<Vec<Input>> {
        list_inputs(arguments, &self.naming(name), stores)
    }
}

impl InputOptions {
    /// Whether an index is given. It names files by itself.
    pub fn selects(&self) -> bool {
        !self.select.is_empty()
    }

    /// The `status` options that name the same inputs, as typed.
    pub fn typed(&self, arguments: &[String]) -> String {
        let mut words = typed_inputs(arguments);
        words.extend(self.naming.typed());
        for index in &self.select {
            words.extend(["--select".to_owned(), shell_word(index)]);
        }
        words.extend(self.partial.then(|| "--partial".to_owned()));
        words.join(" ")
    }

    /// Lists the inputs that `arguments` name, or else the index. `name` is the name of standard
    /// input. Also returns the sha256 of the selection.
    ///
    /// # Errors
    /// [`Error::Invalid`], also if the index names files that are not among the inputs and
    /// `--partial` is not given.
    pub fn list(
        &self,
        arguments: &[String],
        name: Option<&str>,
        stores: &Stores,
    ) -> Result<(Vec<Input>, Option<String>)> {
        if !self.selects() {
            return Ok((self.naming.list(arguments, name, stores)?, None));
        }
        let selection = Selection::read(&self.select)?;
        let hash = Some(selection.sha256());
        if arguments.is_empty() {
            let inputs = selected_files(&selection, &self.naming.naming(name), stores)?;
            return Ok((inputs, hash));
        }
        let inputs = self.naming.list(arguments, name, stores)?;
        let (selected, unknown) = select(inputs, &selection)?;
        if !self.partial && !unknown.is_empty() {
            let shown = unknown.iter().take(SHOWN).map(String::as_str);
            return Err(Error::Invalid(format!(
                "the index names records of {} not among the inputs, such as {}; --partial reads the \
                 others",
                counted(unknown.len(), "file that is", "files that are"),
                shown.collect::<Vec<_>>().join(", ")
            )));
        }
        Ok((selected, hash))
    }
}

/// The inputs of commands that write no output per input. Standard input needs no name then.
pub fn pages(arguments: &[String]) -> Result<Vec<Input>> {
    let stdin = arguments.iter().any(|a| a == "-");
    let naming = Naming {
        stdin: stdin.then_some("standard-input"),
        ..Naming::default()
    };
    list_inputs(arguments, &naming, &stores::of_environment())
}

/// Maximum number of inputs that a suggested command names one by one.
const TYPED: usize = 4;

/// `--inputs` with these arguments.
pub fn typed_inputs(arguments: &[String]) -> Vec<String> {
    let words: Vec<_> = match arguments.len() {
        0 => return Vec::new(),
        1..=TYPED => arguments.iter().map(shell_word).collect(),
        _ => vec!["THE SAME INPUTS".to_owned()],
    };
    [vec!["--inputs".to_owned()], words].concat()
}

/// Quotes a word for a shell if necessary.
pub fn shell_word(word: impl AsRef<OsStr>) -> String {
    let word = word.as_ref().display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:@,+=%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word,
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// Parses `--shard I/N`.
pub fn parse_shard(text: &str) -> Result<(usize, usize), String> {
    let parsed = text
        .split_once('/')
        .and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    match parsed {
        Some((i, n)) if 1 <= i && i <= n => Ok((i, n)),
        _ => Err("expected I/N with 1 <= I <= N, such as 3/8".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_split_them() {
        assert_eq!(shell_word("a-b%20.warc.gz"), "a-b%20.warc.gz");
        assert_eq!(shell_word("a b"), "'a b'");
        assert_eq!(shell_word("it's *"), "'it'\\''s *'");
        assert_eq!(shell_word(""), "''");
    }
}
