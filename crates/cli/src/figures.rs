//! The figures with which a command ends: a table for people, and a JSON object for programs.

use super::exit::Exit;
use super::log::Format;
use super::print;
use super::table::{Table, bytes};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use warcsieve_run::{FailedInput, PageTally};

/// Figures, each in the table, in the object, or in both.
#[derive(Debug, Default)]
pub struct Figures {
    /// Rows that only people see are added here.
    pub table: Table,
    json: Map<String, Value>,
}

impl Figures {
    /// Adds a figure for programs only.
    pub fn set(&mut self, key: &str, value: impl Serialize) {
        self.json.insert(key.to_owned(), json!(value));
    }

    /// Adds a number.
    pub fn count(&mut self, name: &str, key: &str, n: impl TryInto<u64>) {
        let n = n.try_into().unwrap_or(u64::MAX);
        self.set(key, n);
        self.table.count(name, n);
    }

    /// Adds a number, which people see only if it is not 0.
    pub fn some(&mut self, name: &str, key: &str, n: u64) {
        match n {
            0 => self.set(key, n),
            n => self.count(name, key, n),
        }
    }

    /// Adds a number of bytes.
    pub fn bytes(&mut self, name: &str, key: &str, n: u64) {
        self.set(key, n);
        self.table.row(name, bytes(n));
    }

    /// Adds the bytes of all text, and of the text that was kept.
    pub fn text(&mut self, raw_bytes: u64, kept_bytes: u64) {
        self.set("raw_text_bytes", raw_bytes);
        self.set("text_bytes", kept_bytes);
        self.table.text(raw_bytes, kept_bytes);
    }

    /// Adds the inputs that failed. People see how many, if any.
    pub fn failed(&mut self, failed: &[FailedInput]) {
        self.some("inputs failed", "inputs_failed", failed.len() as u64);
        let names: Vec<_> = failed.iter().map(|f| &f.name).collect();
        self.set("inputs_failed", names);
    }

    /// Adds the pages that each pipeline of a union or fallback labelled, if there is one.
    pub fn labelled_by(&mut self, title: &str, pages: &PageTally) {
        if !pages.labelled_by.is_empty() {
            self.counts(title, "labelled_by", &pages.labelled_by);
        }
    }

    /// Adds what filters did to lines and to personal data.
    pub fn edits(&mut self, pages: &PageTally) {
        self.counts("  lines", "lines", &pages.lines);
        self.counts("  personal data", "personal", &pages.personal);
    }

    /// Adds a number for each name, which is written as programs see it.
    pub fn counts<N: Serialize>(&mut self, title: &str, key: &str, counts: &BTreeMap<N, u64>) {
        for (name, n) in counts {
            let name = json!(name);
            let name = name.as_str().unwrap_or_default();
            self.table.count(format!("{title}: {name}"), *n);
        }
        self.set(key, counts);
    }

    /// Adds whether the output folder is sealed.
    pub fn sealed(&mut self, is_sealed: bool) {
        self.table
            .row("_SUCCESS", if is_sealed { "yes" } else { "no" });
        self.set("sealed", is_sealed);
    }

    /// The object, with the name of the command and its exit code.
    pub fn result(self, command: &str, exit: Exit) -> String {
        print::result(command, exit, self.json)
    }

    /// Prints the figures, below which people see `next`. Returns `exit`, as [`print::table`] does.
    pub fn print(self, format: Format, next: &str, exit: Exit) -> Exit {
        let text = match format {
            Format::Text => self.table.render() + next,
            Format::Json => print::json_line(Value::Object(self.json)),
        };
        print::table(&text, exit)
    }

    /// Prints the figures, for programs with the name of the command and its exit code.
    pub fn print_result(self, format: Format, command: &str, exit: Exit) -> Exit {
        let text = match format {
            Format::Text => self.table.render(),
            Format::Json => self.result(command, exit),
        };
        print::table(&text, exit)
    }
}
