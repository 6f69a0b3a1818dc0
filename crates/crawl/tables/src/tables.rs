//! The tables of an output folder.

use arrow_array::RecordBatch;
use serde::{Deserialize, Serialize};
use warcsieve_common::Result;
use warcsieve_extract::Pipeline;

/// A value for each table: always for `documents`, and for the others if a pipeline writes them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tables<T, O = Option<T>> {
    /// For the table with a row for each page.
    pub documents: T,
    /// For the table with a row for each block.
    pub blocks: O,
    /// For the table with a row for each page that a filter removed.
    pub removed: O,
    /// For the table with a row for each link.
    pub links: O,
}

/// A value for each table, whether it is written or not.
pub type AllTables<T> = Tables<T, T>;

/// The rows of some pages, in input order.
pub type Rows = Tables<RecordBatch>;

/// How many rows the tables have. Rows of a table that is not written may be counted too.
pub type RowCounts = AllTables<u64>;

/// The tables' names, which are those of their folders.
pub const NAMES: AllTables<&str> = Tables {
    documents: "documents",
    blocks: "blocks",
    removed: "removed",
    links: "links",
};

/// The names of the tables that a pipeline writes.
pub fn written(pipeline: &Pipeline) -> Tables<&'static str> {
    let settings = &pipeline.settings;
    Tables {
        documents: NAMES.documents,
        blocks: settings.blocks.then_some(NAMES.blocks),
        removed: (!pipeline.filters.is_empty()).then_some(NAMES.removed),
        links: settings.link_table.then_some(NAMES.links),
    }
}

/// The file of an input's table, below the output folder.
pub fn path_of(table: &str, input: &str) -> String {
    format!("{table}/{input}.parquet")
}

/// The files of an input's tables, below the output folder.
pub fn paths_of(input: &str) -> AllTables<String> {
    let path = |table| path_of(table, input);
    Tables {
        documents: path(NAMES.documents),
        blocks: path(NAMES.blocks),
        removed: path(NAMES.removed),
        links: path(NAMES.links),
    }
}

impl<T> Tables<T> {
    /// References to all.
    pub fn as_ref(&self) -> Tables<&T> {
        Tables {
            documents: &self.documents,
            blocks: self.blocks.as_ref(),
            removed: self.removed.as_ref(),
            links: self.links.as_ref(),
        }
    }

    /// References to all, to change them.
    pub fn as_mut(&mut self) -> Tables<&mut T> {
        Tables {
            documents: &mut self.documents,
            blocks: self.blocks.as_mut(),
            removed: self.removed.as_mut(),
            links: self.links.as_mut(),
        }
    }

    /// Applies `of` to each value.
    pub fn map<U>(self, mut of: impl FnMut(T) -> U) -> Tables<U> {
        Tables {
            documents: of(self.documents),
            blocks: self.blocks.map(&mut of),
            removed: self.removed.map(&mut of),
            links: self.links.map(&mut of),
        }
    }

    /// Applies `of` to each value, in order.
    ///
    /// # Errors
    /// The first error of `of`.
    pub fn try_map<U>(self, mut of: impl FnMut(T) -> Result<U>) -> Result<Tables<U>> {
        Ok(Tables {
            documents: of(self.documents)?,
            blocks: self.blocks.map(&mut of).transpose()?,
            removed: self.removed.map(&mut of).transpose()?,
            links: self.links.map(&mut of).transpose()?,
        })
    }

    /// Pairs of values, for the tables that are in both.
    pub fn zip<U>(self, other: Tables<U>) -> Tables<(T, U)> {
        Tables {
            documents: (self.documents, other.documents),
            blocks: self.blocks.zip(other.blocks),
            removed: self.removed.zip(other.removed),
            links: self.links.zip(other.links),
        }
    }

    /// The values that exist, `documents` first.
    pub fn each(self) -> impl Iterator<Item = T> {
        let others = [self.blocks, self.removed, self.links];
        std::iter::once(self.documents).chain(others.into_iter().flatten())
    }

    /// Uses `other` for the tables that do not exist.
    pub fn or(self, other: T) -> AllTables<T>
    where
        T: Clone,
    {
        let or = |value: Option<T>| value.unwrap_or_else(|| other.clone());
        Tables {
            documents: self.documents,
            blocks: or(self.blocks),
            removed: or(self.removed),
            links: or(self.links),
        }
    }
}

impl<T> AllTables<T> {
    /// The values of tables that all exist.
    pub fn some(self) -> Tables<T> {
        Tables {
            documents: self.documents,
            blocks: Some(self.blocks),
            removed: Some(self.removed),
            links: Some(self.links),
        }
    }

    /// References to all.
    pub fn each_ref(&self) -> AllTables<&T> {
        Tables {
            documents: &self.documents,
            blocks: &self.blocks,
            removed: &self.removed,
            links: &self.links,
        }
    }

    /// `documents` first.
    pub fn all(self) -> [T; 4] {
        [self.documents, self.blocks, self.removed, self.links]
    }
}

impl Rows {
    /// Bytes of memory that the rows take.
    pub fn memory(&self) -> usize {
        let tables = self.as_ref().each();
        tables.map(RecordBatch::get_array_memory_size).sum()
    }

    /// The number of rows in all tables.
    pub fn count(&self) -> usize {
        self.as_ref().each().map(RecordBatch::num_rows).sum()
    }
}
