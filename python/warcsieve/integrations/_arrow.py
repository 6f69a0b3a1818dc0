"""Tables of crawls as batches of pyarrow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from warcsieve import Table


def batches(table: Table) -> Iterator[Any]:
    """The batches of a table as `pyarrow.RecordBatch`es, each made when it is asked for, without a copy."""
    import pyarrow

    yield from pyarrow.RecordBatchReader.from_stream(table)
