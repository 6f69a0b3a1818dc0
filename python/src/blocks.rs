//! The blocks of a page as columns: for Arrow, for NumPy, and one by one.

use crate::arrow;
use crate::offsets;
use crate::page::PageData;
use arrow_array::builder::{BooleanBuilder, Float32Builder, Int32Builder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Int32Type};
use arrow_array::{Array, ArrayRef, Int32Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use pyo3::exceptions::{PyAttributeError, PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyTuple};
use std::sync::{Arc, LazyLock};
use warcsieve::Block as Counts;

/// A count of a block.
type Count = (&'static str, fn(&Counts) -> u32);

const COUNTS: [Count; 10] = [
    ("words", |b| b.words),
    ("linked_words", |b| b.linked_words),
    ("tokens", |b| b.tokens),
    ("linked_tokens", |b| b.linked_tokens),
    ("chars", |b| b.chars),
    ("linked_chars", |b| b.linked_chars),
    ("lines", |b| b.lines),
    ("wrapped_tokens", |b| b.wrapped_tokens),
    ("tags_before", |b| b.tags_before),
    ("tags_inside", |b| b.tags_inside),
];

/// Names and types of the columns. Names that the table `blocks` has, too, mean the same there.
static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let field = |name: &str, data_type, nullable| Field::new(name, data_type, nullable);
    let int = |name| field(name, DataType::Int32, false);
    let maybe = |name| field(name, DataType::Int32, true);
    let mut fields = vec![
        int("block"),
        field("text", DataType::Utf8, false),
        field("content", DataType::Boolean, false),
        field("label", DataType::Utf8, false),
        field("class", DataType::Utf8, true),
        field("score", DataType::Float32, false),
        field("reason", DataType::Utf8, false),
        field("tag_path", DataType::Utf8, false),
        int("source_start"),
        int("source_end"),
        int("source_char_start"),
        int("source_char_end"),
        maybe("text_start"),
        maybe("text_end"),
        maybe("text_char_start"),
        maybe("text_char_end"),
    ];
    fields.extend(COUNTS.iter().map(|(name, _)| int(name)));
    fields.push(field("link_density", DataType::Float32, false));
    fields.push(field("text_density", DataType::Float32, false));
    Arc::new(Schema::new(fields))
});

/// What a number that is absent is for NumPy, which has no nulls.
const ABSENT: i32 = -1;

fn int(n: u32) -> i32 {
    i32::try_from(n).unwrap_or(i32::MAX)
}

/// A column of numbers.
fn ints(values: impl Iterator<Item = u32>) -> ArrayRef {
    Arc::new(Int32Array::from_iter_values(values.map(int)))
}

/// A column of numbers of which some are absent.
fn maybes(values: impl Iterator<Item = Option<u32>>) -> ArrayRef {
    let values: Vec<Option<i32>> = values.map(|value| value.map(int)).collect();
    let present = values.iter().map(Option::is_some).collect::<Vec<_>>();
    let values: Vec<i32> = values
        .into_iter()
        .map(|value| value.unwrap_or(ABSENT))
        .collect();
    Arc::new(Int32Array::new(values.into(), Some(present.into())))
}

