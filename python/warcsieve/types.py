"""The types of arguments, and of the dicts that come back."""

from __future__ import annotations

import os
from typing import Literal, TypedDict

Html = str | bytes | bytearray | memoryview
"""A page."""

Output = Literal["text", "markdown", "html"]
"""A form of content."""

Links = Literal["page", "absolute"]
"""Addresses of links and images: as the page has them, or completed."""

Tables = Literal["pipes", "html"]
"""Tables of data in Markdown."""

Place = str | os.PathLike[str]
"""A path, or an address such as `s3://bucket/crawl/00.warc.gz`."""


class Metadata(TypedDict):
    """What a page says about itself: the columns of the table `documents`.

    All values are text, dates as well (ISO 8601), so it can be written as JSON. metadata_source: for each field that has
    a value, the source of the value.
    """

    headline: str | None
    author: str | None
    published: str | None
    modified: str | None
    sitename: str | None
    description: str | None
    canonical: str | None
    image: str | None
    html_lang: str | None
    page_type: str | None
    tags: list[str]
    metadata_source: dict[str, str]


class Counts(TypedDict):
    """What became of the bytes, records and pages of a crawl.

    records = pages + other_records. pages = documents + the sum of removed + the sum of skips. removed: numbers of pages
    that filters removed, by rule. skips: numbers of pages that were not processed, by reason. labelled_by: numbers of
    documents by the pipeline that labelled them, if the pipeline names others.
    """

    inputs: int
    bytes_read: int
    records: int
    other_records: int
    pages: int
    documents: int
    empty_documents: int
    damaged_bytes: int
    faults: int
    removed: dict[str, int]
    labelled_by: dict[str, int]
    skips: dict[str, int]


class Fault(TypedDict):
    """Damage in an input, or a page that could not be processed.

    kind: one word that says what it is. offset: the byte offset in the input. record_id: the record, if it is known.
    """

    input: str
    kind: str
    offset: int
    record_id: str | None
    message: str


class Summary(TypedDict):
    """What `clean` did. Numbers are sums over the inputs of this call, those that were done before included.

    pages = documents + the sums of removed and skips. skips: numbers of pages that were not processed, by reason.
    removed: of pages that filters removed, by rule. lines: of lines that filters cut, by rule. personal: of personal data
    that was found, by kind. labelled_by: numbers of documents by the pipeline that labelled them, if the pipeline names
    others. failed: inputs that could not be read or written, each
    with the reason. faulty: inputs with damage. sealed: whether every input of the folder is done and its counts add up;
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
    removed: dict[str, int]
    labelled_by: dict[str, int]
    lines: dict[str, int]
    personal: dict[str, int]
    failed: list[tuple[str, str]]
    faulty: list[str]
    sealed: bool
    not_sealed: str | None
