//! The columns of a table. Each is one entry of a list; schema, rows and documentation follow from
//! it.

use super::builders::{Build, Number};
use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};
use std::borrow::Cow;
use std::sync::Arc;

/// A table, named by the data its rows are made from.
pub trait Table {
    /// What `fill` of a column gets: the data of a row, or of several rows that are added together.
    type Row<'a>;
}

/// A column of a table.
pub struct Column<T: Table> {
    pub field: Field,
    /// What it holds, in the words of the documentation.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "documentation is checked by tests")
    )]
    pub doc: Cow<'static, str>,
    /// Whether it depends on labels, so that its values change when a page is labelled again.
    pub follows_labels: bool,
    is_sized: bool,
    cells: Box<dyn Cells<T>>,
}

/// The values of a column, whatever their type.
trait Cells<T: Table>: Send {
    /// Adds the values of a row. Returns their size in bytes.
    fn push(&mut self, row: &T::Row<'_>) -> usize;

    /// The values since the last call.
    fn finish(&mut self) -> ArrayRef;
}

/// Values that a function adds.
struct Filled<B, F> {
    values: B,
    fill: F,
}

impl<T, B, F> Cells<T> for Filled<B, F>
where
    T: Table,
    B: Build,
    F: FnMut(&T::Row<'_>, &mut B) -> usize + Send,
{
    fn push(&mut self, row: &T::Row<'_>) -> usize {
        (self.fill)(row, &mut self.values)
    }

    fn finish(&mut self) -> ArrayRef {
        self.values.finish()
    }
}

impl<T: Table> Column<T> {
    /// A column of any type. `fill` adds the values of a row and returns their size in bytes.
    pub fn new<B: Build>(
        field: Field,
        doc: impl Into<Cow<'static, str>>,
        values: B,
        fill: impl FnMut(&T::Row<'_>, &mut B) -> usize + Send + 'static,
    ) -> Self {
        Self {
            field,
            doc: doc.into(),
            follows_labels: false,
            is_sized: false,
            cells: Box::new(Filled { values, fill }),
        }
    }

    /// A column of texts.
    pub fn text(
        name: &str,
        doc: &'static str,
        read: impl for<'r> Fn(&'r T::Row<'_>) -> &'r str + Send + 'static,
    ) -> Self {
        let field = Field::new(name, DataType::Utf8, false);
        Self::new(field, doc, StringBuilder::new(), move |row, texts| {
            let text = read(row);
            texts.append_value(text);
            text.len()
        })
    }

    /// A column of texts that may be null.
    pub fn maybe_text(
        name: &str,
        doc: &'static str,
        read: impl for<'r> Fn(&'r T::Row<'_>) -> Option<&'r str> + Send + 'static,
    ) -> Self {
        let field = Field::new(name, DataType::Utf8, true);
        Self::new(field, doc, StringBuilder::new(), move |row, texts| {
            let text = read(row);
            texts.append_option(text);
            text.map_or(0, str::len)
        })
    }

    /// A column of numbers, or of numbers that may be null.
    pub fn number<N: Number>(
        name: &str,
        doc: &'static str,
        read: impl Fn(&T::Row<'_>) -> N + Send + 'static,
    ) -> Self {
        let field = Field::new(name, N::TYPE, N::IS_NULLABLE);
        Self::new(field, doc, N::Builder::default(), move |row, numbers| {
            read(row).add_to(numbers);
            N::BYTES
        })
    }

    /// Counts its values for the size of a row. The values of other columns are short, or in the
    /// size of every row.
    #[must_use]
    pub fn sized(self) -> Self {
        Self {
            is_sized: true,
            ..self
        }
    }

    /// Marks the column as one that depends on labels.
    #[must_use]
    pub fn following_labels(self) -> Self {
        Self {
            follows_labels: true,
            ..self
        }
    }
}

/// The columns' fields.
pub fn schema_of<T: Table>(columns: &[Column<T>]) -> SchemaRef {
    let fields = columns.iter().map(|column| column.field.clone());
    Arc::new(Schema::new(fields.collect::<Fields>()))
}

/// The fields of the columns whose batches have each text once. In files they are columns of texts.
pub fn repeated_texts<T: Table>(columns: Vec<Column<T>>) -> Vec<Field> {
    let fields = columns.into_iter().map(|column| column.field);
    let is_repeated = |field: &Field| matches!(field.data_type(), DataType::Dictionary(..));
    fields.filter(is_repeated).collect()
}

/// Collects the rows of a table.
pub struct Collector<T: Table> {
    schema: SchemaRef,
    columns: Vec<Column<T>>,
}

impl<T: Table> Collector<T> {
    /// For these columns.
    pub fn new(columns: Vec<Column<T>>) -> Self {
        Self {
            schema: schema_of(&columns),
            columns,
        }
    }

    /// The columns' fields.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Adds a row, one column at a time. Returns the size of its values in the
    /// [sized](Column::sized) columns.
    pub fn push(&mut self, row: &T::Row<'_>) -> usize {
        let mut bytes = 0;
        for column in &mut self.columns {
            let size = column.cells.push(row);
            bytes += if column.is_sized { size } else { 0 };
        }
        bytes
    }

    /// The rows since the last call.
    pub fn finish(&mut self) -> RecordBatch {
        let columns = self.columns.iter_mut();
        let columns = columns.map(|column| column.cells.finish()).collect();
        RecordBatch::try_new(self.schema.clone(), columns)
            .expect("columns have the types of their fields, and a value for each row")
    }
}