/// The columns of a page's blocks.
pub fn columns(page: &PageData) -> RecordBatch {
    let extracted = &page.extracted;
    let doc = extracted.document();
    let number = doc.blocks.len();
    let places: Vec<u32> = extracted
        .text_blocks()
        .iter()
        .flat_map(|r| [r.start, r.end])
        .collect();
    let place_chars = offsets::characters(extracted.text(), &places);
    let mut text = StringBuilder::with_capacity(number, doc.text.len());
    let (mut content, mut score) = (BooleanBuilder::new(), Float32Builder::new());
    let [mut label, mut class, mut reason, mut path] =
        std::array::from_fn(|_| StringBuilder::new());
    let mut written = String::new();
    for block in extracted.blocks() {
        text.append_value(block.text);
        content.append_value(block.label.content);
        label.append_value(if block.label.content {
            "content"
        } else {
            "boilerplate"
        });
        class.append_option(Some(block.class).filter(|class| !class.is_empty()));
        score.append_value(block.label.score);
        reason.append_value(block.reason);
        written.clear();
        doc.tree.path(block.block.element, &mut written);
        path.append_value(&written);
    }
    // Offsets of the n-th content block are the n-th two of `places`.
    let in_text = |offsets: &[u32], end: usize| {
        let mut pairs = offsets.chunks_exact(2);
        let places = extracted.blocks().map(|block| match block.label.content {
            true => pairs.next().map(|pair| pair[end]),
            false => None,
        });
        maybes(places.collect::<Vec<_>>().into_iter())
    };
    let source = |end: usize| ints(page.source_chars.chunks_exact(2).map(move |pair| pair[end]));
    let density = |read: fn(&Counts) -> f32| -> ArrayRef {
        let mut values = Float32Builder::with_capacity(number);
        doc.blocks
            .iter()
            .for_each(|block| values.append_value(read(block)));
        Arc::new(values.finish())
    };
    let mut blocks = Int32Builder::with_capacity(number);
    (0..number).for_each(|n| blocks.append_value(i32::try_from(n).unwrap_or(i32::MAX)));
    let mut columns: Vec<ArrayRef> = vec![
        Arc::new(blocks.finish()),
        Arc::new(text.finish()),
        Arc::new(content.finish()),
        Arc::new(label.finish()),
        Arc::new(class.finish()),
        Arc::new(score.finish()),
        Arc::new(reason.finish()),
        Arc::new(path.finish()),
        ints(doc.blocks.iter().map(|b| b.source.start)),
        ints(doc.blocks.iter().map(|b| b.source.end)),
        source(0),
        source(1),
        in_text(&places, 0),
        in_text(&places, 1),
        in_text(&place_chars, 0),
        in_text(&place_chars, 1),
    ];
    columns.extend(
        COUNTS
            .iter()
            .map(|(_, read)| ints(doc.blocks.iter().map(read))),
    );
    columns.push(density(Counts::link_density));
    columns.push(density(Counts::text_density));
    RecordBatch::try_new(SCHEMA.clone(), columns)
        .expect("the columns have the order and types of the schema")
}

/// The blocks of a page: a sequence of blocks, and a table of columns by name, which Arrow takes without a copy.
#[pyclass(frozen, module = "warcsieve._warcsieve")]
pub struct Blocks(pub Arc<PageData>);

#[pymethods]
impl Blocks {
    fn __len__(&self) -> usize {
        self.0.extracted.document().blocks.len()
    }

    /// A block by its number, or a column by its name.
    fn __getitem__<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = key.py();
        if let Ok(name) = key.extract::<String>() {
            let at = SCHEMA
                .index_of(&name)
                .map_err(|_| PyKeyError::new_err(name.clone()))?;
            let column = Column {
                name,
                values: self.0.columns().column(at).clone(),
            };
            return Ok(Bound::new(py, column)?.into_any());
        }
        let number: isize = key.extract()?;
        let len = self.__len__();
        let at = match number < 0 {
            true => len.checked_add_signed(number),
            false => usize::try_from(number).ok(),
        };
        match at.filter(|at| *at < len) {
            Some(at) => {
                let block = Block {
                    page: self.0.clone(),
                    at,
                };
                Ok(Bound::new(py, block)?.into_any())
            }
            None => Err(PyIndexError::new_err(format!("block {number} of {len}"))),
        }
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<&str> {
        SCHEMA
            .fields()
            .iter()
            .map(|field| field.name().as_str())
            .collect()
    }

    /// All columns of numbers as NumPy arrays that share their memory, by name; -1 for what is absent. Needs numpy.
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        for (field, values) in SCHEMA.fields().iter().zip(self.0.columns().columns()) {
            if *field.data_type() != DataType::Utf8 {
                let name = field.name().clone();
                let values = values.clone();
                found.set_item(field.name(), Column { name, values }.to_numpy(py)?)?;
            }
        }
        Ok(found)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, &SCHEMA)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema; // it may be ignored: consumers cast
        arrow::rows(py, self.0.columns())
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema; // it may be ignored: consumers cast
        arrow::stream_of(py, self.0.columns())
    }
}

