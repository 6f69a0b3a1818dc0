"""PySpark 4: crawls as DataFrames, and content of a DataFrame's HTML.

    spark.dataSource.register(WarcsieveDataSource)
    spark.read.format("warcsieve").option("pipeline", "default").load("s3://bucket/crawl/")
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping, Sequence
from typing import TYPE_CHECKING, Any

from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import LongType, StringType, StructField, StructType

import warcsieve
from warcsieve import Output, PageError

from ._arrow import batches

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

FAULTS = StructType(
    [
        StructField("input", StringType(), False),
        StructField("kind", StringType(), False),
        StructField("offset", LongType(), False),
        StructField("record_id", StringType(), True),
        StructField("message", StringType(), False),
    ]
)
"""The columns of `table=faults`: damage, and pages that could not be processed, the first 1,000 of each input."""


def _names(text: str | None) -> list[str] | None:
    return [name.strip() for name in text.split(",")] if text else None


def _without_dictionaries(batch: Any) -> Any:
    """The batch with dictionaries of texts as texts, as Spark's types have no dictionaries."""
    import pyarrow

    fields, columns = [], []
    for field, column in zip(batch.schema, batch.columns):
        if pyarrow.types.is_dictionary(field.type):
            field, column = field.with_type(field.type.value_type), column.dictionary_decode()
        fields.append(field)
        columns.append(column)
    return pyarrow.RecordBatch.from_arrays(columns, schema=pyarrow.schema(fields))


class WarcsieveDataSource(DataSource):
    """WARC and ARC files as a DataFrame, a partition an input: the rows that `warcsieve clean` writes.

    Options: `path` (files, folders, patterns, addresses; what `load` gets), `table` (`documents`, the default, `blocks`
    or `faults`), `pipeline` (the name of one that ships, the text of a pipeline file, or the path of one that all
    machines have), `output` (`text`, `markdown`, `html`), `columns` (names, separated by commas), `base` (the folder that
    names of inputs are below). Spark does not tell data sources in Python which columns a query uses, so `columns`, or a
    schema given by `schema()`, says which are made and sent.
    """

    @classmethod
    def name(cls) -> str:
        """The name for `format`."""
        return "warcsieve"

    def schema(self) -> StructType:
        """The columns, known before anything is read."""
        import pyarrow
        from pyspark.sql.pandas.types import from_arrow_schema

        if self._table() == "faults":
            return FAULTS
        columns = _names(self.options.get("columns"))
        schema = warcsieve.table_schema(self._table(), self._pipeline(), columns)
        return from_arrow_schema(pyarrow.schema(schema))

    def reader(self, schema: StructType) -> DataSourceReader:
        """Reads the columns of `schema`."""
        return WarcsieveReader(self.options, self._table(), self._pipeline(), schema.fieldNames())

    def _table(self) -> str:
        table = self.options.get("table", "documents")
        if table not in ("documents", "blocks", "faults"):
            raise ValueError(f"table {table!r} is none of documents, blocks, faults")
        return table

    def _pipeline(self) -> str:
        return self.options.get("pipeline", "default")


class WarcsieveReader(DataSourceReader):
    """Reads partitions: an input each."""

    def __init__(self, options: MutableMapping[str, str], table: str, pipeline: str, columns: Sequence[str]) -> None:
        path = options.get("path")
        if not path:
            raise ValueError("no input: load() needs a path")
        self.path = path
        self.base = options.get("base")
        self.output = options.get("output")
        self.table = table
        self.pipeline = pipeline
        self.columns = list(columns)

    def partitions(self) -> Sequence[InputPartition]:
        """The inputs, listed once by the driver."""
        return [InputPartition(found) for found in warcsieve.list_inputs([self.path], self.base)]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        """The batches of an input, made one by one."""
        name, place = partition.value
        crawl: Any = warcsieve.read_warc(place, self.pipeline, output=self.output, name=name)  # type: ignore[arg-type]
        if self.table == "faults":
            documents = crawl.documents(["id"])
            for _ in batches(documents):
                pass
            for fault in documents.faults:
                yield tuple(fault[column] for column in self.columns)
            return
        yield from map(_without_dictionaries, batches(getattr(crawl, self.table)(self.columns)))


def with_content(
    frame: DataFrame,
    html: str = "html",
    url: str | None = None,
    *,
    content: str = "content",
    error: str = "content_error",
    pipeline: str = "default",
    output: Output = "text",
) -> DataFrame:
    """The DataFrame with a column of the content of its column `html`, which is of strings or binary.

    url: the column with the pages' addresses, if there is one.
    content: the new column; null where a page has no content.
    error: a second new column: the kind of the fault of a page that could not be processed, otherwise null.
    """
    schema = StructType([*frame.schema.fields, StructField(content, StringType()), StructField(error, StringType())])

    def extract(found: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        extractor = warcsieve.Extractor(pipeline, output=output)
        for batch in found:
            pages = batch.column(html).to_pylist()
            addresses = batch.column(url).to_pylist() if url else [None] * len(pages)
            texts: list[str | None] = []
            kinds: list[str | None] = []
            for page, address in zip(pages, addresses):
                text = kind = None
                if page is not None:
                    try:
                        text = extractor.extract(page, address)
                    except PageError as fault:
                        kind = fault.kind
                texts.append(text)
                kinds.append(kind)
            columns = [*batch.columns, pyarrow.array(texts, pyarrow.string()), pyarrow.array(kinds, pyarrow.string())]
            yield pyarrow.RecordBatch.from_arrays(columns, names=schema.fieldNames())

    return frame.mapInArrow(extract, schema)
