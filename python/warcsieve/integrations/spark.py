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


def _arrow_schema(schema: StructType) -> Any:
    """The schema that Spark compares batches with."""
    from pyspark.sql.pandas.types import to_arrow_schema

    try:
        return to_arrow_schema(schema, timezone="UTC")
    except TypeError:
        # Spark 4.0, which takes UTC by itself.
        return to_arrow_schema(schema)


def _as(schema: Any, batch: Any) -> Any:
    """The batch with the types of a schema, which has no dictionaries, and may allow nulls where none are."""
    import pyarrow

    columns = [column.cast(field.type) for field, column in zip(schema, batch.columns)]
    return pyarrow.RecordBatch.from_arrays(columns, schema=schema)


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
        return self._columns(_names(self.options.get("columns")))

    def _columns(self, columns: list[str] | None) -> StructType:
        import pyarrow
        from pyspark.sql.pandas.types import from_arrow_schema

        if self._table() == "faults":
            return FAULTS
        schema = warcsieve.table_schema(self._table(), self._pipeline(), columns)
        return from_arrow_schema(pyarrow.schema(schema))

    def reader(self, schema: StructType) -> DataSourceReader:
        """Reads the columns of `schema`, which are those of the table."""
        known = {field.name: field.dataType.simpleString() for field in self._columns(None)}
        for field in schema:
            kind = field.dataType.simpleString()
            if known.get(field.name) != kind:
                has = f"is {known[field.name]}" if field.name in known else f"is none of {', '.join(known)}"
                raise ValueError(f"column {field.name} {kind} of the schema: in {self._table()} it {has}")
        return WarcsieveReader(self.options, self._table(), self._pipeline(), schema)

    def _table(self) -> str:
        table = self.options.get("table", "documents")
        if table not in ("documents", "blocks", "faults"):
            raise ValueError(f"table {table!r} is none of documents, blocks, faults")
        return table

    def _pipeline(self) -> str:
        return self.options.get("pipeline", "default")


class WarcsieveReader(DataSourceReader):
    """Reads partitions: an input each."""

    def __init__(self, options: MutableMapping[str, str], table: str, pipeline: str, schema: StructType) -> None:
        path = options.get("path")
        if not path:
            raise ValueError("no input: load() needs a path")
        self.path = path
        self.base = options.get("base")
        self.output = options.get("output")
        self.table = table
        self.pipeline = pipeline
        self.schema = schema

    def partitions(self) -> Sequence[InputPartition]:
        """The inputs, listed once by the driver."""
        return [InputPartition(found) for found in warcsieve.list_inputs([self.path], self.base)]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        """The batches of an input, made one by one."""
        name, place = partition.value
        crawl: Any = warcsieve.read_warc(place, self.pipeline, output=self.output, name=name)  # type: ignore[arg-type]
        columns = self.schema.fieldNames()
        if self.table == "faults":
            documents = crawl.documents(["id"])
            for _ in batches(documents):
                pass
            for fault in documents.faults:
                yield tuple(fault[column] for column in columns)
            return
        schema = _arrow_schema(self.schema)
        for batch in batches(getattr(crawl, self.table)(columns)):
            yield _as(schema, batch)


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