/// A block of a page: a value for each column.
#[pyclass(frozen, module = "warcsieve._warcsieve")]
pub struct Block {
    page: Arc<PageData>,
    at: usize,
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

/// The getters of a block: one a column.
macro_rules! getters {
    ($($name:ident $column:literal $doc:literal)*) => {
        #[pymethods]
        impl Block {
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
    block "block" "Its number in the page, from 0."
    text "text" "Its text, white space collapsed."
    content "content" "Whether it is content."
    label "label" "`content` or `boilerplate`."
    class_ "class" "The method's class of it, if the method has classes."
    score "score" "How sure the method is, from 0 (boilerplate) to 1 (content)."
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
    text_density "text_density" "Tokens a line (Kohlschütter et al. 2010, section 3.4)."
}

/// A value of a column as an object of Python.
fn value<'py>(py: Python<'py>, values: &ArrayRef, at: usize) -> PyResult<Bound<'py, PyAny>> {
    if values.is_null(at) {
        return Ok(py.None().into_bound(py));
    }
    Ok(match values.data_type() {
        DataType::Utf8 => values
            .as_string::<i32>()
            .value(at)
            .into_pyobject(py)?
            .into_any(),
        DataType::Boolean => values
            .as_boolean()
            .value(at)
            .into_pyobject(py)?
            .to_owned()
            .into_any(),
        DataType::Float32 => values
            .as_primitive::<Float32Type>()
            .value(at)
            .into_pyobject(py)?
            .into_any(),
        _ => values
            .as_primitive::<Int32Type>()
            .value(at)
            .into_pyobject(py)?
            .into_any(),
    })
}

/// A column: a value a block. `numpy.asarray(column)` and `pyarrow.array(column)` share its memory.
#[pyclass(frozen, module = "warcsieve._warcsieve")]
pub struct Column {
    name: String,
    values: ArrayRef,
}

#[pymethods]
impl Column {
    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    fn __len__(&self) -> usize {
        self.values.len()
    }

    /// The values as objects; None for what is absent.
    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let values = (0..self.values.len()).map(|at| value(py, &self.values, at));
        PyList::new(py, values.collect::<PyResult<Vec<_>>>()?)
    }

    /// The values as a NumPy array, which shares the memory of numbers; -1 for what is absent. Needs numpy.
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let numpy = py.import("numpy")?;
        match self.interface() {
            Some(_) => {
                let column = Self {
                    name: self.name.clone(),
                    values: self.values.clone(),
                };
                numpy.call_method1("asarray", (Bound::new(py, column)?,))
            }
            None => {
                let kind = if *self.values.data_type() == DataType::Boolean {
                    "bool"
                } else {
                    "object"
                };
                numpy.call_method1("array", (self.to_list(py)?, kind))
            }
        }
    }

    /// Where the numbers are in memory, for NumPy.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Some((address, kind)) = self.interface() else {
            let why = "only columns of numbers; to_numpy() has others";
            return Err(PyAttributeError::new_err(why));
        };
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("shape", (self.values.len(),))?;
        interface.set_item("typestr", kind)?;
        interface.set_item("data", (address, true))?;
        Ok(interface)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = arrow_array::ffi::FFI_ArrowSchema::try_from(self.values.data_type());
        let schema = schema.map_err(|e| PyAttributeError::new_err(e.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema; // it may be ignored: consumers cast
        arrow::array(py, &self.values)
    }

    fn __repr__(&self) -> String {
        format!(
            "<Column {}: {} of {}>",
            self.name,
            self.values.len(),
            self.values.data_type()
        )
    }
}

impl Column {
    /// The address of a column of numbers, and their type in NumPy's words.
    fn interface(&self) -> Option<(usize, &'static str)> {
        let little = cfg!(target_endian = "little");
        match self.values.data_type() {
            DataType::Int32 => {
                let values = self.values.as_primitive::<Int32Type>().values();
                Some((values.as_ptr() as usize, if little { "<i4" } else { ">i4" }))
            }
            DataType::Float32 => {
                let values = self.values.as_primitive::<Float32Type>().values();
                Some((values.as_ptr() as usize, if little { "<f4" } else { ">f4" }))
            }
            _ => None,
        }
    }
}
