"""Web crawls to clean text: HTML in; text, Markdown, metadata and labelled blocks out.

>>> import warcsieve
>>> html = "<title>Cod</title><nav><a href=/>Home</a></nav><article><h1>Cod in winter</h1><p>Cod spawn from January " \\
...     "to April, in water of four to six degrees, and the largest shoals are met off the Lofoten islands, where " \\
...     "they have been fished for a thousand years.</p></article>"
>>> "thousand years" in warcsieve.extract(html)
True

Pages are `str`, or bytes in any encoding. `extract` gives a page's content, `extract_many` that of many pages on all
cores, an `Extractor` does both with a pipeline of your own. `read_warc` reads crawls page by page or as Arrow tables,
`clean` writes whole crawls to Parquet. Errors are those of `warcsieve.errors`.

Importing it imports nothing else and starts no thread.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, BinaryIO, Literal, TypedDict, overload

from . import errors
from ._warcsieve import (
    Block,
    Blocks,
    Column,
    Crawl,
    Extractor,
    Page,
    Results,
    Schema,
    Table,
    __version__,
    decode,
    list_inputs,
    table_schema,
)
from ._warcsieve import clean as _clean
from ._warcsieve import read_warc as _read_warc
from .errors import Error, InputError, IntegrityError, PageError, PipelineError, UsageError

__all__ = [
    "Block",
    "Blocks",
    "Column",
    "Crawl",
    "Error",
    "Extractor",
    "InputError",
    "IntegrityError",
    "Page",
    "PageError",
    "PipelineError",
    "Results",
    "Schema",
    "Summary",
    "Table",
    "UsageError",
    "__version__",
    "clean",
    "decode",
    "errors",
    "extract",
    "extract_many",
    "list_inputs",
    "read_warc",
    "table_schema",
]

Html = str | bytes | bytearray | memoryview
"""A page."""

Output = Literal["text", "markdown", "html"]
"""A form of content."""

Place = str | os.PathLike[str]
"""A path, or an address such as `s3://bucket/crawl/00.warc.gz`."""


class Summary(TypedDict):
    """What `clean` did; numbers are sums over the inputs of this call, those done before included.

    skips: numbers of pages that were not processed, by reason. failed: inputs that could not be read or written, each
    with why. faulty: inputs with damage. sealed: whether every input of the folder is done and its ledger balances;
    otherwise not_sealed says why.
    """

    inputs_cleaned: int
    inputs_done_before: int
    inputs_without_records: int
    pages: int
    documents: int
    empty_documents: int
    other_records: int
    faults: int
    bytes_read: int
    bytes_written: int
    skips: dict[str, int]
    failed: list[tuple[str, str]]
    faulty: list[str]
    sealed: bool
    not_sealed: str | None


@lru_cache(maxsize=32)
def _extractor(pipeline: str, output: str, with_metadata: bool) -> Extractor:
    return Extractor(pipeline, output=output, with_metadata=with_metadata)


@overload
def extract(
    html: Html,
    url: str | None = ...,
    output: Output = ...,
    pipeline: str = ...,
    with_metadata: Literal[False] = ...,
) -> str | None: ...


@overload
def extract(
    html: Html,
    url: str | None = ...,
    output: Output = ...,
    pipeline: str = ...,
    *,
    with_metadata: Literal[True],
) -> Page | None: ...


@overload
def extract(
    html: Html,
    url: str | None = ...,
    output: Output = ...,
    pipeline: str = ...,
    with_metadata: bool = ...,
) -> str | Page | None: ...


def extract(
    html: Html,
    url: str | None = None,
    output: Output = "text",
    pipeline: str = "default",
    with_metadata: bool = False,
) -> str | Page | None:
    """The content of a page, without navigation, advertising and comments; None if it has none.

    html: the page. Of bytes the encoding is found as browsers do: a byte order mark, `<meta charset>`, else a guess.
    url: its address: relative addresses in its metadata are completed from it.
    output: `text` (plain), `markdown` or `html` (without anything executable).
    pipeline: the name of one that ships (`warcsieve methods` lists them), the path of a pipeline file, or the text of
        one; a file is read once a process.
    with_metadata: returns the `Page`: its content, what it says of itself, its blocks with labels and scores.

    Takes time linear in the page's length, without the lock of Python. Nothing is fetched: an address in place of a page
    is a text without content. Raises `PageError` for a page above the pipeline's `max_page_bytes` (16 MiB by default),
    `UsageError` for a pipeline that is not there or wrong, ValueError for another `output`, TypeError for what is no
    page, such as None. Whatever the bytes of a page are, nothing else is raised.
    """
    found: str | Page | None = _extractor(pipeline, output, with_metadata).extract(html, url)
    return found


def extract_many(
    pages: Iterable[Html | tuple[Html, str | None]],
    output: Output = "text",
    pipeline: str = "default",
    with_metadata: bool = False,
    *,
    threads: int | None = None,
    errors: Literal["raise", "return"] = "raise",
) -> Results:
    """An iterator over the contents of many pages, in their order, made by several threads.

    pages: pages, or tuples of a page and its address. It is read as results are asked for: at most 8 pages a thread, or
        64 MiB, ahead.
    threads: default: as many as there are cores. With 1 all is done by the thread that asks, page by page.
    errors: whether a page that cannot be processed raises its `PageError`, after which the iterator goes on with the
        next page, or the `PageError` is a result in its place.

    Each result is what `extract` returns.
    """
    return _extractor(pipeline, output, with_metadata).extract_many(pages, threads=threads, errors=errors)


def read_warc(
    source: Place | BinaryIO,
    pipeline: str = "default",
    *,
    output: Output | None = None,
    name: str | None = None,
) -> Crawl:
    """Reads WARC and ARC files: an iterator of pages, and an Arrow stream of the tables that `clean` writes.

    source: a file, folder, pattern, `@list` or address, plain or compressed with gzip or zstd, or a file open for
        reading bytes.
    output: the form of the content; default: that of the pipeline.
    name: the name of the input in `warc_filename` and in errors; default: the file's.

    Iterating gives a `Page` for each page that the pipeline selects. Damage in a file is skipped and counted, as are
    pages that cannot be processed: `counts` has the numbers, `faults` the places. Raises `InputError` for a file that
    cannot be read.

    `pyarrow.table(crawl)`, `polars.DataFrame(crawl)` and others read `documents`, a row a page, one batch at a time;
    `crawl.documents(columns)` and `crawl.blocks(columns)` are streams of some columns of either table. Each stream is a
    pass of its own; a file object allows one.
    """
    return _read_warc(source, pipeline, output=output, name=name)


def clean(
    inputs: Place | Sequence[Place],
    out: Place,
    *,
    pipeline: str = "default",
    threads: int | None = None,
    progress: Callable[[int, int, int], object] | None = None,
    output: Output | None = None,
    base: Place | None = None,
    shard: tuple[int, int] = (1, 1),
    seal: bool = True,
    redo: bool = False,
    allow_empty: bool = False,
) -> Summary:
    """Cleans crawls into Parquet: `documents/`, `blocks/` and a ledger of every byte in `_manifest/`.

    It does what the command `warcsieve clean` does, with the same results: inputs that are done are kept, an input that
    cannot be read fails alone and is listed, an interrupted run goes on when it is called again.

    inputs: files, folders, patterns, `@list`s, addresses.
    out: the folder, a path or an address.
    threads: default: as many as there are cores.
    progress: called about twice a second, by the calling thread, with the numbers of pages, bytes read and inputs done;
        what it raises stops the run.
    output: writes a file a page, too, in this form.
    base: the folder that names of inputs are below.
    shard: cleans only the first number's of the second number's shares of the inputs, counted from 1.
    seal, redo, allow_empty: as the options of the command.

    Ctrl-C stops the run within some seconds with KeyboardInterrupt; what is done is kept. Raises `UsageError` where the
    folder is somebody else's, `InputError` or `IntegrityError` where outputs cannot be written.
    """
    given: Sequence[Place] = [inputs] if isinstance(inputs, (str, os.PathLike)) else inputs
    found: Any = _clean(
        list(given),
        out,
        pipeline=pipeline,
        threads=threads,
        progress=progress,
        output=output,
        base=base,
        shard=shard,
        seal=seal,
        redo=redo,
        allow_empty=allow_empty,
    )
    summary: Summary = found
    return summary
