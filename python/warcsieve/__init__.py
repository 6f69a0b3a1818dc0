"""Web crawls to clean text: HTML in; text, Markdown, metadata and labelled blocks out.

>>> import warcsieve
>>> html = "<title>Cod</title><nav><a href=/>Home</a></nav><article><h1>Cod in winter</h1><p>Cod spawn from January " \\
...     "to April, in water of four to six degrees, and the largest shoals are met off the Lofoten islands, where " \\
...     "they have been fished for a thousand years.</p></article>"
>>> "thousand years" in warcsieve.extract(html)
True

Pages are `str`, or bytes in any encoding. `extract` returns the content of a page, `page` the page with its metadata and
blocks. `extract_many` and `pages` do the same for many pages on all cores. An `Extractor` has all four for one pipeline.
`read_warc` reads crawls page by page or as Arrow tables, `clean` writes whole crawls to Parquet. Errors are those of
`warcsieve.errors`.

Importing it imports nothing else and starts no thread.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import BinaryIO

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
from .types import Counts, Fault, Html, Links, Metadata, Output, Place, Summary, Tables

__all__ = [
    "Block",
    "Blocks",
    "Column",
    "Counts",
    "Crawl",
    "Error",
    "Extractor",
    "Fault",
    "Html",
    "InputError",
    "IntegrityError",
    "Links",
    "Metadata",
    "Output",
    "Page",
    "PageError",
    "PipelineError",
    "Place",
    "Results",
    "Schema",
    "Summary",
    "Table",
    "Tables",
    "UsageError",
    "__version__",
    "clean",
    "decode",
    "errors",
    "extract",
    "extract_many",
    "list_inputs",
    "page",
    "pages",
    "read_warc",
    "table_schema",
]

@lru_cache(maxsize=32)
def _extractor(
    pipeline: str, output: Output, links: Links | None, images: bool | None, tables: Tables | None
) -> Extractor:
    return Extractor(pipeline, output=output, links=links, images=images, tables=tables)


def extract(
    html: Html,
    url: str | None = None,
    output: Output = "text",
    pipeline: str = "default",
    *,
    links: Links | None = None,
    images: bool | None = None,
    tables: Tables | None = None,
) -> str | None:
    """The content of a page, without navigation, advertising and comments.

    None if the page has no content, or a filter of the pipeline removes it.

    html: the page. Of bytes the encoding is found as browsers do: a byte order mark, `<meta charset>`, else a guess.
    url: its address, from which relative addresses in its metadata are completed, and its links if the pipeline has
        `links = "absolute"`.
    output: `text` (plain), `markdown` or `html` (without anything executable).
    pipeline: the name of one that ships (`warcsieve methods` lists them), the path of a pipeline file, or the text of
        one; a file is read once per process.
    links, images, tables: the keys of the pipeline about Markdown and HTML; by default those of the pipeline.
        `links="absolute"` completes addresses, `images=True` shows images in Markdown, `tables="html"` writes its tables
        as HTML.

    Takes time linear in the page's length, without the lock of Python. Nothing is fetched: an address in place of a
    page is a text without content, and gives a `UserWarning`. Raises `PageError` for a page above the pipeline's
    `max_page_bytes` (16 MiB by default), `UsageError` for a pipeline that does not exist, has an error, or has filters
    that change texts, ValueError for another `output`, TypeError for a value that is not a page, such as None. Whatever
    the bytes of a page are, nothing else is raised.
    """
    return _extractor(pipeline, output, links, images, tables).extract(html, url)


def page(
    html: Html,
    url: str | None = None,
    output: Output = "text",
    pipeline: str = "default",
    *,
    links: Links | None = None,
    images: bool | None = None,
    tables: Tables | None = None,
) -> Page:
    """A page with its content, its metadata, and its blocks with labels and scores.

    output: the form of `Page.content`. Other arguments and errors are those of `extract`.

    It is a `Page` also if nothing is content: `content` is empty then, and `why_empty` says why. If a filter of the
    pipeline removes the page, `removed_by` is its rule.
    """
    return _extractor(pipeline, output, links, images, tables).page(html, url)


def extract_many(
    pages: Iterable[Html | tuple[Html, str | None]],
    output: Output = "text",
    pipeline: str = "default",
    *,
    threads: int | None = None,
    links: Links | None = None,
    images: bool | None = None,
    tables: Tables | None = None,
) -> Results[str | None]:
    """The contents of many pages, in their order, made by several threads: for each page what `extract` returns.

    pages: pages, or tuples of a page and its address. It is read as results are asked for: at most 8 pages per thread, or
        64 MiB, ahead.
    threads: default: as many as there are cores. With 1 all is done by the thread that asks, page by page.
    links, images, tables: as in `extract`.

    A page that cannot be processed raises its `PageError` in its turn; the iterator then goes on with the next page.
    `extract_many(…).with_errors()` returns the `PageError` in its place.
    """
    return _extractor(pipeline, output, links, images, tables).extract_many(pages, threads=threads)


def pages(
    pages: Iterable[Html | tuple[Html, str | None]],
    output: Output = "text",
    pipeline: str = "default",
    *,
    threads: int | None = None,
    links: Links | None = None,
    images: bool | None = None,
    tables: Tables | None = None,
) -> Results[Page]:
    """Many pages with their contents, metadata and blocks: as `extract_many`, but for each page what `page` returns."""
    return _extractor(pipeline, output, links, images, tables).pages(pages, threads=threads)


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

    Iterating returns a `Page` for each page that the pipeline selects and its filters keep. Damage in a file is skipped
    and counted, as are pages that filters remove or that cannot be processed: `counts` has the numbers, `faults` the
    places. Raises `InputError` for a file that cannot be read. A pipeline with filters that change texts has only the
    tables; iterating raises `UsageError`.

    `pyarrow.table(crawl)`, `polars.DataFrame(crawl)` and others read `documents`, one row per page, one batch at a time;
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
    cannot be read fails alone and is listed, an interrupted run goes on when it is called again. A file that is not there
    is a mistake: nothing is written, unless `seal` is false, which leaves it to the other machines of a job.

    inputs: files, folders, patterns, `@list`s, addresses.
    out: the folder, a path or an address.
    threads: default: as many as there are cores.
    progress: called about twice a second, by the calling thread, with the numbers of pages, bytes read and inputs done;
        what it raises stops the run.
    output: also writes a file per page in this form.
    base: the folder that names of inputs are below.
    shard: cleans only the first number's of the second number's shares of the inputs, counted from 1.
    seal, redo, allow_empty: as the options of the command.

    Ctrl-C stops the run within some seconds with KeyboardInterrupt; what is done is kept. Raises `UsageError` if an
    input is not there or the folder belongs to another run or program, `InputError` or `IntegrityError` if outputs cannot be written.
    """
    given: Sequence[Place] = [inputs] if isinstance(inputs, (str, os.PathLike)) else inputs
    return _clean(
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
